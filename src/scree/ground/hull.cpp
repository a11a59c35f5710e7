#include "scree/ground/hull.hpp"

namespace scree {
namespace {
Vec3 across(const Vec3& n, const Vec3& v) { return v - n.dot(v) * n; }
}  // namespace

void describe(Section& s, HullSettings& x) {
  s.number("stiffness", x.stiffness,
           {.unit = "N/m",
            .doc = "normal stiffness of 25 mm x 25 mm of surface, or of a point",
            .range = positive()});
  s.number("damping", x.damping,
           {.unit = "N s/m", .doc = "normal damping likewise", .range = not_negative()});
  s.number("ramp", x.ramp, {.unit = "m", .doc = "depth over which the damper fades in", .range = positive()});
  s.number("friction", x.friction,
           {.unit = "-", .doc = "friction of the hull on the ground", .range = not_negative()});
  s.number("grip_share", x.grip_share,
           {.unit = "-",
            .doc = "tangential stiffness and damping of a patch over stiffness and damping",
            .range = {0, 10, true, false}});
}

Grip grip_patch(const HullSettings& hull, const PatchPress& p, const Vec3& e, double dt, double theta) {
  Grip out;
  out.limit = hull.friction * p.load;
  if (!(out.limit > 0)) return out;
  const Vec3 v_t = across(p.normal, p.v_W);
  const double k_t = hull.grip_share * hull.stiffness, c_t = hull.grip_share * hull.damping;
  out.force = -k_t * (across(p.normal, e) + 0.5 * dt * v_t) - c_t * v_t;
  out.mass = theta * dt * (c_t + 0.5 * dt * k_t);
  const double size = out.force.norm();
  if (size > out.limit) {
    // Sliding: the force turns with the velocity but does not grow.
    out.force *= out.limit / size;
    out.mass *= out.limit / size;
  }
  return out;
}

Vec3 grip_next(const HullSettings& hull, const PatchPress& p, const Grip& grip, const Vec3& v_new_W,
               const Vec3& e, double dt) {
  if (!(grip.limit > 0)) return Vec3::Zero();
  const Vec3 moved = across(p.normal, e + 0.5 * dt * (p.v_W + v_new_W));
  const double most = grip.limit / (hull.grip_share * hull.stiffness);
  const double size = moved.norm();
  return size > most ? Vec3(moved * (most / size)) : moved;
}

Vec3 grip_rate(const HullSettings& hull, const PatchPress& p, const Grip& grip, const Vec3& e) {
  constexpr double kForget = 1000;  // 1/s: a bristle that lost its ground
  if (!(grip.limit > 0)) return -kForget * e;
  const Vec3 v_t = across(p.normal, p.v_W);
  const double most = grip.limit / (hull.grip_share * hull.stiffness);
  const double size = e.norm();
  if (size >= most && e.dot(v_t) > 0)
    return (v_t - e * (e.dot(v_t) / (size * size))) - kForget * (1 - most / size) * e;
  return v_t;
}

}  // namespace scree
