#include <cmath>

#include "reference.hpp"

namespace reference {

/// Unknowns: pitch p, height z of the centre of mass, acceleration a, driving slips s of the axles.
///
/// Geometry: a hub at (x, -d + h) in the chassis lies at height z + x sin p + (h - d) cos p = r, and its
/// contact directly below it, at x cos p - (h - d) sin p ahead of the centre of mass.
/// Wheel (massless in translation): suspension force k h = N cos p - F sin p, along the chassis' z.
/// Spin: I a / (r (1 - s)) = T - r F - c N r.
/// Body: sum F = m a; sum N = m g; moments about the centre of mass, +y:
///   sum [-z F - x_c N] - sum c N r = sum I a / (r (1 - s))   (the wheels' angular momentum grows).
/// Tyre: F = force(s / (1 - s), N).
Acceleration steady_acceleration(const Vehicle& v, double torque) {
  struct Axle {
    double N, F, x, spin;
  };
  const auto axle = [&](double x, double p, double z, double a, double s) {
    const double h = (v.radius - z - x * std::sin(p)) / std::cos(p) + v.hub_below;
    Axle out;
    out.spin = v.spin_inertia * a / (v.radius * (1 - s));
    // k h = N cos p - F sin p with F = (T - spin)/r - c N
    const double push = (torque - out.spin) / v.radius;
    out.N = (v.stiffness * h + push * std::sin(p)) / (std::cos(p) + v.rolling * std::sin(p));
    out.F = push - v.rolling * out.N;
    out.x = x * std::cos(p) - (h - v.hub_below) * std::sin(p);
    return out;
  };
  const auto equations = [&](const std::vector<double>& u) {
    const double p = u[0], z = u[1], a = u[2];
    const Axle f = axle(v.front, p, z, a, u[3]), r = axle(-v.rear, p, z, a, u[4]);
    const double moment = -z * (f.F + r.F) - f.x * f.N - r.x * r.N - v.rolling * v.radius * (f.N + r.N);
    return std::vector<double>{2 * (f.F + r.F) / v.mass - a, 2 * (f.N + r.N) / v.mass - v.gravity,
                               (2 * moment - 2 * (f.spin + r.spin)) / v.mass,
                               (tyre_force(u[3] / (1 - u[3]), f.N) - f.F) / v.mass,
                               (tyre_force(u[4] / (1 - u[4]), r.N) - r.F) / v.mass};
  };
  const double rest = v.mass * v.gravity / (4 * v.stiffness);
  const double guess = 4 * torque / v.radius / (v.mass + 4 * v.spin_inertia / (v.radius * v.radius));
  const double share = guess / v.gravity * 0.04;
  const std::vector<double> u = newton(equations, {0.0, v.radius + v.hub_below - rest, guess, share, share});
  const Axle f = axle(v.front, u[0], u[1], u[2], u[3]), r = axle(-v.rear, u[0], u[1], u[2], u[4]);
  return {u[2], u[0], f.N, r.N, u[3], u[4]};
}

}  // namespace reference
