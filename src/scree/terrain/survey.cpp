#include "scree/terrain/survey.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/terrain/grid.hpp"

namespace scree {

Rectangle survey_area(const Terrain& terrain, const SurveySettings& settings) {
  const Rectangle bounds = terrain.bounds();
  Rectangle area = settings.area;
  const auto settle = [](double& low, double& high, double low_bound, double high_bound) {
    if (!std::isfinite(low)) low = std::isfinite(low_bound) ? low_bound : -10;
    if (!std::isfinite(high)) high = std::isfinite(high_bound) ? high_bound : std::max(10.0, low + 20);
  };
  settle(area.x_min, area.x_max, bounds.x_min, bounds.x_max);
  settle(area.y_min, area.y_max, bounds.y_min, bounds.y_max);
  if (!(area.x_max > area.x_min && area.y_max > area.y_min)) {
    input_error("survey: the area from ({}, {}) to ({}, {}) is empty", area.x_min, area.y_min, area.x_max,
                area.y_max);
  }
  return area;
}

namespace {

/// Peaks of a grid are at its samples, which a lattice of points may miss.
void look_at_samples(const Grid& grid, const Rectangle& area, Survey& s) {
  const GridGeometry& g = grid.geometry();
  const auto first = [](double at, int n) {
    return static_cast<int>(std::clamp(std::ceil(at - 1e-9), 0.0, n - 1.0));
  };
  const auto last = [](double at, int n) {
    return static_cast<int>(std::clamp(std::floor(at + 1e-9), 0.0, n - 1.0));
  };
  const int i1 = last((area.x_max - g.x_min) / g.step_x, g.nx),
            j1 = last((area.y_max - g.y_min) / g.step_y, g.ny);
  for (int j = first((area.y_min - g.y_min) / g.step_y, g.ny); j <= j1; ++j) {
    for (int i = first((area.x_min - g.x_min) / g.step_x, g.nx); i <= i1; ++i) {
      const double z = grid.sample_height(i, j);
      s.lowest = std::min(s.lowest, z), s.highest = std::max(s.highest, z);
    }
  }
}

/// A lattice from edge to edge, for ground that is not a grid.
void look_at_edges(const Terrain& terrain, Survey& s) {
  std::vector<double> x(s.nx + 1), y(s.nx + 1), z(s.nx + 1), slope(2 * (s.nx + 1));
  for (int j = 0; j <= s.ny; ++j) {
    for (int i = 0; i <= s.nx; ++i) {
      x[i] = s.area.x_min + (s.area.x_max - s.area.x_min) * i / s.nx;
      y[i] = s.area.y_min + (s.area.y_max - s.area.y_min) * j / s.ny;
    }
    terrain.sample({s.nx + 1, x.data(), y.data(), z.data(), slope.data(), slope.data() + s.nx + 1});
    for (int i = 0; i <= s.nx; ++i) {
      if (!std::isfinite(z[i]))
        continue;  // the middles are judged; a pole on the very edge is beyond the ground
      s.lowest = std::min(s.lowest, z[i]), s.highest = std::max(s.highest, z[i]);
    }
  }
}

}  // namespace

Survey survey_terrain(const Terrain& terrain, const SurveySettings& settings) {
  Survey s;
  s.area = survey_area(terrain, settings);
  const double lx = s.area.x_max - s.area.x_min, ly = s.area.y_max - s.area.y_min;
  // No finer than the cells: a survey of a small grid looks at each cell's middle once.
  double step = std::max(lx, ly) / settings.largest;
  step = std::max(step, terrain.cell());
  s.nx = std::max(1, static_cast<int>(std::floor(lx / step + 0.5)));
  s.ny = std::max(1, static_cast<int>(std::floor(ly / step + 0.5)));

  std::vector<double> x(s.nx), y(s.nx), z(s.nx), sx(s.nx), sy(s.nx);
  std::vector<float> slopes;
  slopes.reserve(static_cast<std::size_t>(s.nx) * s.ny);
  double sum = 0, sum_x = 0, sum_y = 0, sum_2 = 0, xx = 0, yy = 0, tan_2 = 0, angle = 0;
  const double count = static_cast<double>(s.nx) * s.ny;
  double datum = 0;
  s.lowest = 1e300, s.highest = -1e300;
  for (int j = 0; j < s.ny; ++j) {
    for (int i = 0; i < s.nx; ++i) {
      x[i] = s.area.x_min + (i + 0.5) * lx / s.nx;
      y[i] = s.area.y_min + (j + 0.5) * ly / s.ny;
    }
    terrain.sample({s.nx, x.data(), y.data(), z.data(), sx.data(), sy.data()});
    if (j == 0) datum = z[0];
    for (int i = 0; i < s.nx; ++i) {
      if (!(std::isfinite(z[i]) && std::isfinite(sx[i]) && std::isfinite(sy[i]))) {
        input_error("{}: at x = {:.6g} m, y = {:.6g} m height {} and slope ({}, {}) are not finite numbers",
                    terrain.summary(), x[i], y[i], z[i], sx[i], sy[i]);
      }
      const double dx = (i + 0.5) / s.nx - 0.5, dy = (j + 0.5) / s.ny - 0.5, dz = z[i] - datum;
      s.lowest = std::min(s.lowest, z[i]), s.highest = std::max(s.highest, z[i]);
      sum += dz, sum_x += dx * dz, sum_y += dy * dz, sum_2 += dz * dz, xx += dx * dx, yy += dy * dy;
      const double tangent = maths::hypot(sx[i], sy[i]);
      tan_2 += tangent * tangent, angle += maths::atan(tangent);
      slopes.push_back(static_cast<float>(tangent));
    }
  }
  if (const auto* grid = dynamic_cast<const Grid*>(&terrain)) {
    look_at_samples(*grid, s.area, s);
  } else {
    look_at_edges(terrain, s);
  }
  const double mean = sum / count, a = xx > 0 ? sum_x / xx : 0, b = yy > 0 ? sum_y / yy : 0;
  s.mean = datum + mean;
  s.rms_height = std::sqrt(std::max(0.0, sum_2 / count - mean * mean));
  s.rms_plane = std::sqrt(std::max(0.0, s.rms_height * s.rms_height - (a * a * xx + b * b * yy) / count));
  s.plane_slope = maths::atan(maths::hypot(a / lx, b / ly));
  s.mean_slope = angle / count;
  s.rms_slope = maths::atan(std::sqrt(tan_2 / count));
  const auto quantile = [&](double q) {
    const auto at =
        slopes.begin() + static_cast<std::ptrdiff_t>(q * (static_cast<double>(slopes.size()) - 1));
    std::nth_element(slopes.begin(), at, slopes.end());
    return maths::atan(static_cast<double>(*at));
  };
  s.slope_50 = quantile(0.5), s.slope_95 = quantile(0.95), s.largest_slope = quantile(1);
  return s;
}

}  // namespace scree
