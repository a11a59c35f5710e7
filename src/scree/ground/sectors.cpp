#include "scree/ground/sectors.hpp"
#include "scree/core/maths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scree/core/lanes.hpp"
#include "scree/terrain/sample_lanes.hpp"

namespace scree {
namespace {

using namespace lane;

constexpr double kSectorReference = 10 * kPi / 180;  // phi_ref
constexpr double kSectorFacing = 0.1;                // least |g.e|
constexpr double kRayNear = 1e-5;                    // of the radius: the ray has met the ground
constexpr int kRayLooks = 24;                        // most of a ray, at edges and walls
constexpr int kMostSectors = 720;
constexpr int kRays = 128;  // looked at together
constexpr int kFours = kRays / kLanes;

/// Points whose ground is asked for together.
struct LookRow {
  alignas(32) double x[kRays], y[kRays], z[kRays], slope_x[kRays], slope_y[kRays];
};

void look(const GridSampler& sample, int fours, LookRow& row) {
  for (int j = 0; j < fours * kLanes; j += kLanes) {
    const LanesPoint p = sample(load(row.x + j), load(row.y + j));
    store(row.z + j, p.z), store(row.slope_x + j, p.slope_x), store(row.slope_y + j, p.slope_y);
  }
}

void look(const RowSampler& sample, int fours, LookRow& row) {
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

  V3<Lanes> offset(int j) const { return {load(offset_x + j), load(offset_y + j), load(offset_z + j)}; }
  V3<Lanes> e(int j) const { return {load(x + j), load(y + j), load(z + j)}; }
  /// Fills the last four up with the last ray.
  void fill() {
    for (int k = count; k % kLanes != 0; ++k) {
      offset_x[k] = offset_x[k - 1], offset_y[k] = offset_y[k - 1], offset_z[k] = offset_z[k - 1];
      x[k] = x[k - 1], y[k] = y[k - 1], z[k] = z[k - 1], at[k] = at[k - 1];
    }
  }
};

/// Where the ground begins between the axle (above it) and the rim (below it): Newton's steps, the first of
/// which came from the rim and is exact on a plane; where one leaves what the others have left over (edges,
/// walls), and every fourth, the middle of that is taken instead.
template <class Sampler>
void cast(const Sampler& sample, const Vec3& centre, double radius, PressedRays& rays, LookRow& row) {
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

/// Adds up the sectors of a disk that press side by side.
class SectionBuilder {
 public:
  SectionBuilder(SectorContact& out, const SectorWheel& wheel, const SectorPose& pose)
      : out_(out), wheel_(wheel), pose_(pose) {}

  /// The next sector. `normal` and `arm` (from the wheel's centre) have a one behind; `load`: of the spring;
  /// `yields`: (h' over -normal.velocity)² times the sector's share of K_v and D_v.
  void add(int disk, int sector, Lanes normal, Lanes arm, double load, double depth, double yields) {
    if (disk != disk_ || sector != next_) {
      close();
      disk_ = disk, depth_ = 0, sum_ = moment_ = yields_x_ = yields_y_ = yields_z_ = Lanes{};
    }
    next_ = sector + 1;
    sum_ += load * normal;
    moment_ += load * arm;
    const Lanes part = yields * normal;
    yields_x_ += part[0] * normal, yields_y_ += part[1] * normal, yields_z_ += part[2] * normal;
    depth_ = std::max(depth_, depth);
  }
  void finish() {
    close();
    if (waiting_ > 0) settle();
  }

 private:
  void close() {
    if (disk_ < 0 || out_.count + waiting_ == kMostSections) return;
    wait_[waiting_++] = {disk_, depth_, sum_, moment_, yields_x_, yields_y_, yields_z_};
    disk_ = -1;
    if (waiting_ == kLanes) settle();
  }

  /// Up to four sections whose sums are known.
  void settle() {
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

  struct Sums {
    int disk;
    double depth;
    Lanes sum, moment;                   // of load times normal, and of load times (arm, 1)
    Lanes yields_x, yields_y, yields_z;  // rows of the sum of yields times normal normal^T
  };

  SectorContact& out_;
  const SectorWheel& wheel_;
  const SectorPose& pose_;
  int disk_ = -1, next_ = 0;  // of the open section, and the sector that would carry it on; -1: none is open
  double depth_ = 0;
  Lanes sum_, moment_, yields_x_, yields_y_, yields_z_;
  int waiting_ = 0;
  Sums wait_[kLanes];
};

/// Least of four.
double least(Lanes a) { return std::min(std::min(a[0], a[1]), std::min(a[2], a[3])); }

/// One look at a wheel: which sectors reach the ground, how deep, and the sections that they form.
template <class Sampler>
class WheelLook {
 public:
  WheelLook(const Sampler& sample, const Terrain& terrain, const SectorWheel& wheel, const SectorLines& lines,
            const SectorPose& pose, SectorRoom& room, SectorContact& out)
      : sample_(sample),
        terrain_(terrain),
        wheel_(wheel),
        lines_(lines),
        pose_(pose),
        room_(room),
        build_(out, wheel, pose),
        disk_width_(wheel.width / wheel.disks * pose.a) {}

  void run() {
    for (int i = 0; i < wheel_.disks; ++i) {
      for (int q = 0; q < room_.fours(); q += kLanes) {
        if (room_.enough_for_four(i, q)) continue;
        for (int k = 0; k < kLanes; ++k)
          if (!room_.enough(i, q + k)) see(i, q + k);
      }
    }
    press();
    build_.finish();
  }

 private:
  /// Fours whose ends have to be looked at.
  struct Ends {
    int disk[kFours], sector[kFours];                 // the first of four
    alignas(32) double x[kRays], y[kRays], z[kRays];  // e
    alignas(32) double height[kRays];                 // of the rim there
  };

  Vec3 offset(int disk) const { return (disk - 0.5 * (wheel_.disks - 1)) * disk_width_; }

  /// Nothing of the ground beneath the wheel is above this.
  double highest() const {
    const Vec3 extent =
        wheel_.radius * (pose_.n.cwiseAbs() + pose_.b.cwiseAbs()) + 0.5 * wheel_.width * pose_.a.cwiseAbs();
    const Vec3 low = pose_.centre - extent, high = pose_.centre + extent;
    return terrain_.height_range({low.x(), high.x(), low.y(), high.y()}).high;
  }

  /// Puts four among those whose ends are looked at, unless kept heights say that nothing reaches them.
  void see(int disk, int four) {
    if (std::isnan(highest_)) highest_ = highest();
    const double R = wheel_.radius;
    const int j = four * kLanes;
    const Vec3 centre = pose_.centre + offset(disk);
    const V3<Lanes> e =
        load(&lines_.sine[j]) * spread<Lanes>(pose_.n) - load(&lines_.cosine[j]) * spread<Lanes>(pose_.b);
    const Lanes height = centre.z() + R * e.z;
    if (all(height > highest_)) {
      room_.set(disk, four, least(height) - highest_);
      return;
    }
    if (seen_ == kFours) press();
    ends_.disk[seen_] = disk, ends_.sector[seen_] = j;
    const int at = kLanes * seen_++;
    store(ends_.x + at, e.x), store(ends_.y + at, e.y), store(ends_.z + at, e.z);
    store(ends_.height + at, height);
    store(row_.x + at, centre.x() + R * e.x), store(row_.y + at, centre.y() + R * e.y);
  }

  /// What the collected fours come to.
  void press() {
    if (seen_ == 0) return;
    look(sample_, seen_, row_);
    rays_.count = 0;
    for (int i = 0; i < seen_; ++i) pack(i);
    seen_ = 0;
    rays_.fill();
    cast(sample_, pose_.centre, wheel_.radius, rays_, row_);
    for (int j = 0; j < rays_.count; j += kLanes) add_up(j);
  }

  /// Takes the pressed ones of four.
  void pack(int i) {
    const int at = i * kLanes, disk = ends_.disk[i], sector = ends_.sector[i];
    const Lanes below = load(row_.z + at) - load(ends_.height + at);
    room_.set(disk, sector / kLanes, least(-below));
    if (!any(below > Lanes{})) return;
    const Lanes facing = load(row_.slope_x + at) * load(ends_.x + at) +
                         load(row_.slope_y + at) * load(ends_.y + at) - load(ends_.z + at);
    const Lanes first = max(wheel_.radius - below / max(facing, lanes(kSectorFacing)), Lanes{});
    const Vec3 centre = offset(disk);
    for (int k = 0; k < kLanes && sector + k < lines_.count; ++k) {
      if (!(below[k] > 0)) continue;
      const int to = rays_.count++;
      rays_.disk[to] = disk, rays_.sector[to] = sector + k;
      rays_.offset_x[to] = centre.x(), rays_.offset_y[to] = centre.y(), rays_.offset_z[to] = centre.z();
      rays_.x[to] = ends_.x[at + k], rays_.y[to] = ends_.y[at + k], rays_.z[to] = ends_.z[at + k];
      rays_.at[to] = first[k];
    }
  }

  /// Forces of four rays, to their sections.
  void add_up(int j) {
    const double R = wheel_.radius, share = 2 * kPi / wheel_.sectors / kSectorReference / wheel_.disks;
    const V3<Lanes> e = rays_.e(j);
    const Lanes Rm = load(rays_.at + j), h = (R * R - Rm * Rm) * (0.5 / R);
    const Lanes slope_x = load(rays_.slope_x + j), slope_y = load(rays_.slope_y + j);
    const Lanes per = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
    const V3<Lanes> g{-per * slope_x, -per * slope_y, per};
    const Lanes weight = Rm * (1 / R) / max(-dot(g, e), lanes(kSectorFacing));
    const Lanes loads = wheel_.stiffness * share * weight * h, yields = share * weight * weight;
    const V3<Lanes> arm = rays_.offset(j) + Rm * e;
    const LaneRows normals = transpose(g.x, g.y, g.z, lanes(1)),
                   arms = transpose(arm.x, arm.y, arm.z, lanes(1));
    for (int k = 0; k < kLanes && j + k < rays_.count; ++k)
      build_.add(rays_.disk[j + k], rays_.sector[j + k], normals.row[k], arms.row[k], loads[k], h[k],
                 yields[k]);
  }

  const Sampler& sample_;
  const Terrain& terrain_;
  const SectorWheel& wheel_;
  const SectorLines& lines_;
  const SectorPose& pose_;
  SectorRoom& room_;
  SectionBuilder build_;
  Vec3 disk_width_;  // d along the axle
  double highest_ = std::numeric_limits<double>::quiet_NaN();
  int seen_ = 0;
  Ends ends_;
  PressedRays rays_;
  LookRow row_;
};

}  // namespace

SectorLines::SectorLines(int sectors) : count(std::min(sectors, kMostSectors)) {
  const double phi = 2 * kPi / sectors;
  for (int j = 0; j < (count + kLanes - 1) / kLanes * kLanes; ++j) {
    const double angle = kPi + (std::min(j, count - 1) + 0.5) * phi;
    sine.push_back(maths::sin(angle)), cosine.push_back(maths::cos(angle));
  }
}

SectorRoom::SectorRoom(const SectorWheel& w)
    : fours_((std::min(w.sectors, kMostSectors) + kLanes - 1) / kLanes),
      stride_((fours_ + kLanes - 1) / kLanes * kLanes),
      until_(static_cast<std::size_t>(w.disks) * stride_, std::numeric_limits<double>::infinity()) {}

void SectorRoom::move(const Terrain& terrain, double slope_bound, const SectorWheel& w,
                      const SectorPose& pose) {
  way_ += (pose.centre - centre_).norm() + 0.5 * w.width * (pose.a - a_).norm() +
          w.radius * std::sqrt((pose.n - n_).squaredNorm() + (pose.b - b_).squaredNorm());
  centre_ = pose.centre, n_ = pose.n, a_ = pose.a, b_ = pose.b;
  // A bound that is far too wide by now is not kept for ever.
  if (terrain_ == &terrain && slope_bound <= slope_bound_ && slope_bound_ <= 2 * slope_bound + 1) return;
  terrain_ = &terrain, slope_bound_ = slope_bound;
  per_height_ = (1 - 1e-6) / std::sqrt(1 + slope_bound * slope_bound);
  for (std::size_t row = 0; row < until_.size(); row += stride_)
    std::fill_n(until_.begin() + row, fours_, way_);
}

ContactSection SectorContact::section(int k) const {
  const SectionPack& p = pack[k / kLanes];
  const int i = k % kLanes;
  return {p.disk[i],
          centre + Vec3(p.arm.x[i], p.arm.y[i], p.arm.z[i]),
          Vec3(p.normal.x[i], p.normal.y[i], p.normal.z[i]),
          p.load[i],
          p.depth[i],
          p.stiffness[i],
          p.damping[i]};
}

void press_sectors(const Terrain& terrain, const SectorWheel& w, const SectorLines& lines,
                   const SectorPose& pose, SectorContact& out) {
  SectorRoom room(w);
  room.move(terrain, std::numeric_limits<double>::infinity(), w, pose);
  press_sectors(terrain, w, lines, pose, room, out);
}

void press_sectors(const Terrain& terrain, const SectorWheel& w, const SectorLines& lines,
                   const SectorPose& pose, SectorRoom& room, SectorContact& out) {
  out.count = 0, out.centre = pose.centre;
  with_sampler(terrain, [&](const auto& sample) {
    WheelLook(sample, terrain, w, lines, pose, room, out).run();
    return 0;
  });
}

SectorWrench sector_wrench(const SectorWheel& w, const SectorPose& pose, const SectorContact& contact) {
  SectorWrench out;
  std::array<double, 64> disk_load{};
  for (int k = 0; k < contact.count; ++k) {
    const ContactSection s = contact.section(k);
    disk_load[std::min(s.disk, 63)] += s.load;
  }
  for (int k = 0; k < contact.count; ++k) {
    const ContactSection s = contact.section(k);
    if (!(s.load > 0)) continue;
    const Vec3 arm = s.point - pose.centre;
    const SectionMotion<double> m = section_motion<double>(
        w, pose, {s.normal.x(), s.normal.y(), s.normal.z()}, {arm.x(), arm.y(), arm.z()});
    const double share = s.load / disk_load[std::min(s.disk, 63)] / w.disks;
    const SlipForces f =
        gim_nikravesh(w.slip, section_slip(m.hub_speed, m.rim_speed, m.side_speed), s.load, share);
    const Vec3 along = f.along * Vec3(m.tangent.x, m.tangent.y, m.tangent.z);
    const Vec3 force = s.load * s.normal + along + f.across * Vec3(m.side.x, m.side.y, m.side.z);
    out.force += force;
    // What turns the wheel about its axle acts on the rotor; the rest on what carries it.
    const Vec3 moment = arm.cross(force);
    const double about_axle = pose.a.dot(arm.cross(along));
    out.moment += moment - about_axle * pose.a;
    out.spin_torque += about_axle;
    out.load += s.load;
  }
  return out;
}

}  // namespace scree
