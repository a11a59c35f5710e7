#include "scree/sim/scenario.hpp"

#include <limits>
#include <map>

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "scree/core/text.hpp"
#include "scree/ground/soil_cells.hpp"
#include "scree/sim/place.hpp"
#include "scree/terrain/make.hpp"
#include "scree/terrain/map.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {
namespace {

/// Cells of soil that deforms, where some wheel asks for them: they must be small beside every such wheel.
void settle_soil_grid(const Section& root, const SoilGridSettings& grid, World& world) {
  bool asks = false;
  for (const WorldRobot& robot : world.robots()) {
    for (const RobotWheel& wheel : robot.model->wheels()) {
      if (!wheel.kind->needs_grid) continue;
      asks = true;
      const double most = largest_cell(wheel.settings.radius, wheel.settings.width);
      if (grid.cell > most)
        root.fail("terrain",
                  fmt::format("soil.grid.cell {:g} m is too large for wheel '{}' of '{}' (radius {:g} m, "
                              "width {:g} m): at most {:.3g} m",
                              grid.cell, wheel.settings.name, robot.name, wheel.settings.radius,
                              wheel.settings.width, most));
    }
  }
  if (!asks) return;
  if (world.solver().method != StepMethod::implicit)
    root.fail("solver", "method: wheels of contact kind \"soil_grid\" need method = \"implicit\"");
  world.set_soil_grid(grid);
}

/// The soils behind the names of [terrain.soil], where some wheel sinks into them; else a note that none
/// does.
void settle_soils(const Section& root, std::shared_ptr<const LabelMap> map,
                  const GroundSoilSettings& settings, std::uint64_t seed, World& world,
                  std::vector<std::string>& notes) {
  const RobotWheel* asks = nullptr;
  for (const WorldRobot& robot : world.robots())
    for (const RobotWheel& wheel : robot.model->wheels())
      if (wheel.kind->needs_soil && asks == nullptr) asks = &wheel;
  if (!map && asks) {
    root.fail("terrain", fmt::format("wheel '{}' has contact kind \"{}\" and needs a soil; add for example "
                                     "[terrain.soil] names = [\"toyoura\"]",
                                     asks->settings.name, asks->kind->name));
  }
  std::shared_ptr<const GroundSoils> soils;
  if (map && asks) soils = make_ground_soils(map, settings, seed);
  if (map && !asks) {
    notes.push_back(
        "[terrain.soil] only paints the ground: no wheel sinks into it; give wheels contact = { kind = "
        "\"soil\" }");
  }
  world.set_soil(std::move(map), std::move(soils));
  settle_soil_grid(root, settings.grid, world);
}

/// One [[robot]] of the file.
struct RobotEntry {
  std::string name, model = "vivi";
  std::vector<std::string> overrides;
  StartSettings start;
  PilotSettings pilot;
};

struct ScenarioEntries {
  double duration = 10;
  std::uint64_t seed = 1, trial = 0;
  std::string doc;
  Vec3 gravity = Vec3(0, 0, -9.81);
  double friction = 1, robot_friction = 0.5;
  bool robots_touch = true;
  SolverSettings solver;
  RecordSettings record;
  std::vector<RobotEntry> robots;
  std::vector<EventSettings> events;
};

/// Last parts of the keys of a robot file that name a file.
const std::vector<std::string>& file_keys_of_robots() {
  static const std::vector<std::string> keys = [] {
    Reference reference;
    Section section = Section::for_reference(reference, "");
    RobotSettings robot;
    describe(section, robot);
    std::vector<std::string> list;
    for (const KeyDoc& key : reference)
      if (key.type == "file") list.push_back(split(key.path, '.').back());
    return list;
  }();
  return keys;
}

void describe(Section& s, RobotEntry& x) {
  s.text("name", x.name, {.doc = "of this robot and its signals; default: the model's name"});
  s.text("model", x.model, {.doc = "a folder of models/, or the path of a robot file"});
  if (!s.documenting() && is_path_name(x.model)) {
    std::filesystem::path file;
    s.file("model", file, {});  // relative to the scenario, and by its full name in the resolved text
    x.model = std::filesystem::absolute(file).string();
  }
  s.assignments("set", x.overrides, file_keys_of_robots(),
                {.doc = "changes to the robot file, each \"key=value\"; files relative to this one"});
  s.table("start", x.start, "how it starts");
  describe(s, x.pilot);
  s.ignore("control");
  s.ignore("camera");
}

/// The window reads [view] by itself; only the files it names are noted here, so that the resolved text
/// finds them from any folder.
void note_files_of_view(Section view) {
  std::filesystem::path texture;
  view.file("texture", texture, {});
}

void describe(Section& s, ScenarioEntries& x) {
  int format = 1;
  s.integer("format", format, {.doc = "version of the file format", .range = between(1, 1)});
  s.text("doc", x.doc, {.doc = "one line for people"});
  s.number("duration", x.duration, {.unit = "s", .doc = "of the run", .range = positive()});
  s.unsigned_integer("seed", x.seed, {.doc = "of everything random"});
  s.unsigned_integer("trial", x.trial,
                     {.doc = "number of the trial: another one draws everything random anew that has no seed "
                             "of its own"});
  Section world = s.child("world", "what is everywhere");
  world.vector("gravity", x.gravity, {.unit = "m/s²", .doc = "acceleration of free fall"});
  world.number("friction", x.friction,
               {.unit = "-", .doc = "scale of the tyres' friction", .range = between(0, 10)});
  world.boolean(
      "robots_touch", x.robots_touch,
      {.doc = "robots push each other where they meet (unless two start inside each other), or pass "
              "through one another"});
  world.number("robot_friction", x.robot_friction,
               {.unit = "-", .doc = "friction coefficient between robots", .range = between(0, 10)});
  world.finish();
  s.table("solver", x.solver, "how time advances");
  s.table("record", x.record, "what a run writes");
  s.each("robot", "a robot", [&](Section& robot) {
    describe(robot, x.robots.emplace_back());
    robot.finish();
  });
  s.each("event", "something to watch for", [&](Section& event) {
    describe(event, x.events.emplace_back());
    event.finish();
  });
  s.ignore("view");
  if (!s.documenting()) note_files_of_view(s.child("view"));
}

}  // namespace

void describe(Section& s, RecordSettings& x) {
  const Range periods{1e-9, std::numeric_limits<double>::infinity()};
  s.number("period", x.period, {.unit = "s", .doc = "between rows of the log", .range = periods});
  s.number("state_period", x.state_period,
           {.unit = "s", .doc = "between keyframes for replay", .range = periods});
  s.texts(
      "signals", x.signals,
      {.doc = "what is logged: shell-style patterns of the names that `scree list signals` shows; nothing "
              "else is computed"});
  s.choice("format", x.format, {"csv", "npy", "both"},
           {.doc = "log.csv, log.npy (one array of records, `numpy.load`), or both"});
}

void describe(Section& s, StartSettings& x) {
  s.vector("position", x.position, {.unit = "m", .doc = "of the base: x, y"});
  s.number("clearance", x.clearance,
           {.unit = "m", .doc = "how far it falls until a wheel or the hull touches; negative: pressed in"});
  x.given_height = s.has("height");
  s.number("height", x.height, {.unit = "m", .doc = "of the base above z = 0, instead of the clearance"});
  s.angle("roll", x.roll, {.doc = "right side down positive", .range = between(-kPi, kPi)});
  s.angle("pitch", x.pitch, {.doc = "nose up positive", .range = between(-kPi, kPi)});
  s.angle("yaw", x.yaw, {.doc = "heading, left positive", .range = between(-2 * kPi, 2 * kPi)});
  s.number("speed", x.speed, {.unit = "m/s", .doc = "along the heading"});
  s.angle("climb", x.climb,
          {.doc = "of the initial velocity above the horizontal", .range = between(-kPi / 2, kPi / 2)});
  s.choice("wheels", x.wheels, {"rolling", "still"}, {.doc = "how the wheels turn at the start"});
}

std::filesystem::path find_scenario(const std::filesystem::path& given) {
  std::error_code status;
  const bool file_meant = given.extension() == ".toml";
  if (file_meant || (std::filesystem::exists(given, status) && !std::filesystem::is_directory(given, status)))
    return given;
  std::vector<std::string> names;
  for (const auto& [name, file] : data_files("scenarios")) {
    if (given == name) return file;
    names.push_back(name);
  }
  input_error("no file '{}', and no scenario of that name{}", given.string(),
              name_hint(given.filename().stem().string(), names));
}

Scenario load_scenario(const std::filesystem::path& given, const std::vector<std::string>& overrides) {
  const std::filesystem::path file = find_scenario(given);
  Document document = Document::from_file(file);
  for (const auto& assignment : overrides) document.set(assignment);
  return load_scenario(std::move(document), file);
}

std::shared_ptr<const RobotModel> ModelCache::find(const Key& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = models_.find(key);
  return found == models_.end() ? nullptr : found->second;
}

std::shared_ptr<const RobotModel> ModelCache::keep(const Key& key, std::shared_ptr<const RobotModel> model) {
  constexpr std::size_t kMost = 1000;  // a hypercube of robots meets each but once
  const std::lock_guard lock(mutex_);
  if (models_.size() >= kMost) models_.clear();
  return models_.emplace(key, std::move(model)).first->second;
}

Scenario load_scenario(Document document, const std::filesystem::path& file, const LoadOptions& options) {
  Scenario out;
  out.document = std::make_shared<const Document>(std::move(document));
  Section root = out.document->root();
  ScenarioEntries x;
  describe(root, x);
  if (!root.has("terrain")) root.fail("terrain", "is missing; add for example [terrain] kind = \"flat\"");
  Section ground = root.child("terrain");
  const MakeContext context{.seed = trial_seed(x.seed, x.trial),
                            .threads = options.threads > 0 ? options.threads : machine_threads()};
  std::shared_ptr<const Terrain> terrain = make_terrain(ground, context);
  std::shared_ptr<const ScalarMap> friction = make_friction_map(ground);
  std::shared_ptr<const LabelMap> soil = make_soil_map(ground);
  const GroundSoilSettings soil_settings = read_ground_soil_settings(ground);
  ground.finish();
  root.finish();
  // A step takes a fraction of a microsecond at best: a day has 10^11 of them.
  constexpr double kMostSteps = 1e13;
  if (!(x.duration / x.solver.step <= kMostSteps)) {
    root.fail("duration",
              fmt::format("{:.3g} s in steps of {:.3g} s are {:.3g} steps: more than could ever run",
                          x.duration, x.solver.step, x.duration / x.solver.step));
  }
  if (x.robots.empty()) root.fail("robot", "is missing; add at least one [[robot]]");

  out.name = file.stem().string();
  out.file = file;
  out.duration = x.duration;
  out.seed = x.seed;
  out.trial = x.trial;
  out.record = x.record;
  out.events = x.events;
  auto world = std::make_shared<World>(x.gravity, terrain, x.solver);
  world->set_friction(x.friction, friction);
  world->set_encounters(x.robots_touch, x.robot_friction);
  // Robots of the same file and the same changes share one model.
  ModelCache own;
  ModelCache& models = options.models ? *options.models : own;
  for (auto& robot : x.robots) {
    const ModelCache::Key key{robot.model, robot.overrides};
    std::shared_ptr<const RobotModel> model = models.find(key);
    if (!model) {
      model = models.keep(key, std::make_shared<RobotModel>(
                                   read_robot(robot.model, std::filesystem::absolute(file).parent_path(),
                                              robot.overrides, file.string() + ": robot.set")));
    }
    if (robot.name.empty()) robot.name = model->name();
    world->add(robot.name, model);
    out.starts.push_back(robot.start);
    out.pilots.push_back(robot.pilot);
  }
  settle_soils(root, soil, soil_settings, x.seed, *world, out.notes);
  out.world = world;
  make_pilots(out);                 // so that a bad controller is found before anything runs
  out.text = out.document->text();  // now that every file it names has been read
  return out;
}

std::vector<Pilot> make_pilots(const Scenario& scenario) {
  std::vector<Pilot> pilots;
  scenario.document->root().each("robot", "", [&](Section& robot) {
    const int i = static_cast<int>(pilots.size());
    pilots.emplace_back(scenario.pilots[i], robot.child("control"), *scenario.world, i, scenario.seed,
                        scenario.trial);
  });
  return pilots;
}

State initial_state(const Scenario& scenario) {
  State state(*scenario.world);
  SimWorkspace workspace(*scenario.world, SimWorkspace::Scratch::shared);
  for (std::size_t i = 0; i < scenario.starts.size(); ++i) {
    place(*scenario.world, static_cast<int>(i), scenario.starts[i], state, workspace);
  }
  return state;
}

void describe_scenario(Section& section) {
  ScenarioEntries entries;
  describe(section, entries);
}

void describe_robot(Section& section) {
  RobotSettings settings;
  describe(section, settings);
}

}  // namespace scree
