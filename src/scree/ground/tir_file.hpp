#pragma once
/// Tyre property files (.tir): sections of KEY = value, comments after $ or !, strings in quotes.
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace scree {

class TirFile {
 public:
  /// Throws InputError with file and line for a line that is neither section, assignment nor comment, a key
  /// given twice, or a value that is no number; rows of numbers in tables (shape, curves) are passed over.
  static TirFile read(const std::filesystem::path& file);
  static TirFile parse(std::string_view text, std::string name);

  bool has(std::string_view key) const;
  /// A number by its key, whatever its section; `fallback` when absent.
  double number(std::string_view key, double fallback) const;
  /// The same; throws InputError when absent.
  double number(std::string_view key) const;
  /// A string in upper case without its quotes; "" when absent.
  std::string text(std::string_view key) const;
  const std::string& name() const { return name_; }

 private:
  struct Value {
    std::string text;
    double number = 0;
    bool is_number = false;
    int line = 0;
  };
  std::string name_;
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace scree
