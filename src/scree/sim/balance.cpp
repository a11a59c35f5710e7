#include "scree/sim/balance.hpp"

#include "scree/sim/touch.hpp"

namespace scree {

void balance(const World& world, const RobotModel& model, RobotScratch& s) {
  const Pose X_BW = s.mechanism.link[0].X_WL.inverse();
  list_contacts(world, model, s);
  for (std::size_t i = 0; i < model.wheels().size(); ++i) {
    const Contact& c = s.contacts[model.wheels()[i].contact];
    s.stability.points()[i] = X_BW * c.p_W;
    s.stability.forces()[i] = X_BW.R * c.force_W;
  }
  s.stability.evaluate(X_BW.R * world.gravity());
}

}  // namespace scree
