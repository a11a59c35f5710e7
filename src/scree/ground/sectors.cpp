#include "scree/ground/sectors.hpp"
#include "scree/core/maths.hpp"

#include <algorithm>
#include <array>
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
        disk_width_(wheel.width / wheel.disks * pose.a) {}

  /// Ground without edges: what is looked at is followed all at once.
  void run() {
    for (int i = 0; i < wheel_.disks; ++i) {
      const Vec3 centre = pose_.centre + offset(i);
      for (int q = 0; q < room_.places(); q += kLanes) {
        if (room_.enough_for_four(i, q)) continue;
        for (int k = 0; k < kLanes; ++k)
          if (!room_.enough(i, q + k)) {
            if (seen_ == kFours) press();
            see(i, q + k, centre, 0);
          }
      }
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

  Vec3 offset(int disk) const { return (disk - 0.5 * (wheel_.disks - 1)) * disk_width_; }

  /// Nothing of the ground beneath the wheel is above this.
  double highest() const { return terrain_.height_range(footprint(wheel_, pose_)).high; }

  /// Puts four among those whose ends are looked at, unless kept heights say that nothing reaches them;
  /// `lower`: nor so far below them [m].
  void see(int disk, int four, const Vec3& centre, double lower) {
    if (std::isnan(highest_)) highest_ = highest();
    const double R = wheel_.radius;
    const int j = four * kLanes;
    const V3<Lanes> e =
        load(&lines_.sine[j]) * spread<Lanes>(pose_.n) - load(&lines_.cosine[j]) * spread<Lanes>(pose_.b);
    const Lanes height = centre.z() + R * e.z;
    if (all(height - lower > highest_)) {
      room_.set(disk, four, least(height) - highest_);
      return;
    }
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
    for (int i = 0; i < seen_; ++i) {
      const int at = i * kLanes, disk = ends_.disk[i], sector = ends_.sector[i];
      Lanes below = load(row_.z + at) - load(ends_.height + at);
      room_.set(disk, sector / kLanes, least(-below));
      for (int k = lines_.count - sector; k < kLanes; ++k) below[k] = 0;  // filled up
      if (any(below > Lanes{})) take(disk, sector, end_direction(at), ground_at(row_, at), below, 1);
    }
    seen_ = 0;
    follow();
  }

  V3<Lanes> end_direction(int at) const {
    return {load(ends_.x + at), load(ends_.y + at), load(ends_.z + at)};
  }
  static LanesPoint ground_at(const LookRow& row, int at) {
    return {load(row.z + at), load(row.slope_x + at), load(row.slope_y + at)};
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
    const Vec3 e(ends_.x[at], ends_.y[at], ends_.z[at]);
    put(disk, order, offset(disk), e, std::max(wheel_.radius - below / std::max(facing, kSectorFacing), 0.0),
        share);
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
      const LanesPoint ground = ground_at(between_, 0);
      const Lanes below = ground.z - (centre.z() + R * e.z);
      if (any(below > Lanes{})) take(disk, order_, e, ground, below, 1.0 / lines_.parts);
      order_ += kLanes;
    }
  }

  /// Takes the pressed ones of four.
  void take(int disk, int first_order, const V3<Lanes>& e, const LanesPoint& ground, Lanes below,
            double share) {
    const Lanes facing = ground.slope_x * e.x + ground.slope_y * e.y - e.z;
    const Lanes first = max(wheel_.radius - below / max(facing, lanes(kSectorFacing)), Lanes{});
    const Vec3 from = offset(disk);
    for (int k = 0; k < kLanes; ++k)
      if (below[k] > 0) put(disk, first_order + k, from, Vec3(e.x[k], e.y[k], e.z[k]), first[k], share);
  }

  void put(int disk, int order, const Vec3& from, const Vec3& e, double first, double share) {
    const int to = rays_.count++;
    rays_.disk[to] = disk, rays_.sector[to] = order, rays_.share[to] = share;
    rays_.offset_x[to] = from.x(), rays_.offset_y[to] = from.y(), rays_.offset_z[to] = from.z();
    rays_.x[to] = e.x(), rays_.y[to] = e.y(), rays_.z[to] = e.z();
    rays_.at[to] = first;
  }

  /// To the ground along all rays taken, and on to their sections.
  void follow() {
    if (rays_.count == 0) return;
    rays_.fill();
    cast(sample_, pose_.centre, wheel_.radius, rays_, between_);
    for (int j = 0; j < rays_.count; j += kLanes) add_up(j);
    rays_.count = 0;
  }

  /// Forces of four rays, to their sections.
  void add_up(int j) {
    const double R = wheel_.radius, sector = 2 * kPi / wheel_.sectors / kSectorReference / wheel_.disks;
    const Lanes share = sector * load(rays_.share + j);
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
  bool edge_before_ = false;  // between the ray before and the one that comes
  int order_ = 0;             // of the next ray of a disk, those between others counted
  int seen_ = 0;
  Ends ends_;
  PressedRays rays_;
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
