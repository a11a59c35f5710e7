#pragma once
/// Height images and digital elevation models, through GDAL where it is compiled in.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/terrain/gaps.hpp"
#include "scree/terrain/height_field.hpp"

namespace scree {

struct ImageSettings {
  std::filesystem::path file;
  double low = 0;   ///< height of black [m]
  double high = 1;  ///< height of full white: 255 for 8 bit, 4095 for 12, 65,535 for 16 [m]
};

struct DemSettings {
  std::filesystem::path file;
  int band = 1;
  std::vector<double> window;  ///< first column, first row, columns, rows [pixel]; empty: all
  double cell = 0;             ///< resample to this cell [m]; 0: the file's own
  std::string resampling = "bilinear";
  Gaps nodata = Gaps::refuse;
  double vertical_scale = 1;   ///< multiplies heights, after the file's own scale and unit
  double vertical_offset = 0;  ///< then added [m]
  bool keep_origin = false;    ///< x and y as in the file's projection; else the middle is the origin
};

struct RasterField {
  HeightField field;
  bool placed = false;  ///< the file said how large a pixel is
  GapReport gaps;
};

/// A grey image as heights; the first row is at y_max. All of 1 to 16 bits are kept. Pixels are samples; the
/// geometry is one metre a pixel unless the caller changes it. Refuses palettes, colours and
/// transparent pixels.
RasterField read_image(const ImageSettings& settings);
/// Any raster that GDAL reads: GeoTIFF, ESRI ASCII, PDS, IMG. Read row by row: one field of memory.
/// Projected coordinates become metres by their unit; longitudes and latitudes become metres on the ellipsoid
/// about the middle of the window. Refuses rotated rasters, unknown units and rasters without a size.
RasterField read_dem(const DemSettings& settings);

/// A grey image as it is, for maps: one or two bytes a pixel, where heights take four.
struct GreyImage {
  int nx = 0, ny = 0;                       ///< columns, rows; the first row here is the image's last (y up)
  std::vector<std::uint8_t> eight = {};     ///< either these
  std::vector<std::uint16_t> sixteen = {};  ///< or these
  double black = 0, white = 255;            ///< as numbers of the file
  /// Black 0, white 1.
  double at(int i, int j) const {
    const std::size_t k = static_cast<std::size_t>(j) * nx + i;
    return ((sixteen.empty() ? eight[k] : sixteen[k]) - black) / (white - black);
  }
};
/// Refuses as read_image.
GreyImage read_grey(const std::filesystem::path& file);

/// Float32 GeoTIFF, compressed, in metres about the origin of the ground.
void write_geotiff(const std::filesystem::path& file, const HeightField& field);
/// 16-bit grey PNG over the range of heights; returns that range (low, high) [m].
std::pair<double, double> write_png16(const std::filesystem::path& file, const HeightField& field);

}  // namespace scree
