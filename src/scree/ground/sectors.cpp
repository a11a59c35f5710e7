#include "scree/ground/sectors.hpp"
#include "scree/core/maths.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/core/lanes.hpp"
#include "scree/terrain/sample_lanes.hpp"

namespace scree {
namespace {

using namespace lane;

constexpr double kSectorReference = 10 * kPi / 180;  // phi_ref
constexpr double kSectorFacing = 0.1;                // least |g.e|
constexpr double kRayNear = 1e-5;                    // of the radius: the ray has met the ground
constexpr int kRayCuts = 14;                         // of a ray's bracket at edges and walls
constexpr int kMostSectors = 720;

/// The ground along four sectors' middle lines.
struct RayRow {
  Lanes distance;          // R_m, or R where nothing presses
  Lanes slope_x, slope_y;  // of the ground there
};

/// Along e, from the axle (above the ground) to the rim (below it). Newton's step from the rim is exact on a
/// plane; where it does not end on the ground (edges, walls) the bracket is cut by its chord and by halves in
/// turn.
template <class Sampler>
RayRow cast(const Sampler& sample, const Vec3& centre, const V3<Lanes>& e, double radius) {
  RayRow row;
  const auto look = [&](Lanes at) {  // how far the ray lies below the ground there
    const LanesPoint ground = sample(centre.x() + at * e.x, centre.y() + at * e.y);
    row.slope_x = ground.slope_x, row.slope_y = ground.slope_y;
    return ground.z - (centre.z() + at * e.z);
  };
  Lanes out = lanes(radius), out_below = look(out);
  const Mask pressed = out_below > Lanes{};
  row.distance = out;
  if (!any(pressed)) return row;
  const Lanes facing = row.slope_x * e.x + row.slope_y * e.y - e.z;
  Lanes at = select(pressed, clamp(out - out_below / max(facing, lanes(kSectorFacing)), Lanes{}, out), out);
  Lanes below = look(at);
  row.distance = at;
  const Lanes near = lanes(kRayNear * radius);
  if (all((abs(below) < near) | ~pressed)) return row;
  Lanes in{}, in_below = min(look(Lanes{}), -near);
  for (int i = 0; i < kRayCuts; ++i) {
    const Mask under = below > Lanes{};
    out = select(under, at, out), out_below = select(under, below, out_below);
    in = select(under, in, at), in_below = select(under, in_below, min(below, -1e-12 * near));
    const Lanes chord = out - out_below * (out - in) / (out_below - in_below);
    at = select(pressed, i % 2 == 0 ? 0.5 * (in + out) : chord, at);
    below = look(at);
  }
  row.distance = select(pressed, at, row.distance);
  return row;
}

/// Adds up the sectors of a disk that press side by side.
class SectionBuilder {
 public:
  SectionBuilder(SectorContact& out, const SectorWheel& wheel, const SectorPose& pose)
      : out_(out), wheel_(wheel), pose_(pose) {}
  /// `load`: of the spring; `slope`: (h' over -normal.velocity)² times the sector's share of K_v and D_v.
  void add(int disk, const Vec3& point, const Vec3& normal, double load, double depth, double slope) {
    if (!open_) {
      open_ = true, sum_ = moment_ = Vec3::Zero(), yields_ = Mat3::Zero(), weight_ = 0;
      now_ = {};
      now_.disk = disk;
    }
    sum_ += load * normal;
    moment_ += load * point;
    weight_ += load;
    now_.depth = std::max(now_.depth, depth);
    yields_ += (slope * normal) * normal.transpose();
  }
  void close() {
    if (!open_) return;
    open_ = false;
    const double load = sum_.norm();
    if (!(load > 0) || out_.count == kMostSections) return;
    now_.point = moment_ / weight_;
    // A round rim cannot be turned by what presses it: the part in the wheel's plane points at the axle. The
    // sum over many sectors does by itself; over the few of a sharp edge it is up to 20 degrees off.
    const Vec3 arm = now_.point - pose_.centre, out = pose_.a.dot(arm) * pose_.a - arm;
    const double across = pose_.a.dot(sum_), size = out.norm();
    const double in_plane = (sum_ - across * pose_.a).norm();
    now_.normal = size > 0 ? Vec3((across * pose_.a + (in_plane / size) * out) / load) : Vec3(sum_ / load);
    // The damper acts along that normal too, on the motion along it: so it takes energy and never gives any.
    const double slope = now_.normal.dot(yields_ * now_.normal);
    now_.stiffness = wheel_.stiffness * slope, now_.damping = wheel_.damping * slope;
    now_.load = load - now_.damping * now_.normal.dot(pose_.v + pose_.w.cross(arm));
    if (now_.load > 0) out_.section[out_.count++] = now_;
  }

 private:
  SectorContact& out_;
  const SectorWheel& wheel_;
  const SectorPose& pose_;
  bool open_ = false;
  Vec3 sum_, moment_;
  Mat3 yields_;
  double weight_ = 0;
  ContactSection now_;
};

}  // namespace

SectorLines::SectorLines(int sectors) : count(std::min(sectors, kMostSectors)) {
  const double phi = 2 * kPi / sectors;
  for (int j = 0; j < (count + kLanes - 1) / kLanes * kLanes; ++j) {
    const double angle = kPi + (std::min(j, count - 1) + 0.5) * phi;
    sine.push_back(maths::sin(angle)), cosine.push_back(maths::cos(angle));
  }
}

void press_sectors(const Terrain& terrain, const SectorWheel& w, const SectorLines& lines,
                   const SectorPose& pose, SectorContact& out) {
  out.count = 0;
  const double R = w.radius, d = w.width / w.disks, phi = 2 * kPi / w.sectors;
  const double share = (d / w.width) * (phi / kSectorReference);
  // Kept heights say whether there is anything to press at all.
  const Vec3 extent = R * (pose.n.cwiseAbs() + pose.b.cwiseAbs()) + 0.5 * w.width * pose.a.cwiseAbs();
  const Rectangle around{pose.centre.x() - extent.x(), pose.centre.x() + extent.x(),
                         pose.centre.y() - extent.y(), pose.centre.y() + extent.y()};
  const double highest = terrain.height_range(around).high;
  const double reach =
      R * std::sqrt(std::max(1 - pose.a.z() * pose.a.z(), 0.0)) + 0.5 * w.width * std::abs(pose.a.z());
  if (pose.centre.z() - reach > highest) return;

  const V3<Lanes> n{lanes(pose.n.x()), lanes(pose.n.y()), lanes(pose.n.z())};
  const V3<Lanes> b{lanes(pose.b.x()), lanes(pose.b.y()), lanes(pose.b.z())};
  SectionBuilder build(out, w, pose);
  with_sampler(terrain, [&](const auto& sample) {
    for (int i = 0; i < w.disks; ++i) {
      const Vec3 offset = ((i + 0.5) * d - 0.5 * w.width) * pose.a, centre = pose.centre + offset;
      for (int j = 0; j < lines.count; j += kLanes) {
        const Lanes sine = load(&lines.sine[j]), cosine = load(&lines.cosine[j]);
        const V3<Lanes> e = sine * n - cosine * b;
        if (all(centre.z() + R * e.z > highest)) {  // nothing reaches up there
          build.close();
          continue;
        }
        const RayRow row = cast(sample, centre, e, R);
        const Lanes Rm = row.distance, h = (R * R - Rm * Rm) * (0.5 / R);
        if (!any(h > Lanes{})) {
          build.close();
          continue;
        }
        const Lanes per = 1.0 / sqrt(1.0 + row.slope_x * row.slope_x + row.slope_y * row.slope_y);
        const V3<Lanes> g{-per * row.slope_x, -per * row.slope_y, per};
        const Lanes weight = Rm * (1 / R) / max(-dot(g, e), lanes(kSectorFacing));
        const V3<Lanes> arm = Rm * e;
        const Lanes loads = w.stiffness * share * weight * h, slope = share * weight * weight;
        for (int k = 0; k < kLanes && j + k < lines.count; ++k) {
          if (!(h[k] > 0)) {
            build.close();
            continue;
          }
          build.add(i, centre + Vec3(arm.x[k], arm.y[k], arm.z[k]), Vec3(g.x[k], g.y[k], g.z[k]), loads[k],
                    h[k], slope[k]);
        }
      }
      build.close();
    }
    return 0;
  });
}

SectionMotion section_motion(const SectorWheel& w, const SectorPose& pose, const ContactSection& s) {
  SectionMotion m;
  const Vec3 t = pose.a.cross(s.normal);
  const double size = t.norm();
  // A wheel that lies flat on its side rolls nowhere.
  m.tangent = size > 1e-6 ? Vec3(t / size) : pose.n;
  m.side = s.normal.cross(m.tangent);
  const Vec3 v = pose.v + pose.w.cross(s.point - pose.centre);
  // The carrier's own turning about the axle is part of the rim's speed, not of the hub's.
  const double turning = w.radius * pose.w.dot(pose.a);
  m.rim_speed = w.radius * pose.spin + turning;
  m.hub_speed = m.tangent.dot(v) + turning;
  m.side_speed = m.side.dot(v);
  return m;
}

SectorWrench sector_wrench(const SectorWheel& w, const SectorPose& pose, const SectorContact& contact) {
  SectorWrench out;
  std::array<double, 64> disk_load{};
  for (int k = 0; k < contact.count; ++k) {
    disk_load[std::min(contact.section[k].disk, 63)] += contact.section[k].load;
  }
  for (int k = 0; k < contact.count; ++k) {
    const ContactSection& s = contact.section[k];
    const SectionMotion m = section_motion(w, pose, s);
    const double share = s.load / disk_load[std::min(s.disk, 63)] / w.disks;
    const SlipForces f =
        gim_nikravesh(w.slip, section_slip(m.hub_speed, m.rim_speed, m.side_speed), s.load, share);
    const Vec3 force = s.load * s.normal + f.along * m.tangent + f.across * m.side;
    const Vec3 arm = s.point - pose.centre;
    out.force += force;
    // What turns the wheel about its axle acts on the rotor; the rest on what carries it.
    const Vec3 moment = arm.cross(force);
    const double about_axle = pose.a.dot(arm.cross(Vec3(f.along * m.tangent)));
    out.moment += moment - about_axle * pose.a;
    out.spin_torque += about_axle;
    out.load += s.load;
  }
  return out;
}

}  // namespace scree
