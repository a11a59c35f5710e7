#include "scree/ground/hull_patch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

/// Friction of a patch, at its centre of load.
void add_grip(const Grip& grip, const PatchState& patch, const Mat3& R, LinkLoad& load) {
  const Vec3 force = R.transpose() * grip.force, n = R.transpose() * patch.press.normal;
  const Mat3 E = grip.mass * (Mat3::Identity() - n * n.transpose()), P = skew(patch.point);
  load.wrench.head<3>() += force;
  load.wrench.tail<3>() += patch.point.cross(force);
  load.apparent.topLeftCorner<3, 3>() += E;
  load.apparent.topRightCorner<3, 3>() -= E * P;
  load.apparent.bottomLeftCorner<3, 3>() += P * E;
  load.apparent.bottomRightCorner<3, 3>() -= P * E * P;
}

/// Friction of a patch whose columns have been summed.
void grip_body_patch(const PatchOwner& body, const Touch& t, const Vec3& e, PatchState& patch) {
  const double load = patch.force.norm();
  if (!(load > 0)) return;
  const LinkMotion& link = t.motion.link[body.link];
  const Vec3 v_L = link.V_WL_L.head<3>(), w_L = link.V_WL_L.tail<3>();
  patch.point /= patch.pushes;
  patch.press = {link.X_WL.R * (patch.force / load), load, link.X_WL.R * (v_L + w_L.cross(patch.point))};
  HullSettings hull = body.hull;
  if (patch.strength > 0) hull.friction = std::min(hull.friction, patch.strength / load);
  patch.grip = grip_patch(hull, patch.press, e, t.step.dt, t.step.theta);
  add_grip(patch.grip, patch, link.X_WL.R, t.loads.link[body.link]);
}

/// How a link has moved from one pose to another: a point at r from the origin by at most the way of that
/// plus r |R - R0|/sqrt 2.
class Moved {
 public:
  Moved(const Pose& from, const Pose& to) {
    static_assert(sizeof(Pose) == 12 * sizeof(double));  // R, column by column, then p
    const auto part = [&](int at) { return lane::load(to.R.data() + at) - lane::load(from.R.data() + at); };
    const Lanes a = part(0), b = part(4), c = part(8);
    turned_ = a * a + b * b, last_ = c * c;
  }
  /// The most that a point within `reach` of the origin has moved [m].
  double most(double reach) const {
    const double way2 = last_[1] + last_[2] + last_[3], turn2 = 0.5 * (lane::sum(turned_) + last_[0]);
    return std::sqrt(way2) + reach * std::sqrt(turn2);
  }
  /// No less than its square, without roots: (a + b)² <= 2 (a² + b²).
  double most2(double reach) const {
    const double reach2 = reach * reach;
    return lane::sum(reach2 * turned_ + Lanes{reach2, 2, 2, 2} * last_);
  }

 private:
  Lanes turned_, last_;  ///< squares of what changed of R, and of the last of it and of p
};

/// Whether a body has moved less than `room` since it was clear.
inline bool still_clear(const ClearPlace& clear, double room, const GroundView& ground, const Pose& X,
                        double reach) {
  if (!(room > 0) || clear.terrain != ground.terrain || ground.slope_bound > clear.slope_bound) return false;
  const Moved moved(clear.X, X);
  return moved.most2(reach) < room * room || moved.most(reach) < room;
}

}  // namespace

void ColumnRoom::move(const GroundView& ground, const Pose& X, double reach, double pitch) {
  const Moved moved(X_, X);
  X_ = X;
  room_.move(moved.most(reach), *ground.terrain, ground.slope_bound, pitch);
}

void PatchedBodies::touch(Touch& t, const double* memory, ContactScratch& scratch) const {
  auto& s = static_cast<PatchScratch&>(scratch);
  s.near = false;
  if (s.all.room > 0 && still_clear(s.all, s.all.room, t.ground, t.motion.link[owners_[0].link].X_WL, reach_))
    return;
  touch_bodies(t, memory, s);
}

void PatchedBodies::touch_bodies(Touch& t, const double* memory, PatchScratch& s) const {
  const bool deforms = soil_deforms(t.ground);
  if (deforms && s.soil.empty()) s.soil.resize(owners_.size());
  // Those that have used up half of their room are looked at with the one that asks, not one by one.
  const double spare = one_link_ ? 0.5 : 1.0;
  for (std::size_t b = 0; b < owners_.size(); ++b) {
    const PatchOwner& body = owners_[b];
    const ClearPlace& clear = s.clear[b];
    if (still_clear(clear, spare * clear.room, t.ground, t.motion.link[body.link].X_WL, body.reach)) {
      s.below[b] = 0;
      if (deforms) s.soil[b].fresh = false;
    } else {
      touch_body(static_cast<int>(b), t, memory, deforms ? &s.soil[b] : nullptr, s);
    }
  }
  if (!one_link_ || deforms || owners_.empty()) return;
  // What is left to each from here.
  const Pose& X = t.motion.link[owners_[0].link].X_WL;
  s.all = {t.ground.terrain, t.ground.slope_bound, std::numeric_limits<double>::infinity(), X};
  for (std::size_t b = 0; b < owners_.size(); ++b)
    s.all.room = std::min(s.all.room, s.clear[b].room - Moved(s.clear[b].X, X).most(owners_[b].reach));
}

/// One that may be near the ground.
void PatchedBodies::touch_body(int b, Touch& t, const double* memory, SoilPress* soil,
                               PatchScratch& s) const {
  const PatchOwner& body = owners_[b];
  s.clear[b] = {t.ground.terrain, t.ground.slope_bound, 0, t.motion.link[body.link].X_WL};
  s.below[b] =
      press(b, t, soil, std::span(s.patch).subspan(body.first, body.count), s.clear[b].room, s.room[b]);
  if (soil && !s.below[b]) soil->fresh = false;
  if (!s.below[b]) return;
  s.near = t.report.body = true;
  for (int i = body.first; i < body.first + body.count; ++i)
    grip_body_patch(body, t, Eigen::Map<const Vec3>(memory + 3 * i), s.patch[i]);
}

void PatchedBodies::finish(const ContactMotion& motion, const StageStep& step, const ContactAnswer& answer,
                           ContactScratch& scratch, double* memory) const {
  auto& s = static_cast<PatchScratch&>(scratch);
  if (!s.near) {
    std::fill_n(memory, 3 * patches_.size(), 0.0);
    return;
  }
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    const PatchOwner& body = owners_[patches_[i]];
    Eigen::Map<Vec3> e(memory + 3 * i);
    const PatchState& patch = s.patch[i];
    if (!s.below[patches_[i]] || !(patch.press.load > 0)) {
      e.setZero();
      continue;
    }
    const Vec6& u = answer.link(body.link);
    const Vec3 a_L = u.head<3>() + Vec3(u.tail<3>()).cross(patch.point);
    const Vec3 v_new = patch.press.v_W + step.dt * (motion.link[body.link].X_WL.R * a_L);
    e = grip_next(body.hull, patch.press, patch.grip, v_new, e, step.dt);
  }
}

void PatchedBodies::press(const GroundView& ground, SoilTiles& tiles, ContactScratch& scratch,
                          double*) const {
  auto& s = static_cast<PatchScratch&>(scratch);
  for (std::size_t b = 0; b < s.soil.size(); ++b)
    print_body(shapes_[b], s.soil[b], *ground.grid, *ground.terrain, tiles, shared_print_room());
}

void PatchedBodies::rates(const ContactScratch& scratch, const double* memory, double* rates) const {
  const auto& s = static_cast<const PatchScratch&>(scratch);
  const PatchState none;
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    const PatchState& patch = s.below[patches_[i]] ? s.patch[i] : none;
    const Vec3 e = Eigen::Map<const Vec3>(memory + 3 * i);
    Eigen::Map<Vec3>(rates + 3 * i) = grip_rate(owners_[patches_[i]].hull, patch.press, patch.grip, e);
  }
}

void PatchedBodies::list(const GroundView&, const ContactMotion& motion, const ContactScratch& scratch,
                         std::span<Contact> out) const {
  const auto& s = static_cast<const PatchScratch&>(scratch);
  for (Contact& c : out)
    if (c.touching) c = Contact{};
  if (!s.near) return;
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    Contact& c = out[i];
    if (!s.below[patches_[i]]) continue;
    c.link = owners_[patches_[i]].link;
    const Pose& X = motion.link[c.link].X_WL;
    const PatchState& patch = s.patch[i];
    const double slick = patch.slick.norm();
    if (!(patch.press.load + slick > 0)) continue;
    c.touching = true;
    const bool bears = patch.press.load > 0;
    c.p_W = X * (bears ? patch.point : Vec3(patch.slick_point / slick));
    c.normal_W = bears ? patch.press.normal : Vec3(X.R * (patch.slick / slick));
    c.load = bears ? patch.press.load : slick;
    c.force_W = patch.press.load * patch.press.normal + patch.grip.force + X.R * patch.slick;
    c.depth = patch.depth;
    c.peak = patch.grip.limit;
  }
}

Rectangle ground_under(const Pose& X, const Vec3& centre, const Vec3& half) {
  const Vec3 c = X * centre, h = X.R.cwiseAbs() * half;
  return {c.x() - h.x(), c.x() + h.x(), c.y() - h.y(), c.y() + h.y()};
}

double height_above(const Terrain& terrain, const Pose& X, const Vec3& centre, const Vec3& half) {
  const double low = (X * centre).z() - X.R.row(2).cwiseAbs().dot(half);
  return low - terrain.height_range(ground_under(X, centre, half)).high;
}

double column_pitch(double finest) {
  return finest > 0 ? std::clamp(finest, kFinestPitch, kColumnPitch) : kColumnPitch;
}

}  // namespace scree
