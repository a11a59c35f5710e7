#pragma once
/// Steps that know their error, by step doubling (Hairer, Nørsett, Wanner, Solving Ordinary Differential
/// Equations I, Sec. II.4): the same piece of time as one step and as two halves. Where the motion is smooth
/// the step is of second order, so the two differ by about 3/4 of the error of the whole step, and the halves
/// are off by a third of that difference; at an impact the difference itself says how far to trust either.
///
/// `solver.tolerance` > 0: a step is divided until every piece is within the tolerance, in halves of halves
/// of solver.step, so that samples, events and logs stay on the step's own grid; the halves are what is kept.
/// Without: now and then a step is measured so, beside the run, which it does not change (StepGauge).
#include <span>
#include <string>
#include <vector>

#include "scree/core/memory.hpp"
#include "scree/sim/world.hpp"

namespace scree {

/// How far apart two states of one robot are [m]: the way between them of a point at the robot's reach, or
/// the way that the difference of their speeds makes in kSpeedTime, whichever is larger. Spins of wheels
/// count by their speed alone.
double state_distance(const RobotModel& model, const double* a, const double* b);

/// What the step of one robot remembers, and room for it.
class CarefulStep {
 public:
  explicit CarefulStep(const RobotModel& model);
  /// Advances the robot by dt in pieces whose error is within the tolerance, but none shorter than
  /// dt / 2^kMostHalvings.
  void advance(const World& world, State& state, int robot, double dt, SimWorkspace& workspace);
  /// Length of the shortest piece of the last step [s], and the largest error left in one [m].
  double shortest() const { return shortest_; }
  double error() const { return error_; }
  void memory(Memory& m) { m(halvings_), m(shortest_), m(error_); }

  static constexpr int kMostHalvings = 12;

 private:
  int halvings_ = 0;
  double shortest_ = 0, error_ = 0;
  std::vector<double> start_, whole_, seen_;
};

/// Measures single steps of a run with a fixed step and says once when it is not to be trusted.
class StepGauge {
 public:
  explicit StepGauge(const World& world);
  /// Before a step of dt: measures it for one robot, one time in 151, or in 47 where steps are long.
  /// `workspace` is scratch that nobody reads afterwards; its commands are those of the coming step.
  bool due() { return ++count_ % every_ == 0; }
  /// Whether the coming step is one in which robot 0 may land, which few of the others would meet; one in
  /// kLandings.
  bool landing(const World& world, const State& state, double dt);
  /// After a step of dt: what robot 0 found in it. A jolt, a change of speed that no single step resolves,
  /// enters the largest error by what a quarter of it is worth.
  void note(const RobotModel& model, const TouchReport& report, std::span<const double> acceleration,
            double dt);
  void measure(const World& world, const State& state, double dt, SimWorkspace& workspace);
  /// The same beside the count: it enters the largest error alone.
  void measure_landing(const World& world, const State& state, double dt, SimWorkspace& workspace);

  /// Mean and largest error of the steps measured so far, over all robots [m].
  double mean_error() const { return measured_ > 0 ? sum_ / static_cast<double>(measured_) : 0; }
  double largest_error() const { return largest_; }
  std::uint64_t measured() const { return measured_; }
  void memory(Memory& m) {
    m(count_), m(measured_), m(sum_), m(most_), m(largest_), m(landings_), m(touching_), m(gap_);
  }
  /// One line when the errors of the steps so far add up to more than a run bears; empty as long as not.
  std::string warning(double dt) const;

  // Primes: not in time with what samples every so many steps.
  static constexpr std::uint64_t kRarely = 151, kOften = 47;
  static constexpr double kLongStep = 4e-3;      ///< s
  static constexpr std::uint64_t kFewest = 10;   ///< measurements before anything is said
  static constexpr double kBearable = 5e-3;      ///< m of error each second
  static constexpr double kBearableOnce = 5e-3;  ///< m in a single step
  static constexpr std::uint64_t kLandings = 4;
  static constexpr double kJolt = 2;  ///< m/s in a single step, of a point at the robot's reach

 private:
  double error_of(const World& world, const State& state, int robot, double dt, SimWorkspace& workspace);

  std::uint64_t every_, landings_ = 0, count_ = 0, measured_ = 0;
  double sum_ = 0;
  double most_ = 0;     ///< of the measured steps [m]
  double largest_ = 0;  ///< landings and jolts among them [m]
  int touching_ = 0;
  double gap_ = 1e300;
  std::vector<double> whole_, halves_;
};

}  // namespace scree
