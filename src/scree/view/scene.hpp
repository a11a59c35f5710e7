#pragma once
/// What is drawn, as plain values: the renderer knows nothing of simulation, the simulation nothing of this.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scree/core/types.hpp"
#include "scree/terrain/terrain.hpp"
#include "scree/view/image.hpp"
#include "scree/view/mesh.hpp"

namespace scree::view {

/// A mesh somewhere in the world.
struct Instance {
  std::shared_ptr<const Mesh> mesh;
  Pose pose;                   ///< X_WM
  Vec3 scale = Vec3::Ones();   ///< along the mesh's own axes, before the pose
  Color tint = Color::Ones();  ///< multiplies the mesh's colours
  float opacity = 1.f;         ///< below 1: a ghost, drawn last, without shadow
  bool casts_shadow = true;
};

/// A line of constant width on the screen.
struct Polyline {
  std::vector<Vec3> points;  ///< m, world
  Color color = rgb(0xffffff);
  float opacity = 1.f;
  float width = 2.5f;   ///< px at a picture height of 720
  bool on_top = false;  ///< seen through everything
};

/// A solid arrow from a point.
struct Arrow {
  Vec3 from;    ///< m
  Vec3 vector;  ///< m
  Color color = rgb(0xffffff);
  float radius = 0.01f;  ///< m, of the head
  bool shines = false;   ///< seen faintly through what hides it
};

/// A small ball: contact points, centres of mass.
struct Ball {
  Vec3 center;   ///< m
  float radius;  ///< m
  Color color;
  bool shines = false;  ///< seen faintly through what hides it
};

/// Words at a point of the world, written over the picture.
struct Label {
  Vec3 at;  ///< m
  std::string text;
  Color color = rgb(0xffffff);
};

enum class GroundShading { natural, texture, height, slope, contour, soil, sinkage, pressure, slip };

/// How the ground is painted.
struct GroundLook {
  GroundShading shading = GroundShading::natural;
  std::shared_ptr<const Image> texture;  ///< for GroundShading::texture; absent: natural
  double texture_size = 2.0;             ///< m that one copy of the image covers
  double contour_interval = 0;           ///< m between lines; 0: chosen from the heights
  double grid = 0;                       ///< m between faint lines of a square grid; 0: none
  Color low = rgb(0x8a7457), high = rgb(0xb59a72), steep = rgb(0x6d6258);  ///< natural colours
  /// Colour of the soil at (x, y), for GroundShading::soil; absent: natural.
  std::function<Color(double x, double y)> soil_color;
  std::vector<std::pair<std::string, Color>> soil_legend;  ///< what its colours mean
  /// Colour of deformed soil, for the last three shadings; absent: natural.
  std::function<Color(GroundShading shading, double x, double y)> rut_color;
};

/// Sun, sky and air.
struct Environment {
  Vec3 to_sun = Vec3(-0.45, -0.55, 0.62);  ///< direction to the sun, any length, z > 0
  Color sun = rgb(0xfff1dc);
  float sun_strength = 3.2f;
  Color zenith = rgb(0x3a76c4), horizon = rgb(0xc4d5e4);
  Color ground_bounce = rgb(0x8d7b66);
  float ambient = 1.0f;
  float visibility = 900.f;  ///< m at which fog hides all but 2 %
  float exposure = 0.92f;
  bool clouds = true;
};

/// "earth", "mars" or "moon": air, light and the colours of the ground.
struct Palette {
  Environment environment;
  Color low, high, steep;
};
Palette palette_named(const std::string& name);
std::vector<std::string> palette_names();

struct Scene {
  const Terrain* terrain = nullptr;  ///< none: only sky and things
  GroundLook ground;
  Environment environment;
  std::vector<Instance> instances;
  std::vector<Polyline> lines;
  std::vector<Arrow> arrows;
  std::vector<Ball> balls;
  std::vector<Label> labels;
  Vec3 focus = Vec3::Zero();  ///< m, what the picture is about: shadows and ground are finest here
  double focus_radius = 1.0;  ///< m, size of it
};

}  // namespace scree::view
