#include "scree/drive/lugre.hpp"

#include <algorithm>

namespace scree {

template <>
LugreOf<double>::LugreOf(const LugreSettings& x)
    : coulomb_(x.coulomb),
      extra_(std::max(x.breakaway, x.coulomb) - x.coulomb),
      inv_vs_(1.0 / x.stribeck_speed),
      s0_(x.stiffness),
      s1_(x.damping),
      s2_(x.viscous),
      kv_(x.sign_sharpness > 0 ? x.sign_sharpness : 1e5 / x.stribeck_speed) {}

template <>
double LugreOf<double>::steady(double v) const {
  if (v == 0) return 0;  // at rest any torque up to g can be steady; without a push it is zero
  return level(v).g / smooth_sign(kv_ * v).value + s2_ * v;
}

}  // namespace scree
