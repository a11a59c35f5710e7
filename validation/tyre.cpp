#include <cmath>

#include "reference.hpp"

namespace reference {

double tyre_force(double kappa, double load) {
  const double F = load / 1000, x = 100 * kappa;
  const double D = -21.3 * F * F + 1144 * F, C = 1.65;
  const double BCD = (49.6 * F * F + 226 * F) * std::exp(-0.069 * F);
  const double B = BCD / (C * D), E = -0.006 * F * F + 0.056 * F + 0.486;
  const double phi = (1 - E) * x + E / B * std::atan(B * x);
  return D * std::sin(C * std::atan(B * phi));
}

}  // namespace reference
