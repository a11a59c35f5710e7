#include "scree/sim/touch.hpp"

#include <algorithm>
#include <cstring>

#include "scree/mechanism/block6.hpp"
#include "scree/terrain/sample_lanes.hpp"

namespace scree {
namespace {

V3<Lanes> spread(const Vec3& v) { return {lanes(v.x()), lanes(v.y()), lanes(v.z())}; }

void set_lane(V3<Lanes>& to, int lane, const Vec3& v) {
  to.x[lane] = v.x();
  to.y[lane] = v.y();
  to.z[lane] = v.z();
}

/// The values of a pack's rotors, wheel by wheel.
inline Lanes of_rotors(const RobotWheelPack& pack, const double* values) {
  const int* rotor = pack.rotor;
  return Lanes{values[rotor[0]], values[rotor[1]], values[rotor[2]], values[rotor[3]]};
}

WheelMotion wheel_motion(const RobotWheelPack& pack, const Workspace& mechanism) {
  const Lanes spin = of_rotors(pack, mechanism.spin.data());
  if (pack.one_link) {
    const LinkMotion& link = mechanism.link[pack.link[0]];
    const Mat3& R = link.X_WL.R;
    return {spread(link.X_WL.p),
            spread(R.col(0)),
            spread(R.col(1)),
            spread(R.col(2)),
            spread(link.V_WL_L.head<3>()),
            spread(link.V_WL_L.tail<3>()),
            spin};
  }
  WheelMotion m;
  m.spin = spin;
  for (int lane = 0; lane < kLanes; ++lane) {
    const LinkMotion& link = mechanism.link[pack.link[lane]];
    set_lane(m.p, lane, link.X_WL.p);
    set_lane(m.ex, lane, link.X_WL.R.col(0));
    set_lane(m.ey, lane, link.X_WL.R.col(1));
    set_lane(m.ez, lane, link.X_WL.R.col(2));
    set_lane(m.v, lane, link.V_WL_L.head<3>());
    set_lane(m.w, lane, link.V_WL_L.tail<3>());
  }
  return m;
}

/// Element k of a six-vector in lane form, for all wheels.
struct SixLanes {
  Lanes at[6];
};

/// Column j of the 6 x 6 matrix [E, -E [p]; [p] E, -[p] E [p]] of a contact at p: a force column and its
/// moment.
inline SixLanes with_moment(const V3<Lanes>& p, Lanes x, Lanes y, Lanes z) {
  return {{x, y, z, p.y * z - p.z * y, p.z * x - p.x * z, p.x * y - p.y * x}};
}

/// The six columns, then the wrench: what a pack of wheels puts on its links.
struct PackLoad {
  SixLanes column[6];
  SixLanes wrench;
};

inline void pack_load(const WheelPack& pack, const WheelForces& f, PackLoad& out) {
  const V3<Lanes>& p = f.point;
  const V3<Lanes>* E = f.E;
  const V3<Lanes> turned[3] = {cross(p, E[0]), cross(p, E[1]), cross(p, E[2])};  // rows of -E [p]
  out.column[0] = with_moment(p, E[0].x, E[1].x, E[2].x);
  out.column[1] = with_moment(p, E[0].y, E[1].y, E[2].y);
  out.column[2] = with_moment(p, E[0].z, E[1].z, E[2].z);
  out.column[3] = with_moment(p, turned[0].x, turned[1].x, turned[2].x);
  out.column[4] = with_moment(p, turned[0].y, turned[1].y, turned[2].y);
  out.column[5] = with_moment(p, turned[0].z, turned[1].z, turned[2].z);
  // Rolling resistance grows by `rolling_row` times the acceleration of the contact point.
  const V3<Lanes>&linear = f.rolling_row, angular = cross(p, f.rolling_row);
  const Lanes by[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
  for (int j = 0; j < 6; ++j) {
    out.column[j].at[3] += by[j] * pack.a.x;
    out.column[j].at[4] += by[j] * pack.a.y;
    out.column[j].at[5] += by[j] * pack.a.z;
  }
  out.wrench = with_moment(p, f.force.x, f.force.y, f.force.z);
  out.wrench.at[3] -= f.rolling * pack.a.x;
  out.wrench.at[4] -= f.rolling * pack.a.y;
  out.wrench.at[5] -= f.rolling * pack.a.z;
}

// The solve loads six-vectors as four and two: they are written the same way, so that what was just stored
// can be forwarded to the load.
using block6::Pair;
inline Pair low_half(Lanes x) { return Pair{x[0], x[1]}; }
inline Pair high_half(Lanes x) { return Pair{x[2], x[3]}; }
inline void store2(double* to, Pair x) { std::memcpy(to, &x, sizeof x); }
inline void add4(double* to, Lanes x) { store(to, load(to) + x); }
inline void add2(double* to, Pair x) {
  Pair sum;
  std::memcpy(&sum, to, sizeof sum);
  store2(to, sum + x);
}

/// All wheels hang on one link: the sum of their loads.
inline void add_to_one_link(const PackLoad& pack, LinkLoad& load) {
  double* A = load.apparent.data();  // column by column
  const SixLanes* c = pack.column;
  for (int j = 0; j < 6; ++j) add4(A + 6 * j, sums(c[j].at[0], c[j].at[1], c[j].at[2], c[j].at[3]));
  for (int j = 0; j < 6; j += 2) {
    const Lanes tails = sums(c[j].at[4], c[j].at[5], c[j + 1].at[4], c[j + 1].at[5]);
    add2(A + 6 * j + 4, low_half(tails));
    add2(A + 6 * j + 10, high_half(tails));
  }
  const Lanes* w = pack.wrench.at;
  add4(load.wrench.data(), sums(w[0], w[1], w[2], w[3]));
  add2(load.wrench.data() + 4, low_half(sums(w[4], w[5], Lanes{}, Lanes{})));
}

void add_to_links(const RobotWheelPack& pack, const PackLoad& load, Workspace& mechanism) {
  const auto add = [&](const SixLanes& six, int offset, bool wrench) {
    const LaneRows heads = transpose(six.at[0], six.at[1], six.at[2], six.at[3]);
    for (int lane = 0; lane < pack.pack.count; ++lane) {
      LinkLoad& link = mechanism.link_load[pack.link[lane]];
      double* to = wrench ? link.wrench.data() : link.apparent.data() + offset;
      add4(to, heads.row[lane]);
      add2(to + 4, Pair{six.at[4][lane], six.at[5][lane]});
    }
  };
  for (int j = 0; j < 6; ++j) add(load.column[j], 6 * j, false);
  add(load.wrench, 0, true);
}

void add_to_rotors(const RobotWheelPack& pack, const WheelForces& f, Workspace& mechanism) {
  const V3<Lanes> column_turn = cross(f.point, f.column), row_turn = cross(f.point, f.row);
  const Lanes torque = -pack.pack.radius * f.fx - f.rolling;
  const LaneRows column = transpose(f.column.x, f.column.y, f.column.z, column_turn.x);
  const LaneRows row = transpose(f.row.x, f.row.y, f.row.z, row_turn.x);
  const LaneRows tails = transpose(column_turn.y, column_turn.z, row_turn.y, row_turn.z);
  for (int lane = 0; lane < pack.pack.count; ++lane) {
    RotorLoad& load = mechanism.rotor_load[pack.rotor[lane]];
    store(load.column.data(), column.row[lane]);
    store2(load.column.data() + 4, low_half(tails.row[lane]));
    store(load.row.data(), row.row[lane]);
    store2(load.row.data() + 4, high_half(tails.row[lane]));
    load.torque += torque[lane];
    load.apparent += f.diagonal[lane];
  }
}

Rectangle around(const Vec3& p, double reach) {
  return {p.x() - reach, p.x() + reach, p.y() - reach, p.y() + reach};
}

/// Whether hull points may be below the ground, as seen from the wheels beside them: the ground at a point d
/// away from a contact is no higher than that contact plus slope bound x distance. Squared, with the height
/// d_z above the contact and slope bound S: clear where d_z > 0 and d_z² (1 + S²) > S² d².
inline bool may_touch(const HullPack& pack, const WheelForces& f, const Mat3& R, double slope_bound) {
  constexpr double kMargin = 1e-3;  // m: contacts are found to better than this
  const V3<Lanes> d = pack.p - f.point;
  const Lanes up = R(2, 0) * d.x + R(2, 1) * d.y + R(2, 2) * d.z - kMargin;
  const double squared = slope_bound * slope_bound;
  const Mask clear = f.seen & (up > Lanes{}) & (up * up * (1 + squared) > squared * dot(d, d));
  return !all(clear | ~pack.active);
}

/// Whether any hull point is below the ground: all points at once, before anything is computed for one.
bool hull_touches(const World& world, const RobotModel& model, const RobotScratch& s, double slope_bound) {
  for (const HullPack& pack : model.hull_packs()) {
    const Pose& X = s.mechanism.link[pack.link].X_WL;
    if (pack.wheels >= 0 && !may_touch(pack, s.wheels[pack.wheels], X.R, slope_bound)) continue;
    const auto row = [&](int i) {
      return X.p[i] + X.R(i, 0) * pack.p.x + X.R(i, 1) * pack.p.y + X.R(i, 2) * pack.p.z;
    };
    const LanesPoint ground =
        with_sampler(world.terrain(), [&](const auto& sample) { return sample(row(0), row(1)); });
    if (any(row(2) < ground.z)) return true;
  }
  return false;
}

void touch_hull_points(const World& world, const RobotModel& model, const RobotBlock& block,
                       const StageStep& step, RobotScratch& s) {
  Workspace& mechanism = s.mechanism;
  for (std::size_t i = 0; i < model.hull().size(); ++i) {
    const HullPoint& point = model.hull()[i];
    const LinkMotion& link = mechanism.link[point.link];
    const Vec3 v_L = link.V_WL_L.head<3>(), w_L = link.V_WL_L.tail<3>();
    s.hull_motion[i] = {link.X_WL * point.p, link.X_WL.R * (v_L + w_L.cross(point.p))};
    const Vec3 e = Eigen::Map<const Vec3>(block.hull + 3 * i);
    s.hull[i] =
        touch_hull(model.settings().hull.contact, world.terrain(), s.hull_motion[i], e, step.dt, step.theta);
    if (!s.hull[i].touching) continue;
    const Mat3& R = link.X_WL.R;
    const Vec3 force = R.transpose() * s.hull[i].force;
    const Mat3 E = R.transpose() * s.hull[i].E * R, P = skew(point.p);
    LinkLoad& load = mechanism.link_load[point.link];
    load.wrench.head<3>() += force;
    load.wrench.tail<3>() += point.p.cross(force);
    load.apparent.topLeftCorner<3, 3>() += E;
    load.apparent.topRightCorner<3, 3>() -= E * P;
    load.apparent.bottomLeftCorner<3, 3>() += P * E;
    load.apparent.bottomRightCorner<3, 3>() -= P * E * P;
  }
}

WheelStep wheel_step(const StageStep& step) {
  return {step.dt, step.theta, step.theta_slip, step.load_passes};
}

WheelMemory load_memory(const double* m) {
  return {load(m), load(m + kLanes), load(m + 2 * kLanes), load(m + 3 * kLanes)};
}

}  // namespace

void touch(const World& world, const RobotModel& model, const RobotBlock& block, const StageStep& step,
           RobotScratch& s) {
  Workspace& mechanism = s.mechanism;
  const Vec3& p_WB = mechanism.link[0].X_WL.p;
  WheelGround ground;
  ground.terrain = &world.terrain();
  ground.slices = &world.slices();
  ground.slope_bound = world.terrain().slope_bound(around(p_WB, model.reach()));
  ground.looks = search_looks(ground.slope_bound);
  ground.friction = world.friction();
  ground.friction_map = world.friction_map();
  for (std::size_t k = 0; k < model.packs().size(); ++k) {
    const RobotWheelPack& pack = model.packs()[k];
    const WheelMemory memory = load_memory(block.wheels + kWheelMemory * kLanes * k);
    touch_wheels(pack.pack, wheel_motion(pack, mechanism), memory, ground, wheel_step(step), s.wheels[k]);
    PackLoad load;
    pack_load(pack.pack, s.wheels[k], load);
    if (pack.one_link) {
      add_to_one_link(load, mechanism.link_load[pack.link[0]]);
    } else {
      add_to_links(pack, load, mechanism);
    }
    add_to_rotors(pack, s.wheels[k], mechanism);
  }
  s.hull_near = hull_touches(world, model, s, ground.slope_bound);
  if (s.hull_near) touch_hull_points(world, model, block, step, s);
}

void finish_touch(const RobotModel& model, const StageStep& step, RobotScratch& s, RobotBlock& block) {
  const Workspace& mechanism = s.mechanism;
  for (std::size_t k = 0; k < model.packs().size(); ++k) {
    const RobotWheelPack& pack = model.packs()[k];
    const Lanes spin = of_rotors(pack, s.acceleration.data() + model.tree().rotor_velocity());
    V3<Lanes> linear, angular;
    if (pack.one_link) {
      const Vec6& u = mechanism.factor[pack.link[0]].u;
      linear = {lanes(u[0]), lanes(u[1]), lanes(u[2])}, angular = {lanes(u[3]), lanes(u[4]), lanes(u[5])};
    } else {
      for (int lane = 0; lane < kLanes; ++lane) {
        const Vec6& u = mechanism.factor[pack.link[lane]].u;
        set_lane(linear, lane, u.head<3>());
        set_lane(angular, lane, u.tail<3>());
      }
    }
    const V3<Lanes> point = linear + cross(angular, s.wheels[k].point);
    double* m = block.wheels + kWheelMemory * kLanes * k;
    WheelMemory memory = load_memory(m);
    finish_wheels(pack.pack, s.wheels[k], point, angular, spin, wheel_step(step), memory);
    store(m, memory.ux);
    store(m + kLanes, memory.uy);
    store(m + 2 * kLanes, memory.mu);
    store(m + 3 * kLanes, memory.h);
  }
  if (!s.hull_near) {
    std::fill_n(block.hull, 3 * model.hull().size(), 0.0);
    return;
  }
  for (std::size_t i = 0; i < model.hull().size(); ++i) {
    const HullPoint& point = model.hull()[i];
    const LinkMotion& link = mechanism.link[point.link];
    const Vec6& u = mechanism.factor[point.link].u;
    const Vec3 a_L = u.head<3>() + Vec3(u.tail<3>()).cross(point.p);
    const Vec3 v_new = s.hull_motion[i].v_W + step.dt * (link.X_WL.R * a_L);
    Eigen::Map<Vec3> e(block.hull + 3 * i);
    e = finish_hull(model.settings().hull.contact, s.hull[i], s.hull_motion[i], v_new, e, step.dt);
  }
}

void touch_rates(const RobotModel& model, const RobotScratch& s, const RobotBlock& block, RobotBlock& rates) {
  for (std::size_t k = 0; k < model.packs().size(); ++k) {
    const std::size_t at = kWheelMemory * kLanes * k;
    Lanes ux, uy;
    wheel_rates(model.packs()[k].pack, s.wheels[k], load_memory(block.wheels + at), ux, uy);
    store(rates.wheels + at, ux);
    store(rates.wheels + at + kLanes, uy);
    store(rates.wheels + at + 2 * kLanes, Lanes{});
    store(rates.wheels + at + 3 * kLanes, Lanes{});
  }
  for (std::size_t i = 0; i < model.hull().size(); ++i) {
    const Vec3 e = Eigen::Map<const Vec3>(block.hull + 3 * i);
    const HullForce f = s.hull_near ? s.hull[i] : HullForce{};
    Eigen::Map<Vec3>(rates.hull + 3 * i) = hull_rate(model.settings().hull.contact, f, s.hull_motion[i], e);
  }
}

}  // namespace scree
