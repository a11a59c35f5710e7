#include "scree/sim/snapshot.hpp"

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

template <class List>
std::string names_in(const List& list) {
  std::string text;
  for (const auto& x : list) text += (text.empty() ? "" : ", ") + x.name;
  return text.empty() ? "none" : text;
}

}  // namespace

std::string world_layout(const World& world) {
  std::string text = fmt::format("state version {}\n", kSnapshotVersion);
  for (const WorldRobot& robot : world.robots()) {
    const RobotModel& model = *robot.model;
    const Tree& tree = model.tree();
    text += fmt::format("robot '{}': links {}\n", robot.name, names_in(tree.links()));
    text += fmt::format("robot '{}': joints {}\n", robot.name, names_in(tree.joints()));
    text += fmt::format("robot '{}': wheels {}\n", robot.name, names_in(tree.rotors()));
    for (const auto& entry : model.contacts().groups)
      text += fmt::format("robot '{}': {} contacts with {} numbers\n", robot.name, entry.group->contacts(),
                          entry.group->memory());
    for (const DriveSettings& drive : model.train().settings().drives)
      text += fmt::format("robot '{}': drive '{}' of kind {}\n", robot.name, drive.name, drive.kind);
    text += fmt::format("robot '{}': {} numbers\n", robot.name, model.layout().size);
  }
  if (const SoilGridSettings* grid = world.soil_grid())
    text += fmt::format("soil in cells of {} m\n", grid->cell);
  return text;
}

void check_layout(std::string_view given_ours, std::string_view given_theirs) {
  const std::string ours = trim(given_ours), theirs = trim(given_theirs);
  if (ours == theirs) return;
  const auto a = split(ours, '\n'), b = split(theirs, '\n');
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string mine(i < a.size() ? a[i] : ""), other(i < b.size() ? b[i] : "");
    if (mine == other) continue;
    input_error("the state belongs to something else: it has {}, the scenario {}",
                other.empty() ? "nothing more" : "\"" + other + "\"",
                mine.empty() ? "nothing more" : "\"" + mine + "\"");
  }
}

}  // namespace scree
