/// Elevation models, read through GDAL.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/text.hpp"
#include "scree/terrain/field_builder.hpp"
#include "scree/terrain/gdal_internal.hpp"
#include "scree/terrain/raster.hpp"
#include "scree/terrain/taps.hpp"
#include "scree/terrain/text_scanner.hpp"

namespace scree {
namespace {

using gdal::api;
using gdal::Band;
using gdal::Dataset;
using gdal::Quiet;
using gdal::RowReader;
using gdal::Window;

/// What GDAL's drivers of text do not notice: a cell that is no number, and one that is missing.
void check_ascii_cells(const Dataset& dem, const std::filesystem::path& file) {
  const std::string driver = dem.driver();
  if (driver != "AAIGrid" && driver != "GRASSASCIIGrid") return;
  TextScanner scanner(file, "dem");
  const std::size_t wanted = static_cast<std::size_t>(dem.nx()) * dem.ny();
  std::size_t count = 0;
  std::string_view line;
  std::string word;
  bool header = true;
  while (scanner.next_line(line)) {
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    // Header lines are "name value"; GRASS writes "name: value". "nan" and "inf" are cells.
    const std::string name = trim(line.substr(first, line.find_first_of(" \t", first) - first));
    double value;
    std::string_view rest = name;
    if (header && std::isalpha(static_cast<unsigned char>(name[0])) && !scan_number(rest, value)) continue;
    header = false;
    while (true) {
      const auto begin = line.find_first_not_of(" \t\r");
      if (begin == std::string_view::npos) break;
      line.remove_prefix(begin);
      word = line.substr(0, line.find_first_of(" \t\r"));
      line.remove_prefix(word.size());
      // GDAL takes a decimal comma.
      if (const auto comma = word.find(','); comma != std::string::npos) word[comma] = '.';
      rest = word;
      if (word != "*" && (!scan_number(rest, value) || !rest.empty())) {
        scanner.fail(fmt::format("'{}' is not a height", word.substr(0, 40)));
      }
      ++count;
    }
  }
  if (count != wanted) {
    input_error("dem '{}': {} cells where the header announces {} x {}", file.string(), count, dem.nx(),
                dem.ny());
  }
}

/// How large a pixel of the dataset is [m], at the middle of the window.
struct PixelSize {
  double x = 1, y = 1;                ///< [m]
  double corner_x = 0, corner_y = 0;  ///< of the dataset's first pixel, outer corner [m]
  bool known = false;
};

/// Metres per degree of longitude and latitude on the ellipsoid (meridian and prime vertical radii).
std::pair<double, double> metres_per_degree(OGRSpatialReferenceH srs, double latitude) {
  const double a = api().OSRGetSemiMajor(srs, nullptr), inverse = api().OSRGetInvFlattening(srs, nullptr),
               f = inverse > 0 ? 1 / inverse : 0;
  const double e2 = f * (2 - f), s = maths::sin(latitude * kDegree), w = std::sqrt(1 - e2 * s * s);
  return {kDegree * a / w * maths::cos(latitude * kDegree), kDegree * a * (1 - e2) / (w * w * w)};
}

PixelSize pixel_size(const Dataset& dem, double middle_row, const std::string& what) {
  std::array<double, 6> t;
  if (api().GDALGetGeoTransform(dem.handle(), t.data()) != CE_None) return {};
  if (std::abs(t[2]) > 1e-9 * std::abs(t[1]) || std::abs(t[4]) > 1e-9 * std::abs(t[5])) {
    input_error("{}: the raster is rotated or sheared: make it upright first (gdalwarp)", what);
  }
  if (!(t[1] > 0 && t[5] < 0))
    input_error("{}: pixels of {} x {}: columns must run east and rows south", what, t[1], t[5]);
  PixelSize p{t[1], -t[5], t[0], t[3], true};
  const OGRSpatialReferenceH srs = api().GDALGetSpatialRef(dem.handle());
  if (srs == nullptr || api().OSRGetName(srs) == nullptr) return p;
  if (api().OSRIsGeographic(srs)) {
    const double unit =
        api().OSRGetAngularUnits(srs, nullptr) / kDegree;  // grads, or whatever the file counts in
    if (!(unit > 0)) input_error("{}: the unit of its angles is unknown", what);
    const double latitude = unit * (t[3] + t[5] * middle_row);
    if (!(std::abs(latitude) < 89.9))
      input_error("{}: latitude {:.3f} deg is too near a pole: reproject it first (gdalwarp)", what,
                  latitude);
    const auto [degree_x, degree_y] = metres_per_degree(srs, latitude);
    const double per_x = unit * degree_x, per_y = unit * degree_y;
    return {p.x * per_x, p.y * per_y, p.corner_x * per_x, p.corner_y * per_y, true};
  }
  if (!api().OSRIsProjected(srs) && !api().OSRIsLocal(srs)) {
    input_error(
        "{}: the reference system '{}' is neither projected nor longitude and latitude: its unit is unknown",
        what, api().OSRGetName(srs));
  }
  const double unit = api().OSRGetLinearUnits(srs, nullptr);
  if (!(unit > 0)) input_error("{}: the projection's unit of length is unknown", what);
  return {p.x * unit, p.y * unit, p.corner_x * unit, p.corner_y * unit, true};
}

double vertical_unit(const Band& band, const std::string& what) {
  const std::string unit = api().GDALGetRasterUnitType(band.handle());
  if (unit.empty() || unit == "m" || unit == "metre" || unit == "meter" || unit == "meters" ||
      unit == "metres")
    return 1;
  if (unit == "ft" || unit == "foot" || unit == "feet") return 0.3048;
  if (unit == "US survey foot" || unit == "us-ft") return 1200.0 / 3937;
  if (unit == "km") return 1000;
  if (unit == "cm") return 0.01;
  input_error("{}: heights in '{}' are not understood: write the file in metres", what, unit);
}

Window choose_window(const DemSettings& s, const Dataset& dem, const std::string& what) {
  const int width = dem.nx(), height = dem.ny();
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

/// The grid of a window's pixels, or of cells of another size within it: as many whole ones as fit, about its
/// middle. The corner is that of the window's own south-western pixel, outer corner.
GridGeometry grid_of(const DemSettings& s, const Window& w, const PixelSize& pixel, const std::string& what) {
  GridGeometry g{w.nx, w.ny, 0, 0, pixel.x, pixel.y};
  if (s.cell > 0 && pixel.known) {
    const double nx = std::floor(w.nx * pixel.x / s.cell * (1 + 1e-9)),
                 ny = std::floor(w.ny * pixel.y / s.cell * (1 + 1e-9));
    if (!(nx < 2e9 && ny < 2e9)) input_error("{}: {:.4g} x {:.4g} samples: use a larger cell", what, nx, ny);
    if (!(nx >= 2 && ny >= 2)) {
      input_error("{}: {:.4g} m x {:.4g} m hold no 2 x 2 cells of {} m: use a smaller cell", what,
                  w.nx * pixel.x, w.ny * pixel.y, s.cell);
    }
    g = {static_cast<int>(nx), static_cast<int>(ny), 0, 0, s.cell, s.cell};
  }
  // Samples lie in the middle of cells.
  g.x_min = 0.5 * (w.nx * pixel.x - (g.nx - 1) * g.step_x);
  g.y_min = 0.5 * (w.ny * pixel.y - (g.ny - 1) * g.step_y);
  return g;
}

/// Every row is read once, turned into a row of the new width, and kept as long as a new row needs it.
HeightField read_resampled(RowReader& rows, const Window& w, const PixelSize& pixel, Resampling how,
                           const GridGeometry& g, const std::string& what) {
  FieldBuilder field(g, what);
  std::vector<Taps> across(g.nx);
  for (int i = 0; i < g.nx; ++i) across[i] = taps_at(how, g.x(i) / pixel.x - 0.5, g.step_x / pixel.x, w.nx);
  const auto down = [&](int j) {  // rows of the file run south
    return taps_at(how, (w.ny * pixel.y - g.y(j)) / pixel.y - 0.5, g.step_y / pixel.y, w.ny);
  };
  std::map<int, std::vector<double>> held;
  std::vector<double> out(g.nx);
  int read = 0;
  for (int j = g.ny - 1; j >= 0; --j) {
    const Taps taps = down(j);
    while (!held.empty() && held.begin()->first < taps.first) held.erase(held.begin());
    for (; read <= taps.last(); ++read) {
      const double* row = rows.row(read);
      if (read < taps.first) continue;
      std::vector<double>& narrow = held[read];
      narrow.assign(g.nx, 0.0);
      for (int i = 0; i < g.nx; ++i)
        for (std::size_t k = 0; k < across[i].weight.size(); ++k)
          narrow[i] += across[i].weight[k] * row[across[i].first + k];
    }
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t k = 0; k < taps.weight.size(); ++k) {
      const std::vector<double>& narrow = held.at(taps.first + static_cast<int>(k));
      for (int i = 0; i < g.nx; ++i) out[i] += taps.weight[k] * narrow[i];
    }
    field.add(out.data());
  }
  return std::move(field).take();
}

/// Gaps that new samples would step over are gaps all the same.
void refuse_gaps(RowReader rows, const Window& w, const std::string& what) {
  std::size_t missing = 0;
  int column = 0, row = 0;
  for (int r = 0; r < w.ny; ++r) {
    const double* z = rows.row(r);
    for (int c = 0; c < w.nx; ++c) {
      if (!std::isnan(z[c])) continue;
      if (missing++ == 0) column = w.x0 + c, row = w.y0 + r;
    }
  }
  if (missing == 0) return;
  const std::size_t all = static_cast<std::size_t>(w.nx) * w.ny;
  input_error(
      "{}: {} of {} pixels have no height, the first in row {}, column {}: nodata = \"fill\" closes them",
      what, missing, all, row, column);
}

}  // namespace

RasterField read_dem(const DemSettings& s) {
  const Quiet quiet;
  const Dataset dem = gdal::open_raster(s.file, "dem");
  const std::string what = fmt::format("dem '{}'", s.file.string());
  if (s.band > dem.bands()) input_error("{}: band {} of {}", what, s.band, dem.bands());
  const Band band = dem.band(s.band);
  if (gdal::palette_of(band) != gdal::Palette::grey)
    input_error("{}: the raster has a colour palette, not heights", what);
  if (api().GDALDataTypeIsComplex(band.type())) input_error("{}: complex numbers are not heights", what);
  gdal::check_claim(dem, s.file, what);
  check_ascii_cells(dem, s.file);
  const Window w = choose_window(s, dem, what);
  const PixelSize pixel = pixel_size(dem, w.y0 + 0.5 * w.ny, what);
  const double unit = vertical_unit(band, what) * s.vertical_scale;
  const double scale = api().GDALGetRasterScale(band.handle(), nullptr),
               offset = api().GDALGetRasterOffset(band.handle(), nullptr);
  RowReader rows(band, w, scale * unit, offset * unit + s.vertical_offset, what);

  GridGeometry g = grid_of(s, w, pixel, what);
  const bool same = g.nx == w.nx && g.ny == w.ny && std::abs(g.step_x - pixel.x) <= 1e-9 * pixel.x &&
                    std::abs(g.step_y - pixel.y) <= 1e-9 * pixel.y;
  RasterField raster;
  raster.placed = pixel.known;
  if (same) {
    raster.field = gdal::read_field(rows, g, what);
  } else {
    check_geometry(g, what);
    if (s.nodata == Gaps::refuse && rows.may_have_gaps()) refuse_gaps(rows, w, what);
    raster.field = read_resampled(rows, w, pixel, resampling_of(s.resampling), g, what);
  }
  // From the window's corner to the file's coordinates, or to the middle.
  raster.field.geometry.x_min += s.keep_origin ? pixel.corner_x + w.x0 * pixel.x : -0.5 * w.nx * pixel.x;
  raster.field.geometry.y_min +=
      s.keep_origin ? pixel.corner_y - (w.y0 + w.ny) * pixel.y : -0.5 * w.ny * pixel.y;
  raster.gaps = close_gaps(raster.field, s.nodata, what, "nodata");
  return raster;
}

}  // namespace scree
