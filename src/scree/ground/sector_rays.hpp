#pragma once
/// Rays of a wheel of sectors (sectors.hpp): looked at together, those that end below the ground packed, and
/// followed to where the ground begins.
#include "scree/core/lanes.hpp"
#include "scree/core/types.hpp"
#include "scree/terrain/sample_lanes.hpp"

namespace scree {

inline constexpr double kSectorFacing = 0.1;  ///< least |g.e|
inline constexpr double kRayNear = 1e-5;      ///< of the radius: the ray has met the ground
inline constexpr int kRayLooks = 24;          ///< most of a ray, at edges and walls
inline constexpr int kRays = 128;             ///< looked at together
inline constexpr int kFours = kRays / kLanes;

/// Points whose ground is asked for together.
struct LookRow {
  alignas(32) double x[kRays], y[kRays], z[kRays], slope_x[kRays], slope_y[kRays];
};

inline void look(const GridSampler& sample, int fours, LookRow& row) {
  using namespace lane;
  for (int j = 0; j < fours * kLanes; j += kLanes) {
    const LanesPoint p = sample(load(row.x + j), load(row.y + j));
    store(row.z + j, p.z), store(row.slope_x + j, p.slope_x), store(row.slope_y + j, p.slope_y);
  }
}

inline void look(const RowSampler& sample, int fours, LookRow& row) {
  using namespace lane;
  const TerrainRow all{fours * kLanes, row.x, row.y, row.z, row.slope_x, row.slope_y};
  sample.terrain.sample(all);
  Lanes finite{};  // x * 0 is 0 for every finite x and NaN otherwise
  for (int j = 0; j < all.count; j += kLanes)
    finite += (load(row.z + j) + load(row.slope_x + j) + load(row.slope_y + j)) * 0.0;
  if (!lane::all(finite == Lanes{})) sample.refuse(all);
}

/// Middle lines whose ends are below the ground, packed, in the order of disks and sectors; and where the
/// ground begins along them.
struct PressedRays {
  int count = 0;
  int disk[kRays], sector[kRays];
  alignas(32) double offset_x[kRays], offset_y[kRays],
      offset_z[kRays];                                  // of the disk, from the wheel's centre
  alignas(32) double x[kRays], y[kRays], z[kRays];      // e
  alignas(32) double at[kRays], in[kRays], out[kRays];  // R_m, between these
  alignas(32) double slope_x[kRays], slope_y[kRays];    // of the ground there
  alignas(32) double share[kRays];                      // of a sector

  V3<Lanes> offset(int j) const {
    using lane::load;
    return {load(offset_x + j), load(offset_y + j), load(offset_z + j)};
  }
  V3<Lanes> e(int j) const {
    using lane::load;
    return {load(x + j), load(y + j), load(z + j)};
  }
  /// Fills the last four up with the last ray.
  void fill() {
    for (int k = count; k % kLanes != 0; ++k) {
      offset_x[k] = offset_x[k - 1], offset_y[k] = offset_y[k - 1], offset_z[k] = offset_z[k - 1];
      x[k] = x[k - 1], y[k] = y[k - 1], z[k] = z[k - 1], at[k] = at[k - 1], share[k] = share[k - 1];
    }
  }
};

/// Where the ground begins between the axle (above it) and the rim (below it): Newton's steps, the first of
/// which came from the rim and is exact on a plane; where one leaves what the others have left over (edges,
/// walls), and every fourth, the middle of that is taken instead.
template <class Sampler>
void cast(const Sampler& sample, const Vec3& centre, double radius, PressedRays& rays, LookRow& row) {
  using namespace lane;
  int open[kFours], left = (rays.count + kLanes - 1) / kLanes;
  for (int i = 0; i < left; ++i) {
    open[i] = i * kLanes;
    store(rays.in + open[i], Lanes{}), store(rays.out + open[i], lanes(radius));
  }
  const Lanes near = lanes(kRayNear * radius);
  for (int looks = 1; left > 0; ++looks) {
    for (int i = 0; i < left; ++i) {
      const int j = open[i];
      const Lanes at = load(rays.at + j);
      store(row.x + i * kLanes, centre.x() + (load(rays.offset_x + j) + at * load(rays.x + j)));
      store(row.y + i * kLanes, centre.y() + (load(rays.offset_y + j) + at * load(rays.y + j)));
    }
    look(sample, left, row);
    int kept = 0;
    for (int i = 0; i < left; ++i) {
      const int j = open[i];
      const Lanes slope_x = load(row.slope_x + i * kLanes), slope_y = load(row.slope_y + i * kLanes);
      const V3<Lanes> e = rays.e(j);
      Lanes at = load(rays.at + j);
      const Lanes below = load(row.z + i * kLanes) - (centre.z() + (load(rays.offset_z + j) + at * e.z));
      const Mask far = abs(below) >= near;
      if (!any(far) || looks == kRayLooks) {
        store(rays.slope_x + j, slope_x), store(rays.slope_y + j, slope_y);
        continue;
      }
      const Mask under = below > Lanes{};
      const Lanes out = select(under, at, load(rays.out + j)), in = select(under, load(rays.in + j), at);
      const Lanes facing = max(slope_x * e.x + slope_y * e.y - e.z, lanes(kSectorFacing));
      const Lanes newton = at - below / facing;
      const Mask astray = looks % 4 == 0 ? ~Mask{} : (newton <= in) | (newton >= out);
      at = select(far, select(astray, 0.5 * (in + out), newton), at);
      store(rays.in + j, in), store(rays.out + j, out), store(rays.at + j, at);
      open[kept++] = j;
    }
    left = kept;
  }
}

}  // namespace scree
