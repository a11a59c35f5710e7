#pragma once
/// How many things lie on a piece of ground.
#include <string>

#include "scree/core/random.hpp"

namespace scree {

/// A Poisson number of given mean. Refuses means above 10^8 (`what` names the maker).
std::size_t poisson_count(RandomStream& random, double mean, const std::string& what);

}  // namespace scree
