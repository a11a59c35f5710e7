#include "scree/core/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/dual.hpp"
#include "scree/core/random.hpp"

namespace scree {
namespace {

using namespace lane;

TEST(Elementary, ExponentialAndLogarithmAreTheUsualOnes) {
  RandomStream random(1, 0, "elementary");
  double worst_exp = 0, worst_log = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = random.uniform(-700, 700), y = std::exp(random.uniform(-600, 600));
    worst_exp = std::max(worst_exp, std::abs(exponential(x) / std::exp(x) - 1));
    worst_log =
        std::max(worst_log, std::abs(logarithm(y) - std::log(y)) / std::max(1.0, std::abs(std::log(y))));
  }
  // Series end below 1e-17; what is left is rounding in the reduction.
  EXPECT_LT(worst_exp, 2e-15);
  EXPECT_LT(worst_log, 2e-15);
  EXPECT_EQ(exponential(0.0), 1.0);
  EXPECT_EQ(logarithm(1.0), 0.0);
  for (const double x : {1e-9, -1e-9, 1e-3})
    EXPECT_NEAR(logarithm(1 + x), std::log1p((1 + x) - 1), 1e-24 + 1e-15 * std::abs(x));
}

TEST(Elementary, ExtremesStayFinite) {
  EXPECT_GT(exponential(-1e9), 0);
  EXPECT_LT(exponential(-1e9), 1e-300);
  EXPECT_TRUE(std::isfinite(exponential(1e9)));
  EXPECT_TRUE(std::isfinite(logarithm(0.0)));
  EXPECT_TRUE(std::isfinite(logarithm(-3.0)));
  EXPECT_LT(power(0.0, 0.6), 1e-100);
}

TEST(Elementary, LanesGiveTheBitsOfDoubles) {
  RandomStream random(2, 0, "elementary");
  for (int i = 0; i < 1000; ++i) {
    double x[4];
    for (double& value : x) value = random.uniform(-50, 50);
    const Lanes e = exponential(load(x)), l = logarithm(load(x) * load(x));
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(e[k], exponential(x[k]));
      EXPECT_EQ(l[k], logarithm(x[k] * x[k]));
    }
  }
}

TEST(Dual, SlopesMatchDifferences) {
  using D = Dual<double, 2>;
  const auto f = [](auto x, auto y) {
    const auto a = power(x, y) + sqrt(x * y) - arc_tangent(x / y) * 3.0;
    const auto sc = sine_cosine(x * 0.3);
    return (a * sc.sine + sc.cosine / (1.0 + y)) - min(x, y) * abs(-x) + max(2.0 * x, y) * exponential(-x) +
           logarithm(y);
  };
  RandomStream random(3, 0, "dual");
  for (int i = 0; i < 200; ++i) {
    const double x = random.uniform(0.2, 3), y = random.uniform(0.2, 3), h = 1e-6;
    if (std::abs(x - y) < 1e-3 || std::abs(2 * x - y) < 1e-3) continue;
    const D d = f(D::variable(x, 0), D::variable(y, 1));
    EXPECT_NEAR(d.value, f(x, y), 1e-13);
    EXPECT_NEAR(d.slope[0], (f(x + h, y) - f(x - h, y)) / (2 * h), 1e-7);
    EXPECT_NEAR(d.slope[1], (f(x, y + h) - f(x, y - h)) / (2 * h), 1e-7);
  }
}

}  // namespace
}  // namespace scree
