#include "scree/core/number.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace scree {
namespace {

constexpr int kDigits = 9, kLargestPower = 290;

/// Powers of ten from 10^-290 to 10^290, each the double nearest to it.
std::array<double, 2 * kLargestPower + 1> make_powers() {
  std::array<double, 2 * kLargestPower + 1> t{};
  for (int i = -kLargestPower; i <= kLargestPower; ++i) {
    const std::string text = fmt::format("1e{}", i);
    std::from_chars(text.data(), text.data() + text.size(), t[static_cast<std::size_t>(i + kLargestPower)]);
  }
  return t;
}

/// "00" to "99".
constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> t{};
  for (std::size_t i = 0; i < 100; ++i) {
    t[2 * i] = static_cast<char>('0' + i / 10);
    t[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return t;
}();

/// Nine digits with leading zeros.
void nine_digits(std::uint32_t n, char* out) {
  const std::uint32_t high = n / 10000, low = n % 10000, top = high / 10000, middle = high % 10000;
  out[0] = static_cast<char>('0' + top);
  std::memcpy(out + 1, &kPairs[2 * (middle / 100)], 2);
  std::memcpy(out + 3, &kPairs[2 * (middle % 100)], 2);
  std::memcpy(out + 5, &kPairs[2 * (low / 100)], 2);
  std::memcpy(out + 7, &kPairs[2 * (low % 100)], 2);
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

/// `count` digits (others are zeros) that stand for d.dddddddd x 10^exponent.
char* write_digits(char* out, const char* text, int count, int exponent) {
  // Nine characters are always copied: cheaper than counting them, and the buffer has room.
  if (exponent >= 0 && exponent < kDigits) {
    std::memcpy(out, text, kDigits);
    if (count <= exponent + 1) return out + exponent + 1;
    out[exponent + 1] = '.';
    std::memcpy(out + exponent + 2, text + exponent + 1, static_cast<std::size_t>(kDigits - exponent - 1));
    return out + count + 1;
  }
  if (exponent < 0 && exponent >= -4) {
    std::memcpy(out, "0.000", 5);
    std::memcpy(out + 1 - exponent, text, kDigits);
    return out + 1 - exponent + count;
  }
  *out++ = text[0];
  if (count > 1) {
    *out++ = '.';
    std::memcpy(out, text + 1, kDigits - 1);
    out += count - 1;
  }
  return write_exponent(out, exponent);
}

}  // namespace

char* write_number(char* out, double value) {
  static const auto powers = make_powers();
  const double size = std::abs(value);
  if (value == 0) {
    if (std::signbit(value)) *out++ = '-';
    *out++ = '0';
    return out;
  }
  if (!(size > 1e-280 && size < 1e280))  // too small, too large, infinite, NaN
    return std::to_chars(out, out + kLongestNumber, value, std::chars_format::general, kDigits).ptr;
  if (value < 0) *out++ = '-';
  // 2^b <= size < 2^(b+1): the exponent is floor(b log10(2)), here within one, or one more; comparing mends
  // it.
  const int b = static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52) - 1023;
  int exponent = (b * 1233) >> 12;
  const double* power = powers.data() + kLargestPower;
  while (size >= power[exponent + 1]) ++exponent;
  while (size < power[exponent]) --exponent;
  auto digits = static_cast<std::uint32_t>(size * power[kDigits - 1 - exponent] + 0.5);
  if (digits >= 1000000000u) digits /= 10, ++exponent;
  char text[kDigits];
  nine_digits(digits, text);
  int count = kDigits;
  while (text[count - 1] == '0') --count;  // the first digit is none
  return write_digits(out, text, count, exponent);
}

}  // namespace scree
