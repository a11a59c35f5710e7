#include "scree/terrain/peak_table.hpp"

#include <algorithm>
#include <limits>

namespace scree {

/// Heights of a patch never exceed those of its corners (bilinear) or of the coefficients that its piece is a
/// mean of: those of the sample and its neighbours (smooth, also in the outermost half cell, where the
/// surface is the straight line between two of them).
PeakTable::PeakTable(const HeightField& field, bool smooth) {
  const GridGeometry& g = field.geometry;
  const auto squares = [&](int samples) { return ((smooth ? samples : samples - 1) + kSide - 1) / kSide; };
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  Level first{squares(g.nx), squares(g.ny), {}};
  first.highest.assign(static_cast<std::size_t>(first.nx) * first.ny, kNone);
  // Sample i belongs to the patches i - 1 and i, and i + 1 where pieces reach that far.
  const auto first_square = [](int i) { return std::max(i - 1, 0) / kSide; };
  const auto last_square = [&](int i, int n) { return std::min((i + (smooth ? 1 : 0)) / kSide, n - 1); };
  std::vector<float> row(static_cast<std::size_t>(first.nx));
  for (int j = 0; j < g.ny; ++j) {
    std::fill(row.begin(), row.end(), kNone);
    const float* z = field.z.data() + static_cast<std::size_t>(j) * g.nx;
    for (int s = 0; s < first.nx; ++s) {
      const int begin = std::max(s * kSide - (smooth ? 1 : 0), 0);
      const int end = std::min((s + 1) * kSide + 1, g.nx);
      row[s] = *std::max_element(z + begin, z + end);
    }
    for (int t = first_square(j); t <= last_square(j, first.ny); ++t) {
      float* into = first.highest.data() + static_cast<std::size_t>(t) * first.nx;
      for (int s = 0; s < first.nx; ++s) into[s] = std::max(into[s], row[s]);
    }
  }
  levels_.push_back(std::move(first));
  while (levels_.back().nx > 1 || levels_.back().ny > 1) {
    const Level& fine = levels_.back();
    Level coarse{(fine.nx + 1) / 2, (fine.ny + 1) / 2, {}};
    coarse.highest.assign(static_cast<std::size_t>(coarse.nx) * coarse.ny, kNone);
    for (int j = 0; j < fine.ny; ++j) {
      for (int i = 0; i < fine.nx; ++i) {
        float& into = coarse.highest[static_cast<std::size_t>(j / 2) * coarse.nx + i / 2];
        into = std::max(into, fine.highest[static_cast<std::size_t>(j) * fine.nx + i]);
      }
    }
    levels_.push_back(std::move(coarse));
  }
}

}  // namespace scree
