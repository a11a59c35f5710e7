#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

#include "scree/config/tree_internal.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

constexpr const char* kKeyLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
/// No settings file is larger; a device that never ends is not read to the end of memory.
constexpr std::size_t kLargestFile = std::size_t{64} << 20;

/// One printable line, whatever the file held.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    line += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  return trim(line);
}

toml::table parse(std::string_view text, const std::string& name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    input_error("{}:{}: not valid TOML: {}", name, error.source().begin.line, one_line(error.description()));
  }
}

std::string read_file(const std::filesystem::path& file) {
  std::error_code status;
  if (std::filesystem::is_directory(file, status)) {
    input_error("{}: is a folder; a TOML file is needed", file.string());
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) input_error("{}: cannot be read: {}", file.string(), std::strerror(errno));
  std::string text;
  char block[65536];
  while (in.read(block, sizeof block), in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargestFile) input_error("{}: larger than 64 MB; not a settings file", file.string());
  }
  if (in.bad()) input_error("{}: cannot be read: {}", file.string(), std::strerror(errno));
  return text;
}

std::optional<std::size_t> array_index(std::string_view part) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (part.empty() || error != std::errc{} || end != part.data() + part.size()) return std::nullopt;
  return index;
}

/// The value of --set in TOML syntax; a bare word is text.
toml::table parse_value(const std::string& assignment, const std::string& value) {
  if (value.empty()) input_error("--set {}: no value after '='", assignment);
  if (value.find('\n') != std::string::npos)
    input_error("--set {}: more than one line", one_line(assignment));
  toml::table parsed;
  try {
    parsed = toml::parse("v = " + value);
  } catch (const toml::parse_error& error) {
    if (std::strchr("\"'[{", value.front()) != nullptr) {
      input_error("--set {}: the value is not valid TOML: {}", assignment, one_line(error.description()));
    }
    parsed.insert_or_assign("v", value);
  }
  const auto& node = *parsed.get("v");
  if (node.is_date() || node.is_time() || node.is_date_time()) parsed.insert_or_assign("v", value);
  return parsed;
}

/// Copies nodes; toml++ drops the line of a copy, which marks them as coming from the command line.
template <class Place>
void assign_copy(Place&& place, const toml::node& value) {
  value.visit([&](const auto& concrete) { place(concrete); });
}

/// Walks one --set down the tree, making what is missing.
class Assignment {
 public:
  Assignment(std::string_view text, toml::table& root) : text_(one_line(text)), node_(&root) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) input_error("--set {}: write key=value", text_);
    parts_ = split(trim(text.substr(0, equals)), '.');
    for (auto& part : parts_) {
      part = trim(part);
      if (part.empty()) input_error("--set {}: the key has an empty part", text_);
      if (part.find_first_not_of(kKeyLetters) != std::string::npos) {
        input_error("--set {}: '{}' is no key: letters, digits, _ and - make one", text_, part);
      }
    }
    value_ = parse_value(text_, trim(text.substr(equals + 1)));
  }

  void apply() {
    for (std::size_t i = 0; i + 1 < parts_.size(); ++i) node_ = descend(parts_[i], parts_[i + 1]);
    store(parts_.back());
  }

 private:
  /// An array of one table needs no index.
  void enter_single() {
    auto* array = node_->as_array();
    if (array != nullptr && array->size() == 1 && array->get(0)->is_table()) node_ = array->get(0);
  }

  std::size_t checked_index(const toml::array& array, const std::string& part) const {
    const auto index = array_index(part);
    if (!index) {
      input_error("--set {}: '{}' is an array of {}; name the element by number", text_, done_, array.size());
    }
    if (*index > array.size()) {
      input_error("--set {}: '{}' has {} elements; {} is beyond the next one", text_, done_, array.size(),
                  part);
    }
    return *index;
  }

  toml::node* descend(const std::string& part, const std::string& next) {
    if (!array_index(part)) enter_single();
    toml::node* found = nullptr;
    if (auto* array = node_->as_array()) {
      const std::size_t index = checked_index(*array, part);
      if (index == array->size()) array->push_back(toml::table{});
      found = array->get(index);
    } else {
      auto& table = *node_->as_table();
      if (!table.contains(part)) {
        if (array_index(next)) {
          table.insert(part, toml::array{});
        } else {
          table.insert(part, toml::table{});
        }
      }
      found = table.get(part);
    }
    done_ += (done_.empty() ? "" : ".") + part;
    if (!found->is_table() && !found->is_array()) {
      input_error("--set {}: '{}' is {}, not a table", text_, done_, describe_value(*found));
    }
    return found;
  }

  void store(const std::string& part) {
    if (!array_index(part)) enter_single();
    const toml::node& value = *value_.get("v");
    if (auto* array = node_->as_array()) {
      const std::size_t index = checked_index(*array, part);
      assign_copy(
          [&](const auto& v) {
            if (index == array->size()) {
              array->push_back(v);
            } else {
              array->replace(array->cbegin() + static_cast<std::ptrdiff_t>(index), v);
            }
          },
          value);
      return;
    }
    auto& table = *node_->as_table();
    const toml::node* old = table.get(part);
    if (old != nullptr && old->is_table() && !value.is_table()) {
      input_error("--set {}: '{}' is a table; set one of its keys", text_, part);
    }
    if (old != nullptr && old->is_array_of_tables() && !value.is_array()) {
      input_error("--set {}: '{}' is a list of tables; set a key of one of them", text_, part);
    }
    // The same angle in the other unit must not stand beside the new one.
    if (part.ends_with("_deg")) {
      table.erase(part.substr(0, part.size() - 4));
    } else {
      table.erase(part + "_deg");
    }
    assign_copy([&](const auto& v) { table.insert_or_assign(part, v); }, value);
  }

  std::string text_, done_;
  std::vector<std::string> parts_;
  toml::table value_;
  toml::node* node_;
};

void replace_file(toml::table& root, const std::string& path, const std::string& file) {
  toml::node* node = &root;
  const auto parts = split(path, '.');
  for (const auto& part : parts) {
    if (auto* array = node->as_array()) {
      const auto index = array_index(part);
      node = index ? array->get(*index) : nullptr;
    } else if (auto* table = node->as_table()) {
      node = table->get(part);
    } else {
      return;
    }
    if (node == nullptr) return;
  }
  if (auto* text = node->as_string()) *text = file;
}

}  // namespace

Document::Document(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

Document Document::from_file(const std::filesystem::path& file) {
  auto folder = file.parent_path();
  return from_text(read_file(file), file.string(), folder.empty() ? "." : folder);
}

Document Document::from_text(std::string_view text, std::string name, std::filesystem::path folder) {
  auto tree = std::make_shared<TomlTree>();
  tree->root = parse(text, name);
  tree->name = std::move(name);
  tree->folder = std::move(folder);
  auto impl = std::make_unique<Impl>();
  impl->tree = std::move(tree);
  return Document(std::move(impl));
}

void Document::set(std::string_view assignment) {
  // On a copy, so that an assignment that fails half-way leaves no trace. The copy would lose the lines of
  // the file, so only the check runs on it.
  toml::table trial = impl_->tree->root;
  Assignment(assignment, trial).apply();
  Assignment(assignment, impl_->tree->root).apply();
}

Section Document::root() const {
  auto impl = std::make_unique<Section::Impl>();
  impl->tree = impl_->tree;
  impl->table = impl->tree ? &impl->tree->root : nullptr;
  impl->anchor = impl->table;
  return Section(std::move(impl));
}

std::string Document::text() const {
  toml::table resolved = impl_->tree->root;
  for (const auto& [path, file] : impl_->tree->files) replace_file(resolved, path, file);
  std::ostringstream out;
  out << toml::toml_formatter(resolved) << "\n";
  return out.str();
}

std::string Document::name() const { return impl_->tree->name; }

}  // namespace scree
