#include "scree/sim/observe.hpp"

#include <algorithm>
#include <cmath>

#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/balance.hpp"
#include "scree/sim/step.hpp"
#include "scree/sim/touch.hpp"

namespace scree {
namespace {

// One visit either names signals or writes their values, so that the orders cannot differ.

/// Names them, with what each takes.
class NameVisit {
 public:
  NameVisit(SignalCatalog& catalog, std::vector<Effort>& efforts) : catalog_(catalog), efforts_(efforts) {}
  static constexpr bool naming() { return true; }
  void prefix(std::string text) { prefix_ = std::move(text); }
  /// What the signals from here on take.
  void effort(Effort effort) { effort_ = effort; }
  void operator()(const char* name, const char* unit, const char* doc, double) {
    catalog_.add({prefix_ + name, unit, doc});
    efforts_.push_back(effort_);
  }

 private:
  SignalCatalog& catalog_;
  std::vector<Effort>& efforts_;
  std::string prefix_;
  Effort effort_ = Effort::motion;
};

/// Writes their values.
class ValueVisit {
 public:
  explicit ValueVisit(std::span<double> values) : at_(values.data()) {}
  static constexpr bool naming() { return false; }
  void effort(Effort) {}
  void operator()(const char*, const char*, const char*, double value) { *at_++ = value; }

 private:
  double* at_;
};

template <class Visit>
void visit_base(Visit& out, const RobotScratch& s, std::span<const double> velocities) {
  const LinkMotion& base = s.mechanism.link[0];
  const Vec3 p = base.X_WL.p, v(velocities[0], velocities[1], velocities[2]);
  const Vec3 v_B = base.V_WL_L.head<3>(), w_B = base.V_WL_L.tail<3>();
  const RollPitchYaw rpy = rpy_from_rotation(base.X_WL.R);
  const Vec3 a = base.X_WL.R * Vec3(s.acceleration[0], s.acceleration[1], s.acceleration[2]);
  out("x", "m", "position of the base (centre of mass of the chassis)", p.x());
  out("y", "m", "position of the base", p.y());
  out("z", "m", "position of the base", p.z());
  out("roll", "rad", "right side down positive", rpy.roll);
  out("pitch", "rad", "nose up positive", rpy.pitch);
  out("yaw", "rad", "left positive", rpy.yaw);
  out("speed", "m/s", "forward, along the body's x", v_B.x());
  out("vx", "m/s", "velocity, world axes", v.x());
  out("vy", "m/s", "velocity, world axes", v.y());
  out("vz", "m/s", "velocity, world axes", v.z());
  out("wx", "rad/s", "roll rate, body axes", w_B.x());
  out("wy", "rad/s", "angular velocity about the body's y (nose down positive)", w_B.y());
  out("wz", "rad/s", "yaw rate, body axes", w_B.z());
  out.effort(Effort::forces);
  out("ax", "m/s^2", "acceleration, world axes", a.x());
  out("ay", "m/s^2", "acceleration, world axes", a.y());
  out("az", "m/s^2", "acceleration, world axes", a.z());
  out("alpha_x", "rad/s^2", "angular acceleration, body axes", s.acceleration[3]);
  out("alpha_y", "rad/s^2", "angular acceleration, body axes", s.acceleration[4]);
  out("alpha_z", "rad/s^2", "angular acceleration, body axes", s.acceleration[5]);
}

template <class Visit>
void visit_wheel(Visit& out, const RobotWheel& wheel, const RobotScratch& s) {
  const Contact& c = s.contacts[wheel.contact];
  const Pose& X = s.mechanism.link[wheel.link].X_WL;
  const Vec3 centre = X * Vec3(wheel.hub + c.travel * wheel.axes.col(2));
  const double drive = wheel.drive >= 0 ? s.drive.torque[wheel.drive] : 0.0;
  out("suspension", "m", "displacement of the suspension", c.travel);
  out("contact", "-", "1 on the ground under load, 0 in the air", c.touching && c.load > 0 ? 1 : 0);
  out("contact_angle", "rad", "of the contact point on the rim, ahead of the hub positive", c.angle);
  out("centre_x", "m", "hub, world", centre.x());
  out("centre_y", "m", "hub, world", centre.y());
  out("centre_z", "m", "hub, world", centre.z());
  out("normal", "N", "normal force N", c.load);
  out("fx", "N", "longitudinal force, forward positive", c.fx);
  out("fy", "N", "lateral force, left positive", c.fy);
  out("slip", "-", "driving (U - V)/|U|, braking (U - V)/|V|", c.slip);
  out("slip_angle", "rad", "atan2(v_y, |v_x|)", c.slip_angle);
  out("spin", "rad/s", "relative to the link, forward positive", s.mechanism.spin[wheel.rotor]);
  out("torque", "N m", "of drive and brake on the wheel", drive);
  for (const ContactSignal& more : wheel.kind->signals) out(more.name, more.unit, more.doc, c.*more.value);
}

/// What moves a joint beside its own springs, dampers and stops.
double joint_force(const RobotModel& model, const RobotScratch& s, int joint) {
  for (std::size_t i = 0; i < model.mounts().size(); ++i) {
    const Coordinate& at = model.mounts()[i].at;
    if (at.kind == Coordinate::Kind::joint && at.index == joint) return s.drive.torque[i];
  }
  return s.mechanism.joint_force[joint];
}

template <class Visit>
void visit_drives(Visit& out, const std::string& prefix, const RobotModel& model, const RobotScratch& s) {
  if (model.train().has_motors()) {
    for (std::size_t i = 0; i < model.mounts().size(); ++i) {
      const DriveSettings& drive = model.mounts()[i].drive;
      if (drive.kind != "dc") continue;
      if constexpr (Visit::naming()) out.prefix(prefix + "motor." + drive.name + ".");
      const DriveReport& r = s.drive.drives[i];
      out("current", "A", "of the motor", r.current);
      out("voltage", "V", "at the motor", r.voltage);
      out("power", "W", "electrical power into the motor", r.power);
    }
  }
  if (model.train().has_battery()) {
    if constexpr (Visit::naming()) out.prefix(prefix + "battery.");
    const BatteryReport& b = s.drive.battery;
    out("voltage", "V", "at the terminals", b.voltage);
    out("current", "A", "out of the battery", b.current);
    out("charge", "-", "state of charge", b.state_of_charge);
    out("scale", "-", "share of the wanted currents that the battery can serve", b.scale);
  }
}

template <class Visit>
void visit_energy(Visit& out, const DriveEnergy& e) {
  out("drawn", "J", "out of the battery's store, or of ideal sources, since the start", e.chemical + e.ideal);
  out("work", "J", "done on the wheels since the start, the rotors' motion included", e.work);
  out("lost", "J", "turned into heat by battery, motors, gears, friction and brakes since the start",
      e.internal + e.dumped + e.copper + e.gear + e.friction + e.brake);
}

template <class Visit>
void visit_robot(Visit& out, const std::string& prefix, const RobotModel& model, const RobotScratch& s,
                 const RobotBlock& block) {
  if constexpr (Visit::naming()) out.prefix(prefix);
  out.effort(Effort::motion);
  visit_base(out, s, block.velocities);
  out.effort(Effort::motion);
  for (int j = 0; j < model.tree().joint_count(); ++j) {
    if constexpr (Visit::naming()) out.prefix(prefix + "joint." + model.tree().joints()[j].name + ".");
    out("position", "rad or m", "of the joint", s.mechanism.q[j]);
    out("rate", "rad/s or m/s", "of the joint", s.mechanism.rate[j]);
    out("force", "N m or N", "of drive and brake, or what a prescribed motion takes",
        joint_force(model, s, j));
  }
  out.effort(Effort::forces);
  for (const auto& wheel : model.wheels()) {
    if constexpr (Visit::naming()) out.prefix(prefix + "wheel." + wheel.settings.name + ".");
    visit_wheel(out, wheel, s);
  }
  visit_drives(out, prefix, model, s);
  if constexpr (Visit::naming()) out.prefix(prefix + "energy.");
  out.effort(Effort::motion);
  visit_energy(out, model.train().energy(block.drives));
  if constexpr (Visit::naming()) out.prefix(prefix + "stability.");
  out.effort(Effort::stability);
  out("index", "-", "smallest stability moment over that at rest on level ground", s.stability.least_index());
  out("nesm", "m", "normalized energy stability margin, negative outside", s.stability.least_energy_margin());
  out("distance", "m", "of the centre of mass inside the support polygon, horizontally",
      s.stability.least_distance());
}

std::string prefix_of(const World& world, const WorldRobot& robot) {
  return world.robots().size() > 1 ? robot.name + "." : "";
}

/// Names the signals of one robot; `efforts` gets what each takes.
void name_signals(const World& world, const WorldRobot& robot, State& state, SignalCatalog& catalog,
                  std::vector<Effort>& efforts) {
  RobotScratch scratch(*robot.model, world);
  NameVisit visit(catalog, efforts);
  visit_robot(visit, prefix_of(world, robot), *robot.model, scratch,
              RobotBlock(*robot.model, state.block(robot)));
}

}  // namespace

SignalCatalog signal_catalog(const World& world) {
  SignalCatalog catalog;
  State state(world);
  std::vector<Effort> efforts;
  for (const auto& robot : world.robots()) name_signals(world, robot, state, catalog, efforts);
  return catalog;
}

std::vector<Effort> efforts_for(const World& world, std::span<const char> wanted) {
  std::vector<Effort> most;
  State state(world);
  std::size_t place = 0;
  for (const auto& robot : world.robots()) {
    SignalCatalog catalog;
    std::vector<Effort> efforts;
    name_signals(world, robot, state, catalog, efforts);
    most.push_back(Effort::none);
    for (const Effort effort : efforts)
      if (wanted[place++]) most.back() = std::max(most.back(), effort);
  }
  return most;
}

void observe(const World& world, const State& state, SimWorkspace& workspace, std::span<double> values,
             std::span<const Effort> efforts) {
  ValueVisit visit(values);
  for (std::size_t i = 0; i < world.robots().size(); ++i) {
    const WorldRobot& robot = world.robots()[i];
    const Effort effort = efforts.empty() ? Effort::stability : efforts[i];
    RobotScratch& scratch = workspace.of(static_cast<int>(i));
    const RobotBlock block(*robot.model, const_cast<double*>(state.block(robot)));  // read only
    if (effort == Effort::motion)
      update_kinematics(robot.model->tree(), block.positions, block.velocities, scratch.mechanism);
    if (effort >= Effort::forces) {
      examine(world, state, static_cast<int>(i), workspace);
      list_contacts(world, *robot.model, scratch);
    }
    if (effort >= Effort::stability) balance(world, *robot.model, scratch);
    visit_robot(visit, "", *robot.model, scratch, block);
  }
}

}  // namespace scree
