#pragma once
/// Contact sections of a wheel of sectors (sectors.hpp): sectors that press side by side, added up.
#include <algorithm>

#include "scree/ground/sector_rays.hpp"
#include "scree/ground/sectors.hpp"

namespace scree {

/// What rays give to their sections, ray by ray; beside the vectors a one.
struct RayLoads {
  using Row = double[kLanes];
  alignas(32) Row normal[kRays];  // of the ground
  alignas(32) Row arm[kRays];     // from the wheel's centre
  alignas(32) double load[kRays], depth[kRays];
  /// (h' over -normal.velocity)² times the ray's share of K_v and D_v, times the normal.
  alignas(32) double yields_x[kRays], yields_y[kRays], yields_z[kRays];
};

/// Adds up the sectors of a disk that press side by side.
class SectionBuilder {
 public:
  SectionBuilder(SectorContact& out, const SectorWheel& wheel, const SectorPose& pose)
      : out_(out), wheel_(wheel), pose_(pose) {}

  /// The next rays, by their keys (ray_key()).
  void add(int count, const std::int64_t* key, const RayLoads& rays) {
    using namespace lane;
    // Not the members, nor a struct whose address is handed on: these stay in registers.
    Lanes sum = open_.sum, moment = open_.moment, x = open_.yields_x, y = open_.yields_y, z = open_.yields_z;
    double depth = open_.depth;
    int disk = open_.disk;
    std::int64_t next = next_;
    for (int k = 0; k < count; ++k) {
      if (key[k] != next) {
        close({disk, depth, sum, moment, x, y, z});
        disk = disk_of(key[k]), depth = 0, sum = moment = x = y = z = Lanes{};
      }
      next = key[k] + 1;
      const Lanes normal = load(rays.normal[k]), force = lanes(rays.load[k]);
      sum += force * normal, moment += force * load(rays.arm[k]);
      x += rays.yields_x[k] * normal, y += rays.yields_y[k] * normal, z += rays.yields_z[k] * normal;
      depth = std::max(depth, rays.depth[k]);
    }
    open_ = {disk, depth, sum, moment, x, y, z}, next_ = next;
  }
  void finish() {
    close(open_);
    if (waiting_ > 0) settle();
  }

 private:
  struct Sums {
    int disk;  // -1: none
    double depth;
    Lanes sum, moment;                   // of load times normal, and of load times (arm, 1)
    Lanes yields_x, yields_y, yields_z;  // rows of the sum of yields times normal normal^T
  };

  void close(const Sums& section) {
    if (section.disk < 0 || out_.count + waiting_ == kMostSections) return;
    wait_[waiting_++] = section;
    if (waiting_ == kLanes) settle();
  }

  /// Up to four sections whose sums are known.
  void settle() {
    using namespace lane;
    SectionPack& p = out_.pack[out_.count / kLanes];
    out_.count += waiting_;
    for (int k = waiting_; k < kLanes; ++k) wait_[k] = {0, 0, Lanes{}, Lanes{}, Lanes{}, Lanes{}, Lanes{}};
    waiting_ = 0;
    for (int k = 0; k < kLanes; ++k) p.disk[k] = wait_[k].disk, p.depth[k] = wait_[k].depth;
    const auto across = [&](Lanes Sums::*of) {
      const LaneRows r = transpose(wait_[0].*of, wait_[1].*of, wait_[2].*of, wait_[3].*of);
      return V3<Lanes>{r.row[0], r.row[1], r.row[2]};
    };
    const V3<Lanes> sum = across(&Sums::sum), a = spread<Lanes>(pose_.a);
    const Lanes weight{wait_[0].moment[3], wait_[1].moment[3], wait_[2].moment[3], wait_[3].moment[3]};
    const Lanes size2 = dot(sum, sum);
    const Mask real = size2 > Lanes{};
    const Lanes force = sqrt(select(real, size2, lanes(1)));
    const V3<Lanes> arm = (1.0 / select(real, weight, lanes(1))) * across(&Sums::moment);
    const V3<Lanes> lowest = spread<Lanes>(-wheel_.radius * pose_.b);
    p.arm = {select(real, arm.x, lowest.x), select(real, arm.y, lowest.y), select(real, arm.z, lowest.z)};
    // A round rim cannot be turned by what presses it: the part in the wheel's plane points at the axle. The
    // sum over many sectors does by itself; over the few of a sharp edge it is up to 20 degrees off.
    const V3<Lanes> out = dot(a, p.arm) * a - p.arm;
    const Lanes along_axle = dot(a, sum), out2 = dot(out, out);
    const V3<Lanes> rest = sum - along_axle * a;
    const Mask turned = out2 > Lanes{};
    const Lanes in_plane = sqrt(dot(rest, rest) / select(turned, out2, lanes(1)));
    const V3<Lanes> normal = (1.0 / force) * (along_axle * a + in_plane * out);
    p.normal = {select(turned, normal.x, sum.x / force), select(turned, normal.y, sum.y / force),
                select(turned, normal.z, sum.z / force)};
    // The damper acts along that normal too, on the motion along it: so it takes energy and never gives any.
    const V3<Lanes> yields = p.normal.x * across(&Sums::yields_x) + p.normal.y * across(&Sums::yields_y) +
                             p.normal.z * across(&Sums::yields_z);
    const Lanes slope = dot(p.normal, yields);
    const V3<Lanes> v = spread<Lanes>(pose_.v) + cross(spread<Lanes>(pose_.w), p.arm);
    const Lanes load = force - wheel_.damping * slope * dot(p.normal, v);
    const Mask presses = real & (load > Lanes{});
    p.load = select(presses, load, Lanes{});
    p.stiffness = select(presses, wheel_.stiffness * slope, Lanes{});
    p.damping = select(presses, wheel_.damping * slope, Lanes{});
    p.depth = select(presses, p.depth, Lanes{});
  }

  SectorContact& out_;
  const SectorWheel& wheel_;
  const SectorPose& pose_;
  std::int64_t next_ = -1;  // the ray that would carry the open section on
  Sums open_{-1, 0, Lanes{}, Lanes{}, Lanes{}, Lanes{}, Lanes{}};
  int waiting_ = 0;
  Sums wait_[kLanes];
};

}  // namespace scree
