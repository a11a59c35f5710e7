#include "scree/core/lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "scree/core/random.hpp"

namespace scree {
namespace {

/// Every operation on four lanes must give, bit by bit, what `double` gives in each lane.
template <class Operation>
void expect_same_as_scalar(Operation operation) {
  RandomStream random(1, 0, "lanes");
  std::vector<double> special = {0.0, -0.0, 1.0, -1.0, 1e-300, -1e300};
  for (int trial = 0; trial < 500; ++trial) {
    double a[kLanes], b[kLanes], out[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      a[i] = trial % 5 == 0 ? special[random.below(special.size())] : random.normal();
      b[i] = trial % 7 == 0 ? special[random.below(special.size())] : random.normal();
    }
    store(out, operation(load(a), load(b)));
    for (int i = 0; i < kLanes; ++i) {
      const double expected = operation(a[i], b[i]);
      EXPECT_EQ(out[i], expected) << a[i] << " " << b[i];
      EXPECT_EQ(std::signbit(out[i]), std::signbit(expected)) << a[i] << " " << b[i];
    }
  }
}

TEST(Lanes, ArithmeticAndChoicesEqualScalarCode) {
  expect_same_as_scalar([](auto a, auto b) { return a + b * a - b; });
  expect_same_as_scalar([](auto a, auto b) { return min(a, b); });
  expect_same_as_scalar([](auto a, auto b) { return max(a, b); });
  expect_same_as_scalar([](auto a, auto b) { return select(a < b, a, b); });
  expect_same_as_scalar([](auto a, auto b) { return with_sign(abs(a), b); });
  expect_same_as_scalar([](auto a, auto b) { return sqrt(abs(a)) + abs(b); });
  expect_same_as_scalar([](auto a, auto b) { return clamp(a, min(a, b), max(a, b)); });
}

TEST(Lanes, SumAddsInAFixedOrder) {
  const Lanes a = {1e16, 1.0, -1e16, 1.0};
  EXPECT_EQ(sum(a), 2.0) << "(a0 + a2) + (a1 + a3); left to right would lose a one";
}

TEST(Lanes, AnySeesEachLane) {
  for (int i = 0; i < kLanes; ++i) {
    Lanes x = lanes(0);
    x[i] = 1;
    EXPECT_TRUE(any(x > 0.5)) << i;
  }
  EXPECT_FALSE(any(lanes(0) > 0.5));
}

TEST(Lanes, NanFailsEveryComparisonSoThatSelectTakesTheOtherBranch) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(select(lanes(nan) < 1.0, lanes(1), lanes(2))[3], 2);
  EXPECT_EQ(select(nan < 1.0, 1.0, 2.0), 2);
}

}  // namespace
}  // namespace scree
