/// Against the C library in extended precision, over the whole range; in units of the last place (ulp).
#include "scree/core/maths.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "scree/core/hash.hpp"
#include "scree/core/random.hpp"
#include "scree/core/types.hpp"

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kPoints = 100000;

double error_in_ulp(double value, long double exact) {
  const double rounded = static_cast<double>(exact);
  if (value == rounded || (std::isnan(value) && std::isnan(rounded))) return 0;
  const double ulp = std::nextafter(std::abs(rounded), kInfinity) - std::abs(rounded);
  return static_cast<double>(std::abs(static_cast<long double>(value) - exact) / ulp);
}

/// The worst error over points drawn evenly, or evenly in the logarithm with both signs.
template <class Ours, class Exact, class Draw>
double worst(Ours ours, Exact exact, Draw draw) {
  RandomStream random(4, 0, "maths");
  double most = 0;
  for (int k = 0; k < kPoints; ++k) {
    const double x = draw(random), error = error_in_ulp(ours(x), exact(static_cast<long double>(x)));
    if (!(error <= most)) most = error;
  }
  return most;
}
auto evenly(double low, double high) {
  return [=](RandomStream& r) { return r.uniform(low, high); };
}
auto by_size(double low, double high) {
  return [=](RandomStream& r) { return std::exp(r.uniform(low, high)) * (r.uniform() < 0.5 ? -1 : 1); };
}
auto positive(double low, double high) {
  return [=](RandomStream& r) { return std::exp(r.uniform(low, high)); };
}

TEST(Maths, SineAndCosineToOneUlpAtAnyAngle) {
  const auto s = [](long double x) { return std::sin(x); };
  const auto c = [](long double x) { return std::cos(x); };
  EXPECT_LT(worst(maths::sin, s, evenly(-10, 10)), 1);
  EXPECT_LT(worst(maths::cos, c, evenly(-10, 10)), 1);
  EXPECT_LT(worst(maths::sin, s, evenly(-1.1e6, 1.1e6)), 1) << "across the border of the two reductions";
  EXPECT_LT(worst(maths::cos, c, evenly(-1.1e6, 1.1e6)), 1);
  EXPECT_LT(worst(maths::sin, s, by_size(-300, 0)), 1);
  // Extended precision does not reduce huge angles well: the C library in double is right to one ulp.
  EXPECT_LE(worst(
                maths::sin, [](long double x) { return std::sin(static_cast<double>(x)); }, by_size(13, 709)),
            1);
  EXPECT_LE(worst(
                maths::cos, [](long double x) { return std::cos(static_cast<double>(x)); }, by_size(13, 709)),
            1);
  EXPECT_LT(worst(
                maths::tan, [](long double x) { return std::tan(x); }, evenly(-10, 10)),
            3);
}

TEST(Maths, MultiplesOfAQuarterTurnKeepAllTheirDigits) {
  // The double nearest to k pi/2 is off by known little: sin(pi) of it is 1.2246467991473532e-16.
  for (int k = 1; k <= 600000; k += 977) {
    const double x = k * (0.5 * kPi);
    EXPECT_LE(error_in_ulp(maths::sin(x), std::sin(x)), 1) << k;
    EXPECT_LE(error_in_ulp(maths::cos(x), std::cos(x)), 1) << k;
  }
  EXPECT_EQ(maths::sin(kPi), 1.2246467991473532e-16);
  // The double that comes closest to a multiple of pi/2 (Muller 2016, Elementary Functions, 11.2).
  EXPECT_NEAR(maths::cos(0x1.6ac5b262ca1ffp+849), -4.6871659242546276e-19, 1e-34);
}

TEST(Maths, ArcsToFourUlp) {
  EXPECT_LT(worst(
                maths::atan, [](long double x) { return std::atan(x); }, by_size(-40, 40)),
            4);
  EXPECT_LT(worst(
                maths::asin, [](long double x) { return std::asin(x); }, evenly(-1, 1)),
            4);
  EXPECT_LT(worst(
                maths::acos, [](long double x) { return std::acos(x); }, evenly(-1, 1)),
            4);
  RandomStream random(5, 0, "atan2");
  for (int k = 0; k < kPoints; ++k) {
    const double y = by_size(-30, 30)(random), x = by_size(-30, 30)(random);
    ASSERT_LT(error_in_ulp(maths::atan2(y, x),
                           std::atan2(static_cast<long double>(y), static_cast<long double>(x))),
              4)
        << y << " " << x;
  }
}

TEST(Maths, FourSideBySideHaveTheBitsOfEachAlone) {
  RandomStream random(7, 0, "lanes");
  const double special[] = {0.0, -0.0, 0.78539816339744828, -0.78539816339744828, 1.0, -1.0, 5e-324, 1e200};
  const auto draw = [&](double most) {
    return random.uniform() < 0.1 ? special[static_cast<int>(8 * random.uniform())]
                                  : random.uniform(-most, most);
  };
  const auto same = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  };
  for (int n = 0; n < kPoints; ++n) {
    const double most = n % 2 == 0 ? 0.78 : 20;  // with and without a turn to reduce
    const Lanes x{draw(most), draw(most), draw(most), draw(most)};
    const Lanes y{draw(most), draw(most), draw(most), draw(most)};
    const maths::LaneSineCosine four = maths::sine_cosines(x);
    Lanes angle, power;
    maths::atan2s(y, x, angle);
    maths::exps(n % 3 == 0 ? 50.0 * x : x, power);
    for (int k = 0; k < kLanes; ++k) {
      const maths::SineCosine one = maths::sine_cosine(x[k]);
      ASSERT_TRUE(same(four.sine[k], one.sine) && same(four.cosine[k], one.cosine)) << x[k];
      ASSERT_TRUE(same(angle[k], maths::atan2(y[k], x[k]))) << y[k] << " " << x[k];
      ASSERT_TRUE(same(power[k], maths::exp(n % 3 == 0 ? 50.0 * x[k] : x[k]))) << x[k];
    }
  }
}

TEST(Maths, ExponentialsAndLogarithms) {
  EXPECT_LT(worst(
                maths::exp, [](long double x) { return std::exp(x); }, evenly(-745, 709.7)),
            1);
  EXPECT_LT(worst(
                maths::exp, [](long double x) { return std::exp(x); }, evenly(-2, 2)),
            1);
  EXPECT_LT(worst(
                maths::expm1, [](long double x) { return std::expm1(x); }, by_size(-40, 4)),
            4);
  EXPECT_LT(worst(
                maths::log, [](long double x) { return std::log(x); }, positive(-744, 709)),
            1);
  EXPECT_LT(worst(
                maths::log, [](long double x) { return std::log(x); }, evenly(0.5, 2)),
            1);
  EXPECT_LT(worst(
                maths::log1p, [](long double x) { return std::log1p(x); }, evenly(-1, 1)),
            1);
  EXPECT_LT(worst(
                maths::log1p, [](long double x) { return std::log1p(x); }, positive(-40, 40)),
            1);
}

TEST(Maths, PowersAndHypotenuses) {
  RandomStream random(6, 0, "pow");
  for (int k = 0; k < kPoints; ++k) {
    const double x = std::exp(random.uniform(-20, 20)), y = random.uniform(-15, 15);
    const long double lx = x, ly = y;
    ASSERT_LT(error_in_ulp(maths::pow(x, y), std::pow(lx, ly)), 2 + std::abs(y * std::log(x)))
        << x << " " << y;
    const double a = by_size(-30, 30)(random), b = by_size(-30, 30)(random);
    ASSERT_LT(error_in_ulp(maths::hypot(a, b),
                           std::hypot(static_cast<long double>(a), static_cast<long double>(b))),
              2);
  }
  EXPECT_EQ(maths::hypot(3e300, 4e300), 5e300);
  EXPECT_NEAR(maths::hypot(3e-300, 4e-300) / 5e-300, 1, 1e-15);
}

TEST(Maths, SpecialValuesAreThoseOfTheCLibrary) {
  const double values[] = {0.0, -0.0,      0.5,        1.0,  -1.0,   2.0,   -2.0,
                           3.0, kInfinity, -kInfinity, kNan, 5e-324, 1e308, -800};
  const auto same = [](double a, double b, double tolerance = 1e-15) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)) ||
           (a != 0 && std::isfinite(a) && std::abs(a - b) <= tolerance * std::abs(b));
  };
  for (const double x : values) {
    EXPECT_TRUE(same(maths::sin(x), std::sin(x))) << x;
    EXPECT_TRUE(same(maths::cos(x), std::cos(x))) << x;
    EXPECT_TRUE(same(maths::exp(x), std::exp(x))) << x;
    EXPECT_TRUE(same(maths::log(x), std::log(x))) << x;
    EXPECT_TRUE(same(maths::log1p(x), std::log1p(x))) << x;
    EXPECT_TRUE(same(maths::expm1(x), std::expm1(x))) << x;
    EXPECT_TRUE(same(maths::atan(x), std::atan(x))) << x;
    EXPECT_TRUE(same(maths::asin(x), std::asin(x))) << x;
    for (const double y : values) {
      EXPECT_TRUE(same(maths::atan2(x, y), std::atan2(x, y))) << x << " " << y;
      EXPECT_TRUE(same(maths::pow(x, y), std::pow(x, y), 2e-13)) << x << " " << y << " " << maths::pow(x, y);
      EXPECT_TRUE(same(maths::hypot(x, y), std::hypot(x, y))) << x << " " << y;
    }
  }
}

/// The bits themselves, as GCC on x86-64 first gave them. On every other compiler and machine this is the
/// claim of the file; after a deliberate change of a function the new number is put here.
TEST(Maths, TheSameBitsOnEveryMachine) {
  RandomStream random(7, 0, "bits");
  std::vector<double> results;
  for (int k = 0; k < 20000; ++k) {
    const double x = random.uniform(-20, 20), y = random.uniform(-5, 5);
    for (const double r :
         {maths::sin(x), maths::cos(1e5 * x), maths::sin(1e9 * x), maths::tan(x), maths::atan(x),
          maths::atan2(x, y), maths::asin(y / 5), maths::exp(x), maths::expm1(y), maths::log(x * x),
          maths::log1p(x * x), maths::pow(x * x, y), maths::hypot(x, y)})
      results.push_back(r);
  }
  EXPECT_EQ(hash_bytes(results.data(), results.size() * sizeof(double)), 0x248681416672f748u);
}

}  // namespace
}  // namespace scree
