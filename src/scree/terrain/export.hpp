#pragma once
/// From ground to files: the samples of any terrain, written in any format that the program reads back.
#include <filesystem>
#include <string>

#include "scree/terrain/height_field.hpp"
#include "scree/terrain/make.hpp"

namespace scree {

struct SampleSettings {
  Rectangle area = {};  ///< [m]; infinite: the terrain's bounds
  double cell = 0;      ///< [m]; 0: a grid's own samples
};

/// The samples of a terrain. A grid asked for as it is gives up its own (no copy); anything else is sampled,
/// and needs a finite area and a cell.
HeightField sample_terrain(TerrainPtr terrain, const SampleSettings& settings = {});

/// Writes by the file's ending: .txt .csv .dat (elevation matrix), .mesh (text mesh), .obj, .xyz (points),
/// .asc (ESRI ASCII), .tif (GeoTIFF), .png (16-bit image). Returns the `[terrain]` table that reads it back.
/// Throws InputError for another ending, RunError when it cannot be written.
std::string write_terrain_file(const std::filesystem::path& file, const HeightField& field);

/// The kind of ground that a file of this name holds: grid, mesh, points, image or dem.
std::string kind_of_file(const std::filesystem::path& file);

}  // namespace scree
