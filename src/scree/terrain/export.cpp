#include "scree/terrain/export.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/terrain/function.hpp"
#include "scree/terrain/grid.hpp"
#include "scree/terrain/grid_text.hpp"
#include "scree/terrain/mesh.hpp"
#include "scree/terrain/parallel.hpp"
#include "scree/terrain/raster.hpp"
#include "scree/terrain/text_file.hpp"

namespace scree {
namespace {

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension;
}

bool among(const std::string& word, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* w) { return word == w; });
}

void write_xyz(const std::filesystem::path& file, const HeightField& f) {
  TextFile out(file);
  const GridGeometry& g = f.geometry;
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) out.print("{:.12g} {:.12g} {:.12g}\n", g.x(i), g.y(j), f.height(i, j));
  }
  out.close();
}

/// ESRI ASCII grid: rows from y_max down, one size of cell.
void write_ascii_grid(const std::filesystem::path& file, const HeightField& f) {
  const GridGeometry& g = f.geometry;
  if (std::abs(g.step_x - g.step_y) > 1e-9 * g.step_x) {
    input_error("'{}': an ESRI ASCII grid has square cells, not {} m x {} m", file.string(), g.step_x,
                g.step_y);
  }
  TextFile out(file);
  out.print("ncols {}\nnrows {}\nxllcenter {:.12g}\nyllcenter {:.12g}\ncellsize {:.12g}\n", g.nx, g.ny,
            g.x_min, g.y_min, g.step_x);
  for (int j = g.ny - 1; j >= 0; --j) {
    for (int i = 0; i < g.nx; ++i) out.print("{:.12g}{}", f.height(i, j), i + 1 < g.nx ? " " : "\n");
  }
  out.close();
}

}  // namespace

HeightField sample_terrain(TerrainPtr terrain, const SampleSettings& s) {
  const auto* grid = dynamic_cast<const Grid*>(terrain.get());
  const bool whole = !std::isfinite(s.area.x_min) && !std::isfinite(s.area.x_max) &&
                     !std::isfinite(s.area.y_min) && !std::isfinite(s.area.y_max);
  // The terrain was built for this call alone and goes with it: its samples may be taken out.
  if (grid && whole && s.cell == 0) return std::move(const_cast<Grid&>(*grid)).release();
  if (!(s.cell >= 0 && std::isfinite(s.cell))) input_error("a cell of {} m must be positive", s.cell);
  const Rectangle b = grid ? grid->geometry().bounds() : terrain->bounds();
  const Rectangle area{std::max(b.x_min, s.area.x_min), std::min(b.x_max, s.area.x_max),
                       std::max(b.y_min, s.area.y_min), std::min(b.y_max, s.area.y_max)};
  const double cell = s.cell > 0 ? s.cell : terrain->cell();
  if (!(cell > 0)) input_error("{}: give a cell to sample it with", terrain->summary());
  const double lx = area.x_max - area.x_min, ly = area.y_max - area.y_min;
  if (!(lx > 0 && ly > 0 && std::isfinite(lx) && std::isfinite(ly))) {
    input_error("{}: give the area to sample: x_min x_max y_min y_max", terrain->summary());
  }
  const double nx = std::round(lx / cell), ny = std::round(ly / cell);
  if (!(nx >= 1 && ny >= 1 && nx < 2e9 && ny < 2e9))
    input_error("a cell of {:.6g} m does not suit {:.6g} m x {:.6g} m", cell, lx, ly);
  const GridGeometry g = GridGeometry::spanning(static_cast<int>(nx) + 1, static_cast<int>(ny) + 1, area);
  check_geometry(g, "samples");
  HeightField field = sampled_field(g, *terrain, machine_threads());
  check_heights(field, terrain->summary());
  return field;
}

std::string write_terrain_file(const std::filesystem::path& file, const HeightField& f) {
  const std::string extension = lower_extension(file), name = json_text(file.filename().string());
  const GridGeometry& g = f.geometry;
  const std::string centre =
      fmt::format("centre = [{:.9g}, {:.9g}]\n", 0.5 * (g.x_min + g.x_max()), 0.5 * (g.y_min + g.y_max()));
  if (among(extension, {".txt", ".csv", ".dat"})) {
    write_grid_text(file, f);
    return fmt::format("[terrain]\nkind = \"grid\"\nfile = {}\n", name);
  }
  if (extension == ".mesh") {
    write_text_mesh(file, f);
    return fmt::format("[terrain]\nkind = \"mesh\"\nfile = {}\n", name);
  }
  if (extension == ".obj") {
    write_obj(file, f);
    return fmt::format("[terrain]\nkind = \"mesh\"\nfile = {}\ncells = [{}, {}]\n", name, g.nx - 1, g.ny - 1);
  }
  if (extension == ".xyz") {
    write_xyz(file, f);
    return fmt::format("[terrain]\nkind = \"points\"\nfile = {}\ncells = [{}, {}]\n", name, g.nx - 1,
                       g.ny - 1);
  }
  if (extension == ".asc") {
    write_ascii_grid(file, f);
    return fmt::format("[terrain]\nkind = \"dem\"\nfile = {}\nkeep_origin = true\n", name);
  }
  if (extension == ".tif" || extension == ".tiff") {
    write_geotiff(file, f);
    return fmt::format("[terrain]\nkind = \"dem\"\nfile = {}\nkeep_origin = true\n", name);
  }
  if (extension == ".png") {
    const auto [low, high] = write_png16(file, f);
    return fmt::format(
        "[terrain]\nkind = \"image\"\nfile = {}\nsize = [{:.9g}, {:.9g}]\n{}low = {:.9g}\nhigh = {:.9g}\n",
        name, g.x_max() - g.x_min, g.y_max() - g.y_min, centre, low, high);
  }
  input_error("'{}': unknown ending: .txt, .csv, .mesh, .obj, .xyz, .asc, .tif or .png", file.string());
}

std::string kind_of_file(const std::filesystem::path& file) {
  const std::string extension = lower_extension(file);
  if (among(extension, {".txt", ".csv", ".dat"})) return "grid";
  if (among(extension, {".mesh", ".obj"})) return "mesh";
  if (among(extension, {".xyz", ".ply", ".pts"})) return "points";
  if (among(extension, {".png", ".jpg", ".jpeg", ".bmp"})) return "image";
  return "dem";
}

}  // namespace scree
