#pragma once
/// How far the robots have come since the start, and where that is against the straight line they began on.
#include <vector>

#include "scree/sim/signals.hpp"
#include "scree/sim/world.hpp"

namespace scree {

/// One robot's way.
struct Trip {
  Vec3 last = Vec3::Zero();   ///< position of the base at the last step [m]
  Vec2 start = Vec2::Zero();  ///< where it began [m]
  double heading = 0;         ///< yaw at the start [rad]
  double distance = 0;        ///< length of the base's path, step by step [m]
};

class TripMeter {
 public:
  TripMeter(const World& world, const State& state);
  /// After every step.
  void update(const World& world, const State& state);
  const std::vector<Trip>& trips() const { return trips_; }
  void memory(Memory& m);

  /// distance, course.along, course.offset, course.heading of every robot.
  static void name_signals(const World& world, SignalCatalog& catalog);
  static constexpr int kSignals = 4;  ///< per robot
  void values(const World& world, const State& state, std::span<double> out) const;

 private:
  std::vector<Trip> trips_;
};

}  // namespace scree
