#include "scree/ground/profile_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scree/ground/looks_along.hpp"

namespace scree::looks {
namespace {

using Piece = Profile::Piece;
using Shape = Profile::Shape;

constexpr double kAcross = 0.3;        // of the axle that lies along the profile's edges, at least
constexpr double kSuspended = 0.3;     // b_z, at least: level ground bears
constexpr int kLooks = 9;              // on what may have more than one top
constexpr double kSameSlope = 1e-9;    // pieces that meet in no edge
constexpr double kTop = 1e-10;         // m: a top is known to within its square
constexpr double kBearing = 1 - 1e-9;  // of the slope that just bears: rounding must not lose it
constexpr double kEndless = std::numeric_limits<double>::infinity();

/// Along the profile, from the hub [m].
struct Stretch {
  double from, to;
  bool empty() const { return !(from <= to); }
};

/// Place in the wheel's plane, and what it takes to climb from it: slope of the ground, du and dh over ds.
struct Spot {
  double u, t, rim, slope, du, rise;
};

class ProfileSearch : public LooksAlong {
 public:
  ProfileSearch(const Terrain& terrain, const PlacedProfile& ground, const RimPlane& wheel);
  std::optional<RimContact> run();

 protected:
  Look between(const Look& a, const Look& b, double share) const override {
    const double s = along_x_ * (a.x - wheel_.centre.x()) + along_y_ * (a.y - wheel_.centre.y());
    return look(s + share * (along_x_ * (b.x - a.x) + along_y_ * (b.y - a.y)));
  }

 private:
  Stretch stretch_of(std::size_t k) const {
    return {std::max(profile_.piece(k).x - hub_, range_.from),
            std::min(profile_.end_of(k) - hub_, range_.to)};
  }
  double height(double s) const { return z_ + scale_ * piece_->at(hub_ + s).z; }
  HeightRange heights(const Stretch& s) const;
  double most(const Stretch& s, const HeightRange& heights) const;
  Look look(double s) const;
  Spot spot(double s) const;
  bool usable(const Spot& x) const {
    return std::abs(x.u) <= kLookEnd * wheel_.radius && x.t <= wheel_.wall_line(x.u);
  }
  /// What is known at s, where that may be the best.
  void consider_at(double s, const Spot& x) {
    if (x.t + x.rim > best_.h) consider(look(s));
  }
  void visit(std::size_t k);
  void visit_line(Stretch s);
  void visit_ease(const Stretch& s);
  void visit_edge(std::size_t k);
  void look_over(const Stretch& s);
  void visit_crest(const Stretch& s);
  double top_of_crest(Stretch s) const;
  double steepest_that_bears(double sign) const;

  const Profile& profile_;
  double along_x_, along_y_, scale_, z_;
  double hub_;                    // the profile's x at the hub [m]
  double q_s_, q_z_;              // along e: q = q_s s + q_z (z - c_z)
  double u_s_, u_z_, t_s_, t_z_;  // in the wheel's plane, the same
  bool ahead_;                    // s grows from the wheel's back to its front
  Stretch range_;                 // that the rim can meet
  const Piece* piece_ = nullptr;  // at hand
};

/// Of a_e along e, the level direction across the profile.
double across(const PlacedProfile& g, const Vec3& a) { return g.along_x * a.y() - g.along_y * a.x(); }

ProfileSearch::ProfileSearch(const Terrain& terrain, const PlacedProfile& g, const RimPlane& w)
    : LooksAlong(terrain, w),
      profile_(*g.profile),
      along_x_(g.along_x),
      along_y_(g.along_y),
      scale_(g.scale),
      z_(g.z),
      hub_(g.along_x * w.centre.x() + g.along_y * w.centre.y() + g.offset) {
  const auto along = [&](const Vec3& v) { return g.along_x * v.x() + g.along_y * v.y(); };
  const double a_e = across(g, w.a);
  ahead_ = a_e > 0;
  q_s_ = -along(w.a) / a_e, q_z_ = -w.a.z() / a_e;
  u_s_ = along(w.n) + q_s_ * across(g, w.n), u_z_ = w.n.z() + q_z_ * across(g, w.n);
  t_s_ = along(w.b) + q_s_ * across(g, w.b), t_z_ = w.b.z() + q_z_ * across(g, w.b);
  const double low = -kLookReach * w.radius * along(w.b),
               high = std::min(w.standing, kLookDeepest * w.radius) * along(w.b);
  const double rim = w.radius * std::abs(along(w.n));
  range_ = {std::min(low, high) - rim, std::max(low, high) + rim};
}

Look ProfileSearch::look(double s) const {
  const auto [f, slope] = piece_->at(hub_ + s);
  const double z = z_ + scale_ * f, q = q_s_ * s + q_z_ * (z - wheel_.centre.z());
  Look o{};
  o.x = wheel_.centre.x() + along_x_ * s - along_y_ * q;
  o.y = wheel_.centre.y() + along_y_ * s + along_x_ * q;
  fill(o, z, scale_ * slope * along_x_, scale_ * slope * along_y_);
  return o;
}

Spot ProfileSearch::spot(double s) const {
  const auto [f, slope_of] = piece_->at(hub_ + s);
  const double z = z_ + scale_ * f - wheel_.centre.z(), slope = scale_ * slope_of;
  const double u = u_s_ * s + u_z_ * z, t = t_s_ * s + t_z_ * z, R2 = wheel_.radius * wheel_.radius;
  const double rim = std::sqrt(std::max(R2 - u * u, 1e-6 * R2)), du = u_s_ + u_z_ * slope;
  return {u, t, rim, slope, du, t_s_ + t_z_ * slope - du * u / rim};
}

/// Of a stretch of a piece: pieces are monotone but for arcs, whose circle's top or bottom counts.
HeightRange ProfileSearch::heights(const Stretch& s) const {
  const double one = height(s.from), other = height(s.to);
  HeightRange range{std::min(one, other), std::max(one, other)};
  if (piece_->shape != Shape::arc) return range;
  const double level = z_ + scale_ * (piece_->z + (std::sqrt(1 - piece_->b * piece_->b) - 1) / piece_->a);
  return {std::min(range.low, level), std::max(range.high, level)};
}

/// What a stretch can reach at most, whose ground lies between these heights.
double ProfileSearch::most(const Stretch& s, const HeightRange& z) const {
  const double high = z.high - wheel_.centre.z(), low = z.low - wheel_.centre.z();
  const auto range = [&](double by_s, double by_z) {
    const double a = by_s * s.from, b = by_s * s.to, c = by_z * low, d = by_z * high;
    return std::pair(std::min(a, b) + std::min(c, d), std::max(a, b) + std::max(c, d));
  };
  const auto [u0, u1] = range(u_s_, u_z_);
  const double u = u0 > 0 ? u0 : u1 < 0 ? -u1 : 0.0, R = wheel_.radius;
  return u < R ? range(t_s_, t_z_).second + std::sqrt(R * R - u * u) : -kEndless;
}

/// One top, which is under the rim, and of the line what the lines of walls leave: u = u0 + du s, t = t0 + dt
/// s.
void ProfileSearch::visit_line(Stretch s) {
  const double R = wheel_.radius, slope = scale_ * piece_->a;
  if (!wheel_.bears(slope * along_x_, slope * along_y_)) return;
  const double z0 = height(s.from) - slope * s.from - wheel_.centre.z();
  const double du = u_s_ + u_z_ * slope, dt = t_s_ + t_z_ * slope, u0 = u_z_ * z0, t0 = t_z_ * z0;
  const auto keep_below = [&s](double at_zero, double per, double limit) {
    const double at = (limit - at_zero) / per;
    if (per > 0) s.to = std::min(s.to, at);
    if (per < 0) s.from = std::max(s.from, at);
    if (per == 0 && at_zero > limit) s.to = -kEndless;
  };
  const double wall = wheel_.standing - kNarrow;
  keep_below(t0 + kWallRise * u0, dt + kWallRise * du, wall);
  keep_below(t0 - kWallRise * u0, dt - kWallRise * du, wall);
  if (s.empty()) return;
  const double touch = R * dt / std::sqrt(du * du + dt * dt) * (du > 0 ? 1 : -1);
  const double at = std::clamp((touch - u0) / du, s.from, s.to);
  consider_at(at, spot(at));
}

/// The slope, up (1) or down (-1) along the profile, up to which ground bears: N.b = kLeastBearing.
double ProfileSearch::steepest_that_bears(double sign) const {
  const double b_s = sign * (along_x_ * wheel_.b.x() + along_y_ * wheel_.b.y()), b_z = wheel_.b.z();
  const double k = kLeastBearing, root = k * std::sqrt(b_z * b_z + b_s * b_s - k * k);
  // b_z - g b_s = k sqrt(1 + g²); leaning back by more than that bears however steep it is.
  return b_s > -k ? (b_z * b_z - k * k) / (b_z * b_s + root) : kEndless;
}

/// What may have more than one top, by looks; whatever bounds it.
void ProfileSearch::look_over(const Stretch& s) {
  const Look first = look(ahead_ ? s.from : s.to), last = look(ahead_ ? s.to : s.from);
  std::array<Look, kLooks> looks;
  for (int i = 1; i + 1 < kLooks; ++i) looks[i] = between(first, last, static_cast<double>(i) / (kLooks - 1));
  looks.front() = first, looks.back() = last;
  use_profile(looks.data(), kLooks);
}

/// The crest of an S, from a point where h rises to one where it falls: dh/ds = t' - u' u / rim = 0 by
/// Newton's steps, halves where they leave the bracket.
double ProfileSearch::top_of_crest(Stretch s) const {
  const double R2 = wheel_.radius * wheel_.radius, per = 1 / piece_->a, start = piece_->x - hub_;
  double at = 0.5 * (s.from + s.to);
  for (int i = 0; i < kClosing; ++i) {
    const Spot x = spot(at);
    const double bend = 6 * scale_ * piece_->b * per * per * (1 - 2 * per * (at - start)),
                 per_rim = 1 / x.rim;
    const double change =
        bend * (t_z_ - u_z_ * x.u * per_rim) - x.du * x.du * R2 * per_rim * per_rim * per_rim;
    (x.rise > 0 ? s.from : s.to) = at;
    const double next = at - x.rise / change;
    if (std::abs(next - at) < kTop) return next;
    at = next > s.from && next < s.to ? next : 0.5 * (s.from + s.to);
  }
  return at;
}

/// A stretch that has but one top: at an end or between the two, where both ends count and the top does.
void ProfileSearch::visit_crest(const Stretch& s) {
  const Spot first = spot(s.from), last = spot(s.to);
  if (!usable(first) || !usable(last)) return look_over(s);
  if (!(first.rise > 0)) return consider_at(s.from, first);
  if (!(last.rise < 0)) return consider_at(s.to, last);
  const double at = top_of_crest(s);
  const Spot top = spot(at);
  usable(top) ? consider_at(at, top) : look_over(s);
}

/// An S bears near both its ends, or all of it does: its slope is 4 t (1 - t) of the steepest.
void ProfileSearch::visit_ease(const Stretch& s) {
  const double length = piece_->a, rise = scale_ * piece_->b;
  const double bearing =
      kBearing * steepest_that_bears(rise > 0 ? 1 : -1) / (std::abs(scale_) * piece_->steepest);
  const double part = bearing < 1 ? 0.5 * (1 - std::sqrt(1 - bearing)) : 0.5;
  const double start = piece_->x - hub_;
  const Stretch parts[2] = {{std::max(s.from, start), std::min(s.to, start + part * length)},
                            {std::max(s.from, start + (1 - part) * length), s.to}};
  const int crest = rise > 0 ? 1 : 0;
  for (const int k : {crest, 1 - crest})
    if (!parts[k].empty() && most(parts[k], heights(parts[k])) > best_.h)
      k == crest ? visit_crest(parts[k]) : look_over(parts[k]);
}

void ProfileSearch::visit(std::size_t k) {
  piece_ = &profile_.piece(k);
  const Stretch s = stretch_of(k);
  if (s.empty()) return;
  const HeightRange z = heights(s);
  best_.highest = std::max(best_.highest, z.high);
  if (most(s, z) <= best_.h) return;
  switch (piece_->shape) {
    case Shape::line:
      return visit_line(s);
    case Shape::ease:
      return visit_ease(s);
    case Shape::arc:
      return look_over(s);
  }
}

/// Where piece k meets the next in an edge, on which the rim stands: the plane that touches it is neither's.
void ProfileSearch::visit_edge(std::size_t k) {
  const Piece& next = profile_.piece(k + 1);
  piece_ = &profile_.piece(k);
  const double s = next.x - hub_;
  if (std::abs(piece_->at(next.x).slope - next.at(next.x).slope) < kSameSlope) return;
  const Look before = look(s);
  piece_ = &next;
  const Look after = look(s);
  const Look &left = ahead_ ? before : after, &right = ahead_ ? after : before;
  if (!(left.rise > 0 && right.rise < 0 && LooksAlong::usable(left) && left.h > best_.h - kNarrow)) return;
  const std::optional<Vec2> edge =
      plane_on_edge(tangent(left.u), {left.slope_x, left.slope_y}, {right.slope_x, right.slope_y});
  if (!edge || !wheel_.bears(edge->x(), edge->y())) return;
  take(left);
  left_ = left, right_ = right, bracketed_ = true;
}

std::optional<RimContact> ProfileSearch::run() {
  const double fall = std::sqrt(wheel_.radius * wheel_.radius - lowest_u_ * lowest_u_);
  const double lowest = along_x_ * (lowest_u_ * wheel_.n.x() - fall * wheel_.b.x()) +
                        along_y_ * (lowest_u_ * wheel_.n.y() - fall * wheel_.b.y());
  const std::size_t middle = profile_.piece_at(hub_ + std::clamp(lowest, range_.from, range_.to));
  std::size_t first = middle, last = middle;
  while (hub_ + range_.from < profile_.piece(first).x) --first;
  while (hub_ + range_.to >= profile_.end_of(last)) ++last;
  best_.highest = -kEndless;
  visit(middle);
  for (std::size_t k = middle + 1; k <= last; ++k) visit(k);
  for (std::size_t k = middle; k-- > first;) visit(k);
  for (std::size_t k = first; k < last; ++k) visit_edge(k);
  const RimPlane& w = wheel_;
  const double above = (best_.highest - w.centre.z() + w.radius * std::abs(w.n.z())) / w.b.z();
  if (w.standing > kLookDeepest * w.radius && above > kLookDeepest * w.radius) return {};
  return finished();
}

}  // namespace
}  // namespace scree::looks

namespace scree {

std::optional<RimContact> search_profile(const Terrain& terrain, const PlacedProfile& ground,
                                         const RimPlane& wheel) {
  using namespace looks;
  if (!(std::abs(across(ground, wheel.a)) > kAcross && wheel.b.z() > kSuspended)) return {};
  return ProfileSearch(terrain, ground, wheel).run();
}

}  // namespace scree
