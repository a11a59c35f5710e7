#include <cmath>

#include "reference.hpp"

namespace reference {

/// In axes along and normal to the slope. All contacts lie on one line, so the share of the axles in the
/// tangential force does not enter the moments; it enters the suspensions through the pitch, and there every
/// wheel is taken to use the same share of its load: F = N tan(slope).
Standing standing_on_slope(const Vehicle& v, double slope) {
  struct Axle {
    double N, x;
  };
  const auto axle = [&](double x, double p, double z) {
    const double h = (v.radius - z - x * std::sin(p)) / std::cos(p) + v.hub_below;
    return Axle{v.stiffness * h / (std::cos(p) - std::tan(slope) * std::sin(p)),
                x * std::cos(p) - (h - v.hub_below) * std::sin(p)};
  };
  const double across = v.gravity * std::cos(slope), along = v.gravity * std::sin(slope);
  const auto equations = [&](const std::vector<double>& u) {
    const Axle f = axle(v.front, u[0], u[1]), r = axle(-v.rear, u[0], u[1]);
    return std::vector<double>{2 * (f.N + r.N) / v.mass - across,
                               (2 * (f.x * f.N + r.x * r.N)) / v.mass + u[1] * along};
  };
  const std::vector<double> u =
      newton(equations, {0.0, v.radius + v.hub_below - v.mass * across / (4 * v.stiffness)});
  return {u[0], axle(v.front, u[0], u[1]).N, axle(-v.rear, u[0], u[1]).N};
}

}  // namespace reference
