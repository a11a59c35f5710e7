#include "scree/ground/tir_file.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

std::string tir_upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// The line up to a comment: $ or ! outside quotes.
std::string without_comment(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '$' || c == '!') {
      return trim(line.substr(0, i));
    }
  }
  return trim(line);
}

bool is_quoted_value(const std::string& text) {
  return text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
}

/// Fortran writes 1.5D3, and a plus sign may lead.
bool read_number(std::string text, double& value) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  const char *begin = text.data(), *end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, error] = std::from_chars(begin, end, value);
  return error == std::errc{} && stop == end && std::isfinite(value);
}

}  // namespace

TirFile TirFile::read(const std::filesystem::path& file) {
  std::error_code status;
  if (!std::filesystem::is_regular_file(file, status))
    input_error("{}: no such tyre property file (.tir)", file.string());
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in && !in.eof()) input_error("{}: cannot be read", file.string());
  return parse(text, file.string());
}

TirFile TirFile::parse(std::string_view text, std::string name) {
  TirFile out;
  out.name_ = std::move(name);
  std::string section;
  int number = 0;
  for (const std::string& raw : split(text, '\n')) {
    ++number;
    const std::string line = without_comment(raw);
    if (line.empty()) continue;
    if (line.front() == '[') {
      if (line.back() != ']') input_error("{}:{}: section '{}' has no closing ]", out.name_, number, line);
      section = tir_upper(line.substr(1, line.size() - 2));
      continue;
    }
    const auto equals = line.find('=');
    const bool table = section == "SHAPE" || section.ends_with("_CURVE") || section.ends_with("_MAP");
    if (equals == std::string::npos) {
      if (table || line.front() == '{') continue;
      input_error("{}:{}: '{}' is neither a section, KEY = value nor a comment ($ or !)", out.name_, number,
                  line.substr(0, 40));
    }
    const std::string key = tir_upper(trim(line.substr(0, equals)));
    Value value{trim(line.substr(equals + 1)), 0, false, number};
    if (key.empty()) input_error("{}:{}: no key before =", out.name_, number);
    if (section.empty()) input_error("{}:{}: {} stands before the first [SECTION]", out.name_, number, key);
    if (is_quoted_value(value.text)) {
      value.text = tir_upper(trim(value.text.substr(1, value.text.size() - 2)));
    } else if (read_number(value.text, value.number)) {
      value.is_number = true;
    } else {
      input_error("{}:{}: {} = '{}' is neither a finite number nor a text in quotes", out.name_, number, key,
                  value.text.substr(0, 40));
    }
    const auto [at, fresh] = out.values_.emplace(key, value);
    if (!fresh && !table)
      input_error("{}:{}: {} is given a second time (first in line {})", out.name_, number, key,
                  at->second.line);
  }
  if (out.values_.empty()) input_error("{}: holds no KEY = value: no tyre property file", out.name_);
  return out;
}

bool TirFile::has(std::string_view key) const { return values_.find(key) != values_.end(); }

double TirFile::number(std::string_view key, double fallback) const {
  const auto found = values_.find(key);
  if (found == values_.end()) return fallback;
  if (!found->second.is_number)
    input_error("{}:{}: {} must be a number, not '{}'", name_, found->second.line, key, found->second.text);
  return found->second.number;
}

double TirFile::number(std::string_view key) const {
  if (!has(key)) input_error("{}: {} is missing", name_, key);
  return number(key, 0);
}

std::string TirFile::text(std::string_view key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? "" : found->second.text;
}

}  // namespace scree
