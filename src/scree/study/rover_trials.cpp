#include "scree/study/rover_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/clock.hpp"
#include "scree/core/errors.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

/// Steps a simulation and looks at its signals by name.
class Watcher {
 public:
  explicit Watcher(Simulation& s)
      : simulation_(s), catalog_(signal_catalog(s.world())), values_(catalog_.size()) {}
  void look() { observe(simulation_.world(), simulation_.state(), simulation_.workspace(), values_); }
  int place(const std::string& name) const { return catalog_.find(name); }
  double operator()(int place) const { return place < 0 ? 0 : values_[static_cast<std::size_t>(place)]; }
  double operator()(const std::string& name) const { return (*this)(place(name)); }

 private:
  Simulation& simulation_;
  SignalCatalog catalog_;
  std::vector<double> values_;
};

std::string trial_scenario(const RoverTrialSettings& x) {
  return fmt::format(R"(format = 1
duration = {}
[world]
gravity = [0.0, 0.0, {}]
[solver]
step = {}
[terrain]
kind = "flat"
slope = {}
soil = {{ names = ["{}"] }}
[[robot]]
model = "{}"
set = ['wheel.contact={{ kind = "soil", model = "{}", mount = "rigid", lug_height = {} }}']
start = {{ pitch = {}, clearance = 0.0 }}
)",
                     x.duration, -x.gravity, x.step, x.slope, x.soil, x.model, x.law, x.lug_height, x.slope);
}

}  // namespace

RoverTrial run_rover_trial(const RoverTrialSettings& x) {
  Document document = Document::from_text(trial_scenario(x), "rover trial");
  for (const std::string& s : x.set) document.set(s);
  Scenario probe = load_scenario(document.copy(), "rover trial");
  const RobotModel& model = *probe.world->robots()[0].model;
  if (x.law == "closed_form") {
    const double mean = model.tree().mass() * x.gravity / static_cast<double>(model.wheels().size());
    document.set(fmt::format("robot.set.wheel.contact.mean_load={:.17g}", mean));
  }
  document.set("robot.set.drive.0.gain=1000.0");  // all wheels at one speed, as the experiments had it
  for (std::size_t i = 0; i < model.wheels().size(); ++i) {
    const WheelSettings& w = model.wheels()[i].settings;
    document.set(
        fmt::format("robot.profile.{}={{ quantity = \"speed\", drives = [\"{}\"], rows = [[0.0, 0.0], [1.0, "
                    "{:.17g}]] }}",
                    i, w.name, x.rim_speed / w.radius));
  }
  const Scenario scenario = load_scenario(std::move(document), "rover trial");
  Simulation s(scenario);
  const int offset = scenario.world->robots()[0].offset;
  if (x.pull != 0) {
    s.before_step([&s, &x, offset] {
      OutsidePush& push = s.workspace().push[0];
      const World& world = s.world();
      if (push.link.empty()) {
        push.link.assign(world.robots()[0].model->tree().links().size(), Vec6::Zero());
        push.rotor.assign(world.robots()[0].model->tree().rotors().size(), 0.0);
      }
      const double* p = s.state().all().data() + offset;
      const Vec3 force(-x.pull * maths::cos(x.slope), 0, -x.pull * maths::sin(x.slope));
      const Vec3 at = Vec3(p[0], p[1], p[2]) + x.hitch * Vec3(-maths::sin(x.slope), 0, maths::cos(x.slope));
      push.link[0] << force, at.cross(force);
      push.any = true;
    });
  }
  Watcher look(s);
  RoverTrial out;
  for (const RobotWheel& w : scenario.world->robots()[0].model->wheels())
    out.wheels.push_back({w.settings.name});
  const double from = 0.7 * x.duration;
  int count = 0;
  double least = 1e300, most = -1e300;
  std::uint64_t k = 0;
  while (!s.finished()) {
    s.advance();
    if (s.time() < from || ++k % 20 != 0) continue;
    look.look();
    ++count;
    double slip = 0;
    for (RoverTrialWheel& w : out.wheels) {
      const std::string p = "wheel." + w.name + ".";
      w.load += look(p + "normal"), w.sinkage += look(p + "sinkage"), w.pull += look(p + "fx");
      w.resistance += look(p + "resistance"), w.slip += look(p + "slip");
      slip += look(p + "slip") / static_cast<double>(out.wheels.size());
    }
    out.speed += look("speed");
    least = std::min(least, slip), most = std::max(most, slip);
  }
  out.outcome = s.outcome();
  if (count == 0) return out;
  const double n = count, wheels = static_cast<double>(out.wheels.size());
  for (RoverTrialWheel& w : out.wheels) {
    w.load /= n, w.sinkage /= n, w.pull /= n, w.resistance /= n, w.slip /= n;
    out.slip += w.slip / wheels, out.sinkage += w.sinkage / wheels;
    out.pull += w.pull, out.resistance += w.resistance;
  }
  out.speed /= n;
  out.unrest = most - least;
  return out;
}

RoverDrive run_rover_drive(const Scenario& scenario, double period,
                           const std::function<void(double)>& progress) {
  Simulation s(scenario);
  Watcher look(s);
  RoverDrive out;
  const RobotModel& model = *scenario.world->robots()[0].model;
  const std::size_t n = model.wheels().size();
  for (const RobotWheel& w : model.wheels()) out.wheels.push_back(w.settings.name);
  out.slip.resize(n), out.load.resize(n), out.sinkage.resize(n);
  const Tree& tree = model.tree();
  const int left = tree.joint_index("left_rocker"), right = tree.joint_index("right_rocker");
  const double before = thread_cpu_seconds();
  double next = 0;
  while (true) {
    if (s.time() >= next - 1e-9) {
      look.look();
      out.time.push_back(s.time()), out.x.push_back(look("x")), out.y.push_back(look("y"));
      out.roll.push_back(look("roll")), out.pitch.push_back(look("pitch")), out.yaw.push_back(look("yaw"));
      out.left.push_back(look("joint.left_rocker.position")),
          out.right.push_back(look("joint.right_rocker.position"));
      for (std::size_t i = 0; i < n; ++i) {
        const std::string p = "wheel." + out.wheels[i] + ".";
        out.slip[i].push_back(look(p + "slip")), out.load[i].push_back(look(p + "normal"));
        out.sinkage[i].push_back(look(p + "sinkage"));
      }
      const std::string last = "wheel." + out.wheels.back() + ".";
      const TerrainPoint under =
          scenario.world->terrain().at(look(last + "centre_x"), look(last + "centre_y"));
      const double c = maths::cos(look("yaw")), y = maths::sin(look("yaw"));
      out.slope_along.push_back(std::atan(c * under.slope_x + y * under.slope_y));
      out.slope_across.push_back(std::atan(-y * under.slope_x + c * under.slope_y));
      if (progress) progress(s.time() / scenario.duration);
      next += period;
    }
    if (s.finished()) break;
    s.advance();
    const double* q = s.state().block(scenario.world->robots()[0]) + tree.joint_position();
    out.largest_sum = std::max(out.largest_sum, std::abs(q[left] + q[right]));
  }
  out.cpu = thread_cpu_seconds() - before;
  out.outcome = s.outcome();
  return out;
}

Figure rover_drive_figure(const RoverDrive& d, const std::string& title) {
  Figure figure;
  figure.title = title;
  figure.columns = 2;
  figure.panel_width = 720, figure.panel_height = 300;
  const auto degrees = [](const std::vector<double>& a) {
    std::vector<double> out;
    for (const double x : a) out.push_back(x / kDegree);
    return out;
  };
  figure.panels.push_back(
      {"x [m]", "y [m]", {{"path of the base", d.x, d.y}, {"straight", {0.5, 5}, {0.5, 5}}}});
  figure.panels.push_back(
      {"time [s]",
       "slope under the last wheel [deg]",
       {{"along", d.time, degrees(d.slope_along)}, {"across", d.time, degrees(d.slope_across)}}});
  figure.panels.push_back({"time [s]",
                           "angle [deg]",
                           {{"roll", d.time, degrees(d.roll)},
                            {"pitch", d.time, degrees(d.pitch)},
                            {"q1", d.time, degrees(d.left)},
                            {"q2", d.time, degrees(d.right)}}});
  figure.panels.push_back({"time [s]", "yaw [deg]", {{"yaw", d.time, degrees(d.yaw)}}});
  Panel slip{"time [s]", "slip [-]", {}}, load{"time [s]", "normal force [N]", {}};
  for (std::size_t i = 0; i < d.wheels.size(); ++i) {
    slip.curves.push_back({d.wheels[i], d.time, d.slip[i]});
    load.curves.push_back({d.wheels[i], d.time, d.load[i]});
  }
  figure.panels.push_back(slip), figure.panels.push_back(load);
  return figure;
}

std::string random_ground_scenario(std::uint64_t seed) {
  return fmt::format(R"(format = 1
doc = "El-Dorado II over random deformable ground, as Ding 2011 Sec. 5.2.3"
duration = 85.0
seed = {}
[terrain]
kind = "noise"
rms = 0.06
length = 1.2
period = 2.4
size = [8, 8]
centre = [3, 3]
cell = 0.02
soil = {{ names = ["toyoura"] }}
[[robot]]
model = "el-dorado"
set = ['wheel.contact={{ kind = "soil", model = "closed_form", mount = "rigid", lug_height = 0.01, mean_load = 86.0 }}']
start = {{ position = [0.5, 0.5], yaw_deg = 45.0, clearance = 0.0 }}
[[robot.profile]]
quantity = "speed"
rows = [[0.0, 0.0], [1.0, 1.0]]
[[event]]
kind = "goal"
position = [5.0, 5.0]
radius = 0.3
ends_run = true
)",
                     seed);
}

}  // namespace scree
