#include "scree/study/wilson.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

Interval wilson(std::uint64_t successes, std::uint64_t trials, double z) {
  if (trials == 0) return {};
  const auto n = static_cast<double>(trials), p = static_cast<double>(successes) / n;
  const double z2 = z * z, middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = z / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  // At the ends the formula gives 0 and 1 but for rounding.
  return {successes == 0 ? 0 : std::max(0.0, middle - half),
          successes == trials ? 1 : std::min(1.0, middle + half)};
}

double same_rate(std::uint64_t successes_a, std::uint64_t trials_a, std::uint64_t successes_b,
                 std::uint64_t trials_b) {
  if (trials_a == 0 || trials_b == 0) return 1;
  const auto na = static_cast<double>(trials_a), nb = static_cast<double>(trials_b);
  const double a = static_cast<double>(successes_a) / na, b = static_cast<double>(successes_b) / nb;
  const double pooled = static_cast<double>(successes_a + successes_b) / (na + nb);
  const double variance = pooled * (1 - pooled) * (1 / na + 1 / nb);
  return variance > 0 ? std::erfc(std::abs(a - b) / std::sqrt(2 * variance)) : 1;
}

}  // namespace scree
