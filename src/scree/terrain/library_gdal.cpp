/// GDAL itself: opened when the first raster is asked for.
#include <dlfcn.h>

#include "scree/core/errors.hpp"
#include "scree/terrain/gdal_internal.hpp"

namespace scree::gdal {
namespace {

Api load_api() {
  // Never closed: GDAL's own threads and caches live as long as the program.
  void* library = dlopen(SCREE_GDAL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) run_error("images and elevation models need GDAL, which cannot be loaded: {}", dlerror());
  Api api;
  const auto find = [library](const char* name) {
    void* function = dlsym(library, name);
    if (!function) run_error("images and elevation models need GDAL 3.0 or later: {}", dlerror());
    return function;
  };
#define SCREE_GDAL_FIND(name) api.name = reinterpret_cast<decltype(api.name)>(find(#name));
  SCREE_GDAL_FUNCTIONS(SCREE_GDAL_FIND)
#undef SCREE_GDAL_FIND
  return api;
}

void set_up(const Api& api) {
  // GDAL keeps blocks that it has read; its default share of the machine's memory is more than ours.
  constexpr GIntBig kBlockCache = 32 << 20;
  api.GDALAllRegister();
  api.CPLSetErrorHandler(api.CPLQuietErrorHandler);  // of its own threads, which Quiet does not reach
  api.GDALSetCacheMax64(kBlockCache);
  // Compressed blocks are unpacked side by side, unless the user says otherwise.
  if (!api.CPLGetConfigOption("GDAL_NUM_THREADS", nullptr))
    api.CPLSetConfigOption("GDAL_NUM_THREADS", "ALL_CPUS");
}

}  // namespace

const Api& api() {
  static const Api loaded = [] {
    const Api api = load_api();
    set_up(api);
    return api;
  }();
  return loaded;
}

Quiet::Quiet() {
  api().CPLErrorReset();
  api().CPLPushErrorHandler(api().CPLQuietErrorHandler);
  api().CPLSetThreadLocalConfigOption("GDAL_ERROR_ON_LIBJPEG_WARNING", "TRUE");
  api().CPLSetThreadLocalConfigOption("AAIGRID_DATATYPE", "Float64");
}

Quiet::~Quiet() {
  api().CPLSetThreadLocalConfigOption("GDAL_ERROR_ON_LIBJPEG_WARNING", nullptr);
  api().CPLSetThreadLocalConfigOption("AAIGRID_DATATYPE", nullptr);
  api().CPLPopErrorHandler();
}

std::string Quiet::message() {
  std::string text = api().CPLGetLastErrorMsg();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.empty() ? "not a raster that GDAL knows" : text;
}

}  // namespace scree::gdal
