#include "scree/core/lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "scree/core/random.hpp"

namespace scree {
namespace {

using namespace lane;

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
  expect_same_as_scalar([](auto a, auto b) { return max(a - b, decltype(a){}) + min(decltype(a){}, b); });
  expect_same_as_scalar([](auto a, auto b) { return select(a < b, a, b); });
  expect_same_as_scalar([](auto a, auto b) { return with_sign(abs(a), b); });
  expect_same_as_scalar([](auto a, auto b) { return sqrt(abs(a)) + abs(b); });
  expect_same_as_scalar([](auto a, auto b) { return clamp(a, min(a, b), max(a, b)); });
}

TEST(Lanes, TheLesserAndTheLargerOfWhatIsNoNumberAreTheSecond) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const Lanes a = {none, 1, -2, none}, b = {3, none, -4, none};
  for (const Lanes& x : {min(a, b), max(a, b)}) {
    EXPECT_EQ(x[0], 3) << "as a < b ? a : b of doubles";
    EXPECT_TRUE(std::isnan(x[1]));
    EXPECT_TRUE(std::isnan(x[3]));
  }
  EXPECT_EQ(max(a, Lanes{})[0], 0);
  EXPECT_EQ(max(a, b)[2], -2);
  EXPECT_EQ(min(a, b)[2], -4);
}

TEST(Lanes, AMaskFromMemoryChoosesAsItsComparisonDoes) {
  volatile double kept[kLanes] = {1, -1, 0, 2};
  const Lanes x = {kept[0], kept[1], kept[2], kept[3]};
  Mask masks[2] = {x > 0.0, x > 5.0};
  volatile int which = 0;
  const Lanes some = select(masks[which], lanes(1), lanes(2)), none = select(masks[which + 1], x, Lanes{});
  for (int k = 0; k < kLanes; ++k) {
    EXPECT_EQ(some[k], x[k] > 0 ? 1 : 2);
    EXPECT_EQ(none[k], 0);
    EXPECT_EQ(constant<Lanes>(x[1])[k], -1);
  }
}

TEST(Lanes, SumAddsInAFixedOrder) {
  const Lanes a = {1e16, 1.0, -1e16, 1.0};
  EXPECT_EQ(sum(a), 0.0) << "(a0 + a1) + (a2 + a3): both ones are lost; left to right would keep one";
  const Lanes b = {0.1, 0.2, 0.3, 0.7}, c = {1, 2, 3, 4}, d = {-5, 1e-9, 7, 2};
  const Lanes rows = sums(a, b, c, d);
  EXPECT_EQ(rows[0], sum(a));
  EXPECT_EQ(rows[1], sum(b));
  EXPECT_EQ(rows[2], sum(c));
  EXPECT_EQ(rows[3], sum(d));
}

TEST(Lanes, TransposeTurnsLanesIntoRows) {
  const LaneRows t =
      transpose(Lanes{0, 1, 2, 3}, Lanes{10, 11, 12, 13}, Lanes{20, 21, 22, 23}, Lanes{30, 31, 32, 33});
  for (int k = 0; k < kLanes; ++k) {
    for (int i = 0; i < kLanes; ++i) EXPECT_EQ(t.row[k][i], 10 * i + k);
  }
}

TEST(Lanes, AnySeesEachLane) {
  for (int i = 0; i < kLanes; ++i) {
    Lanes x = lanes(0);
    x[i] = 1;
    EXPECT_TRUE(any(x > 0.5)) << i;
  }
  EXPECT_FALSE(any(lanes(0) > 0.5));
  EXPECT_TRUE(all(lanes(1) > 0.5));
  EXPECT_FALSE(all(Lanes{1, 1, 0, 1} > 0.5));
}

TEST(Lanes, SignBitsNameTheLanesAndThoseGoToTheFrontInTheirOrder) {
  const Lanes a{1, 2, 3, 4};
  for (int bits = 0; bits < 16; ++bits) {
    Mask m{};
    std::vector<double> kept;
    for (int k = 0; k < kLanes; ++k)
      if (bits >> k & 1) m[k] = -1, kept.push_back(a[k]);
    EXPECT_EQ(sign_bits(m), bits);
    const Lanes front = to_front(a, bits);
    for (std::size_t k = 0; k < kept.size(); ++k) EXPECT_EQ(front[k], kept[k]) << bits;
  }
}

TEST(Lanes, NanFailsEveryComparisonSoThatSelectTakesTheOtherBranch) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(select(lanes(nan) < 1.0, lanes(1), lanes(2))[3], 2);
  EXPECT_EQ(select(nan < 1.0, 1.0, 2.0), 2);
}

}  // namespace
}  // namespace scree
