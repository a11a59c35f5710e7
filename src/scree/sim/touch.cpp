#include "scree/sim/touch.hpp"

#include <algorithm>

namespace scree {
namespace {

V3<Lanes> spread(const Vec3& v) { return {lanes(v.x()), lanes(v.y()), lanes(v.z())}; }

void set_lane(V3<Lanes>& to, int lane, const Vec3& v) {
  to.x[lane] = v.x();
  to.y[lane] = v.y();
  to.z[lane] = v.z();
}
Vec3 lane_of(const V3<Lanes>& v, int lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }

WheelMotion wheel_motion(const RobotWheelPack& pack, const Workspace& mechanism) {
  WheelMotion m{};
  for (int lane = 0; lane < kLanes; ++lane) m.spin[lane] = mechanism.spin[pack.rotor[lane]];
  if (pack.one_link) {
    const LinkMotion& link = mechanism.link[pack.link[0]];
    m.p = spread(link.X_WL.p);
    m.ex = spread(link.X_WL.R.col(0));
    m.ey = spread(link.X_WL.R.col(1));
    m.ez = spread(link.X_WL.R.col(2));
    m.v = spread(link.V_WL_L.head<3>());
    m.w = spread(link.V_WL_L.tail<3>());
    return m;
  }
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

/// The 6 x 6 matrix [E, -E [p]; [p] E, -[p] E [p]] of a contact at p, by rows, and its wrench: all lanes.
struct LinkRows {
  Lanes matrix[6][6];
  Lanes wrench[6];
};

inline void put(Lanes (&row)[6], int at, const V3<Lanes>& v) {
  row[at] = v.x;
  row[at + 1] = v.y;
  row[at + 2] = v.z;
}

LinkRows link_rows(const WheelPack& pack, const WheelForces& f) {
  LinkRows out;
  const V3<Lanes>& p = f.point;
  V3<Lanes> turned[3];  // rows of -E [p]
  for (int i = 0; i < 3; ++i) turned[i] = cross(p, f.E[i]);
  for (int i = 0; i < 3; ++i) {
    put(out.matrix[i], 0, f.E[i]);
    put(out.matrix[i], 3, turned[i]);
  }
  const auto turn_rows = [&](const V3<Lanes>(&rows)[3], int at) {  // rows of [p] times a matrix
    put(out.matrix[3], at, p.y * rows[2] - p.z * rows[1]);
    put(out.matrix[4], at, p.z * rows[0] - p.x * rows[2]);
    put(out.matrix[5], at, p.x * rows[1] - p.y * rows[0]);
  };
  turn_rows(f.E, 0);
  turn_rows(turned, 3);
  put(out.wrench, 0, f.force);
  put(out.wrench, 3, cross(p, f.force) - f.rolling * pack.a);
  return out;
}

void add_to_one_link(const LinkRows& rows, LinkLoad& load) {
  double* A = load.apparent.data();  // column by column
  alignas(32) double column[8];
  for (int j = 0; j < 6; ++j) {
    store(column, sums(rows.matrix[0][j], rows.matrix[1][j], rows.matrix[2][j], rows.matrix[3][j]));
    store(column + 4, sums(rows.matrix[4][j], rows.matrix[5][j], Lanes{}, Lanes{}));
    for (int i = 0; i < 6; ++i) A[6 * j + i] += column[i];
  }
  for (int i = 0; i < 6; ++i) load.wrench[i] += sum(rows.wrench[i]);
}

void add_to_links(const RobotWheelPack& pack, const LinkRows& rows, Workspace& mechanism) {
  for (int lane = 0; lane < pack.pack.count; ++lane) {
    LinkLoad& load = mechanism.link_load[pack.link[lane]];
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) load.apparent(i, j) += rows.matrix[i][j][lane];
      load.wrench[i] += rows.wrench[i][lane];
    }
  }
}

void add_to_rotors(const RobotWheelPack& pack, const WheelForces& f, Workspace& mechanism) {
  const V3<Lanes> column_turn = cross(f.point, f.column), row_turn = cross(f.point, f.row);
  const Lanes torque = -pack.pack.radius * f.fx - f.rolling;
  for (int lane = 0; lane < pack.pack.count; ++lane) {
    RotorLoad& load = mechanism.rotor_load[pack.rotor[lane]];
    load.column << lane_of(f.column, lane), lane_of(column_turn, lane);
    load.row << lane_of(f.row, lane), lane_of(row_turn, lane);
    load.torque += torque[lane];
    load.apparent += f.diagonal[lane];
  }
}

Rectangle around(const Vec3& p, double reach) {
  return {p.x() - reach, p.x() + reach, p.y() - reach, p.y() + reach};
}

/// Whether any hull point is below the ground: all points at once, before anything is computed for one.
bool hull_touches(const World& world, const RobotModel& model, const Workspace& mechanism) {
  alignas(32) double x[kLanes], y[kLanes], z[kLanes], gx[kLanes], gy[kLanes];
  for (const HullPack& pack : model.hull_packs()) {
    const Pose& X = mechanism.link[pack.link].X_WL;
    const auto row = [&](int i) {
      return X.p[i] + X.R(i, 0) * pack.p.x + X.R(i, 1) * pack.p.y + X.R(i, 2) * pack.p.z;
    };
    store(x, row(0));
    store(y, row(1));
    world.terrain().sample({kLanes, x, y, z, gx, gy});
    if (any(row(2) < load(z))) return true;
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

WheelMemory load_memory(const double* m) { return {load(m), load(m + kLanes), load(m + 2 * kLanes)}; }

}  // namespace

void touch(const World& world, const RobotModel& model, const RobotBlock& block, const StageStep& step,
           RobotScratch& s) {
  Workspace& mechanism = s.mechanism;
  const Vec3& p_WB = mechanism.link[0].X_WL.p;
  WheelGround ground;
  ground.terrain = &world.terrain();
  ground.slices = &world.slices();
  ground.slope_bound = world.terrain().slope_bound(around(p_WB, model.reach()));
  const double cell = world.terrain().cell();
  ground.passes = cell > 0 && cell < model.smallest_radius() ? 2 : 1;
  ground.friction = world.friction();
  ground.friction_map = world.friction_map();
  for (std::size_t k = 0; k < model.packs().size(); ++k) {
    const RobotWheelPack& pack = model.packs()[k];
    const WheelMemory memory = load_memory(block.wheels + 3 * kLanes * k);
    touch_wheels(pack.pack, wheel_motion(pack, mechanism), memory, ground, wheel_step(step), s.wheels[k]);
    const LinkRows rows = link_rows(pack.pack, s.wheels[k]);
    if (pack.one_link) {
      add_to_one_link(rows, mechanism.link_load[pack.link[0]]);
    } else {
      add_to_links(pack, rows, mechanism);
    }
    add_to_rotors(pack, s.wheels[k], mechanism);
  }
  s.hull_near = hull_touches(world, model, mechanism);
  if (s.hull_near) touch_hull_points(world, model, block, step, s);
}

void finish_touch(const RobotModel& model, const StageStep& step, RobotScratch& s, RobotBlock& block) {
  const Workspace& mechanism = s.mechanism;
  for (std::size_t k = 0; k < model.packs().size(); ++k) {
    const RobotWheelPack& pack = model.packs()[k];
    alignas(32) double u[6][kLanes], spin[kLanes];
    const int rotors = model.tree().rotor_velocity();
    for (int lane = 0; lane < kLanes; ++lane) {
      const Vec6& link = mechanism.factor[pack.link[lane]].u;
      for (int i = 0; i < 6; ++i) u[i][lane] = link[i];
      spin[lane] = s.acceleration[rotors + pack.rotor[lane]];
    }
    const V3<Lanes> linear{load(u[0]), load(u[1]), load(u[2])}, angular{load(u[3]), load(u[4]), load(u[5])};
    const V3<Lanes> point = linear + cross(angular, s.wheels[k].point);
    double* m = block.wheels + 3 * kLanes * k;
    WheelMemory memory = load_memory(m);
    finish_wheels(pack.pack, s.wheels[k], point, load(spin), wheel_step(step), memory);
    store(m, memory.ux);
    store(m + kLanes, memory.uy);
    store(m + 2 * kLanes, memory.mu);
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
    const std::size_t at = 3 * kLanes * k;
    Lanes ux, uy;
    wheel_rates(model.packs()[k].pack, s.wheels[k], load_memory(block.wheels + at), ux, uy);
    store(rates.wheels + at, ux);
    store(rates.wheels + at + kLanes, uy);
    store(rates.wheels + at + 2 * kLanes, Lanes{});
  }
  for (std::size_t i = 0; i < model.hull().size(); ++i) {
    const Vec3 e = Eigen::Map<const Vec3>(block.hull + 3 * i);
    const HullForce f = s.hull_near ? s.hull[i] : HullForce{};
    Eigen::Map<Vec3>(rates.hull + 3 * i) = hull_rate(model.settings().hull.contact, f, s.hull_motion[i], e);
  }
}

}  // namespace scree
