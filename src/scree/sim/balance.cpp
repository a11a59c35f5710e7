#include "scree/sim/balance.hpp"

namespace scree {

void balance(const World& world, const RobotModel& model, RobotScratch& s) {
  const Pose X_BW = s.mechanism.link[0].X_WL.inverse();
  for (std::size_t i = 0; i < model.wheels().size(); ++i) {
    const RobotWheel& wheel = model.wheels()[i];
    const WheelForces& f = s.wheels[wheel.pack];
    const int k = wheel.lane;
    const Pose X_BL = X_BW * s.mechanism.link[wheel.link].X_WL;
    const bool touching = f.touching[k] != 0;
    const Vec3 lowest = wheel.hub - wheel.settings.radius * wheel.axes.col(2);
    s.stability.points()[i] = X_BL * (touching ? Vec3(f.point.x[k], f.point.y[k], f.point.z[k]) : lowest);
    s.stability.forces()[i] =
        touching ? Vec3(X_BL.R * Vec3(f.force.x[k], f.force.y[k], f.force.z[k])) : Vec3(Vec3::Zero());
  }
  s.stability.evaluate(X_BW.R * world.gravity());
}

}  // namespace scree
