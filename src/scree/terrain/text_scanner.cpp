#include "scree/terrain/text_scanner.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {
constexpr std::size_t kChunk = 1 << 20;
constexpr std::size_t kLongestLine = std::size_t{256} << 20;
/// Comments are kept for their header entries; a file of nothing but comments must not fill the memory.
constexpr std::size_t kMostComments = 1000;
}  // namespace

TextScanner::TextScanner(const std::filesystem::path& file, std::string what) : what_(std::move(what)) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) input_error("{}: '{}' is a folder", what_, file.string());
  file_.reset(std::fopen(file.c_str(), "rb"));
  if (!file_) input_error("{}: cannot read '{}': {}", what_, file.string(), std::strerror(errno));
  const auto size = std::filesystem::file_size(file, error);
  size_ = error ? 0 : static_cast<std::size_t>(size);
  what_ += fmt::format(": '{}'", file.string());
}

TextScanner TextScanner::from_text(std::string text, std::string what) {
  TextScanner scanner;
  scanner.what_ = std::move(what);
  scanner.size_ = text.size();
  scanner.buffer_ = std::move(text);
  return scanner;
}

bool TextScanner::fill() {
  if (!file_) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t old = buffer_.size();
  if (old > kLongestLine) fail("a line longer than 256 MB: is this a text file?");
  buffer_.resize(old + kChunk);
  const std::size_t got = std::fread(buffer_.data() + old, 1, kChunk, file_.get());
  if (got == 0 && std::ferror(file_.get())) fail(fmt::format("cannot read on: {}", std::strerror(errno)));
  buffer_.resize(old + got);
  return got > 0;
}

bool TextScanner::next_line(std::string_view& line) {
  std::size_t end;
  for (std::size_t from = begin_;;) {
    end = buffer_.find('\n', from);
    if (end != std::string::npos || ended_) break;
    const std::size_t scanned = buffer_.size() - begin_;
    if (!fill()) ended_ = true;
    from = begin_ + scanned;  // fill() moves what is left to the front
  }
  if (end == std::string::npos) {
    if (begin_ >= buffer_.size()) return false;
    end = buffer_.size();
  }
  line = std::string_view(buffer_).substr(begin_, end - begin_);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  begin_ = end + 1;
  ++line_number_;
  if (std::memchr(line.data(), '\0', line.size())) fail("a zero byte: this is not a text file");
  return true;
}

bool TextScanner::next_data_line(std::string_view& line) {
  while (next_line(line)) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    const std::string_view rest = line.substr(first);
    if (rest[0] == '#' || rest[0] == ';' || rest.substr(0, 2) == "//") {
      if (comments_.size() < kMostComments) comments_.emplace_back(rest.substr(rest[0] == '/' ? 2 : 1));
      continue;
    }
    return true;
  }
  return false;
}

bool scan_number(std::string_view& text, double& value) {
  while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    // Too large, or too small? Only the latter has an exponent below zero (or none, and many zeros).
    const std::string_view number(digits.data(), static_cast<std::size_t>(end - digits.data()));
    const auto exponent = number.find_first_of("eE");
    const bool small = exponent == std::string_view::npos ? number.find_first_of("123456789") > 300
                                                          : number.substr(exponent + 1).starts_with('-');
    if (!small) return false;
    value = 0;
  } else if (error != std::errc{} || end == digits.data()) {
    return false;
  }
  if (end != digits.data() + digits.size() && !is_separator(*end)) return false;
  text = digits.substr(static_cast<std::size_t>(end - digits.data()));
  return true;
}

bool has_decimal_commas(std::string_view line) {
  while (!line.empty() && is_separator(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_separator(line.back())) line.remove_suffix(1);
  bool commas = false, others = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (!is_separator(line[k])) continue;
    bool comma = false;
    for (; is_separator(line[k]); ++k) comma = comma || line[k] == ',';
    (comma ? commas : others) = true;
  }
  return commas && others;
}

void TextScanner::numbers(std::string_view line, std::vector<double>& numbers) const {
  if (std::memchr(line.data(), ',', line.size()) && has_decimal_commas(line)) {
    fail(fmt::format("'{}' has commas and other separators: write decimal points, not commas",
                     trim(line.substr(0, 40))));
  }
  for (;;) {
    while (!line.empty() && is_separator(line.front())) line.remove_prefix(1);
    if (line.empty()) return;
    double value;
    if (!scan_number(line, value)) {
      fail(fmt::format("'{}' is not a number", line.substr(0, line.find_first_of(" \t,;")).substr(0, 40)));
    }
    numbers.push_back(value);
  }
}

void TextScanner::fail(const std::string& message) const {
  throw InputError(fmt::format("{}, line {}: {}", what_, line_number_, message));
}

}  // namespace scree
