// Cost of the mechanism: kinematics, solve and drift of one rigid robot with four rotors, and of trees.
#include <benchmark/benchmark.h>

#include "scree/core/hash.hpp"
#include "scree/core/random.hpp"
#include "scree/mechanism/dynamics.hpp"
#include "scree/mechanism/integrate.hpp"

namespace {

using namespace scree;

/// A chassis with four wheels as rotors.
TreeSettings skid() {
  TreeSettings s;
  s.links.push_back({"chassis", 40, Vec3(0.01, 0, 0.02), Vec3(0.7, 1.4, 1.7).asDiagonal()});
  for (const char* name : {"front_left", "front_right", "rear_left", "rear_right"}) {
    s.rotors.push_back({name, "chassis", Vec3::UnitY(), 0.0108, false});
  }
  return s;
}

/// A chassis with `count` two-joint legs, each ending in a wheel.
TreeSettings walker(int count) {
  TreeSettings s;
  s.links.push_back({"chassis", 40, Vec3::Zero(), Vec3(0.7, 1.4, 1.7).asDiagonal()});
  for (int i = 0; i < count; ++i) {
    const auto id = std::to_string(i);
    s.links.push_back({"upper" + id, 2, Vec3(0.1, 0, 0), Vec3(0.01, 0.02, 0.02).asDiagonal()});
    s.links.push_back({"lower" + id, 1, Vec3(0, 0, -0.1), Vec3(0.01, 0.01, 0.01).asDiagonal()});
    JointSettings rocker, steer;
    rocker.name = "rocker" + id, rocker.parent = "chassis", rocker.child = "upper" + id;
    rocker.axis = Vec3::UnitY(), rocker.X_PJ.p = Vec3(0.3 - 0.3 * (i / 2), i % 2 ? -0.3 : 0.3, 0);
    steer.name = "steer" + id, steer.parent = "upper" + id, steer.child = "lower" + id;
    steer.X_PJ.p = Vec3(0.2, 0, 0);
    s.joints.push_back(rocker);
    s.joints.push_back(steer);
    s.rotors.push_back({"wheel" + id, "lower" + id, Vec3::UnitY(), 0.02, false});
  }
  return s;
}

/// A state in motion and loads as contacts leave them.
struct Case {
  Tree tree;
  Workspace ws;
  std::vector<double> x, v, a;
  explicit Case(const TreeSettings& settings)
      : tree(settings), ws(tree), x(tree.home()), v(tree.velocity_count()), a(tree.velocity_count()) {
    RandomStream random(1, 0, "bench");
    for (double& value : v) value = random.normal();
    update_kinematics(tree, x, v, ws);
    clear_loads(ws);
    for (LinkLoad& load : ws.link_load) {
      for (int i = 0; i < 6; ++i) load.wrench[i] = random.normal();
      for (int i = 0; i < 36; ++i) load.apparent.data()[i] = 0.01 * random.normal();
      load.apparent.diagonal().array() += 0.5;
    }
    for (RotorLoad& load : ws.rotor_load) {
      load.torque = random.normal();
      load.apparent = 0.01;
      for (int i = 0; i < 6; ++i)
        load.column[i] = 0.01 * random.normal(), load.row[i] = 0.01 * random.normal();
    }
  }
};

void report(benchmark::State& state, const Case& c) {
  state.SetLabel("hash " + hash_text(hash_bytes(c.a.data(), c.a.size() * sizeof(double))));
}

void solve_case(benchmark::State& state, const TreeSettings& settings) {
  Case c(settings);
  const SolveOptions options{.dt = 1e-3};
  for (auto _ : state) {
    solve(c.tree, options, c.ws, c.a);
    benchmark::DoNotOptimize(c.a.data());
    benchmark::ClobberMemory();
  }
  report(state, c);
}

void mechanism_solve_single_link_four_rotors(benchmark::State& state) { solve_case(state, skid()); }
void mechanism_solve_six_legs(benchmark::State& state) { solve_case(state, walker(6)); }

/// All that a step asks of the mechanism: two half drifts, kinematics, loads cleared, solve, kick.
void step_case(benchmark::State& state, const TreeSettings& settings) {
  Case c(settings);
  const SolveOptions options{.dt = 1e-3};
  for (auto _ : state) {
    drift(c.tree, c.x, c.v, 0.5e-3);
    update_kinematics(c.tree, c.x, c.v, c.ws);
    clear_loads(c.ws);
    add_joint_forces(c.tree, options.dt, 0.5, c.ws);
    solve(c.tree, options, c.ws, c.a);
    kick(c.tree, c.ws, c.a, 1e-3, c.v);
    drift(c.tree, c.x, c.v, 0.5e-3);
    benchmark::ClobberMemory();
  }
}

void mechanism_step_single_link_four_rotors(benchmark::State& state) { step_case(state, skid()); }
void mechanism_step_six_legs(benchmark::State& state) { step_case(state, walker(6)); }

void mechanism_kinematics_single_link(benchmark::State& state) {
  Case c(skid());
  for (auto _ : state) {
    update_kinematics(c.tree, c.x, c.v, c.ws);
    benchmark::ClobberMemory();
  }
}

void mechanism_drift_single_link(benchmark::State& state) {
  Case c(skid());
  for (auto _ : state) {
    drift(c.tree, c.x, c.v, 1e-3);
    benchmark::ClobberMemory();
  }
}

BENCHMARK(mechanism_solve_single_link_four_rotors);
BENCHMARK(mechanism_kinematics_single_link);
BENCHMARK(mechanism_drift_single_link);
BENCHMARK(mechanism_step_single_link_four_rotors);
BENCHMARK(mechanism_solve_six_legs);
BENCHMARK(mechanism_step_six_legs);

}  // namespace
