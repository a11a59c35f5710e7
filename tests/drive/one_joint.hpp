#pragma once
/// The smallest world that a drive train can live in: joints with inertia and a given load, stepped by the
/// linearly implicit rule that the simulator uses, or by RK4 at a tiny step as the reference.
#include <functional>
#include <vector>

#include "scree/drive/train.hpp"

namespace scree::testing {

struct OneJoint {
  explicit OneJoint(const DriveTrainSettings& settings, double inertia_)
      : train(settings),
        work(train.workspace()),
        state(train.state_size()),
        commands(train.size()),
        speeds(train.size()),
        angles(train.size()),
        inertia(inertia_) {
    train.start(state);
  }
  DriveTrain train;
  DriveWorkspace work;
  std::vector<double> state;
  std::vector<DriveCommand> commands;
  std::vector<double> speeds, angles;
  double inertia;  ///< of every joint, rotor included [kg m^2]
  double time = 0;
  double load_work = 0;  ///< done by the loads on the joints [J]
  /// Torque of the outside on a joint, evaluated at mid-step.
  std::function<double(std::size_t, double time)> load = [](std::size_t, double) { return 0.0; };

  void implicit_step(double dt, double theta = 0.5) {
    const std::vector<double> old = speeds;
    for (std::size_t i = 0; i < speeds.size(); ++i) angles[i] += 0.5 * dt * speeds[i];
    begin(train, commands, {speeds, angles}, {dt, theta}, state, work);
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      const double outside = load(i, time + 0.5 * dt);
      speeds[i] += dt * (work.torque[i] + outside) / (inertia + theta * dt * work.slope[i]);
      angles[i] += 0.5 * dt * speeds[i];
      load_work += outside * 0.5 * (old[i] + speeds[i]) * dt;
    }
    finish(train, commands, old, speeds, {dt, theta}, state, work);
    time += dt;
  }
  void run(double duration, double dt, double theta = 0.5) {
    const int n = static_cast<int>(duration / dt + 0.5);
    for (int k = 0; k < n; ++k) implicit_step(dt, theta);
  }

  /// Classic Runge-Kutta of speeds, angles and inner states together.
  void rk4_step(double dt) {
    const std::size_t n = speeds.size(), m = state.size();
    std::vector<double> y(2 * n + m), sum(2 * n + m), k(2 * n + m);
    auto gather = [&] {
      for (std::size_t i = 0; i < n; ++i) y[i] = speeds[i], y[n + i] = angles[i];
      for (std::size_t i = 0; i < m; ++i) y[2 * n + i] = state[i];
    };
    gather();
    const std::vector<double> y0 = y;
    const double weights[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6}, reach[] = {0.5, 0.5, 1, 0},
                 at[] = {0, .5, .5, 1};
    for (int s = 0; s < 4; ++s) {
      std::vector<double> w(y.begin(), y.begin() + n), q(y.begin() + n, y.begin() + 2 * n);
      const std::vector<double> inner(y.begin() + 2 * n, y.end());
      std::vector<double> derivative(m);
      rates(train, commands, {w, q}, inner, work, derivative);
      for (std::size_t i = 0; i < n; ++i)
        k[i] = (work.torque[i] + load(i, time + at[s] * dt)) / inertia, k[n + i] = w[i];
      for (std::size_t i = 0; i < m; ++i) k[2 * n + i] = derivative[i];
      for (std::size_t i = 0; i < y.size(); ++i) {
        sum[i] += weights[s] * k[i];
        y[i] = y0[i] + reach[s] * dt * k[i];
      }
    }
    for (std::size_t i = 0; i < n; ++i)
      speeds[i] = y0[i] + dt * sum[i], angles[i] = y0[n + i] + dt * sum[n + i];
    for (std::size_t i = 0; i < m; ++i) state[i] = y0[2 * n + i] + dt * sum[2 * n + i];
    time += dt;
  }
  void run_rk4(double duration, double dt) {
    const int n = static_cast<int>(duration / dt + 0.5);
    for (int k = 0; k < n; ++k) rk4_step(dt);
  }
};

inline DriveSettings magmotor() {
  DriveSettings d;
  d.name = "wheel";
  d.kind = "dc";
  d.gear_ratio = 9;
  d.gear_efficiency = 0.9;
  d.motor = {.torque_constant = 0.03757,
             .speed_constant = 26.599,
             .resistance = 0.064,
             .rotor_inertia = 1e-4,
             .nominal_voltage = 24,
             .no_load_current = 3.4,
             .continuous_current = 37,
             .peak_current = 200,
             .friction = {.coulomb = 0.096,
                          .breakaway = 0.1248,
                          .stribeck_speed = 5,
                          .stiffness = 500,
                          .damping = 0.5,
                          .viscous = 5e-5}};
  return d;
}

}  // namespace scree::testing
