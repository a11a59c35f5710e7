#include "scree/ground/slice_search.hpp"

#include <cmath>

namespace scree {
namespace {

constexpr double kLeastFacing = 0.05;  // D below this: the suspension runs along the ground
constexpr int kRefinements = 3;

/// The profile at one rim coordinate: height and slope in the wheel's plane.
struct Probe {
  Lanes u, t, s;
  Lanes slope_x, slope_y;
  Mask valid;
};

inline Probe probe(const Terrain& terrain, const WheelPlanes& w, Lanes u, Lanes zeta) {
  alignas(32) double x[4], y[4], z[4], gx[4], gy[4];
  store(x, w.centre.x + u * w.n.x + zeta * w.b.x);
  store(y, w.centre.y + u * w.n.y + zeta * w.b.y);
  terrain.sample({kLanes, x, y, z, gx, gy});
  Probe p;
  p.u = u;
  p.slope_x = load(gx);
  p.slope_y = load(gy);
  const Lanes facing = w.b.z - p.slope_x * w.b.x - p.slope_y * w.b.y;
  p.valid = facing > kLeastFacing;
  const Lanes inverse = 1.0 / max(facing, lanes(kLeastFacing));
  p.t = zeta + (load(z) - (w.centre.z + u * w.n.z + zeta * w.b.z)) * inverse;
  p.s = (p.slope_x * w.n.x + p.slope_y * w.n.y - w.n.z) * inverse;
  return p;
}

inline Probe choose(Mask m, const Probe& yes, const Probe& no) {
  return {select(m, yes.u, no.u),
          select(m, yes.t, no.t),
          select(m, yes.s, no.s),
          select(m, yes.slope_x, no.slope_x),
          select(m, yes.slope_y, no.slope_y),
          m ? yes.valid : no.valid};
}

inline Lanes displacement(const Probe& p, Lanes radius) {
  return p.t + sqrt(max(radius * radius - p.u * p.u, Lanes{}));
}

/// Sign of h'(u) without a division: t' cos(gamma) - sin(gamma), times r.
inline Lanes ascent(const Probe& p, Lanes radius) {
  return p.s * sqrt(max(radius * radius - p.u * p.u, Lanes{})) - p.u;
}

/// Next rim coordinate from the tangents of the profile at both ends of the bracket, and which of the two
/// lines it lies on.
struct Cut {
  Lanes u, t;
};
inline Cut cut(const Probe& left, const Probe& right, Lanes radius) {
  const Lanes touch_left = radius * left.s / sqrt(1.0 + left.s * left.s);
  const Lanes touch_right = radius * right.s / sqrt(1.0 + right.s * right.s);
  const Lanes bend = left.s - right.s;
  // Where the two tangents meet; for parallel or concave tangents the middle serves.
  const Mask convex = bend > 1e-9;
  const Lanes meet = select(
      convex, (right.t - left.t + left.s * left.u - right.s * right.u) / select(convex, bend, lanes(1.0)),
      0.5 * (left.u + right.u));
  const Lanes edge = clamp(meet, left.u, right.u);
  const Mask on_left = touch_left <= edge;
  const Mask on_right = touch_right >= edge;
  const Lanes from_left = max(touch_left, left.u);
  const Lanes from_right = min(touch_right, right.u);
  const Lanes u = select(on_left, from_left, select(on_right, from_right, edge));
  const Lanes t_left = left.t + left.s * (u - left.u);
  const Lanes t_right = right.t + right.s * (u - right.u);
  const Lanes t = select(on_left, t_left, select(on_right, t_right, min(t_left, t_right)));
  return {u, t};
}

struct SliceSpan {
  int first, last;
};

/// The slices that a slope up to `slope_bound` can make the highest, one more on either side.
/// With pitch p in the wheel's plane (n_z = q sin p, b_z = q cos p) a ground no steeper than phi has
/// |gamma + p| <= w, sin w = sin(phi)/q.
SliceSpan reachable(const SliceTable& table, const WheelPlanes& w, double slope_bound) {
  if (!(slope_bound < 1e3)) return {0, table.last()};
  const double sine_squared = slope_bound * slope_bound / (1 + slope_bound * slope_bound);
  const Lanes q_squared = w.n.z * w.n.z + w.b.z * w.b.z;
  const Lanes rest = max(q_squared - sine_squared, lanes(1e-12));
  const Lanes half_width = arc_tangent(sqrt(sine_squared / rest));
  const Lanes pitch = arc_tangent(w.n.z / max(w.b.z, lanes(1e-3)));
  const Lanes low = -pitch - half_width, high = half_width - pitch;
  const double first = std::fmin(std::fmin(low[0], low[1]), std::fmin(low[2], low[3]));
  const double last = std::fmax(std::fmax(high[0], high[1]), std::fmax(high[2], high[3]));
  const double per_slice = 1.0 / table.spacing();
  const int k0 = static_cast<int>(std::floor((first + kPi / 2) * per_slice));
  const int k1 = static_cast<int>(std::ceil((last + kPi / 2) * per_slice));
  return {std::clamp(k0, 0, table.last()), std::clamp(k1, 0, table.last())};
}

}  // namespace

SliceTable::SliceTable(int slices) : spacing_(kPi / slices) {
  for (int k = 0; k <= slices; ++k) {
    // The two ends lie a little inside, where the rim still has a tangent.
    const double angle = std::clamp(-kPi / 2 + k * spacing_, -1.57, 1.57);
    sine_.push_back(std::sin(angle));
    cosine_.push_back(std::cos(angle));
  }
}

WheelContacts search_slices(const Terrain& terrain, const SliceTable& table, const WheelPlanes& w,
                            double slope_bound, int passes) {
  const Lanes r = w.radius;
  const Probe under = probe(terrain, w, Lanes{}, -r);
  const SliceSpan span = reachable(table, w, slope_bound);

  // Scan: keep the best slice and its neighbours on either side.
  Probe best{}, left{}, right{}, previous{};
  Lanes best_h = lanes(-1e300);
  Mask best_is_previous{};
  for (int k = span.first; k <= span.last; ++k) {
    const Lanes u = r * table.sine(k);
    Probe here = probe(terrain, w, u, under.t + under.s * u);
    for (int pass = 1; pass < passes; ++pass) here = probe(terrain, w, u, here.t);
    if (k == span.first) previous = here;
    right = choose(best_is_previous, here, right);
    const Lanes h = here.t + r * table.cosine(k);
    const Mask higher = (h > best_h) & (here.valid | (k == span.first ? ~Mask{} : Mask{}));
    best = choose(higher, here, best);
    left = choose(higher, previous, left);
    right = choose(higher, here, right);
    best_h = select(higher, h, best_h);
    best_is_previous = higher;
    previous = here;
  }

  // Refine between the neighbours.
  const Mask rising = ascent(best, r) > Lanes{};
  left = choose(rising, best, left);
  right = choose(rising, right, best);
  Probe newest = best;
  for (int i = 0; i < kRefinements; ++i) {
    const Cut next = cut(left, right, r);
    newest = probe(terrain, w, next.u, next.t);
    const Mask up = ascent(newest, r) > Lanes{};
    left = choose(up, newest, left);
    right = choose(up, right, newest);
  }
  const Cut found = cut(left, right, r);
  const Lanes found_h = found.t + sqrt(max(r * r - found.u * found.u, Lanes{}));
  const Mask refined = found_h >= best_h;
  const Lanes u = select(refined, found.u, best.u);
  WheelContacts c;
  c.h = select(refined, found_h, best_h);
  c.sine = u / r;
  c.cosine = sqrt(max(1.0 - c.sine * c.sine, Lanes{}));
  c.slope_x = select(refined, newest.slope_x, best.slope_x);
  c.slope_y = select(refined, newest.slope_y, best.slope_y);
  c.valid = (refined ? newest.valid : best.valid) & (w.b.z > kLeastFacing);
  return c;
}

}  // namespace scree
