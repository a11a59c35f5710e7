#include <cmath>

#include "reference.hpp"

namespace reference {

double jump_distance(double speed, double angle, double gravity) {
  return speed * speed * std::sin(2 * angle) / gravity;
}

}  // namespace reference
