#pragma once
/// A wheel on soil that deforms, held at a heading and driven at given speeds; it weighs its load and moves
/// up and down by itself. Beside the simulation: its own step, no mechanism.
#include <cmath>
#include <functional>

#include "scree/ground/soil_cells.hpp"
#include "scree/terrain/flat.hpp"

namespace scree {

struct CellBedSettings {
  SoilNumbers soil;
  SoilWheel wheel{0.125, 0.1, 0, 1};
  double load = 100;   ///< N
  double cell = 0.02;  ///< m
  double speed = 0.1;  ///< of the faster of rim and hub [m/s]
  double slip = 0, slip_angle = 0, yaw = 0;
  double dt = 1e-3;
  bool bulldozing = false;
  double gravity = 9.81;
  double compaction = 0;
};

struct CellBedMean {
  double sinkage = 0, drawbar = 0, side = 0, torque = 0, load = 0,
         ripple = 0;  ///< ripple: std of load / mean
  double drawbar_ripple = 0;
};

class CellBed {
 public:
  explicit CellBed(const CellBedSettings& s, const Terrain* ground = nullptr)
      : x(s),
        terrain(ground ? ground : &flat_),
        tiles(s.cell, 1000),
        rim(s.wheel.radius, s.wheel.width, s.cell),
        law(s.soil, s.wheel, s.gravity, true) {
    wheel.wheel = s.wheel;
    touch.prepare(rim);
    hub = Vec3(0.003, 0.004, s.wheel.radius + terrain->height(0.003, 0.004));
    set(s.slip, s.slip_angle);
  }

  void set(double slip, double slip_angle) {
    const double U = slip >= 0 ? x.speed : x.speed * (1 + slip),
                 V = slip >= 0 ? x.speed * (1 - slip) : x.speed;
    spin = U / x.wheel.shear_radius();
    forward = V, sideways = V * std::tan(slip_angle);
  }

  /// A step with the hub free to move up and down.
  void step(bool fixed_height = false) {
    const double dt = x.dt, c = std::cos(x.yaw), s = std::sin(x.yaw);
    const Vec3 f(c, s, 0), a(-s, c, 0);
    Vec3 v = forward * f + sideways * a;
    v.z() = fixed_height ? 0 : vz;
    hub += 0.5 * dt * v;
    touch_cells(wheel, rim, law, {hub, a, v, Vec3::Zero(), spin}, memory, {dt, 0.5, 0.5}, tiles, *terrain,
                window, touch);
    const double mass = x.load / x.gravity;
    const double apparent =
        0.25 * dt * dt * touch.depth_stiffness[1][1] + 0.5 * dt * touch.depth_damping[1][1];
    const double acceleration = fixed_height ? 0 : (touch.force[2] - x.load) / (mass + apparent);
    finish_cells(wheel, rim, law, touch, touch.v + 0.5 * dt * Vec3(0, 0, acceleration), touch.w, spin, dt,
                 memory);
    vz += dt * acceleration;
    v.z() = fixed_height ? 0 : vz;
    hub += 0.5 * dt * v;
    print_wheel(wheel, touch, {x.bulldozing, x.compaction, law.repose, law.stands, 0}, *terrain, tiles, room,
                memory);
  }

  /// Rolls on by a way and takes means over the last part of it.
  CellBedMean roll(double way, double measured_share = 0.4) {
    const double faster = std::max(std::abs(forward), std::abs(spin) * x.wheel.shear_radius());
    const int steps = static_cast<int>(way / (faster * x.dt));
    CellBedMean m;
    double square = 0, drawbar_square = 0;
    int count = 0;
    for (int i = 0; i < steps; ++i) {
      step();
      if (i < (1 - measured_share) * steps) continue;
      ++count;
      m.sinkage += touch.sinkage, m.drawbar += touch.force[0], m.side += touch.force[1];
      m.torque -= touch.torque, m.load += touch.force[2];
      square += touch.force[2] * touch.force[2], drawbar_square += touch.force[0] * touch.force[0];
    }
    for (double* v : {&m.sinkage, &m.drawbar, &m.side, &m.torque, &m.load}) *v /= count;
    m.ripple = std::sqrt(std::max(square / count - m.load * m.load, 0.0)) / m.load;
    m.drawbar_ripple = std::sqrt(std::max(drawbar_square / count - m.drawbar * m.drawbar, 0.0)) / m.load;
    return m;
  }

  CellBedSettings x;
  Flat flat_;
  const Terrain* terrain;
  SoilTiles tiles;
  RimGrid rim;
  CellLaw law;
  CellWheel wheel;
  CellMemory memory{};
  SoilWindow window;
  CellTouch touch;
  PrintRoom room;
  Vec3 hub = Vec3::Zero();
  double vz = 0, spin = 0, forward = 0, sideways = 0;
};

/// Forces of a wheel on flat, virgin soil: stresses summed over the arc with the elastic exit, a million
/// points at most; shear by Wong, around and along with one limit or, as the stress integral, with one each.
/// Shares nothing with the cells.
struct ArcForces {
  double drawbar, normal, torque;
  double side = 0;      ///< against the way it slides [N], with the side wall
  double side_two = 0;  ///< the same with a limit for each direction
};
inline ArcForces arc_forces(const SoilNumbers& soil, const SoilWheel& w, double gravity, double z,
                            double slip, int points = 20000, double slip_angle = 0) {
  const PressureLaw p = pressure_law(soil, {w.width, 2 * w.radius, gravity});
  const double n = soil.sinkage_exponent + soil.slip_sinkage * std::abs(slip);
  const auto pressure = [&](double depth) { return p.modulus * std::pow(depth / p.length, n); };
  const double R = w.radius, rs = w.shear_radius(), entry = std::acos(1 - z / R);
  const double rebound = pressure(z) / soil.unloading_stiffness;
  const double exit = -std::acos(std::max(1 - rebound / R, -1.0));
  const double lug_entry = std::acos((R - z) / rs), advance = slip >= 0 ? 1 - slip : 1 / (1 + slip);
  ArcForces out{0, 0, 0, 0, 0};
  const double h = (entry - exit) / points;
  for (int i = 0; i < points; ++i) {
    const double t = exit + (i + 0.5) * h, depth = z - R * (1 - std::cos(t));
    const double sigma = t > 0 ? pressure(std::max(depth, 0.0))
                               : std::max(pressure(z) - soil.unloading_stiffness * (z - depth), 0.0);
    const double j = rs * ((lug_entry - t) - advance * (std::sin(lug_entry) - std::sin(t)));
    const double along = rs * advance * (lug_entry - t) * std::tan(slip_angle);
    const double kx = soil.shear_modulus + soil.shear_modulus_angle * slip_angle;
    const double ky = soil.side_shear_modulus + soil.side_shear_modulus_angle * slip_angle;
    const double ex = j / kx, ey = along / ky, e = std::max(std::sqrt(ex * ex + ey * ey), 1e-12);
    const double strength = soil.cohesion + sigma * std::tan(soil.friction_angle), share = 1 - std::exp(-e);
    const double tau = strength * share * ex / e;
    // Passive earth pressure on the side (Ding 2011 Eq. 20).
    const double wedge = 0.25 * kPi - 0.5 * soil.friction_angle, cot = 1 / std::tan(wedge);
    const double deep = std::max(depth, 0.0);
    const double wall = (cot + std::tan(wedge + soil.friction_angle)) *
                        (deep * soil.cohesion + 0.5 * deep * deep * soil.density * gravity *
                                                    (cot + cot * cot * std::tan(soil.friction_angle))) *
                        std::max(R - deep * std::cos(t), 0.0);
    if (sigma > 0) {
      out.side += h * (w.width * rs * strength + wall) * share * ey / e;
      out.side_two += h * (w.width * rs * strength + wall) * (1 - std::exp(-ey));
    }
    out.drawbar += w.width * h * (rs * tau * std::cos(t) - R * sigma * std::sin(t));
    out.normal += w.width * h * (rs * tau * std::sin(t) + R * sigma * std::cos(t));
    out.torque += w.width * h * rs * rs * tau;
  }
  return out;
}

}  // namespace scree
