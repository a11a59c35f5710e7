#include "scree/terrain/flat.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/terrain/kinds.hpp"

namespace scree {

Flat::Flat(const FlatSettings& s)
    : height_(s.height),
      slope_x_(maths::tan(s.slope) * maths::cos(s.uphill)),
      slope_y_(maths::tan(s.slope) * maths::sin(s.uphill)) {
  if (!(s.slope >= 0 && s.slope < kPi / 2)) {
    input_error("flat: slope {} rad is outside [0, pi/2): given in degrees? use slope_deg", s.slope);
  }
}

void Flat::sample(const TerrainRow& row) const {
  for (int k = 0; k < row.count; ++k) {
    row.z[k] = height_ + slope_x_ * row.x[k] + slope_y_ * row.y[k];
    row.slope_x[k] = slope_x_;
    row.slope_y[k] = slope_y_;
  }
}

/// At the corners; level along an axis, an endless rectangle there does not matter.
HeightRange Flat::height_range(const Rectangle& a) const {
  const auto along = [](double slope, double x) { return slope == 0 ? 0 : slope * x; };
  const double x0 = along(slope_x_, a.x_min), x1 = along(slope_x_, a.x_max);
  const double y0 = along(slope_y_, a.y_min), y1 = along(slope_y_, a.y_max);
  return {height_ + std::min(x0, x1) + std::min(y0, y1), height_ + std::max(x0, x1) + std::max(y0, y1)};
}

std::optional<double> Flat::meet(const Vec3& origin, const Vec3& unit, double begin, double end) const {
  const double above = origin.z() - (height_ + slope_x_ * origin.x() + slope_y_ * origin.y());
  const double fall = slope_x_ * unit.x() + slope_y_ * unit.y() - unit.z();  // of the clearance, per metre
  if (above - begin * fall <= 0) return begin;
  const double at = above / fall;
  return fall > 0 && at <= end ? std::optional(at) : std::nullopt;
}

std::string Flat::summary() const {
  const double slope = maths::hypot(slope_x_, slope_y_);
  if (slope == 0) return fmt::format("flat, level at {:.6g} m", height_);
  return fmt::format("flat, slope {:.4g} deg", maths::atan(slope) / kDegree);
}

void describe(Section& s, FlatSettings& x) {
  s.number("height", x.height, {.unit = "m", .doc = "Height at the origin"});
  s.angle("slope", x.slope,
          {.unit = "rad",
           .doc = "Angle of the steepest ascent",
           .range = {.low = 0, .high = kPi / 2, .open_high = true}});
  s.angle("uphill", x.uphill, {.unit = "rad", .doc = "Direction of the steepest ascent, from +x towards +y"});
}

TerrainPtr make_flat(Section& s, const MakeContext&) {
  const auto x = read_keys<FlatSettings>(s);
  return s.documenting() ? nullptr : std::make_unique<Flat>(x);
}

}  // namespace scree
