/// Ground as GeoTIFF and 16-bit PNG, through GDAL.
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"
#include "scree/terrain/gdal_internal.hpp"
#include "scree/terrain/raster.hpp"

namespace scree {
namespace {

using gdal::api;

GDALDriverH driver_of(const char* name, const std::filesystem::path& file) {
  const GDALDriverH driver = api().GDALGetDriverByName(name);
  if (!driver) run_error("cannot write '{}': this GDAL has no {} driver", file.string(), name);
  return driver;
}

gdal::Dataset create_raster(const char* driver_name, const std::filesystem::path& file, const GridGeometry& g,
                            GDALDataType type, const char* const* options) {
  gdal::Dataset dataset(
      api().GDALCreate(driver_of(driver_name, file), file.c_str(), g.nx, g.ny, 1, type, options));
  if (!dataset) run_error("cannot write '{}': {}", file.string(), gdal::Quiet::message());
  return dataset;
}

/// GDAL writes under a temporary name; the file appears when it is whole.
void finish_raster(gdal::Dataset dataset, PartFile& part, const std::filesystem::path& file) {
  const bool flushed = api().CPLGetLastErrorType() < CE_Failure;
  const std::string message = gdal::Quiet::message();
  if (flushed) api().CPLErrorReset();
  dataset.close();
  if (!flushed) run_error("cannot write '{}': {}", file.string(), message);
  if (api().CPLGetLastErrorType() >= CE_Failure)
    run_error("cannot write '{}': {}", file.string(), gdal::Quiet::message());
  part.commit();
}

}  // namespace

void write_geotiff(const std::filesystem::path& file, const HeightField& field) {
  const gdal::Quiet quiet;
  const GridGeometry& g = field.geometry;
  PartFile part(file, ".tif");
  const char* options[] = {"COMPRESS=DEFLATE", "PREDICTOR=3", "BIGTIFF=IF_SAFER", "NUM_THREADS=ALL_CPUS",
                           nullptr};
  // A datum would cost a float its small digits: then write doubles.
  const GDALDataType type = field.datum == 0 ? GDT_Float32 : GDT_Float64;
  gdal::Dataset out = create_raster("GTiff", part.path(), g, type, options);
  double transform[6] = {g.x_min - 0.5 * g.step_x, g.step_x, 0, g.y_max() + 0.5 * g.step_y, 0, -g.step_y};
  api().GDALSetGeoTransform(out.handle(), transform);
  const gdal::Band band = out.band(1);
  api().GDALSetRasterUnitType(band.handle(), "m");
  std::vector<double> row(g.nx);
  for (int r = 0; r < g.ny; ++r) {
    for (int i = 0; i < g.nx; ++i) row[i] = field.height(i, g.ny - 1 - r);
    if (!band.write_row(r, g.nx, row.data(), GDT_Float64)) break;
  }
  finish_raster(std::move(out), part, file);
}

std::pair<double, double> write_png16(const std::filesystem::path& file, const HeightField& field) {
  const gdal::Quiet quiet;
  const GridGeometry& g = field.geometry;
  const auto [low, high] =
      std::minmax_element(field.z.begin(), field.z.begin() + static_cast<std::ptrdiff_t>(g.samples()));
  const double range = std::max(static_cast<double>(*high) - *low, 1e-9);
  gdal::Dataset memory = create_raster("MEM", "", g, GDT_UInt16, nullptr);
  std::vector<std::uint16_t> row(g.nx);
  for (int r = 0; r < g.ny; ++r) {
    for (int i = 0; i < g.nx; ++i) {
      row[i] = static_cast<std::uint16_t>(std::lround((field.at(i, g.ny - 1 - r) - *low) / range * 65535));
    }
    if (!memory.band(1).write_row(r, g.nx, row.data(), GDT_UInt16)) break;
  }
  const GDALDriverH driver = driver_of("PNG", file);
  PartFile part(file, ".png");
  // Heights pack badly: the usual level 6 takes ten times as long for a few per cent.
  const char* options[] = {"ZLEVEL=1", nullptr};
  // GDAL would write its statistics beside the picture.
  api().CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", "NO");
  gdal::Dataset out(
      api().GDALCreateCopy(driver, part.path().c_str(), memory.handle(), false, options, nullptr, nullptr));
  api().CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", nullptr);
  if (!out) run_error("cannot write '{}': {}", file.string(), gdal::Quiet::message());
  finish_raster(std::move(out), part, file);
  return {field.datum + *low, field.datum + *low + range};
}

}  // namespace scree
