#include "scree/ground/suspension.hpp"

namespace scree {

void describe(Section& s, SuspensionSettings& x) {
  s.number("stiffness", x.stiffness,
           {.unit = "N/m", .doc = "spring rate up to `travel`", .range = positive()});
  s.number("damping", x.damping, {.unit = "N s/m", .doc = "damper rate", .range = not_negative()});
  s.number("travel", x.travel,
           {.unit = "m", .doc = "linear up to this displacement (H_sat)", .range = positive()});
  s.number("stiffening", x.stiffening,
           {.unit = "-", .doc = "stiffness beyond `travel` / `stiffness`", .range = between(1, 1e4)});
  s.number("blend", x.blend,
           {.unit = "-",
            .doc = "share of `travel` over which the stiffness rises",
            .range = {0, 10, true, false}});
}

}  // namespace scree
