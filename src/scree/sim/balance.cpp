#include "scree/sim/balance.hpp"

#include "scree/mechanism/balance.hpp"

namespace scree {

void balance(const World& world, const RobotModel& model, RobotScratch& s) {
  const Pose X_BW = s.mechanism.link[0].X_WL.inverse();
  const bool moves = model.tree().joint_count() > 0;
  if (moves) s.stability.set_centre(X_BW * centre_of_mass(model.tree(), s.mechanism));
  const double weight = model.tree().mass() * world.gravity_size();
  const auto wheels = model.wheels();
  const auto points = s.stability.points(), forces = s.stability.forces();
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const RobotWheel& wheel = wheels[i];
    const Contact& c = s.contacts[wheel.contact];
    points[i] = X_BW * c.p_W;
    forces[i] = X_BW.R * c.force_W;
    if (moves) {
      const Pose X_BL = X_BW * s.mechanism.link[wheel.link].X_WL;
      s.stability.hubs()[i] = X_BL * model.resting_hub(static_cast<int>(i), weight);
    }
  }
  s.stability.evaluate(X_BW.R * world.gravity());
}

}  // namespace scree
