/// The typed readers: one value of a table, checked.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/config/data_path.hpp"
#include "scree/config/tree_internal.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

std::string with_unit(const std::string& value, const std::string& unit) {
  return unit.empty() || unit == "-" ? value : value + " " + unit;
}

void check_range(const Section& section, std::string_view key, double value, const Range& range,
                 const std::string& unit, const std::string& hint = "") {
  if (range.contains(value)) return;
  section.fail(key, fmt::format("{} is outside {}{}", with_unit(number_text(value), unit),
                                with_unit(range.text(), unit), hint));
}

double checked_number(const Section& section, std::string_view key, const toml::node& node, const Key& about,
                      std::string_view wanted) {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value) wrong_type(section, key, expected(wanted, about.unit), node);
  check_range(section, key, *value, about.range, about.unit);
  return *value;
}

/// A value as TOML on one line; a number as it is read, not as it was written: 30e-3 and 0.03 are the same.
std::string literal_text(const toml::node& node) {
  if (const auto* x = node.as_integer()) return fmt::format("{}", x->get());
  if (const auto* x = node.as_floating_point()) return number_text(x->get());
  if (const auto* x = node.as_boolean()) return x->get() ? "true" : "false";
  std::string inner;
  if (const auto* array = node.as_array()) {
    for (const auto& item : *array) inner += (inner.empty() ? "" : ", ") + literal_text(item);
    return "[" + inner + "]";
  }
  if (const auto* table = node.as_table()) {
    for (const auto& [key, item] : *table)
      inner += fmt::format("{}{} = {}", inner.empty() ? "" : ", ", key.str(), literal_text(item));
    return "{" + inner + "}";
  }
  return json_text(node.is_string() ? node.as_string()->get() : "");  // dates are no value of any key
}

std::string list_text(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string numbers_text(const double* values, std::size_t count) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < count; ++i) items.push_back(number_text(values[i]));
  return list_text(items);
}

std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

template <class Vector>
void read_vector(Section& section, const toml::node* node, std::string_view key, Vector& value,
                 const Key& about) {
  if (node == nullptr) return;
  constexpr auto count = static_cast<std::size_t>(Vector::SizeAtCompileTime);
  const auto* array = node->as_array();
  const auto wanted = fmt::format("an array of {} numbers", count);
  if (array == nullptr || array->size() != count)
    wrong_type(section, key, expected(wanted, about.unit), *node);
  Vector given;
  for (std::size_t i = 0; i < count; ++i) {
    given[static_cast<Eigen::Index>(i)] = checked_number(section, key, *array->get(i), about, wanted);
  }
  value = given;
}

}  // namespace

void Section::number(std::string_view key, double& value, const Key& about) {
  if (const auto* node = impl_->lookup(key, about, "number", number_text(value), about.range.text())) {
    value = checked_number(*this, key, *node, about, "a number");
  }
}

void Section::angle(std::string_view key, double& value, const Key& about) {
  const std::string in_degrees = std::string(key) + "_deg";
  Key in_radians = about;
  in_radians.unit = "rad";
  if (documenting()) {
    impl_->lookup(key, in_radians, "angle", number_text(value), about.range.text());
    return;
  }
  const toml::node* deg = impl_->find(in_degrees);
  if (deg != nullptr) in_radians.required = false;
  const toml::node* rad = impl_->lookup(key, in_radians, "angle", "", "");
  if (deg != nullptr && rad != nullptr) {
    fail(in_degrees, fmt::format("'{}' is given too; give one of the two", key));
  }
  if (rad != nullptr) {
    const auto given = rad->is_number() ? rad->value<double>() : std::nullopt;
    if (!given) wrong_type(*this, key, "an angle [rad]", *rad);
    const bool looks_like_degrees = about.range.contains(*given * kDegree);
    check_range(*this, key, *given, about.range, "rad",
                looks_like_degrees ? fmt::format(": given in degrees? use {}", in_degrees) : "");
    value = *given;
  } else if (deg != nullptr) {
    const auto given = deg->is_number() ? deg->value<double>() : std::nullopt;
    if (!given) wrong_type(*this, in_degrees, "an angle [deg]", *deg);
    const double radians = *given * kDegree;
    if (!about.range.contains(radians)) {
      Range range = about.range;
      range.low /= kDegree;
      range.high /= kDegree;
      fail(in_degrees, fmt::format("{} deg is outside {} deg", number_text(*given), range.text()));
    }
    value = radians;
  }
}

void Section::integer(std::string_view key, int& value, const Key& about) {
  if (const auto* node = impl_->lookup(key, about, "integer", fmt::format("{}", value), about.range.text())) {
    const auto* given = node->as_integer();
    if (given == nullptr) wrong_type(*this, key, expected("an integer", about.unit), *node);
    check_range(*this, key, static_cast<double>(given->get()), about.range, about.unit);
    check_range(*this, key, static_cast<double>(given->get()),
                between(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()), about.unit);
    value = static_cast<int>(given->get());
  }
}

void Section::unsigned_integer(std::string_view key, std::uint64_t& value, const Key& about) {
  Key whole = about;
  whole.range.low = std::max(whole.range.low, 0.0);
  if (std::isinf(about.range.low)) whole.range.open_low = false;
  if (const auto* node = impl_->lookup(key, whole, "integer", fmt::format("{}", value), whole.range.text())) {
    const auto* given = node->as_integer();
    if (given == nullptr) wrong_type(*this, key, expected("an integer", about.unit), *node);
    check_range(*this, key, static_cast<double>(given->get()), whole.range, about.unit);
    value = static_cast<std::uint64_t>(given->get());
  }
}

void Section::boolean(std::string_view key, bool& value, const Key& about) {
  if (const auto* node = impl_->lookup(key, about, "true or false", value ? "true" : "false", "")) {
    const auto* given = node->as_boolean();
    if (given == nullptr) wrong_type(*this, key, "true or false", *node);
    value = given->get();
  }
}

void Section::text(std::string_view key, std::string& value, const Key& about) {
  if (const auto* node = impl_->lookup(key, about, "text", in_quotes(value), "")) {
    const auto* given = node->as_string();
    if (given == nullptr) wrong_type(*this, key, "text", *node);
    value = given->get();
  }
}

void Section::choice(std::string_view key, std::string& value, const std::vector<std::string>& options,
                     const Key& about) {
  std::vector<std::string> words;
  for (const auto& option : options) words.push_back(in_quotes(option));
  const auto* node =
      impl_->lookup(key, about, "word", in_quotes(value), fmt::format("{}", fmt::join(words, ", ")));
  if (node == nullptr) return;
  const auto* given = node->as_string();
  if (given == nullptr) wrong_type(*this, key, fmt::format("one of {}", fmt::join(words, ", ")), *node);
  if (std::find(options.begin(), options.end(), given->get()) == options.end()) {
    fail(key, fmt::format("unknown word {}{}", in_quotes(given->get()), name_hint(given->get(), options)));
  }
  value = given->get();
}

void Section::vector(std::string_view key, Vec2& value, const Key& about) {
  const auto fallback = numbers_text(value.data(), 2);
  read_vector(*this, impl_->lookup(key, about, "2 numbers", fallback, about.range.text()), key, value, about);
}

void Section::vector(std::string_view key, Vec3& value, const Key& about) {
  const auto fallback = numbers_text(value.data(), 3);
  read_vector(*this, impl_->lookup(key, about, "3 numbers", fallback, about.range.text()), key, value, about);
}

void Section::numbers(std::string_view key, std::vector<double>& value, const Key& about) {
  const auto* node = impl_->lookup(key, about, "array of numbers", numbers_text(value.data(), value.size()),
                                   about.range.text());
  if (node == nullptr) return;
  const auto* array = node->as_array();
  if (array == nullptr) wrong_type(*this, key, expected("an array of numbers", about.unit), *node);
  std::vector<double> given;
  for (const auto& item : *array)
    given.push_back(checked_number(*this, key, item, about, "numbers in the array"));
  value = std::move(given);
}

void Section::texts(std::string_view key, std::vector<std::string>& value, const Key& about) {
  std::vector<std::string> items;
  for (const auto& item : value) items.push_back(in_quotes(item));
  const auto* node = impl_->lookup(key, about, "array of texts", list_text(items), "");
  if (node == nullptr) return;
  const auto* array = node->as_array();
  if (array == nullptr) wrong_type(*this, key, "an array of texts", *node);
  std::vector<std::string> given;
  for (const auto& item : *array) {
    if (!item.is_string()) wrong_type(*this, key, "texts in the array", item);
    given.push_back(item.as_string()->get());
  }
  value = std::move(given);
}

void Section::literals(std::string_view key, std::vector<std::string>& value, const Key& about) {
  const auto* node = impl_->lookup(key, about, "array of values", list_text(value), "");
  if (node == nullptr) return;
  const auto* array = node->as_array();
  if (array == nullptr) wrong_type(*this, key, "an array of values", *node);
  std::vector<std::string> given;
  for (const auto& item : *array) given.push_back(literal_text(item));
  value = std::move(given);
}

void Section::rows(std::string_view key, std::vector<std::vector<double>>& value, int columns,
                   const Key& about) {
  std::vector<std::string> lines;
  for (const auto& row : value) lines.push_back(numbers_text(row.data(), row.size()));
  const auto type = fmt::format("rows of {} numbers", columns);
  const auto* node = impl_->lookup(key, about, type, list_text(lines), about.range.text());
  if (node == nullptr) return;
  const auto* array = node->as_array();
  if (array == nullptr) wrong_type(*this, key, expected(type, about.unit), *node);
  std::vector<std::vector<double>> given;
  for (const auto& item : *array) {
    const auto* row = item.as_array();
    if (row == nullptr || row->size() != static_cast<std::size_t>(columns)) {
      wrong_type(*this, key, fmt::format("{} in row {}", type, given.size()), item);
    }
    auto& numbers = given.emplace_back();
    for (const auto& entry : *row)
      numbers.push_back(checked_number(*this, key, entry, about, "numbers in the rows"));
  }
  value = std::move(given);
}

void Section::file(std::string_view key, std::filesystem::path& value, const Key& about) {
  const auto* node = impl_->lookup(key, about, "file", in_quotes(value.string()), "");
  if (node == nullptr) return;
  const auto* given = node->as_string();
  if (given == nullptr) wrong_type(*this, key, "a file name", *node);
  if (given->get().empty()) fail(key, "the file name is empty");
  value = given->get();
  if (value.is_relative()) {
    // A name on the command line is meant as the shell sees it.
    const bool from_command_line = node->source().begin.line == 0;
    if (!from_command_line) value = (impl_->tree->folder / value).lexically_normal();
    std::error_code status;
    if (std::filesystem::exists(value, status)) {
      impl_->tree->files[impl_->path_of(key)] =
          std::filesystem::absolute(value, status).lexically_normal().string();
    }
  }
}

void Section::entries(std::string_view key, std::vector<std::string>& value, const Key& about) {
  texts(key, value, about);
  if (documenting() || !has(key)) return;
  // A list on the command line is meant as the shell sees it.
  const bool from_command_line = impl_->find(key)->source().begin.line == 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    std::filesystem::path file = value[i];
    if (!is_path_name(value[i]) || !file.is_relative()) continue;
    if (!from_command_line) file = impl_->tree->folder / file;
    std::error_code status;
    value[i] = std::filesystem::absolute(file, status).lexically_normal().string();
    if (std::filesystem::exists(file, status))
      impl_->tree->files[fmt::format("{}.{}", impl_->path_of(key), i)] = value[i];
  }
}

void Section::assignments(std::string_view key, std::vector<std::string>& value,
                          const std::vector<std::string>& file_keys, const Key& about) {
  texts(key, value, about);
  if (documenting() || !has(key)) return;
  // A list on the command line is meant as the shell sees it.
  const bool from_command_line = impl_->find(key)->source().begin.line == 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto equals = value[i].find('=');
    if (equals == std::string::npos) continue;  // whoever applies it complains
    const std::string path = trim(value[i].substr(0, equals)), last = trim(split(path, '.').back());
    if (std::find(file_keys.begin(), file_keys.end(), last) == file_keys.end()) continue;
    std::string name = trim(value[i].substr(equals + 1));
    if (name.size() >= 2 && (name.front() == '"' || name.front() == '\'') && name.back() == name.front())
      name = name.substr(1, name.size() - 2);
    std::filesystem::path file = name;
    if (name.empty() || !file.is_relative()) continue;
    if (!from_command_line) file = impl_->tree->folder / file;
    std::error_code status;
    file = std::filesystem::absolute(file, status).lexically_normal();
    const char quote = file.string().find('\'') == std::string::npos ? '\'' : '"';
    value[i] = fmt::format("{}={}{}{}", path, quote, file.string(), quote);
    if (std::filesystem::exists(file, status))
      impl_->tree->files[fmt::format("{}.{}", impl_->path_of(key), i)] = value[i];
  }
}

void Section::named_numbers(std::string_view key, std::vector<std::pair<std::string, double>>& value,
                            const Key& about) {
  std::vector<std::string> items;
  for (const auto& [name, number] : value) items.push_back(fmt::format("{} = {}", name, number_text(number)));
  const auto fallback = items.empty() ? "{}" : fmt::format("{{ {} }}", fmt::join(items, ", "));
  const auto* node = impl_->lookup(key, about, "table of named numbers", fallback, about.range.text());
  if (node == nullptr) return;
  const auto* table = node->as_table();
  if (table == nullptr) wrong_type(*this, key, expected("a table of named numbers", about.unit), *node);
  Section named = child(key);
  std::vector<std::pair<std::string, double>> given;
  for (const auto& name : named.keys()) {
    double number = 0;
    named.number(name, number, about);
    given.emplace_back(name, number);
  }
  value = std::move(given);
}

}  // namespace scree
