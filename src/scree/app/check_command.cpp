/// scree check: everything that can be said about a file before anything runs.
#include <fmt/format.h>

#include "scree/app/command.hpp"
#include "scree/app/progress.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/robot/model.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

struct CheckOptions {
  std::vector<std::string> files, overrides;
  bool json = false;
};

/// A robot file begins with its chassis or its links; a scenario has robots.
bool is_robot_file(const std::string& file) {
  const Section root = Document::from_file(file).root();
  return (root.has("chassis") || root.has("wheels")) && !root.has("robot");
}

/// One line about a good file; throws what is wrong with a bad one.
std::string check_file(const std::string& given, const std::vector<std::string>& overrides) {
  const std::filesystem::path file = find_scenario(given);
  if (is_robot_file(file.string())) {
    const RobotModel robot(read_robot(std::filesystem::absolute(file).string(), ".", overrides));
    return fmt::format("robot '{}': {:.6g} kg, {} links, {} wheels, {} drives", robot.name(),
                       robot.tree().mass(), robot.tree().links().size(), robot.wheels().size(),
                       robot.train().size());
  }
  const Scenario scenario = load_scenario(file, overrides);
  check_view(*scenario.document);
  const Simulation simulation(scenario);  // places the robots, makes controllers and events
  const SignalCatalog signals = simulation.signals();
  const auto logged = signals.match(scenario.record.signals);
  std::string robots;
  for (const auto& robot : scenario.world->robots()) robots += (robots.empty() ? "" : ", ") + robot.name;
  std::string notes;
  for (const std::string& note : scenario.notes) notes += "; note: " + note;
  return fmt::format("scenario: {:.6g} s at {:.6g} s a step, robots: {}; {}; {} of {} signals logged{}",
                     scenario.duration, scenario.world->solver().step, robots,
                     scenario.world->terrain().summary(), logged.size(), signals.size(), notes);
}

int check(const CheckOptions& options) {
  std::string rows;
  int bad = 0;
  for (const std::string& file : options.files) {
    std::string text, error;
    BusyLine busy("checking " + file, options.json);
    try {
      text = check_file(file, options.overrides);
    } catch (const InputError& e) {
      error = e.what();
      ++bad;
    }
    busy.stop();
    rows += fmt::format("{}\n  {{\"file\": {}, \"good\": {}, \"summary\": {}, \"error\": {}}}",
                        rows.empty() ? "" : ",", json_text(file), error.empty(),
                        error.empty() ? json_text(text) : "null", error.empty() ? "null" : json_text(error));
    if (options.json) continue;
    if (error.empty())
      fmt::print("{}: {}\n", file, text);
    else
      fmt::print(stderr, "scree: error: {}\n", error);
  }
  if (options.json) print_json("\"files\": [" + rows + "]");
  return bad > 0 ? 2 : 0;
}

}  // namespace

void add_check_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<CheckOptions>();
  auto* sub = add_subcommand(app, "check", "Check scenario and robot files without running them",
                             "scree check scenarios/demo.toml models/vivi/robot.toml");
  sub->add_option("FILE", options->files, "Scenarios (files or names) and robot files")->required();
  sub->add_option("--set", options->overrides, "Change a key of every file: key=value (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_json_flag(sub, options->json);
  on_parsed(sub, action, [options] { return check(*options); });
}

}  // namespace scree
