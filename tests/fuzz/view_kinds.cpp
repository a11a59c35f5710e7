/// Files that the window and pictures read: looks, inputs, meshes of robots, textures, [view].
#include <fstream>

#include "fuzz/driver.hpp"
#include "scree/robot/model.hpp"
#include "scree/sim/world.hpp"
#include "scree/terrain/flat.hpp"
#include "scree/view/bridge.hpp"
#include "scree/view/image.hpp"
#include "scree/view/input.hpp"
#include "scree/view/look.hpp"
#include "scree/view/obj.hpp"
#include "scree/view/settings.hpp"
#include "support/paths.hpp"

namespace scree::fuzz {
namespace {

namespace fs = std::filesystem;

/// VIVI as the simulator knows it, looking as the file says.
void read_look(const fs::path& file) {
  static const view::RobotShape vivi = [] {
    const WorldRobot robot{"vivi", std::make_shared<const RobotModel>(read_robot("vivi", ".")), 0, 0};
    return view::robot_shape(robot);
  }();
  view::RobotShape shape = vivi;
  shape.folder = file.parent_path();
  for (const char* name : {"chassis.obj", "wheel.obj"}) {
    // Small ones: the meshes are another kind.
    const fs::path mesh = shape.folder / "meshes" / name;
    if (fs::exists(mesh)) continue;
    fs::create_directories(mesh.parent_path());
    std::ofstream(mesh) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  }
  std::vector<std::string> warnings;
  const view::RobotLook look(shape, warnings);
  if (!warnings.empty()) throw std::runtime_error(warnings.front());
}

void read_mesh(const fs::path& file) {
  std::vector<std::string> warnings;
  view::read_obj(file, warnings);
  if (!warnings.empty()) throw std::runtime_error(warnings.front());
}

void read_view(const fs::path& file) {
  const view::ViewSettings settings = view::read_view_settings(Document::from_file(file));
  view::all_cameras(settings);
  view::Scene scene;
  std::vector<std::string> warnings;
  view::apply(settings, scene, warnings);
}

const char* kInput = R"([keys]
pause = "Space"
quit = "Escape"
forward = "Up"
[gamepad]
pause = "start"
throttle = "-lefty"
layout = "sides"
dead_zone = 0.2
top_speed = 2
)";

const char* kView = R"([view]
palette = "mars"
shading = "height"
contour_interval = 0.5
sun_azimuth_deg = 100
camera = "near"
plots = ["speed"]
[[view.cameras]]
name = "near"
kind = "chase"
distance = 2.5
)";

}  // namespace

void add_view_kinds(std::vector<Kind>& kinds, const fs::path& corpus) {
  const auto add = [&](const std::string& name, const std::string& file, std::vector<std::string> seeds,
                       auto read) {
    add_files(seeds, corpus / name, "");
    kinds.push_back({name, file, std::move(seeds), read});
  };
  std::vector<std::string> looks, images;
  add_files(looks, source_tree("/models"), "look.toml");
  add_files(images, corpus / "image", ".png");
  add("look", "look.toml", looks, read_look);
  add("input", "input.toml", {kInput}, [](const fs::path& file) { view::read_input(file); });
  add("view", "s.toml", {kView}, read_view);
  add("robot_mesh", "part.obj",
      {"mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nusemtl a\nf 1//1 2//1 3//1\nf 1 2 4\n",
       "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"},
      read_mesh);
  add("texture", "t.png", images, [](const fs::path& file) { view::read_image(file); });
}

}  // namespace scree::fuzz
