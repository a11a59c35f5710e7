/// Save at any moment, go on elsewhere, with the same bits.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "sim/scenarios.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<double> snapshot(const Simulation& simulation) {
  std::vector<double> values(simulation.snapshot_size());
  simulation.save(values);
  return values;
}

/// Stops at several moments, restores each in a simulation of its own, and compares the ends: all numbers of
/// the snapshot, all signals, the events after the moment.
void expect_same_after_resume(const Scenario& scenario, double until, const std::string& what) {
  Simulation whole(scenario);
  struct Stop {
    std::vector<double> values;
    std::size_t events;
    SoilTiles soil;
  };
  std::vector<Stop> stops;
  RandomStream random(11, 0, what);
  double next = 0;
  while (!whole.finished() && whole.time() < until - 1e-9) {
    if (whole.time() >= next && stops.size() < 4) {
      stops.push_back({snapshot(whole), whole.events().size(), whole.state().soil()});
      next = whole.time() + random.uniform(0.1, 0.5) * until;
    }
    whole.advance();
  }
  std::vector<double> end_signals(whole.signals().size());
  whole.observe(end_signals);
  const std::string layout = whole.layout();
  ASSERT_GE(stops.size(), 2u) << what;
  for (const Stop& stop : stops) {
    Simulation resumed(scenario, SnapshotView{layout, stop.values, &stop.soil});
    EXPECT_EQ(snapshot(resumed), stop.values) << what;
    testing::run_to(resumed, whole.time());
    const std::string where = fmt::format("{} resumed at {} s", what, stop.values[0]);
    EXPECT_EQ(resumed.time(), whole.time()) << where;
    EXPECT_EQ(resumed.state().hash(), whole.state().hash()) << where;
    EXPECT_EQ(snapshot(resumed), snapshot(whole)) << where;
    EXPECT_EQ(resumed.steps(), whole.steps()) << where;
    EXPECT_EQ(resumed.outcome(), whole.outcome()) << where;
    ASSERT_EQ(resumed.events().size(), whole.events().size() - stop.events) << where;
    for (std::size_t i = 0; i < resumed.events().size(); ++i) {
      EXPECT_EQ(resumed.events()[i].text, whole.events()[i + stop.events].text) << where;
      EXPECT_EQ(resumed.events()[i].time, whole.events()[i + stop.events].time) << where;
    }
    std::vector<double> signals(end_signals.size());
    resumed.observe(signals);
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (std::isnan(signals[i]) && std::isnan(end_signals[i])) continue;
      EXPECT_EQ(signals[i], end_signals[i]) << where << ": " << whole.signals().all()[i].name;
    }
  }
}

const char* kAllEvents =
    R"(event=[{kind="rolled_over",angle_deg=10},{kind="left_terrain"},{kind="stuck",time=0.2,distance=0.02},)"
    R"({kind="goal",position=[0.3,0],radius=0.2},{kind="landed"},{kind="lift_off"},{kind="hull_contact"},)"
    R"({kind="unstable",margin=0.2}])";

std::string all_sensors() {
  std::string list = "robot.0.sensor=[";
  for (const SensorKind& kind : sensor_kinds()) {
    if (kind.on == SensorKind::On::joints) continue;
    list += fmt::format("{{kind=\"{}\",noise=0.01,delay=0.013,rate=173,dropout=0.1,resolution=1e-3}},",
                        kind.name);
    list += fmt::format("{{kind=\"{}\",name=\"{} again\",noise=0.01}},", kind.name, kind.name);
  }
  return list + "]";
}

std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_tree("/scenarios")))
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Resume, EveryShippedScenarioGoesOnWithTheSameBits) {
  for (const std::string& file : shipped()) {
    const Scenario scenario = load_scenario(file, {"duration=0.6"});
    expect_same_after_resume(scenario, 0.6, file);
  }
}

TEST(Resume, EveryControllerWithNoisySensorsAndAllEventsGoesOn) {
  const std::vector<std::string> controllers = {
      "{kind=\"torque\",torque=2}", "{kind=\"voltage\",voltage=6,rate=210}",
      "{kind=\"speed\",speed=0.8}", "{kind=\"pid\",speed=0.8,turn=0.1,derivative=0.1,rate=330}",
      "{kind=\"cdta\",speed=1}",    "{kind=\"stability3d\",speed=1,yaw_rate=0.4}",
  };
  for (const std::string& controller : controllers) {
    Scenario scenario = load_scenario(source_tree("/scenarios/demo.toml"),
                                      {"duration=1", "robot.0.start={position=[-0.5,0],clearance=0.05}",
                                       "robot.0.control=" + controller, kAllEvents, all_sensors()});
    expect_same_after_resume(scenario, 1, controller);
  }
}

TEST(Resume, EveryDriveGoesOn) {
  const std::vector<std::pair<std::string, std::string>> drives = {
      {"torque", "drive.limit=30.0"}, {"governor", "drive.gain=20.0"}, {"dc", "battery.voltage=24.0"}};
  for (const auto& [kind, more] : drives) {
    const Scenario scenario =
        load_scenario(source_tree("/scenarios/demo.toml"),
                      {"duration=0.5", "robot.0.control={}",
                       fmt::format("robot.0.set=['drive.kind=\"{}\"','{}']", kind, more),
                       "robot.0.profile=[{quantity=\"torque\",rows=[[0,0],[0.3,5]],interpolation=\"linear\"},"
                       "{quantity=\"brake\",rows=[[0,0],[0.2,3]],interpolation=\"hold\"}]"});
    expect_same_after_resume(scenario, 0.5, kind);
  }
  const std::string bed = R"(
format = 1
duration = 0.5
[terrain]
kind = "flat"
[[robot]]
model = "rocker"
set = ['drive.kind="torque"']
sensor = [{ kind = "joint", noise = 0.01 }, { kind = "gyro", link = "left", delay = 0.01 }]
[[robot.profile]]
quantity = "torque"
value = 2.0
)";
  expect_same_after_resume(testing::scenario_of(bed), 0.5, "rocker");
}

/// Drives on joints that remember where they were told to go.
TEST(Resume, ServosAndKinematicDrivesGoOn) {
  const testing::TemporaryFolder folder;
  for (const char* drive : {"kind = \"servo\"\nfrequency = 3.0\ndamping_ratio = 0.4\narmature = 0.05\n",
                            "kind = \"kinematic\"\nspeed_limit = 0.5\nacceleration_limit = 2.0\n"}) {
    const auto model = folder.write("bed.toml", fmt::format(R"(
format = 1
base = "fixed"
chassis = {{ mass = 10.0, inertia = [0.5, 0.5, 0.5], l1 = 0.1, l2 = 0.1, w1 = 0.1, w2 = 0.1, h_base = 0.1, h_top = 0.1 }}
[[link]]
name = "arm"
axis = [0.0, 1.0, 0.0]
mass = 2.0
com = [0.0, 0.0, -0.4]
inertia = [0.1, 0.1, 0.02]
[[drive]]
on = "arm"
{})",
                                                            drive));
    const Scenario scenario = testing::scenario_of(fmt::format(R"(
format = 1
duration = 0.8
terrain = {{ kind = "flat" }}
[[robot]]
model = "{}"
start = {{ clearance = 1.0 }}
sensor = [{{ kind = "joint", noise = 0.01, delay = 0.01 }}]
[[robot.profile]]
quantity = "position"
drives = ["arm"]
rows = [[0, 0], [0.2, 0.3], [0.5, -0.1]]
interpolation = "linear"
)",
                                                               model.string()));
    Simulation s(scenario);
    testing::run_to(s, 0.5);
    const WorldRobot& robot = s.world().robots()[0];
    EXPECT_GT(std::abs(s.state().block(robot)[robot.model->tree().joint_position()]), 1e-3) << "it moves";
    expect_same_after_resume(scenario, 0.8, drive);
  }
}

TEST(Resume, SolversGoOn) {
  for (const char* method : {"implicit", "euler", "rk4"})
    expect_same_after_resume(
        testing::scenario_of(testing::kSmooth, {fmt::format("solver={{method=\"{}\",step=1e-4}}", method)}),
        0.05, method);
}

TEST(Resume, ARunThatIsOverCanBeMadeLonger) {
  const std::vector<std::string> changes = {"robot.0.control={kind=\"pid\",speed=0.5}", all_sensors()};
  auto with = [&](const char* duration) {
    std::vector<std::string> all = changes;
    all.push_back(duration);
    return load_scenario(source_tree("/scenarios/demo.toml"), all);
  };
  Simulation whole(with("duration=1")), half(with("duration=0.5"));
  testing::run_to(whole, 1);
  testing::run_to(half, 1);
  EXPECT_TRUE(half.finished());
  const std::vector<double> values = snapshot(half);
  Simulation rest(with("duration=1"), SnapshotView{half.layout(), values});
  testing::run_to(rest, 1);
  EXPECT_EQ(snapshot(rest), snapshot(whole));
}

TEST(Resume, WatchingNeverChangesARun) {
  for (const char* file :
       {"/scenarios/demo.toml", "/scenarios/vivi/sines_cdta.toml", "/scenarios/rocker.toml"}) {
    const std::vector<std::string> base = {"duration=1.5", "robot.0.start.clearance=0.3"};
    auto hash_with = [&](const std::string& more) {
      std::vector<std::string> all = base;
      if (!more.empty()) all.push_back(more);
      Simulation s(load_scenario(source_tree(file), all));
      testing::run_to(s, 1.5);
      return s.state().hash();
    };
    const std::uint64_t plain = hash_with("");
    EXPECT_EQ(hash_with(kAllEvents), plain) << file;
  }
}

TEST(Resume, SensorsThatNobodyReadsChangeNothing) {
  // No controller reads these: a kind of which the list has none else would give controllers its error.
  const std::string list =
      "robot.0.sensor=[{kind=\"position\",rate=7,delay=0.1,noise=1},{kind=\"heading\",rate=333,noise=1},"
      "{kind=\"gyro\",name=\"perfect\"}]";
  for (const char* file : {"/scenarios/demo.toml", "/scenarios/rocker.toml"}) {
    Simulation plain(load_scenario(source_tree(file), {"duration=1"}));
    Simulation sensed(load_scenario(source_tree(file), {"duration=1", list}));
    testing::run_to(plain, 1), testing::run_to(sensed, 1);
    EXPECT_EQ(plain.state().hash(), sensed.state().hash()) << file;
  }
}

TEST(Resume, AnotherModelOrVersionIsRefusedWithWhatDiffers) {
  const auto demo = [](const std::vector<std::string>& changes) {
    return load_scenario(source_tree("/scenarios/demo.toml"), changes);
  };
  const Simulation one(demo({}));
  const std::vector<double> values = snapshot(one);
  const auto refused = [&](const Scenario& other, const std::string& layout, const char* text) {
    EXPECT_THAT(
        [&] {
          Simulation(other, SnapshotView{layout, values});
        },
        ThrowsMessage<InputError>(HasSubstr(text)));
  };
  refused(demo({"robot.0.model=\"hexa\"", "robot.0.name=\"vivi\""}), one.layout(), "wheels");
  refused(demo({"robot.0.control={}"}), one.layout(), "no controller");
  refused(demo({"robot.0.sensor=[{kind=\"gyro\"}]"}), one.layout(), "gyro");
  refused(demo({kAllEvents}), one.layout(), "event");
  refused(demo({}), "state version 0\n" + one.layout(), "version");
  EXPECT_NO_THROW(Simulation(demo({"robot.0.control.speed=0.5"}), SnapshotView{one.layout(), values}))
      << "a gain or a goal may change: what would have been";
}

TEST(Threads, RobotsStepSideBySideWithTheSameBits) {
  std::string text = "format = 1\nduration = 0.4\n[terrain]\nkind = \"fbm\"\nsize = [20, 20]\ncell = 0.05\n";
  const char* models[] = {"skid4", "vivi", "hexa", "rocker"};
  for (int i = 0; i < 24; ++i)
    text += fmt::format(
        "[[robot]]\nname = \"r{}\"\nmodel = \"{}\"\nstart = {{ position = [{}, {}], clearance = 0.02 }}\n"
        "control = {{ kind = \"pid\", speed = 0.5, rate = {} }}\nsensor = [{{ kind = \"gyro\", noise = 0.1 "
        "}}]\n",
        i, models[i % 4], -6 + 2.0 * (i % 6), -4 + 2.0 * (i / 6), 500 + i);
  const Scenario scenario = testing::scenario_of(text);
  std::vector<double> first;
  for (const int threads : {1, 2, 3, 8}) {
    Simulation s(scenario, threads);
    EXPECT_EQ(s.threads(), threads);
    testing::run_to(s, 0.4);
    const std::vector<double> values = snapshot(s);
    if (first.empty()) first = values;
    EXPECT_EQ(values, first) << threads << " threads";
  }
}

TEST(Trial, ReachesGroundAndSensors) {
  const std::string text =
      "format = 1\nduration = 0.2\n[terrain]\nkind = \"fbm\"\nsize = [8, 8]\ncell = 0.1\n[[robot]]\nmodel = "
      "\"skid4\"\nsensor = [{ kind = \"gyro\", noise = 0.1 }]\n";
  const auto end_of = [&](const std::vector<std::string>& changes) {
    Simulation s(testing::scenario_of(text, changes));
    testing::run_to(s, 0.2);
    std::vector<double> values(s.signals().size());
    s.observe(values);
    return std::pair(s.world().terrain().height(1, 1), values.back());
  };
  const auto a = end_of({}), b = end_of({"trial=1"}), c = end_of({"seed=2"}), again = end_of({"trial=0"});
  EXPECT_EQ(a, again);
  EXPECT_NE(a.first, b.first);
  EXPECT_NE(a.second, b.second);
  EXPECT_NE(b.first, c.first);
  const auto fixed = end_of({"trial=1", "terrain.seed=1"});
  EXPECT_EQ(fixed.first, a.first) << "a part with a seed of its own stays";
  EXPECT_NE(fixed.second, a.second);
}

}  // namespace
}  // namespace scree
