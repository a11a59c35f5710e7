#pragma once
/// What the readers and writers of rasters share. Not for other rooms.
///
/// GDAL comes with a hundred libraries, whose loading takes longer than most runs: it is opened when the
/// first raster is asked for, not when the program starts. So all calls go through `api()`, a table of its C
/// functions.
#include <cpl_conv.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scree/terrain/height_field.hpp"

namespace scree::gdal {

#define SCREE_GDAL_FUNCTIONS(X)       \
  X(CPLErrorReset)                    \
  X(CPLGetConfigOption)               \
  X(CPLGetLastErrorMsg)               \
  X(CPLGetLastErrorType)              \
  X(CPLPopErrorHandler)               \
  X(CPLPushErrorHandler)              \
  X(CPLQuietErrorHandler)             \
  X(CPLSetConfigOption)               \
  X(CPLSetErrorHandler)               \
  X(CPLSetThreadLocalConfigOption)    \
  X(GDALAllRegister)                  \
  X(GDALClose)                        \
  X(GDALCreate)                       \
  X(GDALCreateCopy)                   \
  X(GDALDataTypeIsComplex)            \
  X(GDALDataTypeIsFloating)           \
  X(GDALGetColorEntry)                \
  X(GDALGetColorEntryCount)           \
  X(GDALGetDataTypeName)              \
  X(GDALGetDataTypeSizeBits)          \
  X(GDALGetDatasetDriver)             \
  X(GDALGetDescription)               \
  X(GDALGetDriverByName)              \
  X(GDALGetGeoTransform)              \
  X(GDALGetMaskBand)                  \
  X(GDALGetMaskFlags)                 \
  X(GDALGetMetadataItem)              \
  X(GDALGetRasterBand)                \
  X(GDALGetRasterColorInterpretation) \
  X(GDALGetRasterColorTable)          \
  X(GDALGetRasterCount)               \
  X(GDALGetRasterDataType)            \
  X(GDALGetRasterNoDataValue)         \
  X(GDALGetRasterOffset)              \
  X(GDALGetRasterScale)               \
  X(GDALGetRasterUnitType)            \
  X(GDALGetRasterXSize)               \
  X(GDALGetRasterYSize)               \
  X(GDALGetSpatialRef)                \
  X(GDALOpenEx)                       \
  X(GDALRasterIOEx)                   \
  X(GDALSetCacheMax64)                \
  X(GDALSetGeoTransform)              \
  X(GDALSetRasterUnitType)            \
  X(OSRGetAngularUnits)               \
  X(OSRGetInvFlattening)              \
  X(OSRGetLinearUnits)                \
  X(OSRGetName)                       \
  X(OSRGetSemiMajor)                  \
  X(OSRIsGeographic)                  \
  X(OSRIsLocal)                       \
  X(OSRIsProjected)

struct Api {
#define SCREE_GDAL_MEMBER(name) decltype(&::name) name;
  SCREE_GDAL_FUNCTIONS(SCREE_GDAL_MEMBER)
#undef SCREE_GDAL_MEMBER
};

/// Opens GDAL at the first call, registers its drivers and bounds its memory. Throws a RunError that says
/// what is missing.
const Api& api();

/// Keeps GDAL from printing; its last message goes into ours. What GDAL only warns about, but is a damaged
/// file, is an error here; text is read with all its digits.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  static std::string message();
};

/// One band of a dataset, which owns it.
class Band {
 public:
  explicit Band(GDALRasterBandH band) : band_(band) {}
  GDALRasterBandH handle() const { return band_; }
  GDALDataType type() const { return api().GDALGetRasterDataType(band_); }
  /// How many bits a pixel has.
  int bits() const;
  /// Rows y0 to y0 + ny - 1 of columns x0 to x0 + nx - 1; false: GDAL could not. A line is the distance of
  /// rows in memory [byte], 0: one after the other.
  bool read(int x0, int y0, int nx, int ny, void* to, GDALDataType as, GSpacing line = 0) const;
  bool write_row(int y, int nx, const void* from, GDALDataType as) const;

 private:
  GDALRasterBandH band_;
};

/// Owner of what GDAL opened or created.
class Dataset {
 public:
  explicit Dataset(GDALDatasetH dataset) : dataset_(dataset) {}
  ~Dataset() { close(); }
  Dataset(Dataset&& other) noexcept : dataset_(std::exchange(other.dataset_, nullptr)) {}
  Dataset& operator=(Dataset&&) = delete;
  explicit operator bool() const { return dataset_ != nullptr; }
  GDALDatasetH handle() const { return dataset_; }
  void close() {
    if (GDALDatasetH open = std::exchange(dataset_, nullptr)) api().GDALClose(open);
  }
  int nx() const { return api().GDALGetRasterXSize(dataset_); }
  int ny() const { return api().GDALGetRasterYSize(dataset_); }
  int bands() const { return api().GDALGetRasterCount(dataset_); }
  Band band(int k) const { return Band(api().GDALGetRasterBand(dataset_, k)); }
  /// Short name of its format: "GTiff".
  std::string driver() const;

 private:
  GDALDatasetH dataset_;
};

/// Opens a raster with at least one band to read; `what` names it in messages.
Dataset open_raster(const std::filesystem::path& file, const char* what);

/// Deflate packs no more than 1032 bytes into one (RFC 1951), the other packings of these formats no more
/// than twice that: a file whose header claims more pixels than it can hold, one bit each, is refused before
/// memory is asked for. A GeoTIFF that leaves out nearly all of itself is refused with them: it is a gap.
void check_claim(const Dataset& image, const std::filesystem::path& file, const std::string& what);

/// What a palette says of the grey of number k: nothing new (8-bit BMP files always carry one), the opposite
/// (zero is white), or something else.
enum class Palette { grey, inverted, colours };
Palette palette_of(const Band& band);

/// Part of a raster [pixel].
struct Window {
  int x0, y0, nx, ny;
};

/// Reads rows of a band as heights in double, north first; what the band's mask or nodata value leaves out
/// is NaN.
class RowReader {
 public:
  RowReader(const Band& band, const Window& window, double scale, double offset, std::string what);
  bool may_have_gaps() const;
  /// Row r of the window; rows are asked for in order.
  const double* row(int r) {
    if (r >= first_ + held_) read(r);
    return values_.data() + static_cast<std::size_t>(r - first_) * window_.nx;
  }

 private:
  void read(int r);
  void read_band(const Band& band, void* to, GDALDataType type) const;

  Band band_;
  Band mask_{nullptr};
  Window window_;
  double scale_, offset_;
  double nodata_;
  std::string what_;
  std::vector<double> values_;
  std::vector<std::uint8_t> valid_;
  int first_ = 0, held_ = 0, chunk_ = 1;
};

/// All rows as they are.
HeightField read_field(RowReader& rows, const GridGeometry& g, const std::string& what);

}  // namespace scree::gdal
