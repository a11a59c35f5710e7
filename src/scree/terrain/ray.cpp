/// Rays on any ground: clipped to where it is, then walked along.
#include <algorithm>
#include <array>
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {
namespace {

constexpr double kFarthest = 1e5;     // m
constexpr double kLeastStep = 1e-4;   // m
constexpr double kFineStep = 0.02;    // m, on ground of unknown slope and size of features
constexpr double kShare = 1e-3;       // of the distance: what is smaller is not looked for
constexpr double kLongestLook = 1e3;  // m

/// The piece of a ray that lies in a rectangle.
struct Piece {
  double begin, end;
};
Piece inside(const Rectangle& r, const Vec3& origin, const Vec3& unit, double reach) {
  Piece piece{0, reach};
  const auto clip = [&piece](double at, double rate, double low, double high) {
    if (rate == 0) {
      if (!(at >= low && at <= high)) piece.end = -1;
      return;
    }
    const double a = (low - at) / rate, b = (high - at) / rate;
    piece.begin = std::max(piece.begin, std::min(a, b));
    piece.end = std::min(piece.end, std::max(a, b));
  };
  clip(origin.x(), unit.x(), r.x_min, r.x_max);
  clip(origin.y(), unit.y(), r.y_min, r.y_max);
  return piece;
}

/// One ray over one terrain.
struct Walk {
  const Terrain& terrain;
  const Vec3& origin;
  const Vec3& unit;

  double clearance(double t) const {
    return origin.z() + t * unit.z() - terrain.height(origin.x() + t * unit.x(), origin.y() + t * unit.y());
  }
  double slope_bound(double t, double length) const {
    const double x0 = origin.x() + t * unit.x(), x1 = x0 + length * unit.x();
    const double y0 = origin.y() + t * unit.y(), y1 = y0 + length * unit.y();
    return terrain.slope_bound({std::min(x0, x1), std::max(x0, x1), std::min(y0, y1), std::max(y0, y1)});
  }
  /// Above at a, not above at b: the place between, to rounding.
  double between(double a, double b) const {
    for (int i = 0; i < 60 && a < b; ++i) {
      const double middle = 0.5 * (a + b);
      if (!(middle > a && middle < b)) break;
      (clearance(middle) > 0 ? a : b) = middle;
    }
    return b;
  }
};

/// Many small steps at once, where nothing is known of the slopes: the distance to where the ray is first
/// seen below the ground (then `found`) or to the last step.
double small_steps(const Walk& walk, double t, double step, double end, bool& found, double& above) {
  constexpr int kRow = 16;
  std::array<double, kRow> at, x, y, z, sx, sy;
  for (int k = 0; k < kRow; ++k) {
    at[k] = std::min(t + (k + 1) * step, end);
    x[k] = walk.origin.x() + at[k] * walk.unit.x();
    y[k] = walk.origin.y() + at[k] * walk.unit.y();
  }
  walk.terrain.sample({kRow, x.data(), y.data(), z.data(), sx.data(), sy.data()});
  above = t;
  for (int k = 0; k < kRow; ++k) {
    found = !(walk.origin.z() + at[k] * walk.unit.z() > z[k]);
    if (found) return at[k];
    above = at[k];
  }
  return at[kRow - 1];
}

}  // namespace

std::optional<TerrainHit> Terrain::ray(const TerrainRay& ray) const {
  const double length = ray.along.norm();
  if (!(length > 0 && std::isfinite(length) && ray.from.allFinite())) return std::nullopt;
  const Vec3 unit = ray.along / length;
  const Piece piece = inside(bounds(), ray.from, unit, ray.reach);
  if (!(piece.begin <= piece.end)) return std::nullopt;
  const std::optional<double> found = meet(ray.from, unit, piece.begin, piece.end);
  if (!found) return std::nullopt;
  TerrainHit hit;
  hit.distance = *found;
  hit.point = ray.from + *found * unit;
  hit.ground = at(hit.point.x(), hit.point.y());
  return hit;
}

/// With clearance c, slopes up to L and a ray of horizontal share h that falls by f per metre, the ground
/// cannot be met within c / (L h + f): as far as the bound holds. Where no bound is known, or the ground is
/// close, small steps.
std::optional<double> Terrain::meet(const Vec3& origin, const Vec3& unit, double begin, double end) const {
  const Walk walk{*this, origin, unit};
  const double level = maths::hypot(unit.x(), unit.y());
  const double fine = cell() > 0 ? 0.5 * cell() : kFineStep;
  end = std::min(end, kFarthest);
  double t = begin, clear = walk.clearance(t), look = 1.0;
  if (!(clear > 0)) return t;
  if (level == 0) {  // straight up or down: the ground stays the same
    const double at = begin + clear;
    return unit.z() < 0 && at <= end ? std::optional(at) : std::nullopt;
  }
  while (t < end) {
    look = std::clamp(2 * look, fine, kLongestLook);
    double bound = walk.slope_bound(t, look);
    while (!std::isfinite(bound) && look > fine)
      look = std::max(0.5 * look, fine), bound = walk.slope_bound(t, look);
    bool found = false;
    double above = t;
    if (std::isfinite(bound)) {
      const double closing = bound * level - unit.z();
      const double safe = closing > 0 ? clear / closing : look;
      const double next = std::min(t + std::max(std::min(safe, look), kLeastStep), end);
      clear = walk.clearance(next);
      found = !(clear > 0);
      t = next;
    } else {
      t = small_steps(walk, t, std::max(fine, kShare * t), end, found, above);
      if (!found) clear = walk.clearance(t);
    }
    if (found) return walk.between(above, t);
  }
  return std::nullopt;
}

}  // namespace scree
