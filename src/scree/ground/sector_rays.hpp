#pragma once
/// Rays of a wheel of sectors (sectors.hpp): looked at together, those that end below the ground packed, and
/// followed to where the ground begins.
#include <bit>
#include <cstdint>
#include <cstring>

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
  LanesPoint ground(int j) const {
    using lane::load;
    return {load(z + j), load(slope_x + j), load(slope_y + j)};
  }
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

/// Of a ray: that of the next ray of the same disk is one more, whatever comes between them on other disks.
constexpr std::int64_t ray_key(int disk, int order) { return (std::int64_t{disk} << 32) + order; }
constexpr int disk_of(std::int64_t key) { return static_cast<int>(key >> 32); }

/// Middle lines whose ends are below the ground, packed, in the order of disks and sectors; and where the
/// ground begins along them.
struct PressedRays {
  static constexpr int kRoom = kRays + kLanes;  // what is put in takes four places, whatever of it counts
  int count = 0;
  alignas(32) std::int64_t key[kRoom];  // see ray_key()
  alignas(32) double offset_x[kRoom], offset_y[kRoom],
      offset_z[kRoom];                                  // of the disk, from the wheel's centre
  alignas(32) double x[kRoom], y[kRoom], z[kRoom];      // e
  alignas(32) double at[kRoom], in[kRoom], out[kRoom];  // R_m, between these
  alignas(32) double slope_x[kRoom], slope_y[kRoom];    // of the ground there
  alignas(32) double share[kRoom];                      // of a sector

  V3<Lanes> offset(int j) const {
    using lane::load;
    return {load(offset_x + j), load(offset_y + j), load(offset_z + j)};
  }
  V3<Lanes> e(int j) const {
    using lane::load;
    return {load(x + j), load(y + j), load(z + j)};
  }
  /// Those of four neighbouring rays whose bits are set, at most to kRays in all.
  void put(int bits, int disk, int first_order, const Vec3& from, const V3<Lanes>& along, Lanes begin,
           double part) {
    using namespace lane;
    const Mask keys = Mask{0, 1, 2, 3} + ray_key(disk, first_order);
    const Lanes front = to_front(reinterpret_cast<Lanes>(keys), bits);
    std::memcpy(key + count, &front, sizeof front);
    store(offset_x + count, lanes(from.x())), store(offset_y + count, lanes(from.y()));
    store(offset_z + count, lanes(from.z())), store(share + count, lanes(part));
    store(x + count, to_front(along.x, bits)), store(y + count, to_front(along.y, bits));
    store(z + count, to_front(along.z, bits)), store(at + count, to_front(begin, bits));
    count += std::popcount(static_cast<unsigned>(bits));
  }
  /// Fills the last four up with the last ray.
  void fill() {
    using namespace lane;
    if (count % kLanes == 0) return;
    for (double* v : {offset_x, offset_y, offset_z, x, y, z, at, share})
      store(v + count, lanes(v[count - 1]));
  }
};

/// Where the ground begins between the axle (above it) and the rim (below it): Newton's steps, the first of
/// which came from the rim and is exact on a plane; where one leaves what the others have left over (edges,
/// walls), and every fourth, the middle of that is taken instead.
template <class Sampler>
class RayCast {
 public:
  RayCast(const Sampler& sample, const Vec3& centre, double radius, PressedRays& rays)
      : sample_(sample), centre_(centre), near_(lane::lanes(kRayNear * radius)), rays_(rays) {
    for (int j = 0; j < rays.count; j += kLanes)
      lane::store(rays.in + j, Lanes{}), lane::store(rays.out + j, lane::lanes(radius));
  }

  void run(LookRow& row) {
    int open[kFours], left = (rays_.count + kLanes - 1) / kLanes;
    for (int i = 0; i < left; ++i) open[i] = i * kLanes;
    for (int looks = 1; left > 0; ++looks) {
      for (int i = 0; i < left; ++i)
        lane::store(row.x + i * kLanes, x(open[i])), lane::store(row.y + i * kLanes, y(open[i]));
      look(sample_, left, row);
      int kept = 0;
      for (int i = 0; i < left; ++i) {
        const int j = open[i];
        open[kept] = j, kept += step(j, looks, row.ground(i * kLanes));
      }
      left = kept;
    }
  }

 private:
  Lanes x(int j) const {
    using lane::load;
    return centre_.x() + (load(rays_.offset_x + j) + load(rays_.at + j) * load(rays_.x + j));
  }
  Lanes y(int j) const {
    using lane::load;
    return centre_.y() + (load(rays_.offset_y + j) + load(rays_.at + j) * load(rays_.y + j));
  }

  /// Four rays with the ground where they are; whether one of them has still to go.
  bool step(int j, int looks, const LanesPoint& ground) {
    using namespace lane;
    const V3<Lanes> e = rays_.e(j);
    const Lanes at = load(rays_.at + j);
    const Lanes below = ground.z - (centre_.z() + (load(rays_.offset_z + j) + at * e.z));
    const Mask far = abs(below) >= near_;
    store(rays_.slope_x + j, ground.slope_x), store(rays_.slope_y + j, ground.slope_y);
    if (!any(far) || looks == kRayLooks) return false;
    const Mask under = below > Lanes{};
    const Lanes out = select(under, at, load(rays_.out + j)), in = select(under, load(rays_.in + j), at);
    const Lanes facing = max(ground.slope_x * e.x + ground.slope_y * e.y - e.z, lanes(kSectorFacing));
    const Lanes newton = at - below / facing;
    const Mask astray = looks % 4 == 0 ? ~Mask{} : (newton <= in) | (newton >= out);
    store(rays_.in + j, in), store(rays_.out + j, out);
    store(rays_.at + j, select(far, select(astray, 0.5 * (in + out), newton), at));
    return true;
  }

  const Sampler& sample_;
  const Vec3& centre_;
  Lanes near_;
  PressedRays& rays_;
};

}  // namespace scree
