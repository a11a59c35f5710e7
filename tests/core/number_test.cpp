#include "scree/core/number.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "scree/core/random.hpp"

namespace scree {
namespace {

std::string text_of(double value) {
  char text[kLongestNumber];
  return {text, write_number(text, value)};
}

std::string printed(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

TEST(WriteNumber, LooksAsPrintfWritesIt) {
  for (const double v : {0.0,
                         -0.0,
                         1.0,
                         -1.0,
                         0.1,
                         0.07,
                         0.01,
                         1e-4,
                         1e-5,
                         123456789.0,
                         999999999.0,
                         1e9,
                         1e10,
                         12345.678,
                         0.5,
                         2.5,
                         100.0,
                         1e15,
                         -3.25e-7,
                         1e100,
                         1e-100,
                         5e-324,
                         1.7976931348623157e308,
                         2e-281,
                         0.99999999999,
                         9.99999999999,
                         999999999.9,
                         0.000099999999999})
    EXPECT_EQ(text_of(v), printed(v));
  EXPECT_EQ(text_of(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(text_of(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(text_of(std::nan("")), "nan");
}

/// Whatever the size: half a unit of the ninth digit, and what the two roundings before it may add (2^-52).
TEST(WriteNumber, ReadsBackWithinHalfAUnitOfTheNinthDigit) {
  RandomStream random(1, 0, "numbers");
  int different = 0;
  for (int i = 0; i < 200000; ++i) {
    const double v = (random.uniform(0, 1) < 0.5 ? -1 : 1) * random.uniform(1, 10) *
                     std::pow(10.0, std::floor(random.uniform(i % 2 ? -3 : -279, i % 2 ? 6 : 279)));
    const std::string text = text_of(v);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(v))) - 8);
    ASSERT_LE(std::abs(back - v), 0.5 * unit * (1 + 1e-5)) << text;
    different += text != printed(v);
  }
  EXPECT_LE(different, 2) << "ties only";
}

}  // namespace
}  // namespace scree
