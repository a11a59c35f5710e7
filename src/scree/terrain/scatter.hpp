#pragma once
/// How many things lie on a piece of ground, and where.
#include <string>

#include "scree/core/random.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// A Poisson number of given mean. Refuses means above 10^8 (`what` names the maker).
std::size_t poisson_count(RandomStream& random, double mean, const std::string& what);

/// A Poisson process of `density` things per square metre in the area and `beyond` metres around it, so that
/// things reach in from outside: draw(centre) for each, which may draw more from the same stream.
template <class Draw>
void scatter(RandomStream& random, const Rectangle& area, double beyond, double density,
             const std::string& what, Draw draw) {
  const Rectangle wide{area.x_min - beyond, area.x_max + beyond, area.y_min - beyond, area.y_max + beyond};
  const double mean = density * (wide.x_max - wide.x_min) * (wide.y_max - wide.y_min);
  for (std::size_t left = poisson_count(random, mean, what); left > 0; --left) {
    // x first: as arguments of one call the compiler would choose.
    const double x = random.uniform(wide.x_min, wide.x_max), y = random.uniform(wide.y_min, wide.y_max);
    draw(Vec2(x, y));
  }
}

}  // namespace scree
