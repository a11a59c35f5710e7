#include "scree/terrain/grid_below.hpp"

#include <algorithm>
#include <limits>

namespace scree {

double least_along(const GridView& grid, const Rectangle& area, const Vec3& d) {
  using namespace lane;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  // Cells and places in them as GridView::bilinear finds them.
  const double u0 = (area.x_min - grid.x_min) * grid.per_x, u1 = (area.x_max - grid.x_min) * grid.per_x;
  const double v0 = (area.y_min - grid.y_min) * grid.per_y, v1 = (area.y_max - grid.y_min) * grid.per_y;
  if (!(u0 >= 0 && v0 >= 0 && u0 <= u1 && v0 <= v1 && u1 < grid.nx - 1 && v1 < grid.ny - 1 &&
        grid.nx >= kLanes))
    return -kNone;
  const int i0 = static_cast<int>(u0), i1 = static_cast<int>(u1);  // first and last cell
  const int j0 = static_cast<int>(v0), j1 = static_cast<int>(v1);
  const double step_x = d.x() / grid.per_x, step_y = d.y() / grid.per_y;
  const Lanes count{0, 1, 2, 3}, down = lanes(d.z());

  // A row of samples: those between the ends four at a time, the last four anew; others count for nothing.
  const int last = std::max(i1 - (kLanes - 1), 0);
  const Lanes at_first = static_cast<double>(i0 + 1) + count, at_last = static_cast<double>(last) + count;
  const Mask inside = (at_last > lanes(i0)) & (at_last <= lanes(i1));
  const Lanes along_first = step_x * at_first, on = lanes(kLanes * step_x),
              along_last = select(inside, step_x * at_last, lanes(kNone));
  // And its two ends, between two samples each.
  const double into0 = u0 - i0, into1 = u1 - i1;
  const Lanes weights{1 - into0, into0, 1 - into1, into1};
  const Lanes along_ends = step_x * Lanes{u0, u0, u1, u1};
  const auto least_of_row = [&](const auto& four, const auto& pairs) {
    const Lanes parts = weights * pairs(i0, i1);
    Lanes least = along_ends + down * (parts + __builtin_shufflevector(parts, parts, 1, 0, 3, 2));
    least = min(least, along_last + down * four(last));
    Lanes along = along_first;
    for (int i = i0 + 1; i <= i1 - kLanes; i += kLanes, along += on)
      least = min(least, along + down * four(i));
    return least;
  };
  // Rows between samples: the rectangle's own edges.
  const std::ptrdiff_t across = grid.nx;
  const auto least_between = [&](int j, double into) {
    const std::ptrdiff_t row = j * across, next = row + across;
    const auto mean = [into](Lanes a, Lanes b) { return a + into * (b - a); };
    return least_of_row([&](int i) { return mean(grid.four_samples(row + i), grid.four_samples(next + i)); },
                        [&](int a, int b) {
                          return mean(grid.two_pairs(row + a, row + b), grid.two_pairs(next + a, next + b));
                        });
  };
  Lanes least = min(least_between(j0, v0 - j0) + step_y * v0, least_between(j1, v1 - j1) + step_y * v1);
  for (int j = j0 + 1; j <= j1; ++j) {
    const std::ptrdiff_t row = j * across;
    const Lanes here = least_of_row([&](int i) { return grid.four_samples(row + i); },
                                    [&](int a, int b) { return grid.two_pairs(row + a, row + b); });
    least = min(least, here + step_y * j);
  }
  const double of_all = std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
  return of_all + d.x() * grid.x_min + d.y() * grid.y_min + d.z() * grid.datum;
}

}  // namespace scree
