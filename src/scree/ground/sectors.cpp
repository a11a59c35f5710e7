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
  SectionBuilder(SectorContact& out, const SectorPose& pose) : out_(out), pose_(pose) {}
  void add(int disk, const Vec3& point, const Vec3& normal, double load, double depth, double k, double d) {
    if (!open_) {
      open_ = true, sum_ = moment_ = Vec3::Zero(), weight_ = 0;
      now_ = {};
      now_.disk = disk;
    }
    sum_ += load * normal;
    moment_ += load * point;
    weight_ += load;
    now_.depth = std::max(now_.depth, depth);
    now_.stiffness += k, now_.damping += d;
  }
  void close() {
    if (!open_) return;
    open_ = false;
    const double load = sum_.norm();
    if (!(load > 0) || out_.count == kMostSections) return;
    now_.load = load;
    now_.normal = sum_ / load;
    now_.point = moment_ / weight_;
    out_.section[out_.count++] = now_;
  }

 private:
  SectorContact& out_;
  const SectorPose& pose_;
  bool open_ = false;
  Vec3 sum_, moment_;
  double weight_ = 0;
  ContactSection now_;
};

}  // namespace

void press_sectors(const Terrain& terrain, const SectorWheel& w, const SectorPose& pose, SectorContact& out) {
  out.count = 0;
  const double R = w.radius, d = w.width / w.disks, phi = 2 * kPi / w.sectors;
  const double share = (d / w.width) * (phi / kSectorReference);
  // Kept heights say whether there is anything to press at all.
  const Rectangle around{pose.centre.x() - R - w.width, pose.centre.x() + R + w.width,
                         pose.centre.y() - R - w.width, pose.centre.y() + R + w.width};
  const HeightRange range = terrain.height_range(around);
  const double reach =
      R * std::sqrt(std::max(1 - pose.a.z() * pose.a.z(), 0.0)) + 0.5 * w.width * std::abs(pose.a.z());
  if (pose.centre.z() - reach > range.high) return;

  const int sectors = std::min(w.sectors, kMostSectors);
  SectionBuilder build(out, pose);
  with_sampler(terrain, [&](const auto& sample) {
    for (int i = 0; i < w.disks; ++i) {
      const Vec3 centre = pose.centre + ((i + 0.5) * d - 0.5 * w.width) * pose.a;
      // From the top all the way round, so that no section is cut in two.
      for (int j = 0; j < sectors; j += kLanes) {
        V3<Lanes> e;
        for (int k = 0; k < kLanes; ++k) {
          const double angle = kPi + (j + k + 0.5) * phi;  // from straight down, forward positive
          const Vec3 ray = maths::sin(angle) * pose.n - maths::cos(angle) * pose.b;
          e.x[k] = ray.x(), e.y[k] = ray.y(), e.z[k] = ray.z();
        }
        if (all(centre.z() + R * e.z > lanes(range.high))) {  // kept heights: nothing reaches up there
          build.close();
          continue;
        }
        const RayRow row = cast(sample, centre, e, R);
        for (int k = 0; k < kLanes && j + k < sectors; ++k) {
          const double Rm = row.distance[k];
          const double h = (R * R - Rm * Rm) / (2 * R);
          if (!(h > 0)) {
            build.close();
            continue;
          }
          const Vec3 ray(e.x[k], e.y[k], e.z[k]), point = centre + Rm * ray;
          const Vec3 g = Vec3(-row.slope_x[k], -row.slope_y[k], 1).normalized();
          const double facing = std::max(-g.dot(ray), kSectorFacing);
          const double weight = (Rm / R) / facing;
          // h' = -(R_m/R) R_m', R_m' = -g.v/(g.e).
          const double rate = -weight * g.dot(pose.v + pose.w.cross(point - pose.centre));
          const double push = w.stiffness * h + w.damping * rate;
          if (!(push > 0)) {
            build.close();
            continue;
          }
          build.add(i, point, g, push * share * weight, h, w.stiffness * share * weight * weight,
                    w.damping * share * weight * weight);
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
