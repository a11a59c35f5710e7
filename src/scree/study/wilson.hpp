#pragma once
/// How sure a rate is.
#include <cstdint>

namespace scree {

struct Interval {
  double low = 0, high = 1;
  double width() const { return high - low; }
  bool contains(double x) const { return x >= low && x <= high; }
};

/// Two-sided quantile of the normal distribution that 95 % lie within.
inline constexpr double kNinetyFive = 1.959963984540054;

/// Wilson's score interval of a rate (Wilson 1927): the rates p for which the observed one lies within z
/// standard deviations sqrt(p (1 - p)/n). Unlike p +- z sqrt(p (1 - p)/n) it stays within [0, 1] and does not
/// shrink to nothing at 0 and n successes. Without trials it is [0, 1].
Interval wilson(std::uint64_t successes, std::uint64_t trials, double z = kNinetyFive);

/// Two-sided p value of a difference between two rates: the pooled z test.
double same_rate(std::uint64_t successes_a, std::uint64_t trials_a, std::uint64_t successes_b,
                 std::uint64_t trials_b);

}  // namespace scree
