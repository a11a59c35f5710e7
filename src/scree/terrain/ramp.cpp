/// `ramp`: level ground, a concave arc, a straight incline, a convex arc, a plateau.
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/terrain/kinds.hpp"
#include "scree/terrain/profile.hpp"

namespace scree {
namespace {

struct RampSettings {
  double start = 5;             ///< x where the entry begins [m]
  double angle = 20 * kDegree;  ///< of the incline, uphill along +x positive [rad]
  double length = 5;            ///< horizontal length of the straight part [m]; 0: endless
  double entry_radius = 1;      ///< of the arc at the foot [m]; 0: a sharp corner
  double exit_radius = 1;       ///< of the arc at the top [m]; 0: a sharp corner
  double height = 0;            ///< of the level ground before it [m]
};

void describe(Section& s, RampSettings& x) {
  s.number("start", x.start, {.unit = "m", .doc = "x where the ramp begins"});
  s.angle("angle", x.angle,
          {.unit = "rad",
           .doc = "Angle of the incline; negative goes down",
           .range = {.low = -kPi / 2, .high = kPi / 2, .open_low = true, .open_high = true}});
  s.number(
      "length", x.length,
      {.unit = "m", .doc = "Horizontal length of the straight part; 0: endless", .range = not_negative()});
  s.number("entry_radius", x.entry_radius,
           {.unit = "m", .doc = "Radius of the arc at the foot; 0: a sharp corner", .range = not_negative()});
  s.number("exit_radius", x.exit_radius,
           {.unit = "m", .doc = "Radius of the arc at the top; 0: a sharp corner", .range = not_negative()});
  s.number("height", x.height, {.unit = "m", .doc = "Height of the level ground before the ramp"});
}

}  // namespace

TerrainPtr make_ramp(Section& s, const MakeContext&) {
  const auto x = read_keys<RampSettings>(s);
  if (s.documenting()) return nullptr;
  auto ramp = std::make_unique<Profile>("ramp", x.start, x.height);
  ramp->arc(x.entry_radius, 0, x.angle);
  if (x.length == 0) {
    ramp->endless_line(maths::tan(x.angle));
  } else {
    ramp->line(x.length, maths::tan(x.angle)).arc(x.exit_radius, x.angle, 0);
  }
  return ramp;
}

}  // namespace scree
