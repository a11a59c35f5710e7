#pragma once
/// One description of every key serves two ends: reading a TOML file, and writing the reference.
///
/// A settings struct is described once, by a function that visits its fields:
///
///     void describe(Section& s, SuspensionSettings& x) {
///       s.number("stiffness", x.stiffness, {.unit = "N/m", .doc = "Spring rate", .range = positive()});
///     }
///
/// Bound to a table, the Section reads: absent keys keep the default that the struct holds, wrong types,
/// values outside the range and (in finish()) unknown keys throw InputError naming file, line and key.
/// Bound to a Reference, the same function records key, unit, default, range and meaning.
/// This is the one place where degrees become radians: `angle("yaw", ...)` accepts `yaw` [rad] and
/// `yaw_deg`.
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scree/core/errors.hpp"
#include "scree/core/types.hpp"

namespace scree {

/// Allowed values; written so that NaN is never inside.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false, open_high = false;
  bool contains(double x) const {
    return (open_low ? x > low : x >= low) && (open_high ? x < high : x <= high);
  }
  std::string text() const;
};
inline Range positive() { return {.low = 0, .open_low = true, .open_high = true}; }
inline Range not_negative() { return {.low = 0, .open_high = true}; }
inline Range between(double low, double high) { return {.low = low, .high = high}; }
/// Any finite number.
inline Range finite() { return {.open_low = true, .open_high = true}; }

struct Key {
  std::string unit = "";  ///< SI unit, "-" for none
  std::string doc = "";
  Range range = finite();
  bool required = false;
};

/// One line of the reference.
struct KeyDoc {
  std::string path, type, unit, fallback, range, doc;
};
using Reference = std::vector<KeyDoc>;

class Document;

class Section {
 public:
  ~Section();
  Section(Section&&) noexcept;

  /// A section that only records what would be read, below the dotted `path`.
  static Section for_reference(Reference& reference, std::string path);
  bool documenting() const;

  void number(std::string_view key, double& value, const Key& about);
  /// An angle in rad; the file may give `key` in rad or `key_deg` in degrees. The range is in rad.
  void angle(std::string_view key, double& value, const Key& about);
  void integer(std::string_view key, int& value, const Key& about);
  void unsigned_integer(std::string_view key, std::uint64_t& value, const Key& about);
  void boolean(std::string_view key, bool& value, const Key& about);
  void text(std::string_view key, std::string& value, const Key& about);
  /// One word of a list; another word is an error that names the nearest.
  void choice(std::string_view key, std::string& value, const std::vector<std::string>& options,
              const Key& about);
  void vector(std::string_view key, Vec2& value, const Key& about);
  void vector(std::string_view key, Vec3& value, const Key& about);
  void numbers(std::string_view key, std::vector<double>& value, const Key& about);
  void texts(std::string_view key, std::vector<std::string>& value, const Key& about);
  /// Values of any kind, each as TOML text: [1.5, "vivi", [0, 1]] gives 1.5, "vivi" (with its quotes), [0,
  /// 1].
  void literals(std::string_view key, std::vector<std::string>& value, const Key& about);
  /// Rows of numbers: [[0, 1.5], [2, 3.0]]; every row has `columns` entries.
  void rows(std::string_view key, std::vector<std::vector<double>>& value, int columns, const Key& about);
  /// A file name, taken relative to the file that names it. It need not exist.
  void file(std::string_view key, std::filesystem::path& value, const Key& about);
  /// Names of entries of the data folders or paths of files (is_path_name), these taken relative to the file
  /// that names them.
  void entries(std::string_view key, std::vector<std::string>& value, const Key& about);
  /// Changes to another file, each "key=value". Where the last part of a key is one of `file_keys`, the value
  /// is a file name, taken relative to the file that holds the list.
  void assignments(std::string_view key, std::vector<std::string>& value,
                   const std::vector<std::string>& file_keys, const Key& about);
  /// A table of named numbers with free names: parameters = { a = 1.0 }.
  void named_numbers(std::string_view key, std::vector<std::pair<std::string, double>>& value,
                     const Key& about);

  bool has(std::string_view key) const;
  /// Names of every key of this table, in file order (for tables with free names).
  std::vector<std::string> keys() const;
  /// The sub-table, empty when absent (its defaults then hold).
  Section child(std::string_view key, std::string_view doc = "");
  /// A sub-table that describe(Section&, Settings&) reads whole.
  template <class Settings>
  void table(std::string_view key, Settings& settings, std::string_view doc) {
    Section section = child(key, doc);
    describe(section, settings);
    section.finish();
  }
  /// Calls `visit` for every table of an array of tables; once when documenting.
  void each(std::string_view key, std::string_view doc, const std::function<void(Section&)>& visit);
  /// Leaves a table for someone else to read (it counts as known).
  void ignore(std::string_view key);

  /// Throws InputError at this key: "FILE:LINE: path.key: message".
  [[noreturn]] void fail(std::string_view key, std::string_view message) const;
  /// Where this section stands: "FILE:LINE: path".
  std::string where() const;
  /// Repeats the error of someone who does not know of files and keys, led by where() unless it names this
  /// file already.
  [[noreturn]] void rethrow(const InputError& error) const;
  /// Throws on any key that nobody asked for. Children are finished by their own readers.
  void finish() const;

  /// The folder of the file, against which `file` keys are resolved.
  std::filesystem::path folder() const;

 private:
  friend class Document;
  struct Impl;
  explicit Section(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A TOML file with the overrides of the command line laid over it.
class Document {
 public:
  static Document from_file(const std::filesystem::path& file);
  static Document from_text(std::string_view text, std::string name = "text",
                            std::filesystem::path folder = ".");
  /// A document that no file holds: messages name it without a line.
  static Document written_for(std::string name, std::string_view text);
  ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;

  /// `key.path=value` as given to --set; array elements by number: robot.0.yaw_deg=10 (0 may be left out
  /// where the array has one table). A key of a robot file is named below its robot's list of changes,
  /// robot.set.wheel.radius=0.03, and goes to the end of that list. `origin` is where it was given, for
  /// messages.
  void set(std::string_view assignment, const std::string& origin = "command line (--set)");
  /// The same document once more, to be changed by itself.
  Document copy() const;
  Section root() const;
  /// The document as TOML text, overrides included.
  std::string text() const;
  std::string name() const;

 private:
  friend class Section;
  struct Impl;
  explicit Document(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Reads one struct from a section and checks that nothing is left over.
template <class T>
T read(Section section, T value = {}) {
  describe(section, value);
  section.finish();
  return value;
}

}  // namespace scree
