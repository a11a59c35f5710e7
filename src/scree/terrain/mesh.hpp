#pragma once
/// Ground from meshes: a regular text mesh, or a Wavefront OBJ resampled onto a grid.
#include <array>
#include <filesystem>
#include <vector>

#include "scree/terrain/extent.hpp"
#include "scree/terrain/text_scanner.hpp"

namespace scree {

/// `nx ny` on the first line, then `x y z` per node, row by row (x fastest, or y fastest: the nodes tell).
/// The nodes must lie on a regular grid to a thousandth of a cell; anything else throws with the line.
HeightField read_text_mesh(TextScanner& scanner);

struct TriangleMesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
};

/// Vertices and faces of an OBJ file; polygons become fans, everything else is skipped. `y_up` turns a mesh
/// whose height is y (as most 3-D modellers write) so that z is up: (x, y, z) -> (x, -z, y).
TriangleMesh read_obj(TextScanner& scanner, bool y_up);

/// The heights of a mesh at the samples of a grid. A sample that no triangle covers (a hole) or that two
/// cover at different heights (an overhang) throws with its place.
HeightField resample_mesh(const TriangleMesh& mesh, const GridGeometry& geometry);

/// A field as a text mesh, or as OBJ (two triangles a cell).
void write_text_mesh(const std::filesystem::path& file, const HeightField& field);
void write_obj(const std::filesystem::path& file, const HeightField& field);

}  // namespace scree
