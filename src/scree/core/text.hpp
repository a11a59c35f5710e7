#pragma once
/// Words and numbers for people.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// The candidate nearest to `word` by edit distance, or "" when none is near (more than a third changed).
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'x'?" for the nearest candidate, or "; known: a, b, c" when none is near.
std::string name_hint(std::string_view word, std::span<const std::string> candidates);

/// Shortest text that reads back to the same double (locale-free).
std::string number_text(double value);

/// Shell-style match with `*` and `?`.
bool matches_pattern(std::string_view name, std::string_view pattern);

/// `text` as a JSON string literal, quotes included.
std::string json_text(std::string_view text);
/// A JSON number, or null for a value that JSON cannot hold (NaN, infinity).
std::string json_number(double value);

std::vector<std::string> split(std::string_view text, char separator);
std::string trim(std::string_view text);
/// One printable line of a text: blanks in the place of control characters.
std::string one_line(std::string_view text);

}  // namespace scree
