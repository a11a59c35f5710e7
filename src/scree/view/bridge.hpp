#pragma once
/// From the simulator's state to what is drawn: the only file of this room that knows how a world is built.
///
/// It reads states and examines them with a workspace of its own, so that drawing never touches a run.
#include <memory>
#include <string>
#include <vector>

#include "scree/sim/scenario.hpp"
#include "scree/view/look.hpp"
#include "scree/view/moment.hpp"

namespace scree::view {

/// Geometry of a robot for its look.
RobotShape robot_shape(const WorldRobot& robot);

class Bridge {
 public:
  explicit Bridge(const Scenario& scenario);
  const World& world() const { return *world_; }
  /// Soil that deforms, for the moments that follow.
  void set_soil(const SoilTiles& soil) { state_.soil() = soil; }
  /// The moment of a raw state, as sinks get it.
  Moment moment(std::span<const double> state);

 private:
  RobotMoment robot_moment(std::size_t index);

  std::shared_ptr<const World> world_;
  State state_;
  SimWorkspace workspace_;
};

}  // namespace scree::view
