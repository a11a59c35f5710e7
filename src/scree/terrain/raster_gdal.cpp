/// Height images and elevation models, read through GDAL.
#include <fmt/core.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/text.hpp"
#include "scree/terrain/gdal_internal.hpp"
#include "scree/terrain/raster.hpp"
#include "scree/terrain/taps.hpp"
#include "scree/terrain/text_scanner.hpp"

namespace scree {

void gdal::start() {
  // GDAL keeps blocks that it has read; its default share of the machine's memory is more than ours.
  constexpr GIntBig kBlockCache = 32 << 20;
  static std::once_flag once;
  std::call_once(once, [] {
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);  // of its own threads, which Quiet does not reach
    GDALSetCacheMax64(kBlockCache);
    // Compressed blocks are unpacked side by side, unless the user says otherwise.
    if (!CPLGetConfigOption("GDAL_NUM_THREADS", nullptr)) CPLSetConfigOption("GDAL_NUM_THREADS", "ALL_CPUS");
  });
}

namespace {

using gdal::Dataset;
using gdal::Quiet;

Dataset open_raster(const std::filesystem::path& file, const char* what) {
  gdal::start();
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

/// Formats that hold all their pixels in the one file.
constexpr const char* kWholeFiles[] = {"PNG", "JPEG", "BMP", "GIF", "GTiff", "AAIGrid", "GRASSASCIIGrid"};

/// Deflate packs no more than 1032 bytes into one (RFC 1951), the other packings of these formats no more
/// than twice that: a file whose header claims more pixels than it can hold, one bit each, is refused before
/// memory is asked for. A GeoTIFF that leaves out nearly all of itself is refused with them: it is a gap.
void check_claim(GDALDataset& image, const std::filesystem::path& file, const std::string& what) {
  const std::string driver = image.GetDriver() ? image.GetDriver()->GetDescription() : "";
  if (std::find(std::begin(kWholeFiles), std::end(kWholeFiles), driver) == std::end(kWholeFiles)) return;
  std::error_code error;
  const double bytes = static_cast<double>(std::filesystem::file_size(file, error));
  const double pixels = static_cast<double>(image.GetRasterXSize()) * image.GetRasterYSize();
  const double packed = driver == "PNG" ? 1032 : 2064;
  if (!error && pixels / 8 > packed * bytes) {
    input_error(
        "{}: claims {} x {} pixels ({:.1f} GB as heights), which {:.0f} bytes of {} cannot hold: the file is "
        "damaged",
        what, image.GetRasterXSize(), image.GetRasterYSize(), 4e-9 * pixels, bytes, driver);
  }
}

/// What GDAL's drivers of text do not notice: a cell that is no number, and one that is missing.
void check_ascii_cells(GDALDataset& dem, const std::filesystem::path& file) {
  const char* driver = dem.GetDriver() ? dem.GetDriver()->GetDescription() : "";
  if (std::string(driver) != "AAIGrid" && std::string(driver) != "GRASSASCIIGrid") return;
  TextScanner scanner(file, "dem");
  const std::size_t wanted = static_cast<std::size_t>(dem.GetRasterXSize()) * dem.GetRasterYSize();
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
    input_error("dem '{}': {} cells where the header announces {} x {}", file.string(), count,
                dem.GetRasterXSize(), dem.GetRasterYSize());
  }
}

/// Part of a raster [pixel].
struct Window {
  int x0, y0, nx, ny;
};

/// Reads rows of a band as heights in double, north first; what the band's mask or nodata value leaves out
/// is NaN.
class RowReader {
 public:
  RowReader(GDALRasterBand& band, const Window& window, double scale, double offset, std::string what)
      : band_(band), window_(window), scale_(scale), offset_(offset), what_(std::move(what)) {
    if ((band.GetMaskFlags() & GMF_ALL_VALID) == 0) mask_ = band.GetMaskBand();
    // A mask of its own does not take the value for missing pixels into account.
    int has_nodata = 0;
    const double nodata = band.GetNoDataValue(&has_nodata);
    if (has_nodata) nodata_ = band.GetRasterDataType() == GDT_Float32 ? static_cast<float>(nodata) : nodata;
    chunk_ =
        std::clamp(static_cast<int>((8 << 20) / (8 * static_cast<std::size_t>(window.nx))), 1, window.ny);
  }
  bool may_have_gaps() const {
    return mask_ || std::isfinite(nodata_) || GDALDataTypeIsFloating(band_.GetRasterDataType());
  }
  /// Row r of the window; rows are asked for in order.
  const double* row(int r) {
    if (r >= first_ + held_) read(r);
    return values_.data() + static_cast<std::size_t>(r - first_) * window_.nx;
  }

 private:
  void read(int r) {
    first_ = r, held_ = std::min(chunk_, window_.ny - r);
    const std::size_t count = static_cast<std::size_t>(window_.nx) * held_;
    values_.resize(count);
    io(band_, values_.data(), GDT_Float64);
    if (mask_) {
      valid_.resize(count);
      io(*mask_, valid_.data(), GDT_Byte);
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (std::isnan(values_[k])) continue;
      if ((mask_ && valid_[k] == 0) || values_[k] == nodata_) {
        values_[k] = std::nan("");
        continue;
      }
      values_[k] = values_[k] * scale_ + offset_;
      if (!(std::abs(values_[k]) < 1e30)) {
        input_error("{}: height {} in row {}, column {} is not usable", what_, values_[k],
                    window_.y0 + r + static_cast<int>(k) / window_.nx,
                    window_.x0 + static_cast<int>(k) % window_.nx);
      }
    }
  }
  void io(GDALRasterBand& band, void* to, GDALDataType type) {
    if (band.RasterIO(GF_Read, window_.x0, window_.y0 + first_, window_.nx, held_, to, window_.nx, held_,
                      type, 0, 0, nullptr) != CE_None) {
      input_error("{}: cannot read row {}: {}", what_, window_.y0 + first_, Quiet::message());
    }
  }

  GDALRasterBand& band_;
  GDALRasterBand* mask_ = nullptr;
  Window window_;
  double scale_, offset_;
  double nodata_ = std::nan("");
  std::string what_;
  std::vector<double> values_;
  std::vector<std::uint8_t> valid_;
  int first_ = 0, held_ = 0, chunk_ = 1;
};

/// Fills a field row by row from the north: memory is taken as rows arrive, so that a file that ends early
/// costs no more than it holds.
class FieldBuilder {
 public:
  FieldBuilder(const GridGeometry& g, const std::string& what) {
    check_geometry(g, what);
    field_.geometry = g;
    field_.z.reserve(g.samples() + kHeightSlack);
  }
  void add(const double* row) {
    const int nx = field_.geometry.nx;
    for (int i = 0; i < nx; ++i) {
      if (!placed_ && !std::isnan(row[i])) field_.datum = std::round(row[i]), placed_ = true;
      field_.z.push_back(static_cast<float>(row[i] - field_.datum));
    }
  }
  /// Turned y up.
  HeightField take() && {
    const GridGeometry& g = field_.geometry;
    for (int j = 0; j < g.ny / 2; ++j)
      std::swap_ranges(&field_.at(0, j), &field_.at(0, j) + g.nx, &field_.at(0, g.ny - 1 - j));
    return std::move(field_);
  }

 private:
  HeightField field_;
  bool placed_ = false;
};

/// How many bits a pixel has.
int bits_of(GDALRasterBand& band) {
  const char* bits = band.GetMetadataItem("NBITS", "IMAGE_STRUCTURE");
  return bits ? std::atoi(bits) : GDALGetDataTypeSizeBits(band.GetRasterDataType());
}

/// What a palette says of the grey of number k: nothing new (8-bit BMP files always carry one), the opposite
/// (zero is white), or something else.
enum class Palette { grey, inverted, colours };

Palette palette_of(const GDALColorTable* table, int bits) {
  if (table == nullptr) return Palette::grey;
  const int last = (1 << std::min(bits, 8)) - 1;
  if (table->GetColorEntryCount() != last + 1) return Palette::colours;
  bool grey = true, inverted = true;
  for (int k = 0; k <= last; ++k) {
    const GDALColorEntry* c = table->GetColorEntry(k);
    if (c->c1 != c->c2 || c->c1 != c->c3) return Palette::colours;
    const int level = (255 * k + last / 2) / last;
    grey = grey && std::abs(c->c1 - level) <= 1;
    inverted = inverted && std::abs(c->c1 - (255 - level)) <= 1;
  }
  return grey ? Palette::grey : inverted ? Palette::inverted : Palette::colours;
}

/// The one grey band of an image; black and white as its numbers.
struct GreyBand {
  GDALRasterBand* band;
  double black = 0, white = 255;
};

GreyBand grey_band(GDALDataset& image, const std::string& what) {
  GDALRasterBand* band = image.GetRasterBand(1);
  const int bits = bits_of(*band);
  const Palette palette = palette_of(band->GetColorTable(), bits);
  if (palette == Palette::colours) {
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
  const GDALDataType type = band->GetRasterDataType();
  if ((type != GDT_Byte && type != GDT_UInt16) || bits < 1 || bits > 16) {
    input_error("{}: pixels of type {}: a height image has 1 to 16 bits; read other types as kind = \"dem\"",
                what, GDALGetDataTypeName(type));
  }
  GreyBand grey{band, 0, static_cast<double>((1 << bits) - 1)};
  // TIFF photometric interpretation 0: zero is white.
  const char* flag = band->GetMetadataItem("MINISWHITE", "IMAGE_STRUCTURE");
  if (!flag) flag = image.GetMetadataItem("MINISWHITE", "IMAGE_STRUCTURE");
  if (palette == Palette::inverted || (flag && EQUAL(flag, "YES"))) std::swap(grey.black, grey.white);
  return grey;
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
    const double unit = srs->GetAngularUnits() / kDegree;  // grads, or whatever the file counts in
    if (!(unit > 0)) input_error("{}: the unit of its angles is unknown", what);
    const double latitude = unit * (t[3] + t[5] * middle_row);
    if (!(std::abs(latitude) < 89.9))
      input_error("{}: latitude {:.3f} deg is too near a pole: reproject it first (gdalwarp)", what,
                  latitude);
    const auto [degree_x, degree_y] = metres_per_degree(*srs, latitude);
    const double per_x = unit * degree_x, per_y = unit * degree_y;
    return {p.x * per_x, p.y * per_y, p.corner_x * per_x, p.corner_y * per_y, true};
  }
  if (!srs->IsProjected() && !srs->IsLocal()) {
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

HeightField read_plain(RowReader& rows, const GridGeometry& g, const std::string& what) {
  FieldBuilder field(g, what);
  for (int r = 0; r < g.ny; ++r) field.add(rows.row(r));
  return std::move(field).take();
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

RasterField read_image(const ImageSettings& s) {
  const Quiet quiet;
  const Dataset image = open_raster(s.file, "image");
  const std::string what = fmt::format("image '{}'", s.file.string());
  check_claim(*image, s.file, what);
  const GreyBand grey = grey_band(*image, what);
  const double scale = (s.high - s.low) / (grey.white - grey.black);
  const Window all{0, 0, image->GetRasterXSize(), image->GetRasterYSize()};
  RowReader rows(*grey.band, all, scale, s.low - scale * grey.black, what);
  RasterField raster;
  raster.field = read_plain(rows, {all.nx, all.ny, 0, 0, 1, 1}, what);
  if (std::any_of(raster.field.z.begin(), raster.field.z.end(), [](float z) { return std::isnan(z); }))
    input_error("{}: it has transparent pixels, which have no height: save it without transparency", what);
  return raster;
}

GreyImage read_grey(const std::filesystem::path& file) {
  const Quiet quiet;
  const Dataset image = open_raster(file, "image");
  const std::string what = fmt::format("image '{}'", file.string());
  check_claim(*image, file, what);
  const GreyBand band = grey_band(*image, what);
  GreyImage grey{
      .nx = band.band->GetXSize(), .ny = band.band->GetYSize(), .black = band.black, .white = band.white};
  if (band.band->GetRasterDataType() == GDT_Byte) {
    grey.eight = read_pixels<std::uint8_t>(*band.band, GDT_Byte, what);
  } else {
    grey.sixteen = read_pixels<std::uint16_t>(*band.band, GDT_UInt16, what);
  }
  return grey;
}

RasterField read_dem(const DemSettings& s) {
  const Quiet quiet;
  const Dataset dem = open_raster(s.file, "dem");
  const std::string what = fmt::format("dem '{}'", s.file.string());
  if (s.band > dem->GetRasterCount()) input_error("{}: band {} of {}", what, s.band, dem->GetRasterCount());
  GDALRasterBand& band = *dem->GetRasterBand(s.band);
  if (palette_of(band.GetColorTable(), bits_of(band)) != Palette::grey)
    input_error("{}: the raster has a colour palette, not heights", what);
  if (GDALDataTypeIsComplex(band.GetRasterDataType()))
    input_error("{}: complex numbers are not heights", what);
  check_claim(*dem, s.file, what);
  check_ascii_cells(*dem, s.file);
  const Window w = choose_window(s, *dem, what);
  const PixelSize pixel = pixel_size(*dem, w.y0 + 0.5 * w.ny, what);
  const double unit = vertical_unit(band, what) * s.vertical_scale;
  RowReader rows(band, w, band.GetScale() * unit, band.GetOffset() * unit + s.vertical_offset, what);

  GridGeometry g = grid_of(s, w, pixel, what);
  const bool same = g.nx == w.nx && g.ny == w.ny && std::abs(g.step_x - pixel.x) <= 1e-9 * pixel.x &&
                    std::abs(g.step_y - pixel.y) <= 1e-9 * pixel.y;
  RasterField raster;
  raster.placed = pixel.known;
  if (same) {
    raster.field = read_plain(rows, g, what);
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
