#include "scree/core/number.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace scree {
namespace {

constexpr int kDigits = 9, kLargestPower = 290;

/// Powers of ten from 10^-290 to 10^290, each the double nearest to it.
const std::array<double, 2 * kLargestPower + 1>& powers_of_ten() {
  static const auto table = [] {
    std::array<double, 2 * kLargestPower + 1> t{};
    for (int i = -kLargestPower; i <= kLargestPower; ++i) {
      const std::string text = fmt::format("1e{}", i);
      std::from_chars(text.data(), text.data() + text.size(), t[static_cast<std::size_t>(i + kLargestPower)]);
    }
    return t;
  }();
  return table;
}

/// Nine digits with leading zeros.
void nine_digits(std::uint32_t n, char* out) {
  for (int i = kDigits - 1; i >= 0; --i, n /= 10) out[i] = static_cast<char>('0' + n % 10);
}

char* write_exponent(char* out, int exponent) {
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  const int e = std::abs(exponent);
  if (e >= 100) *out++ = static_cast<char>('0' + e / 100);
  *out++ = static_cast<char>('0' + e / 10 % 10);
  *out++ = static_cast<char>('0' + e % 10);
  return out;
}

}  // namespace

char* write_number(char* out, double value) {
  const double size = std::abs(value);
  if (value == 0) {
    if (std::signbit(value)) *out++ = '-';
    *out++ = '0';
    return out;
  }
  if (!(size > 1e-280 && size < 1e280))  // too small, too large, infinite, NaN
    return std::to_chars(out, out + kLongestNumber, value, std::chars_format::general, kDigits).ptr;
  if (value < 0) *out++ = '-';
  int binary = 0;
  std::frexp(size, &binary);
  // floor(log10) is this or one less: log10(2) (binary - 1) <= log10(size) < log10(2) binary.
  int exponent = static_cast<int>(std::floor(0.30102999566398120 * (binary - 1)));
  const auto& table = powers_of_ten();
  const auto power = [&table](int n) { return table[static_cast<std::size_t>(n + kLargestPower)]; };
  if (size >= power(exponent + 1)) ++exponent;
  auto digits = static_cast<std::uint32_t>(size * power(kDigits - 1 - exponent) + 0.5);
  if (digits >= 1000000000u) digits /= 10, ++exponent;
  char text[kDigits];
  nine_digits(digits, text);
  int count = kDigits;
  while (count > 1 && text[count - 1] == '0') --count;
  const auto copy = [&](int from, int to) {
    for (int i = from; i < to; ++i) *out++ = i < kDigits ? text[i] : '0';
  };
  if (exponent < -4 || exponent >= kDigits) {
    copy(0, 1);
    if (count > 1) *out++ = '.';
    copy(1, count);
    return write_exponent(out, exponent);
  }
  if (exponent < 0) {
    *out++ = '0', *out++ = '.';
    for (int i = -1; i > exponent; --i) *out++ = '0';
    copy(0, count);
    return out;
  }
  copy(0, exponent + 1);
  if (count > exponent + 1) *out++ = '.';
  copy(exponent + 1, count);
  return out;
}

}  // namespace scree
