/// scree validate contact: what contact must keep on any ground, and scree validate steps: how far results
/// move with the step, over many starts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "scree/app/progress.hpp"
#include "scree/app/validation.hpp"
#include "scree/core/clock.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/random.hpp"
#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/step.hpp"
#include "scree/sim/touch.hpp"

namespace scree {
namespace {

/// Told how far a set of cases is, in [0, 1].
using Tell = std::function<void(double)>;

Scenario contact_case(const std::string& text, const std::vector<std::string>& changes) {
  Document document = Document::from_text(text, "validate contact");
  for (const std::string& change : changes) document.set(change);
  return load_scenario(std::move(document), "validate contact");
}

/// Of springs that are pressed in by h: stiffness k up to the travel, rising to stiffening k over blend x
/// travel, then constant [J].
double spring_energy(const SuspensionSettings& p, double h) {
  const double beyond = std::max(h - p.travel, 0.0), length = p.blend * p.travel;
  const double inside = std::min(beyond, length), rest = beyond - inside;
  const double extra = (p.stiffening - 1) * p.stiffness;
  return 0.5 * p.stiffness * h * h + extra * inside * inside * inside / (6 * length) +
         extra * (0.5 * length * rest + 0.5 * rest * rest);
}

/// Kinetic energy and that of height [J].
double mechanical_energy(const Simulation& s) {
  const WorldRobot& robot = s.world().robots()[0];
  const Tree& tree = robot.model->tree();
  Workspace mechanism(tree);
  RobotBlock block(*robot.model, const_cast<double*>(s.state().block(robot)));  // read only
  update_kinematics(tree, block.positions, block.velocities, mechanism);
  return kinetic_energy(tree, mechanism) + potential_energy(tree, s.world().gravity(), mechanism);
}

/// The same with that of the springs [J].
double whole_energy(Simulation& s, std::vector<double>& values, const SignalCatalog& catalog) {
  const WorldRobot& robot = s.world().robots()[0];
  s.observe(values);
  double energy = mechanical_energy(s);
  for (const RobotWheel& wheel : robot.model->wheels()) {
    const int place = catalog.find("wheel." + wheel.settings.name + ".suspension");
    energy +=
        spring_energy(wheel.settings.suspension, std::max(values[static_cast<std::size_t>(place)], 0.0));
  }
  return energy;
}

const double* velocities_of(const Simulation& s) {
  const WorldRobot& robot = s.world().robots()[0];
  return s.state().block(robot) + robot.model->layout().velocities;
}

const double* positions_of(const Simulation& s) {
  const WorldRobot& robot = s.world().robots()[0];
  return s.state().block(robot) + robot.model->layout().positions;
}

constexpr const char* kBouncing = R"(
format = 1
duration = 60.0
[world]
friction = 0.0
[terrain]
kind = "flat"
[[robot]]
model = "vivi"
set = ["drive.kind=\"torque\"", "battery.voltage=0", "wheel.suspension.damping=0.0", "wheel.tyre.rolling_resistance=0.0"]
[[event]]
kind = "rolled_over"
)";

/// Without friction and damping nothing takes energy away: the largest change of it, once a second, against
/// the energy above that of the robot at rest.
void keep_energy(std::vector<ValidationRow>& rows) {
  for (const char* start :
       {"pitch_deg=5", "roll_deg=3", "pitch_deg=5,roll_deg=3", "pitch_deg=4,roll_deg=-3,yaw_deg=40"}) {
    Simulation s(contact_case(kBouncing, {fmt::format("robot.0.start={{clearance=0.03,{}}}", start)}));
    const SignalCatalog catalog = s.signals();
    std::vector<double> values(catalog.size());
    const RobotModel& model = *s.world().robots()[0].model;
    const double weight = model.tree().mass() * s.world().gravity().norm();
    // At rest the base is as high as its wheels, pressed in by a quarter of the weight, allow.
    const double stiffness = model.wheels()[0].settings.suspension.stiffness, sag = weight / 4 / stiffness;
    const double height = model.wheels()[0].settings.radius - model.wheels()[0].hub.z() - sag;
    const double rest = weight * height + 4 * 0.5 * stiffness * sag * sag;
    const double first = whole_energy(s, values, catalog);
    double worst = 0;
    for (int second = 1; !s.finished(); ++second) {
      while (!s.finished() && s.time() < second - 1e-9) s.advance();
      worst = std::max(worst, std::abs(whole_energy(s, values, catalog) - first) / (first - rest));
    }
    rows.push_back(
        {fmt::format("energy over 60 s, bouncing from {}", start), "%", std::nullopt, 100 * worst, 0.5});
  }
}

/// Most energy of motion and height that a robot without drive ever has above its first [m of its weight].
double most_gained(Simulation& s) {
  const double first = mechanical_energy(s);
  const double weight = s.world().robots()[0].model->tree().mass() * s.world().gravity().norm();
  double most = 0;
  while (!s.finished()) {
    s.advance();
    most = std::max(most, (mechanical_energy(s) - first) / weight);
  }
  return most;
}

constexpr const char* kThrown = R"(
format = 1
duration = 1.5
[[robot]]
model = "vivi"
set = ["drive.kind=\"torque\"", "battery.voltage=0"]
[[event]]
kind = "rolled_over"
)";

constexpr const char* kUndriven[] = {"vivi", "skid4", "hexa", "her"};
constexpr const char* kNasty[] = {
    R"(terrain={kind="flat"})",
    R"(terrain={kind="step",start=0.0,rise=0.4})",
    R"(terrain={kind="stairs",start=-1.0})",
    R"(terrain={kind="trench",start=0.0})",
    R"(terrain={kind="rocks",cover=0.2,smallest=0.1,largest=0.5,size=[12.0,12.0],cell=0.02,seed=4})",
    R"(terrain={kind="fbm",hurst=0.36,sigma=0.02,size=[8.0,8.0],cells=[400,400],seed=3})",
    R"(terrain={kind="step_field",size=[8.0,8.0]})",
    R"(terrain={kind="sines",amplitude=0.3,wavelength_x=1.0,wavelength_y=1.3})",
};

/// Thrown anyhow onto nasty ground, at steps of 0.2 to 5 ms: nothing is gained.
void throw_robots(std::vector<ValidationRow>& rows, const Tell& tell) {
  RandomStream random(3, 0, "validate throws");
  double worst = 0;
  for (int i = 0; i < 64; ++i) {
    const double step = 2e-4 * maths::pow(25, random.uniform());
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), height = random.uniform(0.02, 0.5);
    const double roll = random.uniform(-180, 180), pitch = random.uniform(-80, 80);
    const double yaw = random.uniform(-180, 180), speed = random.uniform(0, 2);
    Simulation s(contact_case(
        kThrown, {kNasty[i % 8], fmt::format("robot.0.model=\"{}\"", kUndriven[i / 8 % 4]),
                  fmt::format("solver.step={:.6f}", step),
                  fmt::format("robot.0.start={{position=[{:.3f},{:.3f}],clearance={:.3f},roll_deg={:.2f},"
                              "pitch_deg={:.2f},yaw_deg={:.2f},speed={:.3f}}}",
                              x, y, height, roll, pitch, yaw, speed)}));
    worst = std::max(worst, most_gained(s));
    tell((i + 1) / 64.0);
  }
  rows.push_back({"thrown onto nasty ground, 64 cases: energy gained, of height, worst", "mm", std::nullopt,
                  1e3 * worst, 1});
}

/// Dropped without damping, level and tilted, with and without friction, for a minute at steps of 0.5 to 5
/// ms: what is gained, of the height fallen, where the run does not say that its step is too long.
void drop_robots(std::vector<ValidationRow>& rows, const Tell& tell) {
  RandomStream random(4, 0, "validate drops");
  double worst = 0;
  int silent = 0;
  for (int i = 0; i < 32; ++i) {
    const double step = 5e-4 * maths::pow(10, random.uniform()), height = random.uniform(0.02, 0.5);
    const double tilt = i / 4 % 2 == 0 ? 0 : 20;
    const double roll = random.uniform(-tilt, tilt), pitch = random.uniform(-tilt, tilt);
    Simulation s(contact_case(
        kThrown, {kNasty[0], "duration=60.0", fmt::format("robot.0.model=\"{}\"", kUndriven[i % 4]),
                  fmt::format("world.friction={}", i / 8 % 2), fmt::format("solver.step={:.6f}", step),
                  "robot.0.set=[\"drive.kind=\\\"torque\\\"\",\"battery.voltage=0\","
                  "\"wheel.suspension.damping=0.0\"]",
                  fmt::format("robot.0.start={{clearance={:.4f},roll_deg={:.3f},pitch_deg={:.3f}}}", height,
                              roll, pitch)}));
    const double gained = most_gained(s);
    tell((i + 1) / 32.0);
    if (!s.step_warning().empty()) continue;
    ++silent;
    worst = std::max(worst, 100 * gained / height);
  }
  rows.push_back({fmt::format("undamped drops over 60 s, {} of 32 without a warning: gained, worst", silent),
                  "%", std::nullopt, worst, 1});
}

constexpr const char* kStanding = R"(
format = 1
duration = 12.0
[terrain]
kind = "flat"
[[robot]]
model = "vivi"
[[robot.profile]]
quantity = "brake"
value = 60.0
)";

/// Parked on slopes of up to 25 degrees under any heading: the sum of all contact forces against the weight.
void hold_weight(std::vector<ValidationRow>& rows) {
  RandomStream random(1, 0, "validate slopes");
  double worst = 0;
  for (int i = 0; i < 8; ++i) {
    const double slope = random.uniform(0, 25), yaw = random.uniform(-180, 180);
    const double c = maths::cos(yaw * kDegree), sine = maths::sin(yaw * kDegree);
    Simulation s(contact_case(
        kStanding, {fmt::format("terrain.slope_deg={:.3f}", slope),
                    fmt::format("robot.0.start={{yaw_deg={:.3f},pitch_deg={:.3f},roll_deg={:.3f}}}", yaw,
                                slope * c, -slope * sine)}));
    while (!s.finished()) s.advance();
    const RobotModel& model = *s.world().robots()[0].model;
    examine(s.world(), s.state(), 0, s.workspace());
    Vec3 sum = model.tree().mass() * s.world().gravity();
    for (const Contact& contact : list_contacts(s.world(), model, s.workspace().of(0)))
      sum += contact.force_W;
    worst = std::max(worst, 100 * sum.norm() / (model.tree().mass() * s.world().gravity().norm()));
  }
  rows.push_back({"weight held on 8 slopes, any heading: worst", "%", std::nullopt, worst, 1e-4});
}

constexpr const char* kWalled = R"(
format = 1
duration = 6.0
[terrain]
kind = "step"
start = 0.0
rise = 0.4
[[robot]]
model = "skid4"
set = ["drive.kind=\"torque\""]
[[event]]
kind = "rolled_over"
)";

/// Rolling freely into a wall: how much faster the robot ever is than it came.
void stop_at_walls(std::vector<ValidationRow>& rows, const Tell& tell) {
  RandomStream random(2, 0, "validate walls");
  double worst = 0;
  for (int i = 0; i < 200; ++i) {
    const double step = 1e-4 * maths::pow(50, random.uniform()),
                 speed = 0.1 * maths::pow(30, random.uniform());
    const double yaw = random.uniform(-80, 80), rise = random.uniform(0.25, 0.6);
    const double there = 0.45 / (speed * maths::cos(yaw * kDegree));
    Simulation s(contact_case(
        kWalled,
        {fmt::format("solver.step={:.6f}", step), fmt::format("duration={:.3f}", std::min(there, 8.0) + 1),
         fmt::format("robot.0.start={{position=[-0.8,0],clearance=-0.012,speed={:.4f},yaw_deg={:.3f}}}",
                     speed, yaw),
         fmt::format("terrain.rise={:.3f}", rise)}));
    double most = 0;
    while (!s.finished()) {
      s.advance();
      most = std::max(most, std::hypot(velocities_of(s)[0], velocities_of(s)[1]));
    }
    worst = std::max(worst, 100 * (most / speed - 1));
    tell((i + 1) / 200.0);
  }
  rows.push_back({"into walls, 200 cases: faster than it came, worst", "%", std::nullopt, worst, 2});
}

constexpr const char* kRockUnder = R"(
format = 1
duration = 8.0
[terrain]
kind = "bump"
rise = 0.1
length = 0.4
width = 0.3
[[robot]]
model = "vivi"
start = { position = [-2.0, 0.0] }
[robot.control]
kind = "speed"
speed = 0.5
[[event]]
kind = "hull_contact"
)";

/// A rock between the wheels: under the belly it passes, higher it stops the robot before its top.
void meet_rocks(std::vector<ValidationRow>& rows) {
  for (const double rise : {0.1, 0.2, 0.5}) {
    Simulation s(contact_case(kRockUnder, {fmt::format("terrain.rise={}", rise)}));
    while (!s.finished()) s.advance();
    const bool touched = std::any_of(s.events().begin(), s.events().end(),
                                     [](const Event& e) { return e.kind == "hull_contact"; });
    const double x = positions_of(s)[0];
    const bool passes = rise < 0.13;
    const bool right = passes ? !touched && x > 1 : touched && x < 0;
    rows.push_back({fmt::format("rock of {} m between the wheels: {} at x = {:.2f} m", rise,
                                passes ? "passes" : "stops", x),
                    "-", std::nullopt, right ? 0.0 : 1.0, 0});
  }
}

// ---- how far results move with the step

constexpr const char* kDriven = R"(
format = 1
duration = 4.0
[[robot]]
model = "skid4"
)";

struct StepGround {
  const char *name, *terrain;
};
constexpr StepGround kStepGrounds[] = {
    {"sines", R"(terrain={kind="sines",amplitude=0.15,wavelength_x=4.0,wavelength_y=6.0})"},
    {"fbm", R"(terrain={kind="fbm",hurst=0.7,sigma=0.02,size=[32,32],cells=[512,512]})"},
    {"brick", R"(terrain={kind="fbm",hurst=0.36,sigma=0.008,size=[16,16],cells=[2048,2048]})"},
    {"rocks", R"(terrain={kind="rocks",size=[24,24],cell=0.03,cover=0.05,smallest=0.1,largest=0.4})"},
};
constexpr double kSteps[] = {5e-4, 1e-3, 2e-3, 5e-3, 1e-2};  // s
constexpr double kFinestStep = 5e-5;                         // s
constexpr int kStarts = 32;

/// One drive: where it goes and what its wheels bear, every 10 ms.
struct Passage {
  std::vector<Vec3> way;
  std::vector<double> load;
  double length = 0;  ///< m
  double cost = 0;    ///< CPU time over simulated time
};

Passage drive_over(const Scenario& ground, const StartSettings& start, double step) {
  // The same ground with another step and start: it is not made again.
  Scenario scenario = ground;
  SolverSettings solver = ground.world->solver();
  solver.step = step, solver.theta_slip = 0;
  auto world = std::make_shared<World>(ground.world->gravity(), ground.world->shared_terrain(), solver);
  world->add(ground.world->robots()[0].name, ground.world->robots()[0].model);
  scenario.world = world;
  scenario.starts = {start};
  Simulation s(scenario);
  const SignalCatalog catalog = s.signals();
  std::vector<double> values(catalog.size());
  std::vector<int> loads;
  for (const auto& wheel : world->robots()[0].model->wheels())
    loads.push_back(catalog.find("wheel." + wheel.settings.name + ".normal"));
  Passage drive;
  for (int sample = 1; !s.finished(); ++sample) {
    const double before = thread_cpu_seconds();
    while (!s.finished() && s.time() < 0.01 * sample - 1e-9) s.advance();
    drive.cost += thread_cpu_seconds() - before;
    s.observe(values);
    const Vec3 p = Eigen::Map<const Vec3>(positions_of(s));
    if (!drive.way.empty()) drive.length += (p - drive.way.back()).norm();
    drive.way.push_back(p);
    for (const int place : loads) drive.load.push_back(values[static_cast<std::size_t>(place)]);
  }
  drive.cost /= s.time();
  return drive;
}

double median_of(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// Errors of one step on one ground, over all starts.
struct StepErrors {
  std::vector<double> place;  ///< of the end point, of the path [%]
  std::vector<double> load;   ///< of the wheels' loads, rms, of their mean [%]
  std::vector<double> cost;   ///< us a step
};

void add_errors(const Passage& drive, const Passage& truth, double step, StepErrors& out) {
  const std::size_t rows = std::min(drive.way.size(), truth.way.size()),
                    n = std::min(drive.load.size(), truth.load.size());
  out.place.push_back(100 * (drive.way[rows - 1] - truth.way[rows - 1]).norm() / std::max(truth.length, 0.1));
  double off = 0, mean = 0;
  for (std::size_t i = 0; i < n; ++i)
    off += maths::square(drive.load[i] - truth.load[i]), mean += truth.load[i];
  out.load.push_back(100 * std::sqrt(off / static_cast<double>(n)) /
                     std::max(mean / static_cast<double>(n), 1e-9));
  out.cost.push_back(1e6 * drive.cost * step);
}

}  // namespace

Validation validate_contact(const ValidationSetup& setup) {
  Validation v;
  ProgressBar progress("contact", setup.quiet);
  const auto part = [&](double from, double to) {
    return [&progress, from, to](double done) { progress.update(from + done * (to - from)); };
  };
  keep_energy(v.rows);
  throw_robots(v.rows, part(0.05, 0.3));
  drop_robots(v.rows, part(0.3, 0.6));
  hold_weight(v.rows);
  stop_at_walls(v.rows, part(0.6, 1));
  meet_rocks(v.rows);
  return v;
}

Validation validate_steps(const ValidationSetup& setup) {
  Validation v;
  v.text = fmt::format(
      "{} starts of skid4 on each ground, 4 s, against steps of {} ms: end point in % of the path, loads of "
      "the "
      "wheels every 10 ms (rms of the mean), median and worst; median cost of a step\n\n"
      "| ground | step [ms] | end point | worst | loads | worst | us a step "
      "|\n|---|---|---|---|---|---|---|\n",
      kStarts, 1e3 * kFinestStep);
  ProgressBar progress("steps", setup.quiet);
  for (const StepGround& ground : kStepGrounds) {
    const Scenario scenario = contact_case(kDriven, {ground.terrain});
    std::vector<StepErrors> errors(std::size(kSteps));
    for (int i = 0; i < kStarts; ++i) {
      RandomStream random(3, static_cast<std::uint64_t>(i), std::string("validate steps ") + ground.name);
      StartSettings start = scenario.starts[0];
      start.position = Vec2(random.uniform(-4, 4), random.uniform(-4, 4));
      start.yaw = random.uniform(-kPi, kPi);
      start.clearance = 0.01;
      const Passage truth = drive_over(scenario, start, kFinestStep);
      for (std::size_t k = 0; k < std::size(kSteps); ++k)
        add_errors(drive_over(scenario, start, kSteps[k]), truth, kSteps[k], errors[k]);
      progress.update((static_cast<double>(&ground - kStepGrounds) + (i + 1.0) / kStarts) /
                      std::size(kStepGrounds));
    }
    for (std::size_t k = 0; k < std::size(kSteps); ++k) {
      const StepErrors& e = errors[k];
      v.text +=
          fmt::format("| {} | {} | {:.2g} % | {:.2g} % | {:.2g} % | {:.2g} % | {:.2f} |\n", ground.name,
                      1e3 * kSteps[k], median_of(e.place), *std::max_element(e.place.begin(), e.place.end()),
                      median_of(e.load), *std::max_element(e.load.begin(), e.load.end()), median_of(e.cost));
      if (kSteps[k] == 1e-3)
        v.rows.push_back({fmt::format("end point at 1 ms on {}, median of {} starts", ground.name, kStarts),
                          "%", std::nullopt, median_of(e.place), 0.5});
    }
  }
  return v;
}

}  // namespace scree
