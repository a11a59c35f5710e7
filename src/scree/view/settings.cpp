#include "scree/view/settings.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree::view {

std::vector<std::string> shading_names() {
  return {"natural", "texture", "height", "slope", "contour", "soil", "sinkage", "pressure", "slip"};
}

static void describe(Section& s, CameraSettings& c) {
  s.text("name", c.name, {.doc = "Name on buttons and for --camera", .required = true});
  s.choice("kind", c.kind, camera_kinds(), {.doc = "How it moves"});
  s.text("robot", c.robot, {.doc = "Robot it follows; empty: the first"});
  s.text("wheel", c.wheel, {.doc = "For kind = \"wheel\": which one"});
  s.vector("position", c.position,
           {.unit = "m", .doc = "Of the eye: onboard in the robot's base, fixed in the world"});
  s.vector("target", c.target, {.unit = "m", .doc = "Point it looks at, in the same frame"});
  s.number("distance", c.distance,
           {.unit = "m", .doc = "From the target; 0: from the robot's size", .range = not_negative()});
  s.angle("azimuth", c.azimuth, {.unit = "rad", .doc = "Of the eye around the target"});
  s.angle("elevation", c.elevation, {.unit = "rad", .doc = "Of the eye above the target"});
  s.angle("fov", c.fov, {.unit = "rad", .doc = "Vertical angle of view", .range = between(0.02, 2.6)});
  s.number("smoothing", c.smoothing,
           {.unit = "s", .doc = "How slowly a chase camera swings", .range = not_negative()});
}

void describe(Section& s, ViewSettings& v) {
  s.choice("palette", v.palette, palette_names(), {.doc = "Light, air and colours"});
  s.choice("shading", v.shading, shading_names(), {.doc = "How the ground is painted"});
  s.file("texture", v.texture, {.doc = "Image laid over the ground"});
  s.number("texture_size", v.texture_size,
           {.unit = "m", .doc = "Length that one copy of the image covers", .range = positive()});
  s.number("contour_interval", v.contour_interval,
           {.unit = "m", .doc = "Between contour lines; 0: chosen", .range = not_negative()});
  s.number("grid", v.grid,
           {.unit = "m", .doc = "Between the lines of a square grid; 0: none", .range = not_negative()});
  s.angle("sun_azimuth", v.sun_azimuth,
          {.unit = "rad", .doc = "Where the sun stands, from +x anticlockwise"});
  s.angle("sun_elevation", v.sun_elevation,
          {.unit = "rad", .doc = "Height of the sun", .range = between(0.05, 1.57)});
  s.number("visibility", v.visibility,
           {.unit = "m", .doc = "Where fog hides all but 2 %; 0: the palette's", .range = not_negative()});
  s.text("camera", v.camera, {.doc = "Camera to begin with"});
  s.texts("plots", v.plots, {.doc = "Signals plotted live (patterns)"});
  s.each("cameras", "A camera of this scenario", [&](Section& section) {
    CameraSettings camera;
    describe(section, camera);
    section.finish();
    v.cameras.push_back(std::move(camera));
  });
}

ViewSettings read_view_settings(const Document& scenario) {
  ViewSettings settings;
  Section section = scenario.root().child("view");
  const bool chosen = section.has("shading");
  describe(section, settings);
  section.finish();
  if (!settings.texture.empty() && !chosen) settings.shading = "texture";
  return settings;
}

std::vector<CameraSettings> all_cameras(const ViewSettings& settings) {
  std::vector<CameraSettings> list = settings.cameras;
  for (const CameraSettings& standard : standard_cameras())
    if (std::none_of(list.begin(), list.end(), [&](const auto& c) { return c.name == standard.name; }))
      list.push_back(standard);
  return list;
}

std::size_t find_camera(const std::vector<CameraSettings>& cameras, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < cameras.size(); ++i) {
    if (cameras[i].name == name) return i;
    names.push_back(cameras[i].name);
  }
  input_error("camera '{}' is not known{}", name, name_hint(name, names));
}

void apply(const ViewSettings& v, Scene& scene, std::vector<std::string>& warnings) {
  const Palette palette = palette_named(v.palette);
  scene.environment = palette.environment;
  scene.environment.to_sun =
      Vec3(std::cos(v.sun_elevation) * std::cos(v.sun_azimuth),
           std::cos(v.sun_elevation) * std::sin(v.sun_azimuth), std::sin(v.sun_elevation));
  if (v.visibility > 0) scene.environment.visibility = static_cast<float>(v.visibility);
  GroundLook& ground = scene.ground;
  ground.low = palette.low, ground.high = palette.high, ground.steep = palette.steep;
  const std::vector<std::string> names = shading_names();
  ground.shading =
      static_cast<GroundShading>(std::find(names.begin(), names.end(), v.shading) - names.begin());
  ground.texture_size = v.texture_size;
  ground.contour_interval = v.contour_interval;
  ground.grid = v.grid;
  if (!v.texture.empty()) try {
      ground.texture = std::make_shared<Image>(read_image(v.texture));
    } catch (const InputError& error) {
      warnings.push_back(std::string(error.what()) + ": ground drawn in natural colours");
    }
}

}  // namespace scree::view
