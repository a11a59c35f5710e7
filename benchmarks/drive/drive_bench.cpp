#include <benchmark/benchmark.h>

#include "scree/drive/train.hpp"

namespace {

using namespace scree;

DriveTrainSettings train_of(const DriveSettings& d, double volts) {
  DriveTrainSettings s;
  s.drives.assign(4, d);
  if (volts > 0) s.battery = {.voltage = volts, .internal_resistance = 0.04, .current_limit = 80};
  return s;
}

DriveSettings governor() {
  DriveSettings d;
  d.name = "wheel", d.kind = "governor", d.gain = 2, d.speed = 10, d.limit = 12;
  return d;
}

DriveSettings magmotor() {
  DriveSettings d;
  d.name = "wheel", d.kind = "dc", d.gear_ratio = 9, d.gear_efficiency = 0.9;
  d.motor.torque_constant = 0.03757, d.motor.resistance = 0.064, d.motor.peak_current = 200;
  d.motor.friction = {.coulomb = 0.096, .breakaway = 0.1248, .viscous = 5e-5};
  return d;
}

/// begin() and finish() of four drives whose joints spin up; prints the final speed as a check.
void run(benchmark::State& bench, const DriveTrainSettings& settings, DriveCommand command) {
  const DriveTrain train(settings);
  DriveWorkspace work = train.workspace();
  std::vector<double> state(train.state_size()), speeds(4, 0.0), old(4);
  std::vector<DriveCommand> commands(4, command);
  train.start(state);
  for (auto _ : bench) {
    old = speeds;
    begin(train, commands, {speeds, {}}, {1e-3, 0.5}, state, work);
    for (int i = 0; i < 4; ++i)
      speeds[i] += 1e-3 * (work.torque[i] - 0.05 * speeds[i]) / (2.0 + 0.5e-3 * work.slope[i]);
    finish(train, commands, old, speeds, {1e-3, 0.5}, state, work);
  }
  bench.counters["speed"] = speeds[0];
}

void BM_DriveTrainGovernors(benchmark::State& s) { run(s, train_of(governor(), 0), {}); }
void BM_DriveTrainGovernorsWithBrakes(benchmark::State& s) {
  DriveSettings d = governor();
  d.brake.torque = 20;
  run(s, train_of(d, 0), {DriveCommand::Mode::idle, 0, 3});
}
void BM_DriveTrainMotors(benchmark::State& s) {
  run(s, train_of(magmotor(), 36), {DriveCommand::Mode::torque, 5, 0});
}
BENCHMARK(BM_DriveTrainGovernors);
BENCHMARK(BM_DriveTrainGovernorsWithBrakes);
BENCHMARK(BM_DriveTrainMotors);

}  // namespace
