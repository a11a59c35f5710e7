/// scree settle: how a robot stands on the ground, at a place, along a path, or everywhere, without dynamics.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>

#include "scree/app/command.hpp"
#include "scree/app/progress.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"
#include "scree/core/text.hpp"
#include "scree/sim/scenario.hpp"
#include "scree/sim/settle_path.hpp"
#include "scree/study/settle_map.hpp"
#include "scree/terrain/parallel.hpp"
#include "scree/terrain/survey.hpp"

namespace scree {
namespace {

struct SettleOptions {
  std::string scenario, robot, csv, picture, path;
  std::vector<double> at, area;
  std::vector<std::string> overrides, joints;
  double step = 0.1, yaw_deg = 0;
  int threads = 0;
  bool map = false, fast = false, json = false, quiet = false;
};

std::optional<double> finite_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size() && !text.empty();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

int robot_index(const World& world, const std::string& name) {
  if (name.empty()) return 0;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < world.robots().size(); ++i) {
    names.push_back(world.robots()[i].name);
    if (names.back() == name) return static_cast<int>(i);
  }
  input_error("--robot {}: the scenario has no such robot{}", name, name_hint(name, names));
}

std::vector<std::pair<std::string, double>> joint_values(const SettleOptions& o, const Tree& tree) {
  std::vector<std::pair<std::string, double>> out;
  for (const std::string& text : o.joints) {
    const auto at = text.find('=');
    if (at == std::string::npos) input_error("--joint {}: give NAME=DEGREES (metres for a slide)", text);
    const std::string name = text.substr(0, at);
    const auto value = finite_number(text.substr(at + 1));
    if (!value) input_error("--joint {}: '{}' is not a number", text, text.substr(at + 1));
    const bool slides = tree.joints()[tree.joint_index(name)].type == JointType::prismatic;
    out.emplace_back(name, slides ? *value : *value * kDegree);
  }
  return out;
}

std::string pose_json(const Settled& s, const RobotModel& model) {
  std::string joints, wheels;
  for (int j = 0; j < model.tree().joint_count(); ++j)
    joints += fmt::format("{}{}: {}", j ? ", " : "", json_text(model.tree().joints()[j].name),
                          json_number(s.joints[j]));
  for (std::size_t i = 0; i < s.wheels.size(); ++i) {
    const SettledWheel& w = s.wheels[i];
    wheels += fmt::format(
        "{}{{\"name\": {}, \"touching\": {}, \"load_N\": {}, \"contact_angle_rad\": {}, \"x_m\": {}, "
        "\"y_m\": {}, "
        "\"z_m\": {}}}",
        i ? ", " : "", json_text(model.wheels()[i].settings.name), w.touching ? "true" : "false",
        json_number(w.load), json_number(w.angle), json_number(w.p_W.x()), json_number(w.p_W.y()),
        json_number(w.p_W.z()));
  }
  return fmt::format(
      "\"result\": \"{}\", \"x_m\": {}, \"y_m\": {}, \"z_m\": {}, \"roll_rad\": {}, \"pitch_rad\": {}, "
      "\"yaw_rad\": {}, "
      "\"tilt_rad\": {}, \"energy_margin_m\": {}, \"support_distance_m\": {}, \"clearance_m\": {}, "
      "\"iterations\": {}, "
      "\"joints\": {{{}}}, \"wheels\": [{}]",
      settle_name(s.result), json_number(s.x), json_number(s.y), json_number(s.z), json_number(s.roll),
      json_number(s.pitch), json_number(s.yaw), json_number(s.tilt), json_number(s.energy_margin),
      json_number(s.distance), json_number(s.clearance), s.iterations, joints, wheels);
}

void print_pose(const Settled& s, const RobotModel& model) {
  fmt::print("{} at x {:.4f} m, y {:.4f} m, yaw {:.2f} deg: {}\n", model.name(), s.x, s.y, s.yaw / kDegree,
             s.result == SettleResult::settled     ? "stands"
             : s.result == SettleResult::tips_over ? "tips over"
                                                   : "a wheel is outside the terrain");
  fmt::print("  height {:.5f} m, roll {:.4f} deg, pitch {:.4f} deg\n", s.z, s.roll / kDegree,
             s.pitch / kDegree);
  fmt::print("  energy margin {:.4f} m, centre of mass {:.4f} m inside its support, bodies {:.4f} m clear\n",
             s.energy_margin, s.distance, s.clearance);
  for (int j = 0; j < model.tree().joint_count(); ++j) {
    const Joint& joint = model.tree().joints()[j];
    if (joint.type == JointType::prismatic)
      fmt::print("  {:<20} {:>9.5f} m\n", joint.name, s.joints[j]);
    else
      fmt::print("  {:<20} {:>9.4f} deg\n", joint.name, s.joints[j] / kDegree);
  }
  fmt::print("  {:<20} {:>9} {:>13} {:>10} {:>10} {:>10}\n", "wheel", "load [N]", "contact [deg]", "x [m]",
             "y [m]", "z [m]");
  for (std::size_t i = 0; i < s.wheels.size(); ++i) {
    const SettledWheel& w = s.wheels[i];
    fmt::print("  {:<20} {:>9.2f} {:>13.3f} {:>10.4f} {:>10.4f} {:>10.4f}{}\n",
               model.wheels()[i].settings.name, w.load, w.angle / kDegree, w.p_W.x(), w.p_W.y(), w.p_W.z(),
               w.touching ? "" : "  in the air");
  }
}

/// Points of a CSV file with a header: x, y and perhaps yaw [rad]; without it, yaw follows the path.
std::vector<PathPoint> read_path(const std::string& file) {
  std::ifstream in(file);
  if (!in) input_error("--path {}: cannot be read", file);
  std::vector<PathPoint> out;
  std::string line;
  bool yaws = true;
  for (int number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (trim(line).empty() || line[0] == '#') continue;
    const auto cells = split(line, ',');
    if (out.empty() && !finite_number(trim(cells[0]))) continue;  // the header
    if (cells.size() < 2) input_error("{}:{}: '{}': needs x, y and perhaps yaw", file, number, line);
    double v[3] = {0, 0, 0};
    for (std::size_t k = 0; k < std::min<std::size_t>(cells.size(), 3); ++k) {
      const auto value = finite_number(trim(cells[k]));
      if (!value) input_error("{}:{}: '{}' is not a number", file, number, trim(cells[k]));
      v[k] = *value;
    }
    yaws = yaws && cells.size() > 2;
    out.push_back({v[0], v[1], v[2]});
  }
  if (out.size() < 2) input_error("--path {}: needs two points or more", file);
  if (!yaws) {
    for (std::size_t k = 0; k < out.size(); ++k) {
      const PathPoint &a = out[k > 0 ? k - 1 : 0], &b = out[std::min(k + 1, out.size() - 1)];
      out[k].yaw = maths::atan2(b.y - a.y, b.x - a.x);
    }
  }
  return out;
}

int along_path(const SettleOptions& o, Settler& settler) {
  const std::vector<PathPoint> path = read_path(o.path);
  const auto poses = settle_path(settler, path);
  const auto back = dead_reckon(settler.model(), poses, path[0]);
  const Tree& tree = settler.model().tree();
  std::string text =
      "x [m],y [m],yaw [rad],result,z [m],roll [rad],pitch [rad],energy_margin [m],clearance [m]";
  for (const Joint& j : tree.joints()) text += "," + j.name;
  for (const RobotWheel& w : settler.model().wheels()) text += ",spin_" + w.settings.name + " [rad]";
  text += ",reckoned_x [m],reckoned_y [m],reckoned_yaw [rad]\n";
  double least = 1e300;
  int fails = 0;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    const Settled& s = poses[k].stand;
    fails += s.result != SettleResult::settled;
    least = std::min(least, s.energy_margin);
    text += fmt::format("{:.9g},{:.9g},{:.9g},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}", s.x, s.y, s.yaw,
                        settle_name(s.result), s.z, s.roll, s.pitch, s.energy_margin, s.clearance);
    for (const double q : s.joints) text += fmt::format(",{:.9g}", q);
    for (const double a : poses[k].spin_angle) text += fmt::format(",{:.9g}", a);
    text += fmt::format(",{:.9g},{:.9g},{:.9g}\n", back[k].x, back[k].y, back[k].yaw);
  }
  if (!o.csv.empty()) write_whole_file(o.csv, text);
  const double off = std::hypot(back.back().x - path.back().x, back.back().y - path.back().y);
  if (o.json) {
    print_json(fmt::format(
        "\"places\": {}, \"do_not_stand\": {}, \"least_energy_margin_m\": {}, \"dead_reckoning_error_m\": {}",
        poses.size(), fails, json_number(least), json_number(off)));
  } else {
    fmt::print("{} places along {}: {} where it does not stand, least energy margin {:.4f} m\n", poses.size(),
               o.path, fails, least);
    fmt::print("dead reckoning from joints and wheels ends {:.4f} m beside the path\n", off);
    if (!o.csv.empty()) fmt::print("written to {}\n", o.csv);
  }
  return 0;
}

int everywhere(const SettleOptions& o, const Scenario& scenario, int robot, const Settler& settler) {
  SettleMapSettings settings;
  settings.step = o.step;
  settings.yaw = o.yaw_deg * kDegree;
  settings.joints = joint_values(o, settler.model().tree());
  settings.clearance = !o.fast;
  settings.threads = o.threads > 0 ? o.threads : machine_threads();
  if (!o.area.empty()) {
    settings.area = {o.area[0], o.area[1], o.area[2], o.area[3]};
  } else {
    settings.area = survey_area(scenario.world->terrain(), {});
    const Rectangle b = scenario.world->terrain().bounds();
    const double r = std::isfinite(b.x_max) ? settler.model().reach() : 0;  // all wheels inside
    Rectangle& a = settings.area;
    a = {a.x_min + r, a.x_max - r, a.y_min + r, a.y_max - r};
    if (!(a.x_max > a.x_min && a.y_max > a.y_min))
      input_error("{}: robot '{}' reaches {:.3g} m and does not fit the terrain, {:.3g} m x {:.3g} m",
                  scenario.file.string(), settler.model().name(), r, b.x_max - b.x_min, b.y_max - b.y_min);
  }
  SettleMap map;
  {
    ProgressBar bar("settle", o.quiet || o.json);
    map = settle_map(*scenario.world, robot, settings, [&](double done) { bar.update(done); });
  }
  std::size_t stands = 0, belly = 0, lifted = 0, outside = 0;
  for (const SettleCell& c : map.cells) {
    outside += c.result == SettleResult::outside;
    if (c.result != SettleResult::settled) continue;
    ++stands;
    belly += settings.clearance && c.belly();
    lifted += c.touching < static_cast<int>(settler.model().wheels().size());
  }
  if (!o.csv.empty()) write_settle_csv(map, o.csv);
  if (!o.picture.empty())
    draw_settle_map(
        map, fmt::format("{} on {}, heading {:g} deg", settler.model().name(), scenario.name, o.yaw_deg),
        o.picture);
  const double rate = static_cast<double>(map.cells.size()) / map.seconds;
  if (o.json) {
    print_json(fmt::format(
        "\"places\": {}, \"stands\": {}, \"belly_touches\": {}, \"wheel_in_air\": {}, \"outside\": {}, "
        "\"seconds\": {}, \"poses_per_s\": {}",
        map.cells.size(), stands, belly, lifted, outside, json_number(map.seconds), json_number(rate)));
    return 0;
  }
  fmt::print(
      "{} places ({} x {}): stands on {}, of these with the belly on the ground {}, with a wheel in the air "
      "{}\n",
      map.cells.size(), map.nx, map.ny, stands, belly, lifted);
  fmt::print("{:.2f} s, {:.0f} poses a second on {} threads\n", map.seconds, rate, settings.threads);
  for (const std::string& file : {o.csv, o.picture})
    if (!file.empty()) fmt::print("written to {}\n", file);
  return 0;
}

int settle(const SettleOptions& o) {
  const Scenario scenario = load_scenario(o.scenario, o.overrides);
  const int robot = robot_index(*scenario.world, o.robot);
  Settler settler(*scenario.world, robot);
  if ((o.map || !o.area.empty() || !o.picture.empty()) && o.path.empty() && o.at.empty())
    return everywhere(o, scenario, robot, settler);
  for (const auto& [name, value] : joint_values(o, settler.model().tree())) settler.set_joint(name, value);
  if (!o.path.empty()) return along_path(o, settler);
  const StartSettings& start = scenario.starts[robot];
  const bool given = !o.at.empty();
  const double yaw = given ? (o.at.size() > 2 ? o.at[2] : o.yaw_deg) * kDegree : start.yaw;
  const double x = given ? o.at[0] : start.position.x(), y = given ? o.at[1] : start.position.y();
  const Settled& s = settler.settle(x, y, yaw);
  if (o.json)
    print_json(pose_json(s, settler.model()));
  else
    print_pose(s, settler.model());
  return s.result == SettleResult::settled ? 0 : 1;
}

}  // namespace

void add_settle_command(CLI::App& app, Action& action) {
  auto o = std::make_shared<SettleOptions>();
  auto* sub = add_subcommand(
      app, "settle", "How a robot stands on the ground: at a place, along a path, or everywhere",
      "scree settle rover/mars6 --at -2,1,30\n  scree settle rover/mars6 --area -6,6,-6,6 --step "
      "0.1 --picture stability.png --csv stability.csv\n  scree settle rover/mars6 --path "
      "path.csv --csv joints.csv");
  sub->add_option("SCENARIO", o->scenario, kScenarioDoc)->required();
  sub->add_option("--at", o->at, "X,Y or X,Y,YAW [m, m, deg]; default: where the scenario starts it")
      ->delimiter(',')
      ->expected(2, 3);
  sub->add_flag("--map", o->map, "Everywhere on the terrain");
  sub->add_option("--area", o->area, "Everywhere in X_FROM,X_TO,Y_FROM,Y_TO [m]")
      ->delimiter(',')
      ->expected(4);
  sub->add_option("--step", o->step, "Between places [m]")->check(positive_number());
  sub->add_option("--yaw-deg", o->yaw_deg, "Heading [deg]");
  sub->add_option("--path", o->path, "CSV with a header: x, y and perhaps yaw [m, m, rad]");
  sub->add_option("--joint", o->joints, "Position of a driven joint, NAME=DEGREES (metres for a slide)");
  sub->add_option("--robot", o->robot, "Which robot of the scenario; default: the first");
  sub->add_option("--set", o->overrides, "Change a key of the scenario: key=value");
  sub->add_option("--csv", o->csv, "Write the table to this file");
  sub->add_option("--picture", o->picture, "Draw the map: .png, .svg or .pdf");
  sub->add_option("--threads", o->threads, "0: as many as the machine has");
  sub->add_flag("--fast", o->fast, "Maps: do not look below the belly");
  sub->add_flag("-q,--quiet", o->quiet, "No progress bar");
  add_json_flag(sub, o->json);
  on_parsed(sub, action, [o] { return settle(*o); });
}

}  // namespace scree
