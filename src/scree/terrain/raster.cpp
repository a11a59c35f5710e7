#include "scree/terrain/raster.hpp"

#include <fmt/core.h>

#include "scree/core/errors.hpp"
#include "scree/terrain/extent.hpp"
#include "scree/terrain/kinds.hpp"

namespace scree {

#ifndef SCREE_HAVE_GDAL
namespace {
[[noreturn]] void no_gdal(const std::filesystem::path& file) {
  input_error("'{}': images and elevation models need GDAL: configure with -DSCREE_GDAL=ON and install it",
              file.string());
}
}  // namespace
RasterField read_image(const ImageSettings& s) { no_gdal(s.file); }
RasterField read_dem(const DemSettings& s) { no_gdal(s.file); }
GreyImage read_grey(const std::filesystem::path& file) { no_gdal(file); }
void write_geotiff(const std::filesystem::path& file, const HeightField&) { no_gdal(file); }
std::pair<double, double> write_png16(const std::filesystem::path& file, const HeightField&) {
  no_gdal(file);
}
#endif

namespace {

struct ImageKind {
  ImageSettings image;
  Extent extent;
  GridOptions options{.name = "image"};
};

void describe(Section& s, ImageKind& x) {
  s.file("file", x.image.file,
         {.unit = "-", .doc = "Grey image: PNG, BMP, TIFF or JPEG, 1 to 16 bit", .required = true});
  s.number("low", x.image.low, {.unit = "m", .doc = "Height of black"});
  s.number("high", x.image.high, {.unit = "m", .doc = "Height of full white"});
  describe(s, x.extent);
  describe(s, x.options);
}

struct DemKind {
  DemSettings dem;
  std::string nodata = "refuse";
  Extent extent;
  GridOptions options{.name = "dem"};
};

void describe(Section& s, DemKind& x) {
  DemSettings& d = x.dem;
  s.file("file", d.file,
         {.unit = "-", .doc = "GeoTIFF, ESRI ASCII, PDS, IMG or whatever GDAL reads", .required = true});
  s.integer("band", d.band, {.unit = "-", .doc = "Which band holds heights", .range = between(1, 10000)});
  s.numbers("window", d.window,
            {.unit = "pixel", .doc = "First column, first row, columns, rows", .range = not_negative()});
  s.choice("resampling", d.resampling, {"nearest", "bilinear", "cubic", "average"},
           {.unit = "-",
            .doc = "How pixels become samples when `cell` differs from theirs; average: mean over the cell"});
  s.choice("nodata", x.nodata, {"refuse", "fill"},
           {.unit = "-", .doc = "Pixels without a height: refuse, or fill with a membrane"});
  s.number("vertical_scale", d.vertical_scale, {.unit = "-", .doc = "Multiplies heights"});
  s.number("vertical_offset", d.vertical_offset, {.unit = "m", .doc = "Added to heights after scaling"});
  s.boolean("keep_origin", d.keep_origin,
            {.unit = "-", .doc = "Keep the file's x and y; else its middle is the origin"});
  describe(s, x.extent);
  describe(s, x.options);
}

bool says_size(const Extent& e) { return (e.size.array() != 0).any() || e.cell > 0; }

}  // namespace

TerrainPtr make_image(Section& s, const MakeContext&) {
  const auto x = read_keys<ImageKind>(s);
  if (s.documenting()) return nullptr;
  if (!says_size(x.extent))
    s.fail("size", "an image does not say how large it is: give size = [length, width] or cell");
  RasterField raster = read_image(x.image);
  raster.field.geometry = geometry_of(x.extent, raster.field.geometry, true, "image");
  return std::make_unique<Grid>(std::move(raster.field), x.options);
}

TerrainPtr make_dem(Section& s, const MakeContext&) {
  auto x = read_keys<DemKind>(s);
  if (s.documenting()) return nullptr;
  x.dem.nodata = x.nodata == "fill" ? Gaps::fill : Gaps::refuse;
  if (!x.dem.window.empty() && x.dem.window.size() != 4)
    s.fail("window", "four numbers: first column, first row, columns, rows");
  x.dem.cell = x.extent.cell;
  RasterField raster = read_dem(x.dem);
  if (raster.gaps.samples > 0) x.options.name = fmt::format("dem ({})", raster.gaps.text());
  if (!raster.placed && !says_size(x.extent)) {
    s.fail("file", "the file does not say how large a pixel is: give size = [length, width] or cell");
  }
  // A georeferenced file has been resampled to `cell` already.
  if (raster.placed) x.extent.cell = 0;
  raster.field.geometry =
      geometry_of(x.extent, raster.field.geometry, s.has("centre") || !raster.placed, "dem");
  return std::make_unique<Grid>(std::move(raster.field), x.options);
}

}  // namespace scree
