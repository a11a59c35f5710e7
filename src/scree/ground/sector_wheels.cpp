/// Contact kind `sectors`: wheels as disks of sectors (sectors.hpp), on a link without a suspension of their
/// own: rigidly mounted on the chassis, or on a link with mass and a joint.
///
/// Slip. The forces of a section follow its slips (gim_nikravesh.hpp), which are 0/0 at rest. As for
/// suspended wheels they are therefore the deflection of a brush (slip.hpp) that sticks to the ground: the
/// usual slips when rolling, a spring that holds the wheel at rest. A wheel may touch floor and wall at once,
/// which slip differently, so it has a brush every 30 degrees around its rim; a section has what lies between
/// the two brushes next to it, and what it adds in a step is given to both so that they mean just that.
#include <algorithm>
#include <array>
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/ground/contact.hpp"
#include "scree/ground/sectors.hpp"
#include "scree/ground/slip.hpp"
#include "scree/ground/wheel.hpp"

namespace scree {
namespace {

constexpr int kBrushes = 12;
constexpr int kBrushMemory = 2 * kBrushes;  // deflections along and across
constexpr double kBrushAngle = 2 * kPi / kBrushes;

struct SectorSettings : ContactSettings {
  int disks = 5, sectors = 60;
  double stiffness = 3000, damping = 200;
  SlipStiffness slip;
  double relaxation_length = 0.02;  ///< L [m]
  double damping_time = 0.005;      ///< t_d [s]
};

std::shared_ptr<const ContactSettings> read_sectors(Section& s, const ContactSettings* shared) {
  auto x = std::make_shared<SectorSettings>();
  if (shared) *x = static_cast<const SectorSettings&>(*shared);
  s.integer("disks", x->disks,
            {.unit = "-", .doc = "sectors: disks across the width", .range = between(1, 60)});
  s.integer("sectors", x->sectors, {.unit = "-", .doc = "sectors: around a disk", .range = between(12, 720)});
  s.number("stiffness", x->stiffness,
           {.unit = "N/m", .doc = "sectors: of ten degrees of the whole width", .range = positive()});
  s.number("damping", x->damping, {.unit = "N s/m", .doc = "sectors: likewise", .range = not_negative()});
  s.number(
      "slip_stiffness", x->slip.along,
      {.unit = "N", .doc = "sectors: longitudinal force per unit slip, of the wheel", .range = positive()});
  s.number(
      "cornering_stiffness", x->slip.across,
      {.unit = "N/rad", .doc = "sectors: lateral force per slip angle, of the wheel", .range = positive()});
  s.number("friction_x", x->slip.friction_x,
           {.unit = "-", .doc = "sectors: greatest longitudinal over normal force", .range = positive()});
  s.number("friction_y", x->slip.friction_y,
           {.unit = "-", .doc = "sectors: greatest lateral over normal force", .range = positive()});
  s.number("relaxation_length", x->relaxation_length,
           {.unit = "m", .doc = "sectors: way over which slip forces build up", .range = positive()});
  s.number("damping_time", x->damping_time,
           {.unit = "s", .doc = "sectors: damping of the brush over its stiffness", .range = not_negative()});
  return x;
}

/// Which two brushes a section lies between, and how near to the second.
struct BrushPlace {
  int first = 0, second = 0;
  double share = 0;
  double mix(const double* u) const { return u[first] + share * (u[second] - u[first]); }
};

BrushPlace brush_place(double angle) {
  const double at = angle / kBrushAngle, low = std::floor(at);
  const int first = (static_cast<int>(low) % kBrushes + kBrushes) % kBrushes;
  return {first, (first + 1) % kBrushes, at - low};
}

/// A section as the step sees it.
struct SectionTouch {
  Vec3 p, n, t, s;  ///< place and axes: normal, along, across; link axes
  BrushPlace brush;
  double sx = 0, sy = 0, speed = 0;  ///< slip velocities [m/s]
  double load = 0, depth = 0, angle = 0;
  SlipForces force;
};

struct SectorState {
  int count = 0;
  std::array<SectionTouch, kMostSections> section;
  double rim_speed = 0;
  double side_speed = 0, hub_speed = 0;  ///< of the section with most load [m/s]
  Contact contact;                       ///< link axes where it says W
};

struct SectorScratch : ContactScratch {
  explicit SectorScratch(std::size_t wheels) : wheel(wheels) {}
  std::vector<SectorState> wheel;
  SectorContact pressed;
};

class SectorWheels : public ContactGroup {
 public:
  SectorWheels(std::span<const ContactElement> elements, SeenPlaces& seen) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const ContactElement& e = elements[i];
      const auto* x = static_cast<const SectorSettings*>(e.contact.settings.get());
      const SectorSettings settings = x ? *x : SectorSettings{};
      const int lane = static_cast<int>(i) % kLanes;
      if (lane == 0) ++seen.packs;
      wheels_.push_back({e,
                         {e.radius, e.width, settings.disks, settings.sectors, settings.stiffness,
                          settings.damping, settings.slip},
                         SectorLines(settings.sectors),
                         {1 / settings.relaxation_length, settings.damping_time},
                         seen.packs - 1,
                         lane});
      seen.wheels.push_back({e.link, seen.packs - 1, lane, e.hub});
    }
  }

  int memory() const override { return static_cast<int>(wheels_.size()) * kBrushMemory; }
  int contacts() const override { return static_cast<int>(wheels_.size()); }
  std::unique_ptr<ContactScratch> scratch() const override {
    return std::make_unique<SectorScratch>(wheels_.size());
  }

  void touch(Touch& t, const double* memory, ContactScratch& scratch) const override {
    auto& s = static_cast<SectorScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const Wheel& w = wheels_[i];
      SectorState& state = s.wheel[i];
      touch_wheel(w, t, memory + kBrushMemory * i, s.pressed, state);
      SeenGround& seen = t.seen[w.seen];
      lane::set_lane(seen.point, w.lane, state.contact.p_W);
      seen.seen[w.lane] = state.count > 0 ? -1 : 0;
      t.report.touching += state.count > 0;
      t.report.gap = std::min(t.report.gap, state.count > 0 ? -state.contact.depth : w.wheel.radius);
    }
  }

  void finish(const ContactMotion&, const StageStep& step, const ContactAnswer& answer,
              ContactScratch& scratch, double* memory) const override {
    const auto& s = static_cast<const SectorScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const Wheel& w = wheels_[i];
      const Vec6& u = answer.link(w.element.link);
      const Vec3 linear = u.head<3>(), angular = u.tail<3>();
      const double spin = answer.spin()[w.element.rotor];
      const SlipStep slip{step.dt, step.theta_slip};
      follow(s.wheel[i], memory + kBrushMemory * i, [&](const SectionTouch& c, double ux, double uy) {
        const Vec3 a = linear + angular.cross(c.p);
        const double sx = c.sx + step.dt * (w.wheel.radius * spin - c.t.dot(a));
        const double sy = c.sy - step.dt * c.s.dot(a);
        return Vec2(brush_next(w.brush, slip, ux, c.sx, sx, c.speed) - ux,
                    brush_next(w.brush, slip, uy, c.sy, sy, c.speed) - uy);
      });
    }
  }

  void rates(const ContactScratch& scratch, const double* memory, double* rates) const override {
    const auto& s = static_cast<const SectorScratch&>(scratch);
    std::array<double, kBrushMemory> after;
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const double* u = memory + kBrushMemory * i;
      std::copy(u, u + kBrushMemory, after.begin());
      const double per_length = wheels_[i].brush.per_length;
      follow(s.wheel[i], after.data(), [&](const SectionTouch& c, double ux, double uy) {
        return Vec2(c.sx - c.speed * per_length * ux, c.sy - c.speed * per_length * uy);
      });
      for (int k = 0; k < kBrushMemory; ++k) rates[kBrushMemory * i + k] = after[k] - u[k];
    }
  }

  /// Brushes that meet nothing are at rest.
  void settle(const ContactScratch& scratch, double* memory) const override {
    const auto& s = static_cast<const SectorScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i)
      follow(s.wheel[i], memory + kBrushMemory * i,
             [](const SectionTouch&, double, double) { return Vec2(0, 0); });
  }

  void list(const GroundView& ground, const ContactMotion& motion, const ContactScratch& scratch,
            std::span<Contact> out) const override {
    const auto& s = static_cast<const SectorScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const Wheel& w = wheels_[i];
      const SectorState& state = s.wheel[i];
      const Pose& X = motion.link[w.element.link].X_WL;
      Contact& c = out[i] = state.contact;
      c.p_W = X * state.contact.p_W;
      c.normal_W = X.R * state.contact.normal_W;
      c.force_W = X.R * state.contact.force_W;
      if (!c.touching) continue;
      c.slip = logged_slip(state.rim_speed, state.hub_speed);
      c.slip_angle = state.side_speed == 0 ? 0 : maths::atan2(state.side_speed, std::abs(state.hub_speed));
      c.peak = friction_at(ground, c.p_W) * w.wheel.slip.friction_x * c.load;
    }
  }

 private:
  struct Wheel {
    ContactElement element;
    SectorWheel wheel;
    SectorLines lines;
    SlipBrush<double> brush;
    int seen, lane;  ///< place in Touch::seen
  };

  static double friction_at(const GroundView& ground, const Vec3& p) {
    return ground.friction * (ground.friction_map ? ground.friction_map->at(p.x(), p.y()) : 1.0);
  }

  /// Gives each brush what the sections beside it add, `change(section, u_x, u_y)`, weighted by load; brushes
  /// beside none are at rest.
  template <class Change>
  static void follow(const SectorState& state, double* u, const Change& change) {
    std::array<double, kBrushes> weight{}, along{}, across{};
    for (int k = 0; k < state.count; ++k) {
      const SectionTouch& c = state.section[k];
      const BrushPlace& b = c.brush;
      const double wa = 1 - b.share, wb = b.share, per = 1 / (wa * wa + wb * wb);
      const Vec2 d = change(c, b.mix(u), b.mix(u + kBrushes));
      const auto add = [&](int at, double w) {
        weight[at] += c.load;
        along[at] += c.load * w * per * d.x(), across[at] += c.load * w * per * d.y();
      };
      add(b.first, wa), add(b.second, wb);
    }
    for (int k = 0; k < kBrushes; ++k) {
      const double per = weight[k] > 0 ? 1 / weight[k] : 0;
      u[k] = weight[k] > 0 ? u[k] + per * along[k] : 0;
      u[kBrushes + k] = weight[k] > 0 ? u[kBrushes + k] + per * across[k] : 0;
    }
  }

  void touch_wheel(const Wheel& w, Touch& t, const double* u, SectorContact& pressed,
                   SectorState& state) const {
    const ContactElement& e = w.element;
    const LinkMotion& link = t.motion.link[e.link];
    const Mat3& R = link.X_WL.R;
    const Vec3 v_L = link.V_WL_L.head<3>(), w_L = link.V_WL_L.tail<3>();
    const double spin = t.motion.spin[e.rotor];
    const Mat3 axes = R * e.axes;
    const SectorPose pose{
        link.X_WL * e.hub, axes.col(0), axes.col(1), axes.col(2), R * (v_L + w_L.cross(e.hub)),
        R * w_L,           spin};
    press_sectors(*t.ground.terrain, w.wheel, w.lines, pose, pressed);
    state.count = pressed.count;
    state.rim_speed = w.wheel.radius * (spin + w_L.dot(e.axes.col(1)));
    state.contact = Contact{};
    Contact& sum = state.contact;
    sum.link = e.link, sum.wheel = e.wheel;
    sum.p_W = e.hub - e.radius * e.axes.col(2);
    t.loads.rotor[e.rotor].column.setZero();
    t.loads.rotor[e.rotor].row.setZero();
    if (pressed.count == 0) return;

    std::array<double, 64> of_disk{};
    for (int k = 0; k < pressed.count; ++k) of_disk[pressed.section[k].disk] += pressed.section[k].load;
    Vec3 centre = Vec3::Zero(), normal = Vec3::Zero();
    double loads = 0, most = 0;
    for (int k = 0; k < pressed.count; ++k) {
      const ContactSection& section = pressed.section[k];
      SectionTouch& c = state.section[k];
      const double share = section.load / of_disk[section.disk] / w.wheel.disks;
      const SectionMotion m = section_motion(w.wheel, pose, section);
      c.p = R.transpose() * (section.point - link.X_WL.p);
      c.n = R.transpose() * section.normal, c.t = R.transpose() * m.tangent, c.s = R.transpose() * m.side;
      c.load = section.load, c.depth = section.depth;
      const Vec3 arm = c.p - e.hub;
      c.angle = maths::atan2(e.axes.col(0).dot(arm), -e.axes.col(2).dot(arm));
      c.brush = brush_place(c.angle);
      c.sx = m.rim_speed - m.hub_speed, c.sy = -m.side_speed;
      c.speed = std::max({std::abs(m.rim_speed), std::abs(m.hub_speed), std::abs(m.side_speed)});
      push(w, t, section, share, u, c);
      centre += c.load * c.p, normal += c.load * c.n, loads += c.load;
      sum.force_W += c.load * c.n + c.force.along * c.t + c.force.across * c.s;
      sum.fx += c.force.along, sum.fy += c.force.across;
      sum.depth = std::max(sum.depth, c.depth);
      if (c.load > most) most = c.load, state.hub_speed = m.hub_speed, state.side_speed = m.side_speed;
    }
    sum.touching = true;
    sum.p_W = centre / loads;
    sum.load = normal.norm();
    sum.normal_W = normal / sum.load;
    const Vec3 arm = sum.p_W - e.hub;
    sum.angle = maths::atan2(e.axes.col(0).dot(arm), -e.axes.col(2).dot(arm));
    sum.tilt = maths::asin(std::clamp(e.axes.col(1).dot(sum.normal_W), -1.0, 1.0));
  }

  /// Forces of a section and what they lose by accelerations, onto link and rotor.
  void push(const Wheel& w, Touch& t, const ContactSection& section, double share, const double* u,
            SectionTouch& c) const {
    const ContactElement& e = w.element;
    const StageStep& step = t.step;
    SlipStiffness slip = w.wheel.slip;
    const double friction = friction_at(t.ground, section.point);
    slip.friction_x *= friction, slip.friction_y *= friction;
    const SlipLevel<double> level = slip_level(w.brush, {step.dt, step.theta_slip}, c.brush.mix(u),
                                               c.brush.mix(u + kBrushes), c.sx, c.sy, c.speed);
    c.force = gim_nikravesh(slip, {-level.x, -level.y}, c.load, share);
    // The slope of the curves is never taken as negative: it would drive the solve.
    const SlipForces& f = c.force;
    const double per = level.gain * step.dt;
    const double xx = per * std::min(f.xx, 0.0), yy = per * std::min(f.yy, 0.0);
    const double xy = per * f.xy, yx = per * f.yx;
    const Vec3 force = c.load * c.n + f.along * c.t + f.across * c.s;
    const double mass = step.theta * step.dt * (section.damping + 0.5 * step.dt * section.stiffness);
    // Friction yields with the load: at a hard landing that of the step's start is far from the one that
    // acts.
    const Vec3 pushed = c.n + f.x_load * c.t + f.y_load * c.s;
    const Mat3 E = mass * pushed * c.n.transpose() - c.t * (xx * c.t + xy * c.s).transpose() -
                   c.s * (yx * c.t + yy * c.s).transpose();
    LinkLoad& load = t.loads.link[e.link];
    const Mat3 P = skew(c.p), EP = E * P;
    load.wrench.head<3>() += force;
    load.wrench.tail<3>() += c.p.cross(force);
    load.apparent.topLeftCorner<3, 3>() += E;
    load.apparent.topRightCorner<3, 3>() -= EP;
    load.apparent.bottomLeftCorner<3, 3>() += P * E;
    load.apparent.bottomRightCorner<3, 3>() -= P * EP;
    // About the axle: what acts along the rim, at its arm.
    RotorLoad& rotor = t.loads.rotor[e.rotor];
    const double arm = -e.axes.col(1).dot((c.p - e.hub).cross(c.t)), r = w.wheel.radius;
    const Vec3 column = r * (xx * c.t + yx * c.s),
               row = arm * (xx * c.t + xy * c.s - (mass * f.x_load) * c.n);
    rotor.torque -= arm * f.along;
    rotor.apparent -= arm * r * xx;
    rotor.column.head<3>() += column;
    rotor.column.tail<3>() += c.p.cross(column);
    rotor.row.head<3>() += row;
    rotor.row.tail<3>() += c.p.cross(row);
  }

  std::vector<Wheel> wheels_;
};

}  // namespace

ContactKind sectors_kind() {
  return {"sectors", "disks of sectors, whose width is felt; no suspension of its own (Yokokohji 2002)", true,
          read_sectors, [](std::span<const ContactElement> elements, SeenPlaces& seen) {
            return std::make_unique<SectorWheels>(elements, seen);
          }};
}

}  // namespace scree
