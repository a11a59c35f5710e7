#include <fmt/core.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/text.hpp"
#include "scree/terrain/raster.hpp"

namespace scree {
namespace {

/// GDAL keeps blocks that it has read; its default share of the machine's memory is more than ours.
constexpr GIntBig kBlockCache = 32 << 20;

void start_gdal() {
  static std::once_flag once;
  std::call_once(once, [] {
    GDALAllRegister();
    GDALSetCacheMax64(kBlockCache);
    // Compressed blocks are unpacked side by side, unless the user says otherwise.
    if (!CPLGetConfigOption("GDAL_NUM_THREADS", nullptr)) CPLSetConfigOption("GDAL_NUM_THREADS", "ALL_CPUS");
  });
}

/// Keeps GDAL from printing; its last message goes into ours.
class Quiet {
 public:
  Quiet() {
    CPLErrorReset();
    CPLPushErrorHandler(CPLQuietErrorHandler);
  }
  ~Quiet() { CPLPopErrorHandler(); }
  Quiet(const Quiet&) = delete;
  static std::string message() {
    std::string text = CPLGetLastErrorMsg();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text.empty() ? "not a raster that GDAL knows" : text;
  }
};

struct CloseDataset {
  void operator()(GDALDataset* d) const { GDALClose(d); }
};
using Dataset = std::unique_ptr<GDALDataset, CloseDataset>;

Dataset open_raster(const std::filesystem::path& file, const char* what) {
  start_gdal();
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    input_error("{}: cannot read '{}': no such file", what, file.string());
  if (std::filesystem::is_directory(file, error)) input_error("{}: '{}' is a folder", what, file.string());
  if (std::filesystem::file_size(file, error) == 0 && !error)
    input_error("{}: '{}' is empty", what, file.string());
  Dataset dataset(static_cast<GDALDataset*>(
      GDALOpenEx(file.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, nullptr, nullptr, nullptr)));
  if (!dataset) input_error("{}: cannot read '{}': {}", what, file.string(), Quiet::message());
  if (dataset->GetRasterCount() < 1) input_error("{}: '{}' holds no band", what, file.string());
  return dataset;
}

/// Reads `rows` rows of the window into a field, y up, in double above a datum, a block of rows at a time.
struct Block {
  GDALRasterBand* band;
  int x0, y0;  ///< first pixel of the window
  double scale = 1, offset = 0;
  double nodata = 0;
  bool has_nodata = false;
};

void read_rows(const Block& b, HeightField& field, const std::string& what) {
  const GridGeometry& g = field.geometry;
  const int chunk = std::clamp(static_cast<int>((8 << 20) / (8 * static_cast<std::size_t>(g.nx))), 1, g.ny);
  std::vector<double> values(static_cast<std::size_t>(g.nx) * chunk);
  bool first = true;
  for (int r = 0; r < g.ny; r += chunk) {
    const int rows = std::min(chunk, g.ny - r);
    if (b.band->RasterIO(GF_Read, b.x0, b.y0 + r, g.nx, rows, values.data(), g.nx, rows, GDT_Float64, 0, 0,
                         nullptr) != CE_None) {
      input_error("{}: cannot read row {}: {}", what, b.y0 + r, Quiet::message());
    }
    for (int k = 0; k < rows; ++k) {
      const double* from = values.data() + static_cast<std::size_t>(k) * g.nx;
      float* to = &field.at(0, g.ny - 1 - (r + k));
      for (int i = 0; i < g.nx; ++i) {
        const bool missing = std::isnan(from[i]) || (b.has_nodata && from[i] == b.nodata);
        const double z = from[i] * b.scale + b.offset;
        if (missing) {
          to[i] = std::nanf("");
          continue;
        }
        if (first) field.datum = std::isfinite(z) ? std::round(z) : 0, first = false;
        to[i] = static_cast<float>(z - field.datum);
        if (!std::isfinite(to[i]))
          input_error("{}: height {} in row {}, column {} is not usable", what, z, b.y0 + r + k, b.x0 + i);
      }
    }
  }
}

/// A palette in which number k is the grey k says nothing (8-bit BMP files always carry one).
bool is_grey_ramp(const GDALColorTable* table) {
  if (table == nullptr) return true;
  for (int k = 0; k < table->GetColorEntryCount(); ++k) {
    const GDALColorEntry* c = table->GetColorEntry(k);
    if (c->c1 != k || c->c2 != k || c->c3 != k) return false;
  }
  return table->GetColorEntryCount() == 256;
}

/// The one grey band of an image and its full scale.
std::pair<GDALRasterBand*, double> grey_band(GDALDataset& image, const std::string& what) {
  GDALRasterBand* band = image.GetRasterBand(1);
  if (!is_grey_ramp(band->GetColorTable())) {
    input_error(
        "{}: the image has a colour palette: its numbers are names of colours, not heights; save it as grey",
        what);
  }
  int colours = 0;
  for (int k = 1; k <= image.GetRasterCount(); ++k) {
    colours += image.GetRasterBand(k)->GetColorInterpretation() != GCI_AlphaBand;
  }
  if (colours > 1)
    input_error("{}: the image has {} colour bands: a height image has one, grey", what, colours);
  switch (band->GetRasterDataType()) {
    case GDT_Byte:
      return {band, 255};
    case GDT_UInt16:
      return {band, 65535};
    default:
      input_error(
          "{}: pixels of type {}: a height image has 8 or 16 bits; read other types as kind = \"dem\"", what,
          GDALGetDataTypeName(band->GetRasterDataType()));
  }
}

/// All pixels in the type of the image, the last row first.
template <class Pixel>
std::vector<Pixel> read_pixels(GDALRasterBand& band, GDALDataType type, const std::string& what) {
  const int nx = band.GetXSize(), ny = band.GetYSize();
  const std::size_t count = static_cast<std::size_t>(nx) * ny;
  check_memory(count * sizeof(Pixel), what);
  std::vector<Pixel> pixels(count);
  const GSpacing line = static_cast<GSpacing>(nx) * sizeof(Pixel);
  if (band.RasterIO(GF_Read, 0, 0, nx, ny, pixels.data() + count - nx, nx, ny, type, sizeof(Pixel), -line,
                    nullptr) != CE_None) {
    input_error("{}: cannot be read: {}", what, Quiet::message());
  }
  return pixels;
}

/// How large a pixel of the dataset is [m], at the middle of the window.
struct PixelSize {
  double x = 1, y = 1;                ///< [m]
  double corner_x = 0, corner_y = 0;  ///< of the dataset's first pixel, outer corner [m]
  bool known = false;
};

/// Metres per degree of longitude and latitude on the ellipsoid (meridian and prime vertical radii).
std::pair<double, double> metres_per_degree(const OGRSpatialReference& srs, double latitude) {
  const double a = srs.GetSemiMajor(), f = srs.GetInvFlattening() > 0 ? 1 / srs.GetInvFlattening() : 0;
  const double e2 = f * (2 - f), s = maths::sin(latitude * kDegree), w = std::sqrt(1 - e2 * s * s);
  return {kDegree * a / w * maths::cos(latitude * kDegree), kDegree * a * (1 - e2) / (w * w * w)};
}

PixelSize pixel_size(GDALDataset& dem, double middle_row, const std::string& what) {
  std::array<double, 6> t;
  if (dem.GetGeoTransform(t.data()) != CE_None) return {};
  if (std::abs(t[2]) > 1e-9 * std::abs(t[1]) || std::abs(t[4]) > 1e-9 * std::abs(t[5])) {
    input_error("{}: the raster is rotated or sheared: make it upright first (gdalwarp)", what);
  }
  if (!(t[1] > 0 && t[5] < 0))
    input_error("{}: pixels of {} x {}: columns must run east and rows south", what, t[1], t[5]);
  PixelSize p{t[1], -t[5], t[0], t[3], true};
  const OGRSpatialReference* srs = dem.GetSpatialRef();
  if (srs == nullptr || srs->IsEmpty()) return p;
  if (srs->IsGeographic()) {
    const double latitude = t[3] + t[5] * middle_row;
    if (!(std::abs(latitude) < 89.9))
      input_error("{}: latitude {:.3f} deg is too near a pole: reproject it first (gdalwarp)", what,
                  latitude);
    const auto [per_x, per_y] = metres_per_degree(*srs, latitude);
    return {p.x * per_x, p.y * per_y, p.corner_x * per_x, p.corner_y * per_y, true};
  }
  if (!srs->IsProjected()) {
    input_error(
        "{}: the reference system '{}' is neither projected nor longitude and latitude: its unit is unknown",
        what, srs->GetName() ? srs->GetName() : "");
  }
  const double unit = srs->GetLinearUnits();
  if (!(unit > 0)) input_error("{}: the projection's unit of length is unknown", what);
  return {p.x * unit, p.y * unit, p.corner_x * unit, p.corner_y * unit, true};
}

double vertical_unit(GDALRasterBand& band, const std::string& what) {
  const std::string unit = band.GetUnitType();
  if (unit.empty() || unit == "m" || unit == "metre" || unit == "meter" || unit == "meters" ||
      unit == "metres")
    return 1;
  if (unit == "ft" || unit == "foot" || unit == "feet") return 0.3048;
  if (unit == "US survey foot" || unit == "us-ft") return 1200.0 / 3937;
  if (unit == "km") return 1000;
  if (unit == "cm") return 0.01;
  input_error("{}: heights in '{}' are not understood: write the file in metres", what, unit);
}

struct Window {
  int x0, y0, nx, ny;
};

Window choose_window(const DemSettings& s, GDALDataset& dem, const std::string& what) {
  const int width = dem.GetRasterXSize(), height = dem.GetRasterYSize();
  if (s.window.empty()) return {0, 0, width, height};
  const auto& w = s.window;
  const bool whole =
      std::all_of(w.begin(), w.end(), [](double v) { return v >= 0 && v <= 2e9 && v == std::floor(v); });
  if (!(whole && w[2] >= 2 && w[3] >= 2 && w[0] + w[2] <= width && w[1] + w[3] <= height)) {
    input_error("{}: window [{}, {}, {}, {}] does not lie within {} x {} pixels", what, w[0], w[1], w[2],
                w[3], width, height);
  }
  return {static_cast<int>(w[0]), static_cast<int>(w[1]), static_cast<int>(w[2]), static_cast<int>(w[3])};
}

/// One read through GDAL's resampling, straight into the field, then turned y up.
void read_resampled(const DemSettings& s, GDALRasterBand& band, const Window& w, const Block& b,
                    HeightField& field, const std::string& what) {
  GDALRasterIOExtraArg how;
  INIT_RASTERIO_EXTRA_ARG(how);
  how.eResampleAlg = s.resampling == "nearest"   ? GRIORA_NearestNeighbour
                     : s.resampling == "cubic"   ? GRIORA_Cubic
                     : s.resampling == "average" ? GRIORA_Average
                                                 : GRIORA_Bilinear;
  const GridGeometry& g = field.geometry;
  if (band.RasterIO(GF_Read, w.x0, w.y0, w.nx, w.ny, field.z.data(), g.nx, g.ny, GDT_Float32, 0, 0, &how) !=
      CE_None) {
    input_error("{}: cannot be read: {}", what, Quiet::message());
  }
  for (int j = 0; j < g.ny / 2; ++j)
    std::swap_ranges(&field.at(0, j), &field.at(0, j) + g.nx, &field.at(0, g.ny - 1 - j));
  const float nodata = static_cast<float>(b.nodata);
  for (float& z : field.z) {
    z = b.has_nodata && z == nodata ? std::nanf("") : static_cast<float>(z * b.scale + b.offset);
  }
}

}  // namespace

RasterField read_image(const ImageSettings& s) {
  const Quiet quiet;
  const Dataset image = open_raster(s.file, "image");
  const std::string what = fmt::format("image '{}'", s.file.string());
  const auto [band, white] = grey_band(*image, what);
  RasterField raster;
  raster.field = make_field({image->GetRasterXSize(), image->GetRasterYSize(), 0, 0, 1, 1}, what);
  read_rows({.band = band, .x0 = 0, .y0 = 0, .scale = (s.high - s.low) / white, .offset = s.low},
            raster.field, what);
  return raster;
}

GreyImage read_grey(const std::filesystem::path& file) {
  const Quiet quiet;
  const Dataset image = open_raster(file, "image");
  const std::string what = fmt::format("image '{}'", file.string());
  const auto [band, white] = grey_band(*image, what);
  GreyImage grey{band->GetXSize(), band->GetYSize(), {}, {}};
  if (white == 255) {
    grey.eight = read_pixels<std::uint8_t>(*band, GDT_Byte, what);
  } else {
    grey.sixteen = read_pixels<std::uint16_t>(*band, GDT_UInt16, what);
  }
  return grey;
}

RasterField read_dem(const DemSettings& s) {
  const Quiet quiet;
  const Dataset dem = open_raster(s.file, "dem");
  const std::string what = fmt::format("dem '{}'", s.file.string());
  if (s.band > dem->GetRasterCount()) input_error("{}: band {} of {}", what, s.band, dem->GetRasterCount());
  GDALRasterBand& band = *dem->GetRasterBand(s.band);
  if (!is_grey_ramp(band.GetColorTable()))
    input_error("{}: the raster has a colour palette, not heights", what);
  if (GDALDataTypeIsComplex(band.GetRasterDataType()))
    input_error("{}: complex numbers are not heights", what);
  const Window w = choose_window(s, *dem, what);
  const PixelSize pixel = pixel_size(*dem, w.y0 + 0.5 * w.ny, what);

  Block b{.band = &band, .x0 = w.x0, .y0 = w.y0};
  int has_nodata = 0;
  b.nodata = band.GetNoDataValue(&has_nodata);
  b.has_nodata = has_nodata != 0;
  const double unit = vertical_unit(band, what);
  b.scale = band.GetScale() * unit * s.vertical_scale;
  b.offset = band.GetOffset() * unit * s.vertical_scale + s.vertical_offset;

  RasterField raster;
  raster.placed = pixel.known;
  const bool resample =
      pixel.known && s.cell > 0 &&
      (std::abs(s.cell - pixel.x) > 1e-9 * s.cell || std::abs(s.cell - pixel.y) > 1e-9 * s.cell);
  GridGeometry g{w.nx, w.ny, 0, 0, pixel.x, pixel.y};
  if (resample) {
    const double nx = std::max(1.0, std::round(w.nx * pixel.x / s.cell)),
                 ny = std::max(1.0, std::round(w.ny * pixel.y / s.cell));
    if (!(nx < 2e9 && ny < 2e9)) input_error("{}: {:.4g} x {:.4g} samples: use a larger cell", what, nx, ny);
    g = {static_cast<int>(nx), static_cast<int>(ny), 0, 0, s.cell, s.cell};
  }
  // Samples lie in the middle of pixels.
  g.x_min = s.keep_origin ? pixel.corner_x + w.x0 * pixel.x + 0.5 * g.step_x : -0.5 * (g.nx - 1) * g.step_x;
  g.y_min = s.keep_origin ? pixel.corner_y - (w.y0 + w.ny) * pixel.y + 0.5 * g.step_y
                          : -0.5 * (g.ny - 1) * g.step_y;
  raster.field = make_field(g, what);
  if (resample) {
    read_resampled(s, band, w, b, raster.field, what);
  } else {
    read_rows(b, raster.field, what);
  }
  raster.gaps = close_gaps(raster.field, s.nodata, what);
  return raster;
}

namespace {

Dataset create(const char* driver_name, const std::filesystem::path& file, const GridGeometry& g,
               GDALDataType type, char** options) {
  start_gdal();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(driver_name);
  if (!driver) run_error("cannot write '{}': this GDAL has no {} driver", file.string(), driver_name);
  Dataset dataset(driver->Create(file.c_str(), g.nx, g.ny, 1, type, options));
  if (!dataset) run_error("cannot write '{}': {}", file.string(), Quiet::message());
  return dataset;
}

/// GDAL writes under a temporary name; the file appears when it is whole.
void finish(Dataset dataset, const std::filesystem::path& temporary, const std::filesystem::path& file) {
  const bool flushed = CPLGetLastErrorType() < CE_Failure;
  CPLErrorReset();
  dataset.reset();
  std::error_code error;
  if (flushed && CPLGetLastErrorType() < CE_Failure) std::filesystem::rename(temporary, file, error);
  if (!flushed || error || CPLGetLastErrorType() >= CE_Failure) {
    const std::string message = error ? error.message() : Quiet::message();
    std::filesystem::remove(temporary, error);
    run_error("cannot write '{}': {}", file.string(), message);
  }
}

}  // namespace

void write_geotiff(const std::filesystem::path& file, const HeightField& field) {
  const Quiet quiet;
  const GridGeometry& g = field.geometry;
  const std::filesystem::path temporary = file.string() + ".part.tif";
  const char* options[] = {"COMPRESS=DEFLATE", "PREDICTOR=3", "BIGTIFF=IF_SAFER", "NUM_THREADS=ALL_CPUS",
                           nullptr};
  // A datum would cost a float its small digits: then write doubles.
  const GDALDataType type = field.datum == 0 ? GDT_Float32 : GDT_Float64;
  Dataset out = create("GTiff", temporary, g, type, const_cast<char**>(options));
  double transform[6] = {g.x_min - 0.5 * g.step_x, g.step_x, 0, g.y_max() + 0.5 * g.step_y, 0, -g.step_y};
  out->SetGeoTransform(transform);
  GDALRasterBand& band = *out->GetRasterBand(1);
  band.SetUnitType("m");
  std::vector<double> row(g.nx);
  for (int r = 0; r < g.ny; ++r) {
    for (int i = 0; i < g.nx; ++i) row[i] = field.height(i, g.ny - 1 - r);
    if (band.RasterIO(GF_Write, 0, r, g.nx, 1, row.data(), g.nx, 1, GDT_Float64, 0, 0, nullptr) != CE_None)
      break;
  }
  finish(std::move(out), temporary, file);
}

std::pair<double, double> write_png16(const std::filesystem::path& file, const HeightField& field) {
  const Quiet quiet;
  const GridGeometry& g = field.geometry;
  const auto [low, high] =
      std::minmax_element(field.z.begin(), field.z.begin() + static_cast<std::ptrdiff_t>(g.samples()));
  const double range = std::max(static_cast<double>(*high) - *low, 1e-9);
  Dataset memory = create("MEM", "", g, GDT_UInt16, nullptr);
  std::vector<std::uint16_t> row(g.nx);
  for (int r = 0; r < g.ny; ++r) {
    for (int i = 0; i < g.nx; ++i) {
      row[i] = static_cast<std::uint16_t>(std::lround((field.at(i, g.ny - 1 - r) - *low) / range * 65535));
    }
    if (memory->GetRasterBand(1)->RasterIO(GF_Write, 0, r, g.nx, 1, row.data(), g.nx, 1, GDT_UInt16, 0, 0,
                                           nullptr) != CE_None)
      break;
  }
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("PNG");
  if (!driver) run_error("cannot write '{}': this GDAL has no PNG driver", file.string());
  const std::filesystem::path temporary = file.string() + ".part.png";
  // Heights pack badly: the usual level 6 takes ten times as long for a few per cent.
  const char* options[] = {"ZLEVEL=1", nullptr};
  // GDAL would write its statistics beside the picture.
  CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", "NO");
  Dataset out(driver->CreateCopy(temporary.c_str(), memory.get(), false, const_cast<char**>(options), nullptr,
                                 nullptr));
  CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", nullptr);
  if (!out) run_error("cannot write '{}': {}", file.string(), Quiet::message());
  finish(std::move(out), temporary, file);
  return {field.datum + *low, field.datum + *low + range};
}

}  // namespace scree
