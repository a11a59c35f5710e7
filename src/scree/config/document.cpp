#include <algorithm>
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

bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) > 0x7f; }

/// More parts than any key has. The parser and its tree go one call deeper for each: a key of 300,000 parts
/// would end the program.
constexpr int kMostKeyParts = 20;

/// Reads TOML no closer than needed to tell words from text in quotes, and throws at a key of too many parts
/// and at letters beyond ASCII where TOML has none: toml++ 3.3 asks there whether they are blanks, and its
/// answer is undefined for most of Latin and Greek. It asks so in every word, a quote or bracket within one
/// included (`1e-"ä"`), and after a backslash in texts of several lines.
class BeforeParsing {
 public:
  BeforeParsing(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void check() {
    for (at_ = text_.starts_with("\xef\xbb\xbf") ? 3 : 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (c == '\n' || c == '#') {
        ++line_, dots_ = 0, in_word_ = false;
        if (brackets_.empty()) after_equals_ = false;
      } else if (std::strchr(" \t\r,]}", c) != nullptr) {
        in_word_ = false;
        if (c == ',' || c == ']' || c == '}') close(c);
      } else if (in_word_ || !open(c)) {
        word(c);
      }
    }
  }

 private:
  bool in_value() const { return after_equals_ || brackets_.ends_with('['); }

  /// A comma ends a value, a bracket what it encloses.
  void close(char c) {
    dots_ = 0;
    if (c != ',' && !brackets_.empty()) brackets_.pop_back();
    after_equals_ = c != ',' || !brackets_.ends_with('{');
  }

  /// Text in quotes, an array or a table begins here, or the value of a key. False: a word.
  bool open(char c) {
    if (c == '"' || c == '\'') {
      at_ = end_of_text(at_);
    } else if (c == '[' || c == '{') {
      const bool header =
          c == '[' && !in_value() && brackets_.find_first_not_of(kHeader) == std::string::npos;
      brackets_ += header ? kHeader : c;
      after_equals_ = false, dots_ = 0;
    } else if (c == '=' && !in_value()) {
      after_equals_ = true, dots_ = 0;
    } else {
      return false;
    }
    return true;
  }

  void word(char c) {
    in_word_ = true;
    if (is_beyond_ascii(c))
      input_error("{}:{}: a letter beyond ASCII outside quotes: put the key or text into \"quotes\"", name_,
                  line_);
    if (c == '.' && ++dots_ >= kMostKeyParts)
      input_error("{}:{}: a key of more than {} parts", name_, line_, kMostKeyParts);
    if (in_value()) return;
    if (c == '=') {
      in_word_ = false, after_equals_ = true, dots_ = 0;
    } else if (c == '"' || c == '\'') {  // a part of a dotted key
      at_ = end_of_text(at_);
    }
  }

  /// From the opening quote to the closing one.
  std::size_t end_of_text(std::size_t k) {
    const char quote = text_[k];
    const std::string_view triple = text_.substr(k, 3);
    const bool many = triple.size() == 3 && triple[1] == quote && triple[2] == quote;
    for (k += many ? 3 : 1; k < text_.size(); ++k) {
      if (text_[k] == '\n') {
        ++line_;
        if (!many) return k;
      }
      if (quote == '"' && text_[k] == '\\') {
        std::size_t next = k + 1;
        if (many) next = std::min(text_.find_first_not_of(" \t\r\n", next), text_.size());
        if (next < text_.size() && is_beyond_ascii(text_[next]))
          input_error("{}:{}: a letter beyond ASCII after a backslash: write the text without the backslash",
                      name_, line_);
        ++k;
        if (k < text_.size() && text_[k] == '\n') ++line_;
        continue;
      }
      if (text_[k] == quote && (!many || text_.substr(k, 3) == triple)) return k + (many ? 2 : 0);
    }
    return k;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0, line_ = 1;
  static constexpr char kHeader = 'h';  // the bracket of a table's name
  std::string brackets_;                // open ones
  bool after_equals_ = false, in_word_ = false;
  int dots_ = 0;
};

toml::table parse(std::string_view text, const std::string& name) {
  BeforeParsing(text, name).check();
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
toml::table parse_value(const std::string& assignment, const std::string& value, const std::string& origin) {
  if (value.empty()) input_error("{}: {}: no value after '='", origin, assignment);
  if (value.find('\n') != std::string::npos)
    input_error("{}: {}: more than one line", origin, one_line(assignment));
  toml::table parsed;
  const bool bracketed = std::strchr("\"'[{", value.front()) != nullptr;
  if (!bracketed && std::any_of(value.begin(), value.end(), is_beyond_ascii)) {
    parsed.insert_or_assign("v", value);
    return parsed;
  }
  BeforeParsing("v = " + value, origin).check();
  try {
    parsed = toml::parse("v = " + value);
  } catch (const toml::parse_error& error) {
    if (bracketed) {
      input_error("{}: {}: the value is not valid TOML: {}", origin, assignment,
                  one_line(error.description()));
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
  Assignment(std::string_view text, toml::table& root, const std::string& origin)
      : text_(one_line(text)), origin_(origin), node_(&root) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) fail("write key=value");
    parts_ = split(trim(text.substr(0, equals)), '.');
    if (parts_.size() > static_cast<std::size_t>(kMostKeyParts)) {
      text_ = text_.substr(0, 40) + "...";
      fail(fmt::format("a key of more than {} parts", kMostKeyParts));
    }
    for (auto& part : parts_) {
      part = trim(part);
      if (part.empty()) fail("the key has an empty part");
      if (part.find_first_not_of(kKeyLetters) != std::string::npos) {
        fail(fmt::format("'{}' is no key: letters, digits, _ and - make one", part));
      }
    }
    given_ = trim(text.substr(equals + 1));
    value_ = parse_value(text_, given_, origin_);
  }

  void apply() {
    for (std::size_t i = 0; i + 1 < parts_.size(); ++i) {
      if (i > 0 && is_list_of_changes(parts_[i], parts_[i + 1])) return add_change(i);
      node_ = descend(parts_[i], parts_[i + 1]);
    }
    store(parts_.back());
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    input_error("{}: {}: {}", origin_, text_, message);
  }

  /// An array of one table needs no index.
  void enter_single() {
    auto* array = node_->as_array();
    if (array != nullptr && array->size() == 1 && array->get(0)->is_table()) node_ = array->get(0);
  }

  /// robot.set.wheel.radius: what follows `set` is a key of another file.
  bool is_list_of_changes(const std::string& part, const std::string& next) {
    if (part != "set" || array_index(next)) return false;
    enter_single();
    const auto* table = node_->as_table();
    const toml::node* list = table != nullptr ? table->get(part) : nullptr;
    return table != nullptr && (list == nullptr || (list->is_array() && !list->is_array_of_tables()));
  }

  void add_change(std::size_t at) {
    auto& table = *node_->as_table();
    if (!table.contains(parts_[at])) table.insert(parts_[at], toml::array{});
    std::string change;
    for (std::size_t i = at + 1; i < parts_.size(); ++i) change += (change.empty() ? "" : ".") + parts_[i];
    table.get(parts_[at])->as_array()->push_back(change + "=" + given_);
  }

  std::size_t checked_index(const toml::array& array, const std::string& part) const {
    const auto index = array_index(part);
    if (!index) {
      fail(fmt::format("'{}' is an array of {}; name the element by number", done_, array.size()));
    }
    if (*index > array.size()) {
      fail(fmt::format("'{}' has {} elements; {} is beyond the next one", done_, array.size(), part));
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
      fail(fmt::format("'{}' is {}, not a table", done_, describe_value(*found)));
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
      fail(fmt::format("'{}' is a table; set one of its keys", part));
    }
    if (old != nullptr && old->is_array_of_tables() && !value.is_array()) {
      fail(fmt::format("'{}' is a list of tables; set a key of one of them", part));
    }
    // The same angle in the other unit must not stand beside the new one.
    if (part.ends_with("_deg")) {
      table.erase(part.substr(0, part.size() - 4));
    } else {
      table.erase(part + "_deg");
    }
    assign_copy([&](const auto& v) { table.insert_or_assign(part, v); }, value);
  }

  std::string text_, done_, given_;
  const std::string& origin_;
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

Document Document::written_for(std::string name, std::string_view text) {
  Document document = from_text(text, std::move(name));
  document.impl_->tree->has_lines = false;
  return document;
}

void Document::set(std::string_view assignment, const std::string& origin) {
  // On a copy, so that an assignment that fails half-way leaves no trace. The copy would lose the lines of
  // the file, so only the check runs on it.
  toml::table trial = impl_->tree->root;
  Assignment(assignment, trial, origin).apply();
  Assignment(assignment, impl_->tree->root, origin).apply();
  impl_->tree->origin = origin;
}

Document Document::copy() const {
  auto impl = std::make_unique<Impl>();
  impl->tree = std::make_shared<TomlTree>(*impl_->tree);
  return Document(std::move(impl));
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
