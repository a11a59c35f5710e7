#include "scree/terrain/height_field.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "scree/core/errors.hpp"

namespace scree {

GridGeometry GridGeometry::spanning(int nx, int ny, const Rectangle& area) {
  return {nx,
          ny,
          area.x_min,
          area.y_min,
          (area.x_max - area.x_min) / (nx - 1),
          (area.y_max - area.y_min) / (ny - 1)};
}

std::size_t available_memory() {
  std::size_t available = std::numeric_limits<std::size_t>::max();
  std::ifstream info("/proc/meminfo");
  std::string name;
  std::size_t kilobytes = 0;
  for (std::string rest; info >> name >> kilobytes; std::getline(info, rest)) {
    if (name == "MemAvailable:") available = kilobytes * 1024;
  }
  // A user may want to keep the rest for something else.
  if (const char* given = std::getenv("SCREE_MEMORY_GB")) {
    const std::string_view text = given;
    double gigabytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), gigabytes);
    if (error != std::errc() || end != text.data() + text.size() || !(gigabytes > 0))
      input_error("SCREE_MEMORY_GB = '{}': a number above 0 is needed", text);
    if (gigabytes < 1e9) available = std::min(available, static_cast<std::size_t>(1e9 * gigabytes));
  }
  // A container or a shell may allow less than the machine has.
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream limit(file);
    std::size_t bytes = 0;
    if (limit >> bytes) available = std::min(available, bytes);
  }
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    // What the process holds already counts; pages, the first number of statm.
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const std::size_t held = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    available = std::min<std::size_t>(available, limit.rlim_cur > held ? limit.rlim_cur - held : 0);
  }
  return available;
}

void check_memory(std::size_t bytes, const std::string& what) {
  const std::size_t available = available_memory();
  if (bytes > available) {
    input_error(
        "{}: needs {:.1f} GB of memory and {:.1f} GB are free: use a window, a coarser cell or a "
        "smaller area",
        what, 1e-9 * static_cast<double>(bytes), 1e-9 * static_cast<double>(available));
  }
}

void check_geometry(const GridGeometry& g, const std::string& what) {
  if (g.nx < 2 || g.ny < 2) {
    input_error("{}: {} x {} samples: a grid needs at least 2 x 2", what, g.nx, g.ny);
  }
  // From a nanometre to a million kilometres: beyond, squares and spectra leave what a double can hold.
  if (!(g.step_x >= 1e-9 && g.step_y >= 1e-9 && g.step_x <= 1e9 && g.step_y <= 1e9)) {
    input_error("{}: a cell of {} m x {} m is outside [1e-9, 1e9] m", what, g.step_x, g.step_y);
  }
  // A micrometre of the smallest cell must still be told apart at the far corner.
  const double far_x = std::max(std::abs(g.x_min), std::abs(g.x_max())),
               far_y = std::max(std::abs(g.y_min), std::abs(g.y_max()));
  if (!(far_x < 1e12 * g.step_x && far_y < 1e12 * g.step_y)) {
    input_error("{}: corner ({}, {}) is too far out for a cell of {} m: move the origin nearer", what,
                g.x_min, g.y_min, std::min(g.step_x, g.step_y));
  }
  // The hot loop addresses samples by a signed 32-bit index (and reads up to four samples beyond one).
  if (g.samples() > static_cast<std::size_t>(std::numeric_limits<int>::max()) - 16) {
    input_error(
        "{}: {} x {} samples are more than the 2,147,483,631 that a grid can hold: use a window or a "
        "coarser cell",
        what, g.nx, g.ny);
  }
  check_memory(g.samples() * sizeof(float), what);
}

HeightField make_field(const GridGeometry& geometry, const std::string& what) {
  check_geometry(geometry, what);
  HeightField field;
  field.geometry = geometry;
  // A few samples of slack: the vector loads of Grid read beyond the last sample without using it. Reserved
  // here because growing later would copy the whole field.
  field.z.reserve(geometry.samples() + kHeightSlack);
  field.z.resize(geometry.samples());
  return field;
}

void check_heights(const HeightField& field, const std::string& what) {
  const GridGeometry& g = field.geometry;
  if (field.z.size() < g.samples()) {
    input_error("{}: {} heights for {} x {} samples", what, field.z.size(), g.nx, g.ny);
  }
  if (!std::isfinite(field.datum)) input_error("{}: datum {} is not finite", what, field.datum);
  for (int j = 0; j < g.ny; ++j) {
    const float* row = field.z.data() + static_cast<std::size_t>(j) * g.nx;
    // x * 0 is 0 for every finite x and NaN otherwise: a sum that the compiler turns into vector code.
    float bad = 0;
    for (int i = 0; i < g.nx; ++i) bad += row[i] * 0.0f;
    if (bad == 0) continue;
    const auto i = std::find_if(row, row + g.nx, [](float z) { return !std::isfinite(z); }) - row;
    input_error("{}: height {} at sample ({}, {}), x = {:.6g} m, y = {:.6g} m, is not a finite number", what,
                row[i], i, j, g.x(static_cast<int>(i)), g.y(j));
  }
}

}  // namespace scree
