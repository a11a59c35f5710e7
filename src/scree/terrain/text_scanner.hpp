#pragma once
/// Reads text files of numbers line by line, in little memory, and says where something is wrong.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

class TextScanner {
 public:
  /// Opens the file; throws InputError when it cannot be read. `what` leads every message.
  TextScanner(const std::filesystem::path& file, std::string what);
  /// Scans a text that is already in memory (tests, fuzzing).
  static TextScanner from_text(std::string text, std::string what);

  /// The next line without its end ("\n", "\r\n"), or false at the end of the file. The view holds until the
  /// next call. A NUL byte (not a text file) or a line over 256 MB throws.
  bool next_line(std::string_view& line);
  /// The next line that is neither blank nor a comment (`#`, `//`, `;` first); comments go to `comment`.
  bool next_data_line(std::string_view& line);

  /// The numbers of a line, separated by blanks, tabs, commas or semicolons, appended to `numbers`.
  /// Throws at anything else, naming line and text, and at decimal commas (`0,67;1,2` or `0,67 1,2`), which
  /// would be read as twice as many numbers. "nan" and "inf" are read; the caller judges them.
  void numbers(std::string_view line, std::vector<double>& numbers) const;

  int line_number() const { return line_number_; }
  /// Size of the file [byte].
  std::size_t size() const { return size_; }
  const std::vector<std::string>& comments() const { return comments_; }
  /// Throws InputError "WHAT, line N: MESSAGE".
  [[noreturn]] void fail(const std::string& message) const;

 private:
  TextScanner() = default;
  bool fill();

  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::string what_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
  bool ended_ = false;
  int line_number_ = 0;
  std::vector<std::string> comments_;
};

/// True for what separates numbers on a line.
inline bool is_separator(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r'; }

/// Reads one number at `text`, moves past it, and returns true; false when there is none. A number too small
/// for a double is zero; one too large is none.
bool scan_number(std::string_view& text, double& value);

/// True when commas and other separators both part the numbers of a line: the commas are decimal marks.
bool has_decimal_commas(std::string_view numbers);

}  // namespace scree
