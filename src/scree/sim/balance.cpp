#include "scree/sim/balance.hpp"

#include "scree/mechanism/balance.hpp"

namespace scree {

void balance(const World& world, const RobotModel& model, RobotScratch& s) {
  const Pose X_BW = s.mechanism.link[0].X_WL.inverse();
  const bool moves = model.tree().joint_count() > 0;
  if (moves) s.stability.set_centre(X_BW * centre_of_mass(model.tree(), s.mechanism));
  const double weight = model.tree().mass() * world.gravity().norm();
  for (std::size_t i = 0; i < model.wheels().size(); ++i) {
    const RobotWheel& wheel = model.wheels()[i];
    const WheelForces& f = s.wheels[wheel.pack];
    const int k = wheel.lane;
    const Pose X_BL = X_BW * s.mechanism.link[wheel.link].X_WL;
    const bool touching = f.touching[k] != 0;
    const Vec3 lowest = wheel.hub - wheel.settings.radius * wheel.axes.col(2);
    s.stability.points()[i] = X_BL * (touching ? Vec3(f.point.x[k], f.point.y[k], f.point.z[k]) : lowest);
    if (moves) s.stability.hubs()[i] = X_BL * model.resting_hub(static_cast<int>(i), weight);
    s.stability.forces()[i] =
        touching ? Vec3(X_BL.R * Vec3(f.force.x[k], f.force.y[k], f.force.z[k])) : Vec3(Vec3::Zero());
  }
  s.stability.evaluate(X_BW.R * world.gravity());
}

}  // namespace scree
