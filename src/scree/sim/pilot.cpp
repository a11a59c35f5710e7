#include "scree/sim/pilot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/core/flat.hpp"
#include "scree/mechanism/balance.hpp"
#include "scree/sim/touch.hpp"

namespace scree {
namespace {

constexpr double kSameTime = 1e-9;  // relative to the period: two instants that are meant to be one

double torque_limit(const DriveSettings& drive) {
  const double none = std::numeric_limits<double>::infinity();
  if (drive.kind != "dc") return drive.limit > 0 ? drive.limit : none;
  if (!(drive.motor.peak_current > 0)) return none;
  return drive.motor.peak_current * drive.motor.torque_constant * drive.gear_ratio * drive.gear_efficiency;
}

}  // namespace

RobotInfo robot_info(const RobotModel& model, const Vec3& gravity) {
  RobotInfo info;
  info.name = model.name();
  const Tree& tree = model.tree();
  Workspace home(tree);  // the base in the origin: world axes are its own
  update_kinematics(tree, tree.home(), std::vector<double>(tree.velocity_count(), 0.0), home);
  info.mass = tree.mass();
  info.inertia_B = inertia_about_centre(tree, home);
  info.p_BM = centre_of_mass(tree, home);
  info.gravity = gravity.norm();
  for (std::size_t i = 0; i < model.wheels().size(); ++i) {
    const RobotWheel& wheel = model.wheels()[i];
    const Vec3 hub = model.resting_hub(static_cast<int>(i), info.mass * info.gravity);
    info.wheels.push_back(
        {wheel.settings.name, point_position(home, wheel.link, hub), wheel.settings.radius, wheel.drive});
  }
  for (const auto& drive : model.train().settings().drives) {
    info.drives.push_back({drive.name, drive.kind, torque_limit(drive), drive.brake.torque});
  }
  return info;
}

void describe(Section& s, PilotSettings& x) {
  s.each("profile", "a command over time", [&](Section& profile) {
    describe(profile, x.profiles.emplace_back());
    profile.finish();
  });
  s.each("sensor", "a sensor, beside those of the model; one of the same name replaces it",
         [&](Section& sensor) {
           describe(sensor, x.sensors.emplace_back());
           sensor.finish();
         });
}

namespace {

/// The model's sensors, with those of the scenario in their places or behind them.
std::vector<SensorSettings> all_sensors(const RobotModel& model, const PilotSettings& settings) {
  std::vector<SensorSettings> all = model.settings().sensors;
  const auto name = [](const SensorSettings& s) { return s.name.empty() ? s.kind : s.name; };
  const std::size_t own = all.size();
  for (const SensorSettings& s : settings.sensors) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(own);
    const auto same =
        std::find_if(all.begin(), end, [&](const auto& other) { return name(other) == name(s); });
    if (same != end)
      *same = s;
    else
      all.push_back(s);
  }
  return all;
}

SensorRobot sensor_robot(const RobotModel& model, const std::string& name) {
  SensorRobot robot{name, {}, {}, {}};
  std::vector<std::string> names = {"chassis"};
  for (const RobotLinkSettings& link : model.settings().links) names.push_back(link.name);
  for (const std::string& name : names) {
    const LinkFrame frame = model.tree().frame(name);
    robot.links.push_back({name, frame.link, frame.X_LF});
  }
  for (const RobotWheel& wheel : model.wheels()) robot.wheels.push_back(wheel.settings.name);
  for (const auto& joint : model.tree().joints()) robot.joints.push_back(joint.name);
  return robot;
}

}  // namespace

Pilot::Pilot(const PilotSettings& settings, Section control, const World& world, int robot,
             std::uint64_t seed, std::uint64_t trial)
    : robot_(robot), info_(robot_info(*world.robots()[robot].model, world.gravity())) {
  std::vector<std::string> names;
  for (const auto& drive : info_.drives) names.push_back(drive.name);
  const RobotModel& model = *world.robots()[robot].model;
  std::size_t wheels = 0;
  for (const auto& mount : model.mounts()) wheels += mount.at.kind == Coordinate::Kind::rotor;
  profiles_ = ProfileSet(settings.profiles, names, wheels);
  profiles_.each_command([&](int drive, const DriveCommand& c) { model.train().check_command(drive, c); });
  const std::vector<SensorSettings> sensors = all_sensors(model, settings);
  const SensorRobot place = sensor_robot(model, world.robots()[robot].name);
  for (const SensorSettings& s : sensors) {
    SensorPlan plan(s, place);
    info_.sensors.push_back({plan.settings.name, plan.kind->name, std::move(plan.channels)});
  }
  control.text("kind", kind_, {.doc = "controller"});
  made_ = make_controller(control, info_);
  const double period = made_.controller ? made_.period : world.solver().step;
  sensors_ = std::make_unique<SensorSuite>(sensors, place, period, seed, trial);
  places_ = made_.controller && made_.controller->reads_places();
  wheels_.resize(info_.wheels.size());
  joints_.resize(model.tree().joints().size());
  if (sensors_->needs_links()) links_.resize(sensors_->needs_outer_links() ? model.tree().links().size() : 1);
  know_constants(world);
  control_signals_ = made_.controller ? made_.controller->signals().size() : 0;
  signal_count_ = signals().size();
}

/// What of the truth stays as it is; joints move the rest.
void Pilot::know_constants(const World& world) {
  truth_.gravity_W = world.gravity();
  truth_.mass = info_.mass;
  truth_.p_BM = info_.p_BM;
  truth_.inertia_B = info_.inertia_B;
  truth_.wheels = wheels_;
  truth_.joints = joints_;
  truth_.links = links_;
}

double Pilot::next(double time) const {
  double at = profiles_.next_jump(time);
  if (made_.controller) at = std::min(at, static_cast<double>(samples_) * made_.period);
  return at;
}

/// The motion of the links that sensors need, as the state has it; accelerations are those of the last step.
void Pilot::fill_links(const RobotModel& model, std::span<const double> x, std::span<const double> v,
                       RobotScratch& s) {
  links_[0] = {truth_.X_WB, truth_.v_WB_B, truth_.w_WB_B,
               truth_.a_WB_B - truth_.X_WB.R.transpose() * truth_.gravity_W, truth_.alpha_WB_B};
  if (links_.size() == 1) return;
  update_kinematics(model.tree(), x, v, s.mechanism);
  for (std::size_t i = 1; i < links_.size(); ++i) {
    const LinkMotion& link = s.mechanism.link[i];
    const LinkFactor& f = s.mechanism.factor[i];
    const Vec6 a = f.u + f.b;
    links_[i] = {link.X_WL, link.V_WL_L.head<3>(), link.V_WL_L.tail<3>(), a.head<3>(), a.tail<3>()};
  }
}

void Pilot::fill_wheels(const RobotModel& model, const double* x, const double* v, const RobotScratch& s) {
  const double *angles = x + model.tree().rotor_position(), *spins = v + model.tree().rotor_velocity();
  const auto wheels = model.wheels();
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const RobotWheel& wheel = wheels[i];
    const Contact& c = s.contacts[wheel.contact];
    WheelTruth& w = wheels_[i];
    w.in_contact = c.touching;
    w.suspension = c.travel;
    w.spin = spins[wheel.rotor];
    w.angle = angles[wheel.rotor];
    w.contact_angle = c.angle;
    w.normal = c.load;
    w.traction = c.fx;
    w.lateral = c.fy;
    if (places_) place_wheel(wheel, c, s.mechanism, w);
  }
}

void Pilot::place_wheel(const RobotWheel& wheel, const Contact& c, const Workspace& mechanism,
                        WheelTruth& w) {
  w.p_BK = wheel.hub + c.travel * wheel.axes.col(2);
  w.axis_B = wheel.axes.col(1);
  w.up_B = wheel.axes.col(2);
  if (wheel.link > 0) {
    const Pose X_BL = mechanism.link[0].X_WL.inverse() * mechanism.link[wheel.link].X_WL;
    w.p_BK = X_BL * w.p_BK;
    w.axis_B = X_BL.R * w.axis_B;
    w.up_B = X_BL.R * w.up_B;
  }
  w.radius = wheel.settings.radius;
  w.contact_tilt = c.tilt;
  w.peak = c.peak;
}

void Pilot::fill_truth(const World& world, const State& state, RobotScratch& s) {
  const WorldRobot& robot = world.robots()[robot_];
  const RobotModel& model = *robot.model;
  places_ ? list_contacts(world, model, s) : list_wheels(world, model, s);
  const double* x = state.block(robot) + model.layout().positions;
  const double* v = state.block(robot) + model.layout().velocities;
  truth_.time = state.time();
  truth_.X_WB.p = Vec3(x[0], x[1], x[2]);
  truth_.X_WB.R = Quat(x[3], x[4], x[5], x[6]).toRotationMatrix();
  truth_.v_WB_B = truth_.X_WB.R.transpose() * Vec3(v[0], v[1], v[2]);
  truth_.w_WB_B = Vec3(v[3], v[4], v[5]);
  truth_.a_WB_B = Vec3(s.acceleration[0], s.acceleration[1], s.acceleration[2]);
  truth_.alpha_WB_B = Vec3(s.acceleration[3], s.acceleration[4], s.acceleration[5]);
  if (model.tree().joint_count() > 0) {
    const Mat3 R_BW = s.mechanism.link[0].X_WL.R.transpose();
    truth_.p_BM = R_BW * (centre_of_mass(model.tree(), s.mechanism) - s.mechanism.link[0].X_WL.p);
    truth_.inertia_B = R_BW * inertia_about_centre(model.tree(), s.mechanism) * R_BW.transpose();
  }
  fill_wheels(model, x, v, s);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    joints_[j] = {x[model.tree().joint_position() + static_cast<int>(j)],
                  v[model.tree().joint_velocity() + static_cast<int>(j)]};
  const BatteryReport& battery = s.drive.battery;
  truth_.battery = {battery.voltage, battery.current, battery.state_of_charge, battery.scale};
  if (!links_.empty())
    fill_links(model, {x, static_cast<std::size_t>(model.tree().position_count())},
               {v, static_cast<std::size_t>(model.tree().velocity_count())}, s);
}

SCREE_FLAT void Pilot::decide(const World& world, const State& state, RobotScratch& scratch,
                              std::span<DriveCommand> commands) {
  const bool decides = made_.controller && state.time() >= static_cast<double>(samples_) * made_.period -
                                                               kSameTime * made_.period;
  if (decides || state.time() >= sensors_->next()) {
    fill_truth(world, state, scratch);
    sensors_->update(truth_);
  }
  if (decides) {
    checked_update(*made_.controller, kind_, sensors_->read(truth_, places_), commands, info_);
    ++samples_;
  }
  if (!profiles_.empty()) profiles_.apply(state.time(), commands);
}

std::vector<ControlSignal> Pilot::signals() const {
  std::vector<ControlSignal> all;
  if (made_.controller)
    for (const ControlSignal& s : made_.controller->signals())
      all.push_back({"control." + s.name, s.unit, s.doc});
  for (const SensorInfo& sensor : info_.sensors)
    for (const SensorChannel& c : sensor.channels)
      all.push_back({fmt::format("sensor.{}.{}", sensor.name, c.name), c.unit, c.doc + ", as measured"});
  return all;
}

void Pilot::values(std::span<double> out) const {
  if (made_.controller) checked_values(*made_.controller, kind_, info_.name, out.first(control_signals_));
  std::size_t at = control_signals_;
  for (const Sensor& sensor : sensors_->sensors())
    for (const double value : sensor.reading().values) out[at++] = value;
}

void Pilot::memory(Memory& m) {
  m(samples_);
  sensors_->memory(m);
  if (made_.controller) made_.controller->memory(m);
}

std::string Pilot::layout() const {
  std::string text;
  for (const Sensor& sensor : sensors_->sensors()) {
    const SensorPlan& plan = sensor.plan();
    text +=
        fmt::format("sensor '{}' of kind {} with {} channels, rate {} Hz, delay {} s\n", plan.settings.name,
                    plan.kind->name, plan.channels.size(), plan.settings.rate, plan.settings.delay);
  }
  Memory own;
  if (made_.controller) made_.controller->memory(own);
  text += made_.controller ? fmt::format("controller {} with {} numbers\n", kind_, own.count())
                           : std::string("no controller\n");
  return text;
}

}  // namespace scree
