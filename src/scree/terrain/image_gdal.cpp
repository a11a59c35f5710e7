/// Height images, read through GDAL.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/terrain/gdal_internal.hpp"
#include "scree/terrain/raster.hpp"

namespace scree {
namespace {

using gdal::api;
using gdal::Band;
using gdal::Dataset;
using gdal::Palette;
using gdal::Quiet;

/// The one grey band of an image; black and white as its numbers.
struct GreyBand {
  Band band;
  double black = 0, white = 255;
};

GreyBand grey_band(const Dataset& image, const std::string& what) {
  const Band band = image.band(1);
  const int bits = band.bits();
  const Palette palette = gdal::palette_of(band);
  if (palette == Palette::colours) {
    input_error(
        "{}: the image has a colour palette: its numbers are names of colours, not heights; save it as grey",
        what);
  }
  int colours = 0;
  for (int k = 1; k <= image.bands(); ++k)
    colours += api().GDALGetRasterColorInterpretation(image.band(k).handle()) != GCI_AlphaBand;
  if (colours > 1)
    input_error("{}: the image has {} colour bands: a height image has one, grey", what, colours);
  const GDALDataType type = band.type();
  if ((type != GDT_Byte && type != GDT_UInt16) || bits < 1 || bits > 16) {
    input_error("{}: pixels of type {}: a height image has 1 to 16 bits; read other types as kind = \"dem\"",
                what, api().GDALGetDataTypeName(type));
  }
  GreyBand grey{band, 0, static_cast<double>((1 << bits) - 1)};
  // TIFF photometric interpretation 0: zero is white.
  const char* flag = api().GDALGetMetadataItem(band.handle(), "MINISWHITE", "IMAGE_STRUCTURE");
  if (!flag) flag = api().GDALGetMetadataItem(image.handle(), "MINISWHITE", "IMAGE_STRUCTURE");
  if (palette == Palette::inverted || (flag && std::string(flag) == "YES")) std::swap(grey.black, grey.white);
  return grey;
}

/// All pixels in the type of the image, the last row first.
template <class Pixel>
std::vector<Pixel> read_pixels(const Band& band, int nx, int ny, GDALDataType type, const std::string& what) {
  const std::size_t count = static_cast<std::size_t>(nx) * ny;
  check_memory(count * sizeof(Pixel), what);
  std::vector<Pixel> pixels(count);
  const GSpacing line = static_cast<GSpacing>(nx) * sizeof(Pixel);
  if (!band.read(0, 0, nx, ny, pixels.data() + count - nx, type, -line))
    input_error("{}: cannot be read: {}", what, Quiet::message());
  return pixels;
}

}  // namespace

RasterField read_image(const ImageSettings& s) {
  const Quiet quiet;
  const Dataset image = gdal::open_raster(s.file, "image");
  const std::string what = fmt::format("image '{}'", s.file.string());
  gdal::check_claim(image, s.file, what);
  const GreyBand grey = grey_band(image, what);
  const double scale = (s.high - s.low) / (grey.white - grey.black);
  const gdal::Window all{0, 0, image.nx(), image.ny()};
  gdal::RowReader rows(grey.band, all, scale, s.low - scale * grey.black, what);
  RasterField raster;
  raster.field = gdal::read_field(rows, {all.nx, all.ny, 0, 0, 1, 1}, what);
  if (std::any_of(raster.field.z.begin(), raster.field.z.end(), [](float z) { return std::isnan(z); }))
    input_error("{}: it has transparent pixels, which have no height: save it without transparency", what);
  return raster;
}

GreyImage read_grey(const std::filesystem::path& file) {
  const Quiet quiet;
  const Dataset image = gdal::open_raster(file, "image");
  const std::string what = fmt::format("image '{}'", file.string());
  gdal::check_claim(image, file, what);
  const GreyBand band = grey_band(image, what);
  GreyImage grey{.nx = image.nx(), .ny = image.ny(), .black = band.black, .white = band.white};
  if (band.band.type() == GDT_Byte) {
    grey.eight = read_pixels<std::uint8_t>(band.band, grey.nx, grey.ny, GDT_Byte, what);
  } else {
    grey.sixteen = read_pixels<std::uint16_t>(band.band, grey.nx, grey.ny, GDT_UInt16, what);
  }
  return grey;
}

}  // namespace scree
