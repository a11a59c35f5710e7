#include "scree/sim/touch.hpp"

#include "scree/mechanism/kinematics.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// The ground within reach of a robot whose base is at p.
const NearGround& near_ground(const Terrain& terrain, const Vec3& p, double reach, NearGround& kept) {
  const double side = 0.25 * reach, column = std::floor(p.x() / side), row = std::floor(p.y() / side);
  if (kept.terrain == &terrain && kept.column == column && kept.row == row) return kept;
  const Rectangle area{column * side - reach, (column + 1) * side + reach, row * side - reach,
                       (row + 1) * side + reach};
  kept = {&terrain, column, row, terrain.slope_bound(area), terrain.finest_feature(area)};
  return kept;
}

GroundView ground_view(const World& world) {
  GroundView ground;
  ground.terrain = &world.terrain();
  ground.slices = &world.slices();
  ground.friction = world.friction();
  ground.friction_map = world.friction_map();
  ground.soils = world.soils();
  ground.grid = world.soil_grid();
  ground.gravity = world.gravity_size();
  ground.slices_only = world.solver().search == RimSearch::slices;
  ground.planar = world.solver().normal == ContactNormal::wheel_plane;
  return ground;
}

ContactMotion contact_motion(const RobotScratch& s) { return {s.mechanism.link, s.mechanism.spin}; }

}  // namespace

TouchReport touch(const World& world, const RobotModel& model, const RobotBlock& block, const StageStep& step,
                  RobotScratch& s) {
  GroundView ground = ground_view(world);
  ground.tiles = s.soil;
  s.listed = RobotScratch::Listed::nothing;
  const NearGround& near = near_ground(world.terrain(), s.mechanism.link[0].X_WL.p, model.reach(), s.near);
  ground.slope_bound = near.slope_bound, ground.feature = near.feature;
  const ContactMotion motion = contact_motion(s);
  TouchReport report;
  Touch all{ground, motion, step, {s.mechanism.link_load, s.mechanism.rotor_load}, s.seen, report};
  const std::span groups = model.contacts().groups;
  for (std::size_t k = 0; k < groups.size(); ++k)
    groups[k].group->touch(all, block.contacts + groups[k].memory, *s.contact[k]);
  return report;
}

void place_links(const World& world, const State& state, int r, SimWorkspace& workspace) {
  const WorldRobot& robot = world.robots()[static_cast<std::size_t>(r)];
  RobotBlock block(*robot.model, const_cast<double*>(state.block(robot)));  // read only
  update_kinematics(robot.model->tree(), block.positions, block.velocities, workspace.of(r).mechanism);
  workspace.of(r).listed = RobotScratch::Listed::nothing;
}

void add_push(const OutsidePush& push, Workspace& mechanism) {
  if (!push.any) return;
  for (std::size_t i = 0; i < push.link.size(); ++i) {
    const Pose& X = mechanism.link[i].X_WL;
    const Vec3 force = push.link[i].head<3>(), moment = push.link[i].tail<3>();
    mechanism.link_load[i].wrench.head<3>() += X.R.transpose() * force;
    mechanism.link_load[i].wrench.tail<3>() += X.R.transpose() * (moment - X.p.cross(force));
  }
  for (std::size_t i = 0; i < push.rotor.size(); ++i) mechanism.rotor_load[i].torque += push.rotor[i];
}

void finish_touch(const RobotModel& model, const StageStep& step, RobotScratch& s, RobotBlock& block) {
  const ContactMotion motion = contact_motion(s);
  const ContactAnswer answer(&s.mechanism.factor[0].u, sizeof(LinkFactor),
                             s.acceleration.data() + model.tree().rotor_velocity());
  const std::span groups = model.contacts().groups;
  for (std::size_t k = 0; k < groups.size(); ++k)
    groups[k].group->finish(motion, step, answer, *s.contact[k], block.contacts + groups[k].memory);
}

void touch_rates(const RobotModel& model, const RobotScratch& s, const RobotBlock& block, RobotBlock& rates) {
  const auto& groups = model.contacts().groups;
  for (std::size_t k = 0; k < groups.size(); ++k)
    groups[k].group->rates(*s.contact[k], block.contacts + groups[k].memory,
                           rates.contacts + groups[k].memory);
}

void settle_touch(const RobotModel& model, const RobotScratch& s, RobotBlock& block) {
  const auto& groups = model.contacts().groups;
  for (std::size_t k = 0; k < groups.size(); ++k)
    groups[k].group->settle(*s.contact[k], block.contacts + groups[k].memory);
}

void press_soil(const World& world, State& state, SimWorkspace& workspace) {
  if (world.soil_grid() == nullptr) return;
  const GroundView ground = ground_view(world);
  for (std::size_t i = 0; i < world.robots().size(); ++i) {
    const WorldRobot& robot = world.robots()[i];
    const RobotBlock block(*robot.model, state.block(robot));
    RobotScratch& s = workspace.of(static_cast<int>(i));
    const auto& groups = robot.model->contacts().groups;
    for (std::size_t k = 0; k < groups.size(); ++k)
      groups[k].group->press(ground, state.soil(), *s.contact[k], block.contacts + groups[k].memory);
  }
}

namespace {

/// All groups list their contacts, by the member function that is given.
template <class List>
std::span<const Contact> list(const World& world, const RobotModel& model, RobotScratch& s, List list,
                              RobotScratch::Listed much) {
  if (s.listed >= much) return s.contacts;
  s.listed = much;
  const GroundView ground = ground_view(world);
  const ContactMotion motion = contact_motion(s);
  const std::span groups = model.contacts().groups;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const std::span<Contact> own(s.contacts.data() + groups[k].contacts,
                                 static_cast<std::size_t>(groups[k].group->contacts()));
    (groups[k].group.get()->*list)(ground, motion, *s.contact[k], own);
  }
  return s.contacts;
}

}  // namespace

std::span<const Contact> list_contacts(const World& world, const RobotModel& model, RobotScratch& s) {
  return list(world, model, s, &ContactGroup::list, RobotScratch::Listed::all);
}

std::span<const Contact> list_wheels(const World& world, const RobotModel& model, RobotScratch& s) {
  return list(world, model, s, &ContactGroup::list_wheels, RobotScratch::Listed::wheels);
}

double sunk(const World& world, const RobotModel& model, const Workspace& mechanism) {
  const GroundView ground = ground_view(world);
  double most = -1e300;
  for (const auto& entry : model.contacts().groups)
    most = std::max(most, entry.group->sunk(ground, {mechanism.link, mechanism.spin}));
  return most;
}

}  // namespace scree
