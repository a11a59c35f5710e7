/// Datasets, bands and rows of them.
#include <array>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/terrain/field_builder.hpp"
#include "scree/terrain/gdal_internal.hpp"

namespace scree::gdal {

int Band::bits() const {
  const char* bits = api().GDALGetMetadataItem(band_, "NBITS", "IMAGE_STRUCTURE");
  return bits ? std::atoi(bits) : api().GDALGetDataTypeSizeBits(type());
}

bool Band::read(int x0, int y0, int nx, int ny, void* to, GDALDataType as, GSpacing line) const {
  return api().GDALRasterIOEx(band_, GF_Read, x0, y0, nx, ny, to, nx, ny, as, 0, line, nullptr) == CE_None;
}

bool Band::write_row(int y, int nx, const void* from, GDALDataType as) const {
  return api().GDALRasterIOEx(band_, GF_Write, 0, y, nx, 1, const_cast<void*>(from), nx, 1, as, 0, 0,
                              nullptr) == CE_None;
}

std::string Dataset::driver() const {
  const GDALDriverH driver = api().GDALGetDatasetDriver(dataset_);
  return driver ? api().GDALGetDescription(driver) : "";
}

Dataset open_raster(const std::filesystem::path& file, const char* what) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    input_error("{}: cannot read '{}': no such file", what, file.string());
  if (std::filesystem::is_directory(file, error)) input_error("{}: '{}' is a folder", what, file.string());
  if (std::filesystem::file_size(file, error) == 0 && !error)
    input_error("{}: '{}' is empty", what, file.string());
  Dataset dataset(
      api().GDALOpenEx(file.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, nullptr, nullptr, nullptr));
  if (!dataset) input_error("{}: cannot read '{}': {}", what, file.string(), Quiet::message());
  if (dataset.bands() < 1) input_error("{}: '{}' holds no band", what, file.string());
  return dataset;
}

void check_claim(const Dataset& image, const std::filesystem::path& file, const std::string& what) {
  // Formats that hold all their pixels in the one file.
  constexpr std::array kWholeFiles = {"PNG", "JPEG", "BMP", "GIF", "GTiff", "AAIGrid", "GRASSASCIIGrid"};
  const std::string driver = image.driver();
  if (std::find(kWholeFiles.begin(), kWholeFiles.end(), driver) == kWholeFiles.end()) return;
  std::error_code error;
  const double bytes = static_cast<double>(std::filesystem::file_size(file, error));
  const double pixels = static_cast<double>(image.nx()) * image.ny();
  const double packed = driver == "PNG" ? 1032 : 2064;
  if (!error && pixels / 8 > packed * bytes) {
    input_error(
        "{}: claims {} x {} pixels ({:.1f} GB as heights), which {:.0f} bytes of {} cannot hold: the file is "
        "damaged",
        what, image.nx(), image.ny(), 4e-9 * pixels, bytes, driver);
  }
}

Palette palette_of(const Band& band) {
  const GDALColorTableH table = api().GDALGetRasterColorTable(band.handle());
  if (table == nullptr) return Palette::grey;
  const int last = (1 << std::min(band.bits(), 8)) - 1;
  if (api().GDALGetColorEntryCount(table) != last + 1) return Palette::colours;
  bool grey = true, inverted = true;
  for (int k = 0; k <= last; ++k) {
    const GDALColorEntry* c = api().GDALGetColorEntry(table, k);
    if (c->c1 != c->c2 || c->c1 != c->c3) return Palette::colours;
    const int level = (255 * k + last / 2) / last;
    grey = grey && std::abs(c->c1 - level) <= 1;
    inverted = inverted && std::abs(c->c1 - (255 - level)) <= 1;
  }
  return grey ? Palette::grey : inverted ? Palette::inverted : Palette::colours;
}

RowReader::RowReader(const Band& band, const Window& window, double scale, double offset, std::string what)
    : band_(band),
      window_(window),
      scale_(scale),
      offset_(offset),
      nodata_(std::nan("")),
      what_(std::move(what)) {
  if ((api().GDALGetMaskFlags(band.handle()) & GMF_ALL_VALID) == 0)
    mask_ = Band(api().GDALGetMaskBand(band.handle()));
  // A mask of its own does not take the value for missing pixels into account.
  int has_nodata = 0;
  const double nodata = api().GDALGetRasterNoDataValue(band.handle(), &has_nodata);
  if (has_nodata) nodata_ = band.type() == GDT_Float32 ? static_cast<float>(nodata) : nodata;
  chunk_ = std::clamp(static_cast<int>((8 << 20) / (8 * static_cast<std::size_t>(window.nx))), 1, window.ny);
}

bool RowReader::may_have_gaps() const {
  return mask_.handle() || std::isfinite(nodata_) || api().GDALDataTypeIsFloating(band_.type());
}

void RowReader::read(int r) {
  first_ = r, held_ = std::min(chunk_, window_.ny - r);
  const std::size_t count = static_cast<std::size_t>(window_.nx) * held_;
  values_.resize(count);
  read_band(band_, values_.data(), GDT_Float64);
  const bool masked = mask_.handle() != nullptr;
  if (masked) {
    valid_.resize(count);
    read_band(mask_, valid_.data(), GDT_Byte);
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (std::isnan(values_[k])) continue;
    if ((masked && valid_[k] == 0) || values_[k] == nodata_) {
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

void RowReader::read_band(const Band& band, void* to, GDALDataType type) const {
  if (!band.read(window_.x0, window_.y0 + first_, window_.nx, held_, to, type))
    input_error("{}: cannot read row {}: {}", what_, window_.y0 + first_, Quiet::message());
}

HeightField read_field(RowReader& rows, const GridGeometry& g, const std::string& what) {
  FieldBuilder field(g, what);
  for (int r = 0; r < g.ny; ++r) field.add(rows.row(r));
  return std::move(field).take();
}

}  // namespace scree::gdal
