#pragma once
/// The way out of the ground for a point deep inside it: up, or to the side where a wall stands.
#include "scree/core/lanes.hpp"
#include "scree/core/maths.hpp"
#include "scree/terrain/sample_lanes.hpp"

namespace scree {

inline constexpr double kSideReach = 0.15;  ///< m: how far a way out to the side is looked for

/// How far four points inside the ground are from its end along a level direction, by halves; `most` where
/// they are still inside after that way.
template <class Sampler>
Lanes way_out(const Sampler& sample, const V3<Lanes>& p, double way_x, double way_y, Lanes most) {
  constexpr int kHalves = 18;  // 0.15 m / 2^18: below a micrometre
  const auto inside = [&](Lanes d) { return sample(p.x + d * way_x, p.y + d * way_y).z > p.z; };
  const Mask held = inside(most);
  Lanes in{}, out = most;
  for (int i = 0; i < kHalves; ++i) {
    const Lanes middle = 0.5 * (in + out);
    const Mask still = inside(middle);
    in = lane::select(still, middle, in), out = lane::select(still, out, middle);
  }
  return lane::select(held, most, out);
}

/// A level direction, unit; zero: none is shorter than the way up.
struct SideWay {
  double x = 0, y = 0;
};

/// The shortest level way out of a point that is `depth` deep: eight directions, the best of them refined to
/// a degree and a half.
template <class Sampler>
SideWay side_way(const Sampler& sample, const Vec3& p, double depth) {
  using namespace lane;
  const double most = min(depth, kSideReach);
  const V3<Lanes> at{lanes(p.x()), lanes(p.y()), lanes(p.z())};
  const auto length = [&](double angle, double limit) {
    return way_out(sample, at, maths::cos(angle), maths::sin(angle), lanes(limit))[0];
  };
  double best = most, angle = 0;
  for (int k = 0; k < 8; ++k) {
    const double d = length(k * kPi / 4, best);
    if (d < best) best = d, angle = k * kPi / 4;
  }
  if (!(best < most)) return {};
  for (double turn = kPi / 16; turn > 0.02; turn *= 0.5) {
    for (const double side : {-turn, turn}) {
      const double d = length(angle + side, best);
      if (d < best) {
        best = d, angle += side;
        break;
      }
    }
  }
  return {maths::cos(angle), maths::sin(angle)};
}

}  // namespace scree
