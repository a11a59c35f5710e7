/// scree urdf: a robot as URDF with a companion file, for other programs.
#include <fmt/format.h>

#include <filesystem>

#include "scree/app/command.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"
#include "scree/core/text.hpp"
#include "scree/robot/model.hpp"
#include "scree/robot/urdf.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct UrdfOptions {
  std::string model, out;
  std::vector<std::string> set;
  bool json = false, force = false;
};

int urdf(const UrdfOptions& o) {
  const RobotSettings settings = read_robot(o.model, ".", o.set, "command line (--set)");
  const RobotModel checked(settings);
  if (!settings.urdf.empty()) input_error("{}: is a URDF already: {}", o.model, settings.urdf.string());
  fs::path file = o.out.empty() ? fs::path(settings.name + ".urdf") : fs::path(o.out);
  if (file.extension() != ".urdf") input_error("--out {}: the name must end in .urdf", o.out);
  const fs::path companion = fs::path(file).replace_extension(".toml");
  std::error_code ignored;
  for (const fs::path& f : {file, companion})
    if (!o.force && fs::exists(f, ignored))
      input_error("{}: is there already; --force replaces it", f.string());
  const UrdfText text = export_urdf(settings, robot_file_text(o.model, ".", o.set), file.stem().string());
  write_whole_file(file, text.urdf);
  write_whole_file(companion, text.companion);
  if (o.json)
    print_json(fmt::format("\"urdf\": {}, \"companion\": {}", json_text(file.string()),
                           json_text(companion.string())));
  else
    fmt::print("written: {} and {}\n", file.string(), companion.string());
  return 0;
}

}  // namespace

void add_urdf_command(CLI::App& app, Action& action) {
  auto o = std::make_shared<UrdfOptions>();
  auto* sub = add_subcommand(app, "urdf", "Write a robot as URDF, with the robot file that goes with it",
                             "scree urdf mars6 -o mars6.urdf");
  sub->add_option("MODEL", o->model, "Name of `scree list models`, or a robot file")->required();
  sub->add_option("-o,--out", o->out, "File; default NAME.urdf");
  sub->add_option("--set", o->set, "Change a key of the robot file: key=value");
  sub->add_flag("--force", o->force, "Replace files that are there");
  add_json_flag(sub, o->json);
  on_parsed(sub, action, [o] { return urdf(*o); });
}

}  // namespace scree
