#include "scree/ground/soil_wheel.hpp"

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"

namespace scree {

void describe(Section& s, SoilWheel& x) {
  s.number("radius", x.radius, {.unit = "m", .doc = "Without lugs", .range = {.low = 1e-3, .high = 10}});
  s.number("width", x.width, {.unit = "m", .doc = "Of the rim", .range = {.low = 1e-3, .high = 10}});
  s.number("lug_height", x.lug_height, {.unit = "m", .doc = "Of the lugs", .range = between(0, 1)});
  s.number("lug_share", x.lug_share,
           {.unit = "-", .doc = "Shear radius = radius + lug_share x lug_height", .range = between(0, 1)});
  if (!s.documenting() && !(x.lug_height < x.radius))
    s.fail("lug_height", "lugs must be lower than the wheel's radius");
}

SoilSlip soil_slip(double slip, double slip_angle) {
  if (!(slip >= -1 && slip <= 1))
    input_error("slip {} is outside [-1, 1]: driving slip is 1 - V/U, braking slip U/V - 1{}", slip,
                std::abs(slip) <= 100 ? "; given in percent?" : "");
  if (!(std::abs(slip_angle) < 0.5 * kPi))
    input_error("slip angle {} rad is outside (-pi/2, pi/2): given in degrees?", slip_angle);
  const double tangent = maths::tan(slip_angle);
  return {slip, slip >= 0 ? tangent * (1 - slip) : tangent};
}

double slip_angle_of(const SoilSlip& slip) {
  return std::copysign(slip_angle_size(slip.slip, slip.side), slip.side);
}

}  // namespace scree
