#include "scree/ground/looks.hpp"

#include <utility>

#include "scree/core/maths.hpp"

namespace scree::looks {

Looks::Looks(const Terrain& terrain, const RimPlane& w) : Looks(terrain, w, HeightRange{}) {
  if (!stands()) return;
  heights_ = heights_along(from_, to_, within_reach());
  best_.highest = heights_.high;
}

Looks::Looks(const Terrain& terrain, const RimPlane& w, HeightRange heights)
    : terrain_(terrain), wheel_(w), across_(maths::hypot(w.a.x(), w.a.y())), heights_(heights) {
  ex_ = w.a.y() / across_, ey_ = -w.a.x() / across_;
  const double n_s = w.n.x() * ex_ + w.n.y() * ey_, b_s = w.b.x() * ex_ + w.b.y() * ey_;
  const double low = -kLookReach * w.radius, high = std::min(w.standing, kLookDeepest * w.radius);
  from_ = -std::abs(n_s) * w.radius + std::min(b_s * low, b_s * high);
  to_ = std::abs(n_s) * w.radius + std::max(b_s * low, b_s * high);
  lowest_u_ = -w.radius * w.n.z() / std::sqrt(w.n.z() * w.n.z() + w.b.z() * w.b.z());
  best_.h = -kLookClear * w.radius;
}

/// Of ground that may be a contact.
HeightRange Looks::within_reach() const {
  const RimPlane& m = wheel_;
  const double along = m.radius * std::abs(m.n.z());
  return {m.centre.z() - along - kLookReach * m.radius * m.b.z(),
          m.centre.z() + along + std::min(m.standing, kLookDeepest * m.radius) * m.b.z()};
}

/// The ground beside the trace from s0 to s1 that the wheel's plane may cut.
Rectangle Looks::area_along(double s0, double s1, HeightRange known) const {
  const RimPlane& m = wheel_;
  const double fx = m.a.x() / across_, fy = m.a.y() / across_, lean = -m.a.z() / across_;
  const double w0 = lean * (known.low - m.centre.z()), w1 = lean * (known.high - m.centre.z());
  const auto span = [](double centre, double e, double s0, double s1, double f, double w0, double w1) {
    return std::pair(centre + std::min(e * s0, e * s1) + std::min(f * w0, f * w1),
                     centre + std::max(e * s0, e * s1) + std::max(f * w0, f * w1));
  };
  const auto [x0, x1] = span(m.centre.x(), ex_, s0, s1, fx, w0, w1);
  const auto [y0, y1] = span(m.centre.y(), ey_, s0, s1, fy, w0, w1);
  return {x0, x1, y0, y1};
}

bool Looks::touch_level() {
  const RimPlane& m = wheel_;
  const double rim = std::sqrt(m.radius * m.radius - lowest_u_ * lowest_u_);
  const Vec3 lowest = m.centre + lowest_u_ * m.n - rim * m.b;
  Look x{};
  x.x = lowest.x(), x.y = lowest.y();
  const TerrainPoint below = terrain_.at(x.x, x.y);
  if (below.slope_x != 0 || below.slope_y != 0) return false;
  const double h = (below.z - lowest.z()) / m.b.z();
  x.x += h * m.b.x(), x.y += h * m.b.y();
  const Rectangle between{std::min(x.x, lowest.x()), std::max(x.x, lowest.x()), std::min(x.y, lowest.y()),
                          std::max(x.y, lowest.y())};
  if (terrain_.slope_bound(between) != 0) return false;
  fill(x, below.z, 0, 0);
  consider(x);
  return best_.found && heights_.high <= below.z;
}

bool Looks::cuts_once(double slope_bound) const {
  if (leans_little(slope_bound)) return true;
  // Ground beyond reach too, where it is known: looks must not be led astray to it.
  const HeightRange within = within_reach();
  const HeightRange all{std::min(heights_.low, within.low), std::max(heights_.high, within.high)};
  if (!std::isfinite(all.high - all.low)) return false;
  const Vec2 across(wheel_.a.x() / across_, wheel_.a.y() / across_);
  return leans_little(terrain_.slope_bound_along(area_along(from_, to_, all), across));
}

void Looks::fill(Look& o, double z, double sx, double sy) const {
  const Seen<double> at = seen(o.x, o.y, z, sx, sy);
  o = {o.x, o.y, at.u, at.t, at.h, at.rise, sx, sy};
}

void Looks::consider(const Look& x) {
  if (!usable(x) || x.h <= best_.h || !bears(x)) return;
  take(x);
}

void Looks::take(const Look& x) {
  best_.found = true, best_.h = x.h, best_.sine = x.u / wheel_.radius;
  top_ = x, bracketed_ = false;
}

RimContact Looks::finished() {
  if (!best_.found) return best_;
  best_.slope_x = top_.slope_x, best_.slope_y = top_.slope_y;
  if (!bracketed_) return best_;
  touch_edge(wheel_, tangent(top_.u), {left_.slope_x, left_.slope_y}, {right_.slope_x, right_.slope_y},
             best_);
  return best_;
}

}  // namespace scree::looks
