#pragma once
/// Bodies on soil that deforms: a belly, a hub or a nose presses cells as a wheel does, by the same law
/// (soil_cells.hpp), and leaves its print.
///
/// The surface of a body is divided into pieces no larger than a cell. A piece of area A with outward normal
/// n whose middle is at p has the sinkage s = (ground - p_z) N_z below the undeformed ground (normal N) and
/// the memory m = sunk N_z of the cells there, both bilinear, and is pushed by
///
///     F = -sigma n A,    sigma = p(s) if s >= m, else max(0, p(m) - E (m - s)),    + damping, never pulling
///
/// with p(z) = modulus (z/length)^n for the width of the body's shorter side (Bekker 1956). Closed form: a
/// flat belly that lies on level soil carries A p(s). Along the surface's own normal, so that the front face
/// of a belly that slides has the integral of p over its depth, Bekker's compaction resistance; the rear
/// face, over soil that was pressed deeper, has none. Soil ahead of a face that advances is not taken for an
/// old rut, as for wheels. Pieces that look up meet no soil.
/// **Friction** is that of the body (hull.hpp), no more than the soil can shear: sum of (c + sigma tan phi)
/// A.
/// **Print** (soil_print.hpp): cells under pieces that press deeper than ever, by the height of the face over
/// the cell's centre, when some piece is kFresh deeper than the cells remember. What is displaced is laid
/// around the outline, not behind a body that slides.
///
/// Differs: bodies on hard ground push along the ground's normal by springs of their own (hull.hpp), which
/// here would lie in series with soil that is softer by far. Limits: loose soil resists nothing; a body takes
/// the soil under its middle.
#include <vector>

#include "scree/ground/contact.hpp"
#include "scree/ground/soil_cells.hpp"

namespace scree {

struct PatchState;

/// A part of a body's surface, link axes.
struct SoilFacet {
  HullFace face;
  Vec3 normal = Vec3::Zero();  ///< outward, unit; zero: a point
  double area = 0;             ///< m^2
  int patch = 0;               ///< of its body
};

/// The surface of one body.
struct SoilShape {
  std::vector<SoilFacet> facets;
  Vec3 centre = Vec3::Zero(), half = Vec3::Zero();  ///< of its box, link axes [m]
  /// A face that belongs to a patch; long ones are divided.
  void add(const HullFace& face, int patch);
  void add_point(const Vec3& p, int patch);
  /// After the last one.
  void close();
};

/// What a body's touch leaves for its print.
struct SoilPress {
  Pose X;
  Vec3 v = Vec3::Zero();    ///< of its middle, world [m/s]
  bool fresh = false;       ///< some piece is deeper than the cells remember
  std::vector<char> below;  ///< per facet
  SoilWindow window;
  const Soil* soil = nullptr;  ///< for which `law` was made
  double gravity = 0;
  CellLaw law;
};

inline bool soil_deforms(const GroundView& ground) {
  return ground.tiles != nullptr && ground.tiles->active() && ground.soils != nullptr;
}

/// Adds the soil's forces on a body to the link's load and to the patches; whether any piece is below.
bool press_soil(const SoilShape& shape, int link, const Touch& touch, SoilPress& press,
                std::span<PatchState> patches);

/// Leaves the print of the last press.
void print_body(const SoilShape& shape, const SoilPress& press, const SoilGridSettings& grid,
                const Terrain& terrain, SoilTiles& tiles, PrintRoom& room);

}  // namespace scree
