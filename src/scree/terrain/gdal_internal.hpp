#pragma once
/// What the readers and writers of rasters share. Not for other rooms.
#include <gdal_priv.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

namespace scree::gdal {

/// Registers the drivers once and bounds GDAL's memory.
void start();

/// Keeps GDAL from printing; its last message goes into ours. What GDAL only warns about, but is a damaged
/// file, is an error here; text is read with all its digits.
class Quiet {
 public:
  Quiet() {
    CPLErrorReset();
    CPLPushErrorHandler(CPLQuietErrorHandler);
    CPLSetThreadLocalConfigOption("GDAL_ERROR_ON_LIBJPEG_WARNING", "TRUE");
    CPLSetThreadLocalConfigOption("AAIGRID_DATATYPE", "Float64");
  }
  ~Quiet() {
    CPLSetThreadLocalConfigOption("GDAL_ERROR_ON_LIBJPEG_WARNING", nullptr);
    CPLSetThreadLocalConfigOption("AAIGRID_DATATYPE", nullptr);
    CPLPopErrorHandler();
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
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

}  // namespace scree::gdal
