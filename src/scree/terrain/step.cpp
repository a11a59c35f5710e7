/// `step`, `trench` and `stairs`: ground with edges. An edge is an S over a short horizontal length, so that
/// the surface stays C1 and a height above every point: a vertical face cannot be said as z(x, y).
#include <cmath>

#include "scree/terrain/kinds.hpp"
#include "scree/terrain/profile.hpp"

namespace scree {
namespace {

struct StepSettings {
  double start = 2;    ///< x where the edge begins [m]
  double rise = 0.1;   ///< up positive [m]
  double edge = 0.01;  ///< horizontal length of the edge [m]
  double height = 0;   ///< of the ground before it [m]
};

void describe(Section& s, StepSettings& x) {
  s.number("start", x.start, {.unit = "m", .doc = "x where the edge begins"});
  s.number("rise", x.rise, {.unit = "m", .doc = "Height of the step; negative goes down"});
  s.number("edge", x.edge, {.unit = "m", .doc = "Horizontal length of the edge", .range = positive()});
  s.number("height", x.height, {.unit = "m", .doc = "Height of the ground before the step"});
}

struct TrenchSettings {
  double start = 2;    ///< x where the first wall begins [m]
  double width = 0.2;  ///< of the floor [m]
  double depth = 0.1;  ///< of the floor below the ground; negative makes a bank [m]
  double wall = 0.02;  ///< horizontal length of each wall [m]
  double height = 0;   ///< of the ground [m]
};

void describe(Section& s, TrenchSettings& x) {
  s.number("start", x.start, {.unit = "m", .doc = "x where the first wall begins"});
  s.number("width", x.width, {.unit = "m", .doc = "Width of the floor", .range = not_negative()});
  s.number("depth", x.depth, {.unit = "m", .doc = "Depth of the floor; negative makes a bank"});
  s.number("wall", x.wall, {.unit = "m", .doc = "Horizontal length of each wall", .range = positive()});
  s.number("height", x.height, {.unit = "m", .doc = "Height of the ground"});
}

/// Defaults are a public stair (rise 0.17 m, tread 0.29 m).
struct StairsSettings {
  double start = 2;     ///< x of the first riser [m]
  int count = 6;        ///< risers
  double rise = 0.17;   ///< of one riser; negative goes down [m]
  double tread = 0.29;  ///< horizontal distance from riser to riser [m]
  double edge = 0.01;   ///< horizontal length of a riser [m]
  double height = 0;    ///< of the ground before them [m]
};

void describe(Section& s, StairsSettings& x) {
  s.number("start", x.start, {.unit = "m", .doc = "x of the first riser"});
  s.integer("count", x.count, {.unit = "-", .doc = "Number of risers", .range = between(1, 10000)});
  s.number("rise", x.rise, {.unit = "m", .doc = "Height of one riser; negative goes down"});
  s.number("tread", x.tread, {.unit = "m", .doc = "Distance from riser to riser", .range = positive()});
  s.number("edge", x.edge, {.unit = "m", .doc = "Horizontal length of a riser", .range = positive()});
  s.number("height", x.height, {.unit = "m", .doc = "Height of the ground before the stairs"});
}

}  // namespace

TerrainPtr make_step(Section& s, const MakeContext&) {
  const auto x = read_keys<StepSettings>(s);
  if (s.documenting()) return nullptr;
  auto step = std::make_unique<Profile>("step", x.start, x.height);
  step->ease(x.edge, x.rise);
  return step;
}

TerrainPtr make_trench(Section& s, const MakeContext&) {
  const auto x = read_keys<TrenchSettings>(s);
  if (s.documenting()) return nullptr;
  auto trench = std::make_unique<Profile>("trench", x.start, x.height);
  trench->ease(x.wall, -x.depth).level(x.width).ease(x.wall, x.depth);
  return trench;
}

TerrainPtr make_stairs(Section& s, const MakeContext&) {
  const auto x = read_keys<StairsSettings>(s);
  if (s.documenting()) return nullptr;
  if (x.edge > x.tread) s.fail("edge", "a riser longer than the tread leaves no stair");
  auto stairs = std::make_unique<Profile>("stairs", x.start, x.height);
  for (int k = 0; k < x.count; ++k) {
    stairs->ease(x.edge, x.rise);
    if (k + 1 < x.count) stairs->level(x.tread - x.edge);
  }
  return stairs;
}

}  // namespace scree
