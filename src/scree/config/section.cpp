#include "scree/config/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/config/tree_internal.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

std::string bound_text(double bound) {
  return std::isinf(bound) ? number_text(bound) : fmt::format("{:.6g}", bound);
}

}  // namespace

std::string Range::text() const {
  const bool open_left = open_low || std::isinf(low);
  const bool open_right = open_high || std::isinf(high);
  return fmt::format("{}{}, {}{}", open_left ? '(' : '[', bound_text(low), bound_text(high),
                     open_right ? ')' : ']');
}

std::string place_of(const TomlTree& tree, const toml::node* node) {
  if (node == nullptr || node == &tree.root) return tree.name;
  const auto line = node->source().begin.line;
  if (line == 0) return tree.origin;
  return tree.has_lines ? fmt::format("{}:{}", tree.name, line) : tree.name;
}

std::string describe_value(const toml::node& node) {
  if (const auto* text = node.as_string()) {
    const std::string& value = text->get();
    return fmt::format("the text \"{}\"", value.size() > 40 ? value.substr(0, 40) + "..." : value);
  }
  if (const auto* value = node.as_integer()) return fmt::format("the integer {}", value->get());
  if (const auto* value = node.as_floating_point()) return "the number " + number_text(value->get());
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  if (const auto* array = node.as_array()) return fmt::format("an array of {}", array->size());
  if (node.is_table()) return "a table";
  return "a date or time";
}

std::string expected(std::string_view what, const std::string& unit) {
  return unit.empty() || unit == "-" ? std::string(what) : fmt::format("{} [{}]", what, unit);
}

void wrong_type(const Section& section, std::string_view key, const std::string& wanted,
                const toml::node& found) {
  section.fail(key, fmt::format("expected {}, found {}", wanted, describe_value(found)));
}

const toml::node* Section::Impl::find(std::string_view key) {
  if (std::find(asked.begin(), asked.end(), key) == asked.end()) asked.emplace_back(key);
  return table == nullptr ? nullptr : table->get(key);
}

Section::Section(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Section::~Section() = default;
Section::Section(Section&&) noexcept = default;

Section Section::for_reference(Reference& reference, std::string path) {
  auto impl = std::make_unique<Impl>();
  impl->reference = &reference;
  impl->path = std::move(path);
  return Section(std::move(impl));
}

bool Section::documenting() const { return impl_->reference != nullptr; }

const toml::node* Section::Impl::lookup(std::string_view key, const Key& about, std::string_view type,
                                        const std::string& fallback, const std::string& range) {
  if (reference != nullptr) {
    reference->push_back({path_of(key), std::string(type), about.unit, about.required ? "required" : fallback,
                          range, about.doc});
    return nullptr;
  }
  const toml::node* node = find(key);
  if (node == nullptr && about.required) {
    fail(key, fmt::format("missing; it must be given: {}", expected(type, about.unit)));
  }
  return node;
}

void Section::Impl::fail(std::string_view key, std::string_view message) const {
  if (tree == nullptr) input_error("{}: {}", path_of(key), message);
  const toml::node* node = table == nullptr ? nullptr : table->get(key);
  input_error("{}: {}: {}", place_of(*tree, node != nullptr ? node : anchor), path_of(key), message);
}

bool Section::has(std::string_view key) const {
  return impl_->table != nullptr && impl_->table->contains(key);
}

std::vector<std::string> Section::keys() const {
  std::vector<std::pair<toml::source_position, std::string>> found;
  if (impl_->table != nullptr) {
    for (const auto& [key, node] : *impl_->table)
      found.emplace_back(key.source().begin, std::string(key.str()));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto& [place, name] : found) names.push_back(std::move(name));
  return names;
}

Section Section::child(std::string_view key, std::string_view doc) {
  auto impl = std::make_unique<Impl>();
  impl->tree = impl_->tree;
  impl->reference = impl_->reference;
  impl->path = impl_->path_of(key);
  impl->anchor = impl_->anchor;
  if (documenting()) {
    if (!doc.empty()) impl_->reference->push_back({impl->path, "table", "", "", "", std::string(doc)});
    return Section(std::move(impl));
  }
  if (const auto* node = impl_->find(key)) {
    if (!node->is_table()) wrong_type(*this, key, fmt::format("a table [{}]", impl->path), *node);
    impl->table = node->as_table();
    impl->anchor = node;
  }
  return Section(std::move(impl));
}

void Section::each(std::string_view key, std::string_view doc, const std::function<void(Section&)>& visit) {
  const std::string path = impl_->path_of(key);
  if (documenting()) {
    impl_->reference->push_back({path, "array of tables", "", "", "", std::string(doc)});
    Section one = for_reference(*impl_->reference, path + ".N");
    visit(one);
    return;
  }
  const auto* node = impl_->find(key);
  if (node == nullptr) return;
  const auto* array = node->as_array();
  const auto wanted = fmt::format("an array of tables, each headed [[{}]]", key);
  if (array == nullptr) wrong_type(*this, key, wanted, *node);
  for (std::size_t i = 0; i < array->size(); ++i) {
    const auto* table = array->get(i)->as_table();
    if (table == nullptr) wrong_type(*this, key, wanted, *array->get(i));
    auto impl = std::make_unique<Impl>();
    impl->tree = impl_->tree;
    impl->table = table;
    impl->anchor = table;
    impl->path = fmt::format("{}.{}", path, i);
    Section section(std::move(impl));
    visit(section);
  }
}

void Section::ignore(std::string_view key) { impl_->find(key); }

void Section::fail(std::string_view key, std::string_view message) const { impl_->fail(key, message); }

std::string Section::where() const {
  if (impl_->tree == nullptr) return impl_->path;
  const auto place = place_of(*impl_->tree, impl_->anchor);
  return impl_->path.empty() ? place : place + ": " + impl_->path;
}

void Section::rethrow(const InputError& error) const {
  const std::string message = error.what();
  if (impl_->tree == nullptr || message.starts_with(impl_->tree->name + ":") ||
      message.starts_with(impl_->tree->origin + ":")) {
    throw error;
  }
  input_error("{}: {}", where(), message);
}

void Section::finish() const {
  if (impl_->table == nullptr) return;
  for (const auto& key : keys()) {
    if (std::find(impl_->asked.begin(), impl_->asked.end(), key) != impl_->asked.end()) continue;
    fail(key, "unknown key" + name_hint(key, impl_->asked));
  }
}

std::filesystem::path Section::folder() const {
  return impl_->tree == nullptr ? std::filesystem::path(".") : impl_->tree->folder;
}

}  // namespace scree
