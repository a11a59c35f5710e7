#include "scree/ground/slice_search.hpp"

#include <cmath>
#include <type_traits>

#include "scree/core/maths.hpp"
#include "scree/terrain/sample_lanes.hpp"

namespace scree {
namespace {

using namespace lane;

constexpr double kLeastFacing = 0.1;  // D below this: the suspension runs along the ground
constexpr int kRefinements = 4;
constexpr double kSettled = 5e-4;    // of the radius: the tangent there is off by r t'' times this at most
constexpr double kGuessOff = 0.05;   // of the radius: a guess this bad is worth a second scan
constexpr double kNear = 0.5;        // of the radius: clearance up to which a contact is refined
constexpr double kScanError = 1e-6;  // of the radius: what one Newton step from the rim may be off

/// Level ground, at a height of its own under each wheel.
struct LevelSampler {
  Lanes z;
  LanesPoint operator()(Lanes, Lanes) const { return {z, Lanes{}, Lanes{}}; }
};

/// The profile at one rim coordinate: height and slope in the wheel's plane.
struct Probe {
  Lanes u, t, s;
};

/// What the ground itself says there.
struct Surface {
  Lanes slope_x, slope_y;
  Mask valid;
};

template <class Sampler>
[[gnu::always_inline]] inline Probe probe(const Sampler& sample, const WheelPlanes& w, Lanes u, Lanes zeta,
                                          Surface& surface) {
  const LanesPoint ground =
      sample(w.centre.x + u * w.n.x + zeta * w.b.x, w.centre.y + u * w.n.y + zeta * w.b.y);
  surface.slope_x = ground.slope_x;
  surface.slope_y = ground.slope_y;
  const Lanes facing = w.b.z - surface.slope_x * w.b.x - surface.slope_y * w.b.y;
  surface.valid = facing > kLeastFacing;
  const Lanes inverse = 1.0 / max(facing, lanes(kLeastFacing));
  const Lanes step = (ground.z - (w.centre.z + u * w.n.z + zeta * w.b.z)) * inverse;
  return {u, zeta + clamp(step, -w.radius, w.radius),
          (surface.slope_x * w.n.x + surface.slope_y * w.n.y - w.n.z) * inverse};
}

/// As many Newton steps as the ground asks for.
template <class Sampler>
[[gnu::always_inline]] inline Probe probe(const Sampler& sample, const WheelPlanes& w, Lanes u, Lanes zeta,
                                          int steps, Surface& surface) {
  Probe p = probe(sample, w, u, zeta, surface);
  for (int i = 1; i < steps; ++i) p = probe(sample, w, u, p.t, surface);
  return p;
}

inline Probe choose(Mask m, const Probe& yes, const Probe& no) {
  return {select(m, yes.u, no.u), select(m, yes.t, no.t), select(m, yes.s, no.s)};
}

/// Height of the rim above the wheel's plane axis n at u: sqrt(r² - u²).
inline Lanes rim(Lanes radius, Lanes u) { return sqrt(max(radius * radius - u * u, Lanes{})); }

/// A tangent of the profile, and where the rim would touch it: ahead of the point where h' > 0 there.
struct Tangent {
  Probe at;
  Lanes touch;
};
inline Tangent tangent(const Probe& p, Lanes radius) { return {p, radius * p.s / sqrt(1.0 + p.s * p.s)}; }
inline Tangent choose(Mask m, const Tangent& yes, const Tangent& no) {
  return {choose(m, yes.at, no.at), select(m, yes.touch, no.touch)};
}

/// Next rim coordinate from the tangents at both ends of the bracket, and the height of the profile there.
struct Cut {
  Lanes u, t;
};
inline Cut cut(const Tangent& left, const Tangent& right) {
  const Probe &l = left.at, &r = right.at;
  const Lanes bend = l.s - r.s;
  // Where the two tangents meet; for parallel or concave tangents the middle serves.
  const Mask convex = bend > 1e-9;
  const Lanes meet = select(convex, (r.t - l.t + l.s * l.u - r.s * r.u) / select(convex, bend, lanes(1.0)),
                            0.5 * (l.u + r.u));
  const Lanes edge = clamp(meet, l.u, r.u);
  const Mask on_left = left.touch <= edge;
  const Mask on_right = right.touch >= edge;
  const Lanes u = select(on_left, max(left.touch, l.u), select(on_right, min(right.touch, r.u), edge));
  const Lanes t_left = l.t + l.s * (u - l.u), t_right = r.t + r.s * (u - r.u);
  return {u, select(on_left, t_left, select(on_right, t_right, min(t_left, t_right)))};
}

/// The same where slopes change evenly: then the way from a point to where its tangent is touched does too.
inline Cut cut_evenly(const Tangent& left, const Tangent& right) {
  const Probe &l = left.at, &r = right.at;
  const Lanes ahead = left.touch - l.u, back = r.u - right.touch, both = ahead + back;
  const Lanes share = clamp(ahead / select(both > Lanes{}, both, lanes(1.0)), Lanes{}, lanes(1.0));
  const Lanes u = l.u + share * (r.u - l.u);
  return {u, l.t + l.s * (u - l.u)};
}

/// Rim angles to look at: the first one, and how many steps of the table's spacing follow.
struct Fan {
  Lanes sine, cosine;
  int parts;
};

inline Fan half_circle(const SliceTable& table) {
  return {lanes(-table.half_sine(table.slices())), lanes(table.half_cosine(table.slices())), table.slices()};
}

/// Whole steps on either side of an angle, as many as make half the fan no narrower than an angle of sine
/// `half`; the lower half circle when its ends would lie beyond that.
inline Fan fan_about(const SliceTable& table, Lanes sine, Lanes cosine, double half) {
  int parts = 1;
  while (parts < table.slices() && table.half_sine(parts) < half) ++parts;
  const double S = table.half_sine(parts), C = table.half_cosine(parts);
  if (!all((cosine * C - abs(sine) * S > kLeastFacing) & (cosine * C > Lanes{}))) return half_circle(table);
  return {sine * C - cosine * S, cosine * C + sine * S, parts};
}

/// The angles that the slopes under each wheel can make the highest. A ground of gradient g has in the
/// wheel's plane the slope s = (g . n - n_z) / (b_z - g . b), off that of the middle by no more than e; of
/// all pairs of slopes that differ by e those on either side of level differ most in angle, by 2 atan(e/2).
inline Fan reachable(const SliceTable& table, const WheelPlanes& w, const WheelSlopes& g) {
  const Lanes facing = w.b.z - g.x * w.b.x - g.y * w.b.y;
  const Lanes facing_change = g.half_x * abs(w.b.x) + g.half_y * abs(w.b.y);
  const Lanes least = facing - facing_change;
  if (!all(least > kLeastFacing)) return half_circle(table);
  const Lanes slope = (g.x * w.n.x + g.y * w.n.y - w.n.z) / facing;
  const Lanes change = g.half_x * abs(w.n.x) + g.half_y * abs(w.n.y) + abs(slope) * facing_change;
  const Lanes cosine = 1.0 / sqrt(1.0 + slope * slope);
  const Lanes off = change / least;
  const double most = max(max(off[0], off[1]), max(off[2], off[3]));
  return fan_about(table, slope * cosine, cosine, most < 2 ? most / (1 + 0.25 * most * most) : 1.0);
}

/// The angles that a slope up to `slope_bound` can make the highest. With pitch p in the wheel's plane
/// (n_z = q sin p, b_z = q cos p) a ground no steeper than phi has |gamma + p| <= w, sin w = sin(phi)/q: a
/// fan of whole steps about -p that is no narrower than 2 w. The lower half circle when that is not much
/// less.
inline Fan reachable(const SliceTable& table, const WheelPlanes& w, double slope_bound) {
  if (!(slope_bound < 1e3) || !all(w.b.z > kLeastFacing)) return half_circle(table);
  const Lanes q_squared = w.n.z * w.n.z + w.b.z * w.b.z;
  const double least = min(min(q_squared[0], q_squared[1]), min(q_squared[2], q_squared[3]));
  const Lanes per_q = 1.0 / sqrt(q_squared);
  // Of -p; both ends must lie on the lower half.
  return fan_about(table, -w.n.z * per_q, w.b.z * per_q,
                   slope_bound / std::sqrt((1 + slope_bound * slope_bound) * least));
}

/// The best slice and its neighbours on either side.
struct Slices {
  Probe best, left, right;
  Lanes best_h;
};

template <class Sampler>
[[gnu::always_inline]] inline Slices scan(const Sampler& sample, const SliceTable& table,
                                          const WheelPlanes& w, Fan fan, Lanes guess, int looks,
                                          Surface& surface) {
  const Lanes r = w.radius;
  Slices s{{}, {}, {}, lanes(-1e300)};
  Probe previous{};
  Mask best_is_previous{};
  for (int k = 0; k <= fan.parts; ++k) {
    const Probe here = probe(sample, w, r * fan.sine, guess - r * fan.cosine, looks, surface);
    const Lanes h = here.t + r * fan.cosine;
    const Mask higher = k == 0 ? ~Mask{} : (h > s.best_h) & surface.valid;
    s.right = choose(higher | best_is_previous, here, s.right);
    s.left = choose(higher, k == 0 ? here : previous, s.left);
    s.best = choose(higher, here, s.best);
    s.best_h = select(higher, h, s.best_h);
    best_is_previous = higher;
    previous = here;
    const Lanes turned = fan.sine * table.step_cosine() + fan.cosine * table.step_sine();
    fan.cosine = max(fan.cosine * table.step_cosine() - fan.sine * table.step_sine(), Lanes{});
    fan.sine = turned;
  }
  return s;
}

/// The highest point that was looked at, and tangents on either side of the contact.
struct Bracket {
  Probe top;
  Lanes top_h;
  Tangent low, high;
};

template <class Sampler>
[[gnu::always_inline]] inline Bracket bracket(const Sampler& sample, const SliceTable& table,
                                              const WheelPlanes& w, const Fan& fan, Lanes guess, int looks) {
  Surface surface;
  const Lanes r = w.radius;
  if (fan.parts == 1) {  // its two ends
    const Lanes sine = fan.sine * table.step_cosine() + fan.cosine * table.step_sine(),
                cosine = fan.cosine * table.step_cosine() - fan.sine * table.step_sine();
    const Probe left = probe(sample, w, r * fan.sine, guess - r * fan.cosine, looks, surface);
    const Probe right = probe(sample, w, r * sine, guess - r * cosine, looks, surface);
    const Lanes left_h = left.t + r * fan.cosine, right_h = right.t + r * cosine;
    const Mask higher = (right_h > left_h) & surface.valid;
    return {choose(higher, right, left), select(higher, right_h, left_h), tangent(left, r),
            tangent(right, r)};
  }
  const auto [best, left, right, best_h] = scan(sample, table, w, fan, guess, looks, surface);
  const Tangent at_best = tangent(best, r);
  const Mask rising = at_best.touch > best.u;
  const Tangent beside = tangent(choose(rising, right, left), r);
  return {best, best_h, choose(rising, at_best, beside), choose(rising, beside, at_best)};
}

/// The same from another guess: seldom needed, so kept out of the way (and its variables out of memory).
template <class Sampler>
[[gnu::noinline, gnu::cold]] Bracket bracket_again(const Sampler& sample, const SliceTable& table,
                                                   const WheelPlanes& w, const Fan& fan, Lanes guess,
                                                   int looks) {
  return bracket(sample, table, w, fan, guess, looks);
}

template <class Sampler>
WheelContacts search(const Sampler& sample, const SliceTable& table, const WheelPlanes& w, const Fan& fan,
                     int looks) {
  const Lanes r = w.radius;
  Surface surface;
  Bracket at = bracket(sample, table, w, fan, w.guess, looks);
  // Newton's step errs by the square of the way to go: where a wheel that touches is far from the guess, look
  // again from what was found.
  const Lanes off = abs(at.top_h - w.guess), allowed = kGuessOff * r;
  if (any((off > allowed) & (at.top_h > -allowed)))
    at = bracket_again(sample, table, w, fan, max(at.top_h, -r), looks);

  // Refine between the tangents: facets meet in edges, other ground mostly bends.
  auto& [top, top_h, low, high] = at;
  const Mask near = top_h > -kNear * r;
  top_h = top_h - kScanError * r;
  Cut found = std::is_same_v<Sampler, GridSampler> ? cut(low, high) : cut_evenly(low, high);
  // Far above the ground the looks fall short of it, and tangents at what they saw lead anywhere.
  Mask refined{};
  for (int i = 0; i < kRefinements; ++i) {
    const Tangent newest = tangent(probe(sample, w, found.u, found.t, looks, surface), r);
    const Lanes newest_h = newest.at.t + rim(r, newest.at.u);
    const Mask higher = (newest_h >= top_h) & near;
    top = choose(higher, newest.at, top);
    top_h = select(higher, newest_h, top_h);
    // Where the rim touches the newest tangent nearby, that is it.
    const Mask there = abs(newest.touch - newest.at.u) <= kSettled * r;
    found = {newest.touch, newest.at.t + newest.at.s * (newest.touch - newest.at.u)};
    refined = there & near;
    if (all(there | ~near)) break;
    const Mask up = newest.touch > newest.at.u;
    low = choose(up, newest, low);
    high = choose(up, high, newest);
    const Cut next = cut(low, high);
    found = {select(there, found.u, next.u), select(there, found.t, next.t)};
    refined = (there | (abs(next.u - newest.at.u) <= kSettled * r)) & near;
    if (all(refined | ~near)) break;
  }
  // What was found is a little better than what was looked at.
  const Lanes found_rim = rim(r, found.u), found_h = found.t + found_rim, per_radius = 1.0 / r;
  refined &= found_h >= top_h;
  WheelContacts c;
  c.wall = c.wall_u = c.wall_t = c.wall_x = c.wall_y = c.buried = Lanes{};
  c.h = select(refined, found_h, top_h);
  c.sine = select(refined, found.u, top.u) * per_radius;
  c.cosine = select(refined, found_rim, rim(r, top.u)) * per_radius;
  c.slope_x = surface.slope_x;
  c.slope_y = surface.slope_y;
  c.valid = surface.valid & (w.b.z > kLeastFacing);
  return c;
}

}  // namespace

SliceTable::SliceTable(int slices)
    : slices_(slices), step_sine_(maths::sin(kPi / slices)), step_cosine_(maths::cos(kPi / slices)) {
  for (int k = 0; k <= slices; ++k) {
    // The half circle ends a little inside, where the rim still has a tangent.
    const double angle = std::min(0.5 * k * kPi / slices, 1.57);
    half_sine_.push_back(maths::sin(angle));
    half_cosine_.push_back(maths::cos(angle));
  }
}

WheelContacts search_slices(const Terrain& terrain, const SliceTable& table, const WheelPlanes& wheels,
                            double slope_bound, int looks, const WheelSlopes* slopes, const Lanes* level) {
  const Fan fan = slopes ? reachable(table, wheels, *slopes) : reachable(table, wheels, slope_bound);
  if (level) return search(LevelSampler{*level}, table, wheels, fan, looks);
  if (const GridView* view = terrain.smooth_view())
    return search(SmoothSampler{*view}, table, wheels, fan, looks);
  return with_sampler(terrain, [&](const auto& sample) { return search(sample, table, wheels, fan, looks); });
}

}  // namespace scree
