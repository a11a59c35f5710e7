#pragma once
/// What a Document and its Sections share. Not for other rooms: the one header that shows toml++.
// toml++ 3.3 asserts (with NDEBUG: assumes) what broken files violate, and then checks for it properly.
// Without the assertion every such file ends in a parse error, in every build.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scree/config/section.hpp"

namespace scree {

struct TomlTree {
  toml::table root;
  std::string name;                             ///< as messages call it: the file name as it was given
  std::filesystem::path folder;                 ///< against which file keys are resolved
  bool has_lines = true;                        ///< false: written by the program, its lines are nobody's
  std::string origin = "command line (--set)";  ///< of what was set over the file
  /// File keys that were read and whose file exists: dotted path -> absolute name. The resolved text uses
  /// them, so that a scenario copied into a run folder still finds its files.
  std::map<std::string, std::string> files;
};

struct Document::Impl {
  std::shared_ptr<TomlTree> tree;
};

struct Section::Impl {
  std::shared_ptr<TomlTree> tree;      ///< null when documenting
  const toml::table* table = nullptr;  ///< null when the table is absent
  const toml::node* anchor = nullptr;  ///< nearest node that exists: gives the line of messages
  std::string path;                    ///< dotted, empty for the root
  Reference* reference = nullptr;      ///< where to record, when documenting
  std::vector<std::string> asked;      ///< keys that the reader knows, in the order of asking

  std::string path_of(std::string_view key) const {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
  }
  /// The value of a key, or null; the key counts as known from now on.
  const toml::node* find(std::string_view key);
  /// What every reader of a key shares: record it when documenting, find it, complain when a required key is
  /// missing. Returns null when the default holds.
  const toml::node* lookup(std::string_view key, const Key& about, std::string_view type,
                           const std::string& fallback, const std::string& range);
  [[noreturn]] void fail(std::string_view key, std::string_view message) const;
};

/// "FILE:LINE", or that the node came from the command line.
std::string place_of(const TomlTree& tree, const toml::node* node);
/// A value as a message quotes it: `text "abc"`, `the number 3`, `a table`.
std::string describe_value(const toml::node& node);
/// "a number [m]".
std::string expected(std::string_view what, const std::string& unit);
[[noreturn]] void wrong_type(const Section& section, std::string_view key, const std::string& wanted,
                             const toml::node& found);

}  // namespace scree
