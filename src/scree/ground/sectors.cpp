#include "scree/ground/sectors.hpp"
#include "scree/core/maths.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "scree/core/lanes.hpp"
#include "scree/ground/sector_rays.hpp"
#include "scree/ground/sector_sections.hpp"

namespace scree {
namespace {

using namespace lane;

constexpr double kSectorReference = 10 * kPi / 180;  // phi_ref
constexpr int kMostSectors = 720;
/// Fours to look at from which on it is worth asking first how high the ground is.
constexpr int kFewFours = 16;
constexpr double kEdgeSlope = 5;  // steeper ground makes edges, where its features are finer than sectors

/// Least of four.
double least(Lanes a) { return std::min(std::min(a[0], a[1]), std::min(a[2], a[3])); }

/// The ground beneath a wheel.
Rectangle footprint(const SectorWheel& w, const SectorPose& pose) {
  const Vec3 extent = w.radius * (pose.n.cwiseAbs() + pose.b.cwiseAbs()) + 0.5 * w.width * pose.a.cwiseAbs();
  const Vec3 low = pose.centre - extent, high = pose.centre + extent;
  return {low.x(), high.x(), low.y(), high.y()};
}

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
        middle_(0.5 * (wheel.disks - 1)),
        disk_width_(wheel.width / wheel.disks * pose.a),
        sector_(2 * kPi / wheel.sectors / kSectorReference / wheel.disks) {}

  /// Ground without edges: what is looked at is followed all at once.
  void run() {
    for (int i = 0; i < wheel_.disks; ++i)
      for (int q = 0; q < room_.places(); q += kLanes)
        for (unsigned near = room_.near_of_four(i, q); near != 0; near &= near - 1) {
          if (seen_ == kFours) press();
          ends_.disk[seen_] = i, ends_.sector[seen_++] = (q + std::countr_zero(near)) * kLanes;
        }
    press();
    build_.finish();
  }

  /// Ground with edges: disk by disk, and between rays where there is one.
  void run_at_edges() {
    const double between = wheel_.radius * (2 * kPi / wheel_.sectors);
    for (int i = 0; i < wheel_.disks; ++i) {
      const Vec3 centre = pose_.centre + offset(i);
      edge_before_ = false, order_ = 0;
      for (int four = 0; four < room_.places(); ++four) {
        if (seen_ == kFours) press_at_edges(i, true);
        see(i, four, centre, between);
      }
      press_at_edges(i, false);
      follow();
    }
    build_.finish();
  }

 private:
  /// Fours whose ends have to be looked at.
  struct Ends {
    int disk[kFours], sector[kFours];                 // the first of four
    alignas(32) double x[kRays], y[kRays], z[kRays];  // e
    alignas(32) double height[kRays];                 // of the rim there
  };

  Vec3 offset(int disk) const { return (disk - middle_) * disk_width_; }

  /// Nothing of the ground beneath the wheel is above this.
  double highest() const { return terrain_.height_range(footprint(wheel_, pose_)).high; }

  /// The ends of four middle lines.
  struct FourEnds {
    V3<Lanes> e;
    Lanes x, y, height;
  };
  FourEnds ends_of(int sector, const Vec3& centre) const {
    const double R = wheel_.radius;
    const V3<Lanes> e = load(&lines_.sine[sector]) * spread<Lanes>(pose_.n) -
                        load(&lines_.cosine[sector]) * spread<Lanes>(pose_.b);
    return {e, centre.x() + R * e.x, centre.y() + R * e.y, centre.z() + R * e.z};
  }
  FourEnds ends_of(int i) const { return ends_of(ends_.sector[i], pose_.centre + offset(ends_.disk[i])); }

  /// Puts four of a disk among those whose ends are looked at, unless nothing of the ground reaches them, nor
  /// so far below them [m].
  void see(int disk, int four, const Vec3& centre, double lower) {
    if (std::isnan(highest_)) highest_ = highest();
    const FourEnds end = ends_of(four * kLanes, centre);
    if (all(end.height - lower > highest_)) {
      room_.set(disk, four, least(end.height) - highest_);
      return;
    }
    ends_.disk[seen_] = disk, ends_.sector[seen_] = four * kLanes;
    keep(seen_++, end);
  }

  /// To be looked at.
  void keep(int i, const FourEnds& end) {
    const int at = kLanes * i;
    store(ends_.x + at, end.e.x), store(ends_.y + at, end.e.y), store(ends_.z + at, end.e.z);
    store(ends_.height + at, end.height);
    store(row_.x + at, end.x), store(row_.y + at, end.y);
  }

  /// Of the collected fours only those that something of the ground reaches up to.
  void leave_out_high() {
    if (std::isnan(highest_)) highest_ = highest();
    int kept = 0;
    for (int i = 0; i < seen_; ++i) {
      const int disk = ends_.disk[i], sector = ends_.sector[i];
      const Lanes height = ends_of(i).height;
      if (all(height > highest_)) {
        room_.set(disk, sector / kLanes, least(height) - highest_);
      } else {
        ends_.disk[kept] = disk, ends_.sector[kept++] = sector;
      }
    }
    seen_ = kept;
  }

  /// What the collected fours come to.
  void press() {
    if (seen_ > kFewFours) leave_out_high();
    if (seen_ == 0) return;
    // One thing after the other for all: a four from here to its rays keeps the processor waiting.
    for (int i = 0; i < seen_; ++i) keep(i, ends_of(i));
    look(sample_, seen_, row_);
    for (int i = 0; i < seen_; ++i) {
      const int at = i * kLanes, disk = ends_.disk[i], sector = ends_.sector[i];
      const LanesPoint ground = row_.ground(at);
      Lanes below = ground.z - load(ends_.height + at);
      room_.set(disk, sector / kLanes, least(-below));
      for (int k = lines_.count - sector; k < kLanes; ++k) below[k] = 0;  // filled up
      take(disk, sector, {load(ends_.x + at), load(ends_.y + at), load(ends_.z + at)}, ground, below, 1);
    }
    seen_ = 0;
    follow();
  }

  /// The collected fours of a disk, and rays between two of them where the ground there has an edge: they
  /// share those halves of the two sectors. `more`: the last four waits for what comes after it.
  void press_at_edges(int disk, bool more) {
    look(sample_, seen_, row_);
    const int ready = more ? seen_ - 1 : seen_;
    for (int i = 0; i < ready; ++i) {
      const int at = i * kLanes, sector = ends_.sector[i];
      const Lanes below = load(row_.z + at) - load(ends_.height + at);
      const bool joined = i + 1 < seen_ && ends_.sector[i + 1] == sector + kLanes;
      const int own = std::min(kLanes, lines_.count - sector);
      const bool edges = edge_between(disk, at, own + joined);
      for (int k = 0; k < own; ++k) {
        const bool next = k + 1 < own || joined, edge_after = edges && next && edge_between(disk, at + k, 2);
        const double share = 1 - 0.5 * edge_before_ - 0.5 * edge_after;
        if (share > 0) take_one(disk, order_++, at + k, below[k], share);
        if (edge_after) take_between(disk, sector + k);
        edge_before_ = edge_after;
      }
    }
    seen_ -= ready;
    if (seen_ == 0) return;
    ends_.sector[0] = ends_.sector[ready], ends_.disk[0] = disk;
    for (double* v : {ends_.x, ends_.y, ends_.z, ends_.height, row_.x, row_.y})
      store(v, load(v + ready * kLanes));
  }

  /// Whether the ground between neighbouring rays, from this one on, may touch them there and has a steep
  /// place; as far in as twice what lies between two.
  bool edge_between(int disk, int at, int rays) const {
    const Vec3 centre = offset(disk);
    const double R = wheel_.radius, phi = 2 * kPi / wheel_.sectors, inner = R * std::max(1 - 2 * phi, 0.0);
    Rectangle area{1e300, -1e300, 1e300, -1e300};
    double lowest = 1e300;
    for (int k = at; k < at + rays; ++k) {
      const double x = ends_.x[k], y = ends_.y[k];
      area.x_min = std::min({area.x_min, R * x, inner * x}),
      area.x_max = std::max({area.x_max, R * x, inner * x});
      area.y_min = std::min({area.y_min, R * y, inner * y}),
      area.y_max = std::max({area.y_max, R * y, inner * y});
      lowest = std::min(lowest, ends_.height[k]);
    }
    const double x = pose_.centre.x() + centre.x(), y = pose_.centre.y() + centre.y();
    area = {x + area.x_min, x + area.x_max, y + area.y_min, y + area.y_max};
    const double sagitta = R * phi * phi / 8;
    return terrain_.height_range(area).high > lowest - sagitta && terrain_.slope_bound(area) > kEdgeSlope;
  }

  void take_one(int disk, int order, int at, double below, double share) {
    if (!(below > 0)) return;
    if (rays_.count == kRays) follow();
    const double facing = row_.slope_x[at] * ends_.x[at] + row_.slope_y[at] * ends_.y[at] - ends_.z[at];
    const double first = std::max(wheel_.radius - below / std::max(facing, kSectorFacing), 0.0);
    rays_.put(1, disk, order, offset(disk), {lanes(ends_.x[at]), lanes(ends_.y[at]), lanes(ends_.z[at])},
              lanes(first), share);
  }

  /// Rays after this one.
  void take_between(int disk, int sector) {
    const double R = wheel_.radius;
    const Vec3 centre = pose_.centre + offset(disk);
    for (int k = 0; k < lines_.parts; k += kLanes) {
      if (rays_.count > kRays - kLanes) follow();
      const int j = sector * lines_.parts + k;
      const V3<Lanes> e = load(&lines_.sine_between[j]) * spread<Lanes>(pose_.n) -
                          load(&lines_.cosine_between[j]) * spread<Lanes>(pose_.b);
      store(between_.x, centre.x() + R * e.x), store(between_.y, centre.y() + R * e.y);
      look(sample_, 1, between_);
      const LanesPoint ground = between_.ground(0);
      const Lanes below = ground.z - (centre.z() + R * e.z);
      take(disk, order_, e, ground, below, 1.0 / lines_.parts);
      order_ += kLanes;
    }
  }

  /// Takes the pressed ones of four.
  void take(int disk, int first_order, const V3<Lanes>& e, const LanesPoint& ground, Lanes below,
            double share) {
    const int pressed = sign_bits(below > Lanes{});
    const Lanes facing = ground.slope_x * e.x + ground.slope_y * e.y - e.z;
    const Lanes first = max(wheel_.radius - below / max(facing, lanes(kSectorFacing)), Lanes{});
    rays_.put(pressed, disk, first_order, offset(disk), e, first, share);
  }

  /// To the ground along all rays taken, and on to their sections.
  void follow() {
    if (rays_.count == 0) return;
    rays_.fill();
    RayCast(sample_, pose_.centre, wheel_.radius, rays_).run(between_);
    for (int j = 0; j < rays_.count; j += kLanes) weigh(j);
    build_.add(rays_.count, rays_.key, loads_);
    rays_.count = 0;
  }

  /// Forces of four rays.
  void weigh(int j) {
    const double R = wheel_.radius;
    const Lanes share = sector_ * load(rays_.share + j);
    const V3<Lanes> e = rays_.e(j);
    const Lanes Rm = load(rays_.at + j), h = (R * R - Rm * Rm) * (0.5 / R);
    const Lanes slope_x = load(rays_.slope_x + j), slope_y = load(rays_.slope_y + j);
    const Lanes per = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
    const V3<Lanes> g{-per * slope_x, -per * slope_y, per};
    const Lanes weight = Rm * (1 / R) / max(-dot(g, e), lanes(kSectorFacing));
    store(loads_.load + j, wheel_.stiffness * share * weight * h), store(loads_.depth + j, h);
    const V3<Lanes> yields = (share * weight * weight) * g;
    store(loads_.yields_x + j, yields.x), store(loads_.yields_y + j, yields.y);
    store(loads_.yields_z + j, yields.z);
    const V3<Lanes> arm = rays_.offset(j) + Rm * e;
    const LaneRows normals = transpose(g.x, g.y, g.z, lanes(1)),
                   arms = transpose(arm.x, arm.y, arm.z, lanes(1));
    for (int k = 0; k < kLanes; ++k)
      store(loads_.normal[j + k], normals.row[k]), store(loads_.arm[j + k], arms.row[k]);
  }

  const Sampler& sample_;
  const Terrain& terrain_;
  const SectorWheel& wheel_;
  const SectorLines& lines_;
  const SectorPose& pose_;
  SectorRoom& room_;
  SectionBuilder build_;
  double middle_;    // disk
  Vec3 disk_width_;  // d along the axle
  double sector_;    // (d/w)(phi/phi_ref)
  double highest_ = std::numeric_limits<double>::quiet_NaN();
  bool edge_before_ = false;  // between the ray before and the one that comes
  int order_ = 0;             // of the next ray of a disk, those between others counted
  int seen_ = 0;
  Ends ends_;
  PressedRays rays_;
  RayLoads loads_;
  LookRow row_, between_;
};

}  // namespace

SectorLines::SectorLines(int sectors) : count(std::min(sectors, kMostSectors)) {
  const double phi = 2 * kPi / sectors;
  const auto add = [](double angle, std::vector<double>& sines, std::vector<double>& cosines) {
    sines.push_back(maths::sin(angle)), cosines.push_back(maths::cos(angle));
  };
  for (int j = 0; j < (count + kLanes - 1) / kLanes * kLanes; ++j)
    add(kPi + (std::min(j, count - 1) + 0.5) * phi, sine, cosine);
  if (count == kMostSectors) return;
  parts = (kMostSectors / count + kLanes - 1) / kLanes * kLanes;
  for (int j = 0; j < count * parts; ++j)
    add(kPi + (0.5 + (j + 0.5) / parts) * phi, sine_between, cosine_between);
}

SectorRoom::SectorRoom(const SectorWheel& w)
    : ClearRoom(w.disks, (std::min(w.sectors, kMostSectors) + kLanes - 1) / kLanes) {}

void SectorRoom::move(const Terrain& terrain, double slope_bound, const SectorWheel& w,
                      const SectorPose& pose) {
  const double way = (pose.centre - centre_).norm() + 0.5 * w.width * (pose.a - a_).norm() +
                     w.radius * std::sqrt((pose.n - n_).squaredNorm() + (pose.b - b_).squaredNorm());
  centre_ = pose.centre, n_ = pose.n, a_ = pose.a, b_ = pose.b;
  ClearRoom::move(way, terrain, slope_bound);
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
  const Rectangle area = footprint(w, pose);
  const double between = w.radius * (2 * kPi / w.sectors);
  const bool edges = lines.parts > 0 && room.slope_bound() > kEdgeSlope &&
                     terrain.finest_feature(area) < between && terrain.slope_bound(area) > kEdgeSlope;
  with_sampler(terrain, [&](const auto& sample) {
    WheelLook look(sample, terrain, w, lines, pose, room, out);
    edges ? look.run_at_edges() : look.run();
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
