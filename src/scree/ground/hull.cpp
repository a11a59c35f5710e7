#include "scree/ground/hull.hpp"
#include "scree/core/maths.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {
Mat3 across(const Vec3& n) { return Mat3::Identity() - n * n.transpose(); }

constexpr double kHullShallow = 0.01;  // m: up to this depth the way out is the ground's normal
constexpr double kHullReach = 0.15;    // m: how far a way out to the side is looked for

/// A point deep in the ground may be inside a wall: the shorter way out, by the ground's normal or by one of
/// eight level directions.
void leave_by_the_side(const Terrain& terrain, const Vec3& p, HullForce& f) {
  const double most = std::min(f.depth, kHullReach);
  for (int k = 0; k < 8; ++k) {
    const Vec3 way(maths::cos(k * kPi / 4), maths::sin(k * kPi / 4), 0);
    const auto inside = [&](double d) {
      return terrain.height(p.x() + d * way.x(), p.y() + d * way.y()) > p.z();
    };
    double in = 0, out = 0;
    for (double d = kHullShallow; d <= most && out == 0; d += kHullShallow) (inside(d) ? in : out) = d;
    if (out == 0) continue;
    for (int i = 0; i < 12; ++i) (inside(0.5 * (in + out)) ? in : out) = 0.5 * (in + out);
    if (out < f.depth) f.depth = out, f.normal = way;
  }
}
}  // namespace

void describe(Section& s, HullSettings& x) {
  s.number("stiffness", x.stiffness, {.unit = "N/m", .doc = "normal stiffness a point", .range = positive()});
  s.number("damping", x.damping, {.unit = "N s/m", .doc = "normal damping a point", .range = not_negative()});
  s.number("ramp", x.ramp, {.unit = "m", .doc = "depth over which the damper fades in", .range = positive()});
  s.number("friction", x.friction,
           {.unit = "-", .doc = "friction of the hull on the ground", .range = not_negative()});
  s.number(
      "grip_share", x.grip_share,
      {.unit = "-", .doc = "tangential over normal stiffness and damping", .range = {0, 10, true, false}});
}

HullForce touch_hull(const HullSettings& hull, const Terrain& terrain, const HullPointMotion& m,
                     const Vec3& e, double dt, double theta) {
  HullForce f;
  const TerrainPoint ground = terrain.at(m.p_W.x(), m.p_W.y());
  f.normal = ground.normal();
  f.depth = (ground.z - m.p_W.z()) * f.normal.z();
  if (!(f.depth > 0)) return f;
  if (f.depth > kHullShallow) leave_by_the_side(terrain, m.p_W, f);
  f.touching = true;
  const double c = hull.damping * std::min(1.0, f.depth / hull.ramp);
  const double v_n = f.normal.dot(m.v_W);
  const double pushing = hull.stiffness * f.depth - c * v_n;
  if (!(pushing > 0)) return f;
  f.limit = hull.friction * pushing;
  f.force = pushing * f.normal;
  const double normal_mass = theta * dt * (c + 0.5 * dt * hull.stiffness);

  const Vec3 v_t = m.v_W - v_n * f.normal;
  const Vec3 e_t = e - f.normal.dot(e) * f.normal;
  const double k_t = hull.grip_share * hull.stiffness, c_t = hull.grip_share * hull.damping;
  const Vec3 grip = -k_t * (e_t + 0.5 * dt * v_t) - c_t * v_t;
  const double size = grip.norm();
  double tangent_mass = theta * dt * (c_t + 0.5 * dt * k_t);
  if (size > f.limit) {
    f.force += grip * (f.limit / size);
    // Sliding: the force turns with the velocity but does not grow.
    tangent_mass *= f.limit / size;
  } else {
    f.force += grip;
  }
  f.E = normal_mass * f.normal * f.normal.transpose() + tangent_mass * across(f.normal);
  return f;
}

Vec3 finish_hull(const HullSettings& hull, const HullForce& f, const HullPointMotion& m, const Vec3& v_new_W,
                 const Vec3& e, double dt) {
  if (!f.touching || f.limit <= 0) return Vec3::Zero();
  const Vec3 moved = across(f.normal) * (e + 0.5 * dt * (m.v_W + v_new_W));
  const double most = f.limit / (hull.grip_share * hull.stiffness);
  const double size = moved.norm();
  return size > most ? Vec3(moved * (most / size)) : moved;
}

Vec3 hull_rate(const HullSettings& hull, const HullForce& f, const HullPointMotion& m, const Vec3& e) {
  constexpr double kForget = 1000;  // 1/s: a bristle that lost its ground
  if (!f.touching || f.limit <= 0) return -kForget * e;
  const Vec3 v_t = across(f.normal) * m.v_W;
  const double most = f.limit / (hull.grip_share * hull.stiffness);
  const double size = e.norm();
  if (size >= most && e.dot(v_t) > 0)
    return (v_t - e * (e.dot(v_t) / (size * size))) - kForget * (1 - most / size) * e;
  return v_t;
}

}  // namespace scree
