#pragma once
/// Numbers as text, quickly: a log has millions of them.
#include <cstddef>

namespace scree {

/// Room that write_number() may need.
inline constexpr std::size_t kLongestNumber = 32;
/// Nine significant digits, as printf's %.9g writes them, many times as fast; where the digits from the tenth
/// on are a tie to within the last bit, the ninth may be the other neighbour. Returns the end of the text.
char* write_number(char* out, double value);

}  // namespace scree
