#include "scree/sim/world.hpp"

#include <algorithm>

#include "scree/core/errors.hpp"
#include "scree/core/hash.hpp"
#include "scree/sim/pilot.hpp"

namespace scree {

void describe(Section& s, SolverSettings& x) {
  const std::vector<std::string> methods{"implicit", "euler", "rk4"};  // in the order of StepMethod
  std::string method = methods[static_cast<std::size_t>(x.method)];
  s.choice("method", method, methods,
           {.doc = "linearly implicit (default), explicit Euler (the paper's), classical Runge-Kutta"});
  x.method = static_cast<StepMethod>(std::find(methods.begin(), methods.end(), method) - methods.begin());
  s.number("step", x.step, {.unit = "s", .doc = "time step", .range = between(1e-9, 0.1)});
  s.number(
      "tolerance", x.tolerance,
      {.unit = "m",
       .doc = "a step is divided until the error of a piece, as way of a point at the robot's reach, is no "
              "larger; 0: steps are not divided",
       .range = between(0, 1)});
  s.number("theta", x.theta,
           {.unit = "-",
            .doc = "weight of new values in the implicit step: 0.5 second order, 1 damps most",
            .range = between(0.5, 1)});
  s.number("theta_slip", x.theta_slip,
           {.unit = "-",
            .doc = "the same for slip and drives; 0: 0.5 below 5 ms or with a tolerance, else 1",
            .range = between(0, 1)});
  s.integer("slices", x.slices,
            {.unit = "-",
             .doc = "divisions of the lower half rim where it is searched by slices",
             .range = between(4, 100000)});
  const std::vector<std::string> searches{"exact", "slices"};  // in the order of RimSearch
  std::string search = searches[static_cast<std::size_t>(x.search)];
  s.choice("search", search, searches,
           {.doc = "contact of a rim: exact on any ground (slices where it is gentle, cell by cell on grids, "
                   "looks as close as its finest feature elsewhere), or slices everywhere (the paper's)"});
  x.search = static_cast<RimSearch>(std::find(searches.begin(), searches.end(), search) - searches.begin());
  const std::vector<std::string> normals{"ground", "wheel_plane"};  // in the order of ContactNormal
  std::string normal = normals[static_cast<std::size_t>(x.normal)];
  s.choice(
      "normal", normal, normals,
      {.doc = "contact forces of suspended wheels along the ground's normal and in its tangent plane, or "
              "in the wheel's plane (the paper's; the same where the ground does not tilt across the "
              "wheel)"});
  x.normal = static_cast<ContactNormal>(std::find(normals.begin(), normals.end(), normal) - normals.begin());
}

World::World(Vec3 gravity, std::shared_ptr<const Terrain> terrain, SolverSettings solver)
    : gravity_(gravity),
      gravity_size_(gravity.norm()),
      terrain_(std::move(terrain)),
      solver_(std::move(solver)),
      slices_(solver_.slices) {
  if (solver_.theta_slip == 0) solver_.theta_slip = solver_.step < 5e-3 || solver_.tolerance > 0 ? 0.5 : 1.0;
}

int World::add(std::string name, std::shared_ptr<const RobotModel> model) {
  WorldRobot robot{std::move(name), std::move(model), state_size_, 0};
  int models = 0;
  for (const auto& other : robots_) {
    if (other.name == robot.name) {
      input_error("two robots are called '{}'; give each its own name", robot.name);
    }
    models = std::max(models, other.kind + 1);
  }
  robot.kind = models;
  for (const auto& other : robots_) {
    if (other.model == robot.model) robot.kind = other.kind;
  }
  state_size_ += robot.model->layout().size;
  robots_.push_back(std::move(robot));
  return static_cast<int>(robots_.size()) - 1;
}

State::State(const World& world) : values_(world.state_size(), 0.0) {
  if (const SoilGridSettings* grid = world.soil_grid()) soil_ = SoilTiles(grid->cell, grid->memory);
  for (const auto& robot : world.robots()) {
    RobotBlock b(*robot.model, block(robot));
    const std::vector<double> home = robot.model->tree().home();
    std::copy(home.begin(), home.end(), b.positions.begin());
    robot.model->train().start(b.drives);
  }
}

std::uint64_t State::hash() const {
  const std::uint64_t hash = hash_bytes(values_.data(), values_.size() * sizeof(double));
  return soil_.active() ? soil_.hash(hash) : hash;
}

RobotScratch::RobotScratch(const RobotModel& model, const World& world)
    : mechanism(model.tree()),
      drive(model.train().workspace()),
      seen(model.contacts().seen),
      contacts(model.contacts().contacts),
      acceleration(model.tree().velocity_count()),
      stability(robot_info(model, world.gravity())),
      speed_before(model.train().size()),
      speed_after(model.train().size()),
      angle(model.train().size()),
      goal(model.tree().joint_count()) {
  for (const auto& entry : model.contacts().groups) contact.push_back(entry.group->scratch());
  if (world.solver().method != StepMethod::implicit) {
    for (auto& s : stage) s.resize(model.layout().size);
  }
}

void OutsidePush::clear() {
  for (Vec6& w : link) w.setZero();
  for (double& t : rotor) t = 0;
  any = false;
}

SimWorkspace::SimWorkspace(const World& world, Scratch how) : report(world.robots().size()) {
  std::vector<int> of_kind(world.robots().size(), -1);
  for (const WorldRobot& robot : world.robots()) {
    int& place = of_kind[robot.kind];
    if (how == Scratch::own || place < 0) {
      place = static_cast<int>(scratch.size());
      scratch.push_back(std::make_unique<RobotScratch>(*robot.model, world));
    }
    scratch_of.push_back(place);
    commands.emplace_back(robot.model->train().size());
    OutsidePush& outside = push.emplace_back();
    outside.link.assign(robot.model->tree().links().size(), Vec6::Zero());
    outside.rotor.assign(robot.model->tree().rotors().size(), 0.0);
  }
}

}  // namespace scree
