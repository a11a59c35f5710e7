#pragma once
/// How near a robot is to tipping over, from its contacts.
#include "scree/sim/world.hpp"

namespace scree {

/// Fills scratch.stability from scratch.contacts (list_contacts() before): support polygon, NESM and
/// stability moments (conventions in control/stability.hpp). Wheels in the air count with their lowest point
/// and no force. No allocation.
void balance(const World& world, const RobotModel& model, RobotScratch& scratch);

}  // namespace scree
