/// What motors, battery, shaft friction and CDTA at 1 kHz add to a step of VIVI at 1 ms.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "repeated.hpp"
#include "scree/core/hash.hpp"
#include "scree/sim/simulation.hpp"

namespace {

using namespace scree;

const char* kWorld = R"(
duration = 1e6
[terrain]
kind = "sines"
amplitude = 0.15
wavelength_x = 8.0
wavelength_y = 0.0
[solver]
step = 1e-3
[[robot]]
model = "vivi"
)";
const char* kBare = R"(set = ['drive.kind="governor"', "drive.gain=2", "drive.speed=80", "drive.limit=12",
                               "battery.voltage=0", "battery.capacity_ah=0"])";
const char* kFull = R"([robot.control]
kind = "cdta"
rate = 1000
speed = 10.0
torque_limit = 40.0)";

void run(benchmark::State& bench, const char* robot) {
  const std::string text = std::string(kWorld) + robot + "\n";
  Simulation simulation(load_scenario(Document::from_text(text, "bench.toml"), "bench.toml"));
  for (int i = 0; i < 3000; ++i) simulation.advance();  // at speed
  for (auto _ : bench) simulation.advance();
  bench.SetLabel("state " + hash_text(simulation.state().hash()));
}

void BM_StepBare(benchmark::State& s) { run(s, kBare); }
void BM_StepWithMotorsAndCdta(benchmark::State& s) { run(s, kFull); }
BENCHMARK(BM_StepBare)->Iterations(20000)->Apply(repeated);
BENCHMARK(BM_StepWithMotorsAndCdta)->Iterations(20000)->Apply(repeated);

}  // namespace
