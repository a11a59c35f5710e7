#include "scree/terrain/scatter.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"

namespace scree {

/// Counts exponential waiting times for small means; rounds a normal number for large ones, where the two
/// cannot be told apart.
std::size_t poisson_count(RandomStream& random, double mean, const std::string& what) {
  if (!(mean >= 0 && mean <= 1e8)) input_error("{}: {:.3g} things to strew: at most 10^8", what, mean);
  if (mean > 1000)
    return static_cast<std::size_t>(std::max(0.0, std::round(mean + std::sqrt(mean) * random.normal())));
  std::size_t count = 0;
  for (double time = -maths::log(1 - random.uniform()); time < mean; time -= maths::log(1 - random.uniform()))
    ++count;
  return count;
}

}  // namespace scree
