#pragma once
/// A rectangle of heights: what every maker and importer of gridded ground returns, and what Grid is built
/// from. Heights are float32 above a double datum, so that a mountain 8 km high keeps half a millimetre and
/// a table-top keeps nanometres (4 bytes a sample; 10,000 x 10,000 samples are 400 MB).
#include <cstddef>
#include <string>
#include <vector>

#include "scree/terrain/terrain.hpp"

namespace scree {

/// Where the samples of a regular grid lie (Morrot 2011, Eqs. 1-2; n_x, n_y -> nx, ny).
struct GridGeometry {
  int nx = 0;         ///< samples along x; cells along x are nx - 1
  int ny = 0;         ///< samples along y
  double x_min = 0;   ///< x of sample (0, ny') [m]
  double y_min = 0;   ///< y of sample (nx', 0) [m]
  double step_x = 1;  ///< distance between samples along x [m]
  double step_y = 1;  ///< distance between samples along y [m]

  double x(int i) const { return x_min + i * step_x; }
  double y(int j) const { return y_min + j * step_y; }
  double x_max() const { return x(nx - 1); }
  double y_max() const { return y(ny - 1); }
  std::size_t samples() const { return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny); }
  Rectangle bounds() const { return {x_min, x_max(), y_min, y_max()}; }

  /// nx x ny samples that span the rectangle, edge to edge.
  static GridGeometry spanning(int nx, int ny, const Rectangle& area);
};

/// Samples that may lie behind the last one, so that vector loads stay inside the allocation.
inline constexpr std::size_t kHeightSlack = 16;

struct HeightField {
  GridGeometry geometry;
  double datum = 0;      ///< added to every cell [m]
  std::vector<float> z;  ///< height above the datum [m], x fastest: z[j * nx + i]

  float& at(int i, int j) { return z[static_cast<std::size_t>(j) * geometry.nx + i]; }
  float at(int i, int j) const { return z[static_cast<std::size_t>(j) * geometry.nx + i]; }
  double height(int i, int j) const { return datum + at(i, j); }
};

/// Refuses, before any allocation, a grid that is smaller than 2 x 2, has steps that are not positive, more
/// samples than a 32-bit index reaches, or needs more memory than the machine has free. `what` names it.
void check_geometry(const GridGeometry& geometry, const std::string& what);
/// A field of zeros of a checked geometry.
HeightField make_field(const GridGeometry& geometry, const std::string& what);
/// Throws at the first height that is not a finite number, naming its place.
void check_heights(const HeightField& field, const std::string& what);

/// Memory that can still be had [byte]: what the machine has free, or less where the process is limited.
std::size_t available_memory();
/// Throws InputError with both numbers when `bytes` cannot be had. `what` names the thing that needs them.
void check_memory(std::size_t bytes, const std::string& what);

}  // namespace scree
