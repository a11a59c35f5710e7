#include "scree/terrain/gaps.hpp"

#include <cmath>
#include <cstdint>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

constexpr int kRelaxations = 30;

/// Mean of the known neighbours; NaN when there is none.
float neighbours_mean(const HeightField& f, int i, int j) {
  const GridGeometry& g = f.geometry;
  double sum = 0;
  int count = 0;
  for (int dj = -1; dj <= 1; ++dj) {
    for (int di = -1; di <= 1; ++di) {
      const int a = i + di, b = j + dj;
      if ((di == 0 && dj == 0) || a < 0 || b < 0 || a >= g.nx || b >= g.ny) continue;
      const float z = f.at(a, b);
      if (std::isnan(z)) continue;
      sum += z, ++count;
    }
  }
  return count > 0 ? static_cast<float>(sum / count) : std::nanf("");
}

}  // namespace

GapReport close_gaps(HeightField& f, Gaps how, const std::string& what) {
  const GridGeometry& g = f.geometry;
  std::vector<std::uint32_t> missing;
  for (std::size_t k = 0; k < g.samples(); ++k) {
    if (std::isnan(f.z[k])) missing.push_back(static_cast<std::uint32_t>(k));
  }
  GapReport report{missing.size(), static_cast<double>(missing.size()) / static_cast<double>(g.samples()), 0};
  if (missing.empty()) return report;
  if (missing.size() == g.samples()) input_error("{}: no sample has a height: nodata everywhere", what);
  if (how == Gaps::refuse) {
    const int i = static_cast<int>(missing[0] % g.nx), j = static_cast<int>(missing[0] / g.nx);
    input_error(
        "{}: {} of {} samples have no height, the first at x = {:.6g} m, y = {:.6g} m: gaps = \"fill\" "
        "closes them",
        what, missing.size(), g.samples(), g.x(i), g.y(j));
  }
  // Inward pass by pass; values of one pass see only those of the passes before it.
  std::vector<std::uint32_t> open = missing, next;
  std::vector<float> values;
  while (!open.empty()) {
    ++report.widest;
    next.clear(), values.clear();
    for (const std::uint32_t k : open) {
      values.push_back(neighbours_mean(f, static_cast<int>(k % g.nx), static_cast<int>(k / g.nx)));
    }
    for (std::size_t n = 0; n < open.size(); ++n) {
      f.z[open[n]] = values[n];
      if (std::isnan(values[n])) next.push_back(open[n]);
    }
    open.swap(next);
  }
  for (int pass = 0; pass < kRelaxations; ++pass) {
    for (const std::uint32_t k : missing) {
      f.z[k] = neighbours_mean(f, static_cast<int>(k % g.nx), static_cast<int>(k / g.nx));
    }
  }
  return report;
}

}  // namespace scree
