#include "scree/terrain/spline.hpp"

#include <algorithm>

namespace scree {
namespace {

/// Columns solved side by side: enough for vector code, few enough to stay in the cache (12 MB at 10^4 rows).
constexpr int kBlock = 128;

/// Factors of the elimination of (c[k-1] + 6 c[k] + c[k+1]) = 8 z[k]: g[k] = 1 / (6 - g[k-1]), g[0] = 0.
std::vector<double> elimination_factors(int n) {
  std::vector<double> g(static_cast<std::size_t>(n), 0.0);
  for (int k = 1; k + 1 < n; ++k) g[k] = 1.0 / (6.0 - g[k - 1]);
  return g;
}

/// Solves `width` systems of length n that lie side by side, element k of system s at line[k * width + s].
void solve_lines(double* line, int n, int width, const std::vector<double>& g) {
  for (int k = 1; k + 1 < n; ++k) {
    double* here = line + static_cast<std::size_t>(k) * width;
    const double* before = here - width;
    for (int s = 0; s < width; ++s) here[s] = (8.0 * here[s] - before[s]) * g[k];
  }
  for (int k = n - 2; k >= 1; --k) {
    double* here = line + static_cast<std::size_t>(k) * width;
    const double* after = here + width;
    for (int s = 0; s < width; ++s) here[s] -= g[k] * after[s];
  }
}

/// The forward map, for the way back.
void smooth_lines(double* line, int n, int width, std::vector<double>& before) {
  before.assign(line, line + width);
  for (int k = 1; k + 1 < n; ++k) {
    double* here = line + static_cast<std::size_t>(k) * width;
    const double* after = here + width;
    for (int s = 0; s < width; ++s) {
      const double old = here[s];
      here[s] = (before[s] + 6.0 * old + after[s]) / 8.0;
      before[s] = old;
    }
  }
}

/// Applies `map(line, n, width)` along x (lines are rows) and along y (lines are columns).
template <class Map>
void along_x(HeightField& field, Map map) {
  const GridGeometry& g = field.geometry;
  std::vector<double> line(static_cast<std::size_t>(g.nx) * 8);
  for (int j0 = 0; j0 < g.ny; j0 += 8) {
    const int width = std::min(8, g.ny - j0);
    for (int s = 0; s < width; ++s) {
      for (int i = 0; i < g.nx; ++i) line[static_cast<std::size_t>(i) * width + s] = field.at(i, j0 + s);
    }
    map(line.data(), g.nx, width);
    for (int s = 0; s < width; ++s) {
      for (int i = 0; i < g.nx; ++i) {
        field.at(i, j0 + s) = static_cast<float>(line[static_cast<std::size_t>(i) * width + s]);
      }
    }
  }
}

template <class Map>
void along_y(HeightField& field, Map map) {
  const GridGeometry& g = field.geometry;
  std::vector<double> line(static_cast<std::size_t>(g.ny) * kBlock);
  for (int i0 = 0; i0 < g.nx; i0 += kBlock) {
    const int width = std::min(kBlock, g.nx - i0);
    for (int j = 0; j < g.ny; ++j) {
      std::copy_n(&field.at(i0, j), width, line.data() + static_cast<std::size_t>(j) * width);
    }
    map(line.data(), g.ny, width);
    for (int j = 0; j < g.ny; ++j) {
      const double* from = line.data() + static_cast<std::size_t>(j) * width;
      std::transform(from, from + width, &field.at(i0, j), [](double z) { return static_cast<float>(z); });
    }
  }
}

}  // namespace

void to_spline_coefficients(HeightField& field) {
  const auto gx = elimination_factors(field.geometry.nx), gy = elimination_factors(field.geometry.ny);
  along_x(field, [&](double* line, int n, int width) { solve_lines(line, n, width, gx); });
  along_y(field, [&](double* line, int n, int width) { solve_lines(line, n, width, gy); });
}

void to_spline_samples(HeightField& field) {
  std::vector<double> before;
  const auto map = [&](double* line, int n, int width) { smooth_lines(line, n, width, before); };
  along_y(field, map);
  along_x(field, map);
}

}  // namespace scree
