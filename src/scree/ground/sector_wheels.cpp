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
#include <type_traits>

#include "scree/core/maths.hpp"
#include "scree/ground/contact.hpp"
#include "scree/ground/sectors.hpp"
#include "scree/ground/slip.hpp"
#include "scree/ground/wheel.hpp"

namespace scree {
namespace {

using namespace lane;

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

/// Which two brushes each of four sections lies between, and how near to the second.
struct BrushPlaces {
  int first[kLanes], second[kLanes];
  Lanes share;
  Lanes mix(const double* u) const {
    const Lanes a{u[first[0]], u[first[1]], u[first[2]], u[first[3]]};
    const Lanes b{u[second[0]], u[second[1]], u[second[2]], u[second[3]]};
    return a + share * (b - a);
  }
};

/// For places ahead of the axle and below it [m].
BrushPlaces brush_places(Lanes ahead, Lanes below) {
  const Mask upper = below < Lanes{};
  const Lanes half_turn = select(upper, with_sign(lanes(kPi), ahead), Lanes{});
  const Lanes angle = half_turn + arc_tangent(ahead / below);
  const Lanes at = angle * (1 / kBrushAngle) + kBrushes;  // in [kBrushes/2, 3/2 kBrushes]
  const auto wrapped = [](int i) { return i < kBrushes ? i : i - kBrushes; };
  BrushPlaces out;
  for (int k = 0; k < kLanes; ++k) {
    const int low = static_cast<int>(at[k]);
    out.first[k] = wrapped(low), out.second[k] = wrapped(low + 1);
    out.share[k] = at[k] - low;
  }
  return out;
}

/// Four sections as the step sees them.
struct SectionTouch {
  V3<Lanes> p, t, s;  ///< place, along, across; link axes
  BrushPlaces brush;
  Lanes sx, sy, speed;  ///< slip velocities [m/s]
  Lanes load;
};

struct SectorState {
  int packs = 0;
  std::array<SectionTouch, kMostSections / kLanes> pack;
  double rim_speed = 0;
  double side_speed = 0, hub_speed = 0;  ///< of the section with most load [m/s]
  Contact contact;                       ///< link axes where it says W
};

struct SectorScratch : ContactScratch {
  explicit SectorScratch(std::size_t wheels) : wheel(wheels) {}
  std::vector<SectorState> wheel;
  std::vector<SectorRoom> room;
  SectorContact pressed;
};

/// A direction at a point as a wrench, (d; p x d), of four sections.
struct WrenchLanes {
  Lanes at[6];
  WrenchLanes(const V3<Lanes>& d, const V3<Lanes>& p) {
    const V3<Lanes> moment = cross(p, d);
    at[0] = d.x, at[1] = d.y, at[2] = d.z, at[3] = moment.x, at[4] = moment.y, at[5] = moment.z;
  }
};

/// Whether four sections are the first of a sum: these are written, with the bits of a sum with zero;
/// clearing all sums beforehand was a tenth of the instructions of the forces.
using First = std::true_type;
using Further = std::false_type;
inline void sum_up(First, Lanes& sum, Lanes x) { sum = Lanes{} + x; }
inline void sum_up(Further, Lanes& sum, Lanes x) { sum += x; }
template <class Order>
inline void sum_up(Order order, Lanes (&sum)[3], const V3<Lanes>& x) {
  sum_up(order, sum[0], x.x), sum_up(order, sum[1], x.y), sum_up(order, sum[2], x.z);
}

/// Forces of the sections of a wheel and what they lose by accelerations, added up section by section.
struct SectorSums {
  Lanes wrench[6], column[6], row[6];
  Lanes apparent[6][6];  ///< [column][row]
  Lanes torque, rotor;

  void give(LinkLoad& link, RotorLoad& rotor_load) const {
    for (int j = 0; j < 6; ++j) add4(&link.apparent(0, j), apparent[j]);
    for (int j = 0; j < 6; j += 2) {
      const Lanes last = sums(apparent[j][4], apparent[j][5], apparent[j + 1][4], apparent[j + 1][5]);
      link.apparent(4, j) += last[0], link.apparent(5, j) += last[1];
      link.apparent(4, j + 1) += last[2], link.apparent(5, j + 1) += last[3];
    }
    add4(&link.wrench[0], wrench), add4(&rotor_load.column[0], column), add4(&rotor_load.row[0], row);
    const Lanes more = sums(wrench[4], wrench[5], torque, rotor),
                last = sums(column[4], column[5], row[4], row[5]);
    link.wrench[4] += more[0], link.wrench[5] += more[1];
    rotor_load.torque += more[2], rotor_load.apparent += more[3];
    rotor_load.column[4] += last[0], rotor_load.column[5] += last[1];
    rotor_load.row[4] += last[2], rotor_load.row[5] += last[3];
  }

 private:
  static void add4(double* to, const Lanes* rows) {
    store(to, load(to) + sums(rows[0], rows[1], rows[2], rows[3]));
  }
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
    auto s = std::make_unique<SectorScratch>(wheels_.size());
    for (const Wheel& w : wheels_) s->room.emplace_back(w.wheel);
    return s;
  }

  void touch(Touch& t, const double* memory, ContactScratch& scratch) const override {
    auto& s = static_cast<SectorScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const Wheel& w = wheels_[i];
      SectorState& state = s.wheel[i];
      touch_wheel(w, t, memory + kBrushMemory * i, s.room[i], s.pressed, state);
      SeenGround& seen = t.seen[w.seen];
      lane::set_lane(seen.point, w.lane, state.contact.p_W);
      const bool touching = state.contact.touching;
      seen.seen[w.lane] = touching ? -1 : 0;
      t.report.touching += touching;
      t.report.gap = std::min(t.report.gap, touching ? -state.contact.depth : w.wheel.radius);
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
      const SlipBrush<Lanes> brush{lanes(w.brush.per_length), lanes(w.brush.damping_time)};
      follow(s.wheel[i], memory + kBrushMemory * i, [&](const SectionTouch& c, Lanes ux, Lanes uy) {
        const V3<Lanes> a = spread<Lanes>(linear) + cross(spread<Lanes>(angular), c.p);
        const Lanes sx = c.sx + step.dt * (w.wheel.radius * spin - dot(c.t, a));
        const Lanes sy = c.sy - step.dt * dot(c.s, a);
        return Change{brush_next(brush, slip, ux, c.sx, sx, c.speed) - ux,
                      brush_next(brush, slip, uy, c.sy, sy, c.speed) - uy};
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
      follow(s.wheel[i], after.data(), [&](const SectionTouch& c, Lanes ux, Lanes uy) {
        return Change{c.sx - c.speed * per_length * ux, c.sy - c.speed * per_length * uy};
      });
      for (int k = 0; k < kBrushMemory; ++k) rates[kBrushMemory * i + k] = after[k] - u[k];
    }
  }

  /// Brushes that meet nothing are at rest.
  void settle(const ContactScratch& scratch, double* memory) const override {
    const auto& s = static_cast<const SectorScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i)
      follow(s.wheel[i], memory + kBrushMemory * i, [](const SectionTouch&, Lanes, Lanes) {
        return Change{Lanes{}, Lanes{}};
      });
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
      const Mat3& axes = w.element.axes;
      const Vec3 arm = state.contact.p_W - w.element.hub;
      c.angle = maths::atan2(axes.col(0).dot(arm), -axes.col(2).dot(arm));
      c.tilt = maths::asin(std::clamp(axes.col(1).dot(state.contact.normal_W), -1.0, 1.0));
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

  /// Of the deflections along and across.
  struct Change {
    Lanes along, across;
  };

  /// Gives each brush what the sections beside it add, `change(sections, u_x, u_y)`, weighted by load;
  /// brushes beside none are at rest.
  template <class Changes>
  static void follow(const SectorState& state, double* u, const Changes& change) {
    double weight[kBrushes]{}, along[kBrushes]{}, across[kBrushes]{};
    for (int i = 0; i < state.packs; ++i) {
      const SectionTouch& c = state.pack[i];
      const BrushPlaces& b = c.brush;
      const Lanes wa = 1.0 - b.share, wb = b.share, per = c.load / (wa * wa + wb * wb);
      const Change d = change(c, b.mix(u), b.mix(u + kBrushes));
      const Lanes x = per * d.along, y = per * d.across, ax = wa * x, ay = wa * y, bx = wb * x, by = wb * y;
      for (int k = 0; k < kLanes; ++k) {
        const int first = b.first[k], second = b.second[k];
        weight[first] += c.load[k], along[first] += ax[k], across[first] += ay[k];
        weight[second] += c.load[k], along[second] += bx[k], across[second] += by[k];
      }
    }
    static_assert(kBrushes % kLanes == 0);
    for (int k = 0; k < kBrushes; k += kLanes) {
      const Lanes sum = load(weight + k);
      const Mask beside = sum > Lanes{};
      const Lanes per = 1.0 / select(beside, sum, lanes(1));
      double *x = u + k, *y = u + kBrushes + k;
      store(x, select(beside, load(x) + per * load(along + k), Lanes{}));
      store(y, select(beside, load(y) + per * load(across + k), Lanes{}));
    }
  }

  void touch_wheel(const Wheel& w, Touch& t, const double* u, SectorRoom& room, SectorContact& pressed,
                   SectorState& state) const {
    const ContactElement& e = w.element;
    const LinkMotion& link = t.motion.link[e.link];
    const Mat3& R = link.X_WL.R;
    // On the link, and in the world.
    const Vec3 v_L = link.V_WL_L.head<3>(), w_L = link.V_WL_L.tail<3>();
    const SectorPose on_link{
        e.hub, e.axes.col(0),         e.axes.col(1), e.axes.col(2), v_L + w_L.cross(e.hub),
        w_L,   t.motion.spin[e.rotor]};
    const Mat3 axes = R * e.axes;
    const SectorPose pose{link.X_WL * e.hub, axes.col(0), axes.col(1), axes.col(2),
                          R * on_link.v,     R * w_L,     on_link.spin};
    room.move(*t.ground.terrain, t.ground.slope_bound, w.wheel, pose);
    press_sectors(*t.ground.terrain, w.wheel, w.lines, pose, room, pressed);
    state.packs = pressed.packs();
    state.rim_speed = w.wheel.radius * (on_link.spin + w_L.dot(e.axes.col(1)));
    Contact& sum = state.contact = Contact{};
    sum.link = e.link, sum.wheel = e.wheel;
    sum.p_W = e.hub - e.radius * e.axes.col(2);
    t.loads.rotor[e.rotor].column.setZero();
    t.loads.rotor[e.rotor].row.setZero();
    if (pressed.count > 0) push_wheel(w, t, u, on_link, pressed, state);
  }

  /// Sections that press, four by four: their forces onto link and rotor, and what the wheel shows of them.
  void push_wheel(const Wheel& w, Touch& t, const double* u, const SectorPose& on_link,
                  const SectorContact& pressed, SectorState& state) const {
    std::array<double, 64> of_disk;
    std::fill_n(of_disk.begin(), w.wheel.disks, 0.0);
    for (int k = 0; k < pressed.count; ++k)
      of_disk[pressed.pack[k / kLanes].disk[k % kLanes]] += pressed.pack[k / kLanes].load[k % kLanes];
    SectorSums sums;
    SectionSums shown;
    double most = 0;
    for (int i = 0; i < state.packs; ++i) {
      const SectionPack& section = pressed.pack[i];
      SectionTouch& c = state.pack[i];
      const V3<Lanes> n = to_link(t.motion.link[w.element.link].X_WL.R, section.normal),
                      arm = to_link(t.motion.link[w.element.link].X_WL.R, section.arm);
      const SectionMotion<Lanes> m = section_motion(w.wheel, on_link, n, arm);
      c.p = spread<Lanes>(on_link.centre) + arm, c.t = m.tangent, c.s = m.side;
      c.load = section.load;
      c.brush = brush_places(dot(spread<Lanes>(on_link.n), arm), -dot(spread<Lanes>(on_link.b), arm));
      c.sx = m.rim_speed - m.hub_speed, c.sy = -m.side_speed;
      c.speed = max(max(abs(m.rim_speed), abs(m.hub_speed)), abs(m.side_speed));
      const Lanes whole{of_disk[section.disk[0]], of_disk[section.disk[1]], of_disk[section.disk[2]],
                        of_disk[section.disk[3]]};
      const Lanes share = c.load / (w.wheel.disks * select(whole > Lanes{}, whole, lanes(1)));
      for (int k = 0; k < kLanes; ++k)
        if (c.load[k] > most)
          most = c.load[k], state.hub_speed = m.hub_speed[k], state.side_speed = m.side_speed[k];
      if (i == 0) {
        shown.add(First{}, section, n, c, push(First{}, w, t, section, share, n, u, c, sums));
      } else {
        shown.add(Further{}, section, n, c, push(Further{}, w, t, section, share, n, u, c, sums));
      }
    }
    sums.give(t.loads.link[w.element.link], t.loads.rotor[w.element.rotor]);
    shown.give(state.contact);
  }

  /// What a wheel shows of all its sections.
  struct SectionSums {
    Lanes load, depth, along, across;
    Lanes centre[3], normal[3], force[3];
    template <class Order>
    void add(Order order, const SectionPack& section, const V3<Lanes>& n, const SectionTouch& c,
             const SlipForcesOf<Lanes>& f) {
      const V3<Lanes> push = c.load * n;
      depth = max(Order::value ? Lanes{} : depth, section.depth);
      sum_up(order, load, c.load), sum_up(order, along, f.along), sum_up(order, across, f.across);
      sum_up(order, centre, c.load * c.p), sum_up(order, normal, push), sum_up(order, force, push);
      sum_up(Further{}, force, f.along * c.t), sum_up(Further{}, force, f.across * c.s);
    }
    void give(Contact& out) const {
      const Lanes a = sums(load, along, across, force[0]), b = sums(force[1], force[2], centre[0], centre[1]),
                  c = sums(centre[2], normal[0], normal[1], normal[2]);
      if (!(a[0] > 0)) return;
      out.touching = true;
      out.fx = a[1], out.fy = a[2];
      out.force_W = Vec3(a[3], b[0], b[1]);
      out.p_W = Vec3(b[2], b[3], c[0]) / a[0];
      const Vec3 push(c[1], c[2], c[3]);
      out.load = push.norm();
      out.normal_W = push / out.load;
      out.depth = std::max(std::max(depth[0], depth[1]), std::max(depth[2], depth[3]));
    }
  };

  static V3<Lanes> to_link(const Mat3& R, const V3<Lanes>& v) {
    const auto along = [&](int j) { return R(0, j) * v.x + R(1, j) * v.y + R(2, j) * v.z; };
    return {along(0), along(1), along(2)};
  }

  static Lanes friction_of(const GroundView& ground, const Pose& X, const SectionTouch& c) {
    Lanes out = lanes(ground.friction);
    if (!ground.friction_map) return out;
    for (int k = 0; k < kLanes; ++k) out[k] = friction_at(ground, X * Vec3(c.p.x[k], c.p.y[k], c.p.z[k]));
    return out;
  }

  /// Forces of four sections and what they lose by accelerations.
  template <class Order>
  static SlipForcesOf<Lanes> push(Order order, const Wheel& w, const Touch& t, const SectionPack& section,
                                  Lanes share, const V3<Lanes>& n, const double* u, const SectionTouch& c,
                                  SectorSums& sums) {
    const ContactElement& e = w.element;
    const StageStep& step = t.step;
    const SlipBrush<Lanes> brush{lanes(w.brush.per_length), lanes(w.brush.damping_time)};
    const SlipLevel<Lanes> level = slip_level(brush, {step.dt, step.theta_slip}, c.brush.mix(u),
                                              c.brush.mix(u + kBrushes), c.sx, c.sy, c.speed);
    const Lanes friction = friction_of(t.ground, t.motion.link[e.link].X_WL, c);
    const SlipForcesOf<Lanes> f =
        slip_forces<Lanes>(w.wheel.slip, {-level.x, -level.y}, {c.load, share, friction});
    // The slope of the curves is never taken as negative: it would drive the solve.
    const Lanes per = level.gain * step.dt;
    const Lanes xx = per * min(f.xx, Lanes{}), yy = per * min(f.yy, Lanes{}), xy = per * f.xy,
                yx = per * f.yx;
    const Lanes mass = (step.theta * step.dt) * (section.damping + (0.5 * step.dt) * section.stiffness);
    const WrenchLanes along(c.t, c.p), across(c.s, c.p), normal(n, c.p);
    // About the axle: what acts along the rim, at its arm.
    const V3<Lanes> lever = cross(c.p - spread<Lanes>(e.hub), c.t);
    const Lanes arm = -dot(spread<Lanes>(Vec3(e.axes.col(1))), lever);
    const double r = w.wheel.radius;
    // Friction yields with the load: at a hard landing that of the step's start is far from the one that
    // acts.
    const Lanes x_load = mass * f.x_load, y_load = mass * f.y_load;
    for (int j = 0; j < 6; ++j) {
      const Lanes a = xx * along.at[j] + xy * across.at[j], b = yx * along.at[j] + yy * across.at[j];
      const Lanes on_n = mass * normal.at[j], on_t = x_load * normal.at[j] - a,
                  on_s = y_load * normal.at[j] - b;
      for (int i = 0; i < 6; ++i)
        sum_up(order, sums.apparent[j][i], on_n * normal.at[i] + on_t * along.at[i] + on_s * across.at[i]);
      sum_up(order, sums.wrench[j], c.load * normal.at[j] + f.along * along.at[j] + f.across * across.at[j]);
      sum_up(order, sums.column[j], r * (xx * along.at[j] + yx * across.at[j]));
      sum_up(order, sums.row[j], -(arm * on_t));
    }
    sum_up(order, sums.torque, -(arm * f.along));
    sum_up(order, sums.rotor, -((r * arm) * xx));
    return f;
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
