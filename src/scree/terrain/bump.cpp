#include "scree/terrain/bump.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/terrain/kinds.hpp"

namespace scree {

Bump::Bump(const BumpSettings& s)
    : settings_(s), per_x_(2 / s.length), per_y_(s.width > 0 ? 2 / s.width : 0) {
  if (!(s.length > 0 && s.width >= 0)) {
    input_error("bump: length {} m must be positive and width {} m not negative", s.length, s.width);
  }
  if (!std::isfinite(s.rise)) input_error("bump: rise {} m must be finite", s.rise);
}

void Bump::sample(const TerrainRow& row) const {
  for (int k = 0; k < row.count; ++k) {
    const double u = (row.x[k] - settings_.centre.x()) * per_x_,
                 v = (row.y[k] - settings_.centre.y()) * per_y_;
    const double r = std::sqrt(u * u + v * v);
    const bool inside = r < 1;
    row.z[k] = settings_.height + (inside ? 0.5 * settings_.rise * (1 + maths::cos(kPi * r)) : 0);
    // dz/dr / r = -rise pi sin(pi r) / (2 r), whose limit at the top is -rise pi^2 / 2.
    const double factor = !inside ? 0 : r > 1e-9 ? maths::sin(kPi * r) / r : kPi;
    const double steepness = -0.5 * settings_.rise * kPi * factor;
    row.slope_x[k] = steepness * u * per_x_;
    row.slope_y[k] = steepness * v * per_y_;
  }
}

bool Bump::apart(const Rectangle& area) const {
  const double rx = 1 / per_x_, ry = per_y_ > 0 ? 1 / per_y_ : std::numeric_limits<double>::infinity();
  const Vec2& c = settings_.centre;
  return area.x_min > c.x() + rx || area.x_max < c.x() - rx || area.y_min > c.y() + ry ||
         area.y_max < c.y() - ry;
}

Rectangle Bump::raised() const {
  const double rx = 1 / per_x_, ry = per_y_ > 0 ? 1 / per_y_ : std::numeric_limits<double>::infinity();
  const Vec2& c = settings_.centre;
  return settings_.height == 0 ? Rectangle{c.x() - rx, c.x() + rx, c.y() - ry, c.y() + ry} : bounds();
}

HeightRange Bump::height_range(const Rectangle& area) const {
  const double rise = apart(area) ? 0 : settings_.rise;
  return {settings_.height + std::min(rise, 0.0), settings_.height + std::max(rise, 0.0)};
}

double Bump::slope_bound(const Rectangle& area) const {
  return apart(area) ? 0 : 0.5 * kPi * std::abs(settings_.rise) * std::max(per_x_, per_y_);
}

std::string Bump::summary() const {
  return fmt::format("bump, rise {:.4g} m, {:.4g} m long, {}", settings_.rise, settings_.length,
                     per_y_ > 0 ? fmt::format("{:.4g} m wide", settings_.width) : "endless across");
}

void describe(Section& s, BumpSettings& x) {
  s.vector("centre", x.centre, {.unit = "m", .doc = "Where the top stands"});
  s.number("rise", x.rise, {.unit = "m", .doc = "Height of the top; negative makes a dip"});
  s.number("length", x.length, {.unit = "m", .doc = "Along x, foot to foot", .range = positive()});
  s.number("width", x.width,
           {.unit = "m", .doc = "Along y, foot to foot; 0: endless across", .range = not_negative()});
  s.number("height", x.height, {.unit = "m", .doc = "Height of the ground around it"});
}

TerrainPtr make_bump(Section& s, const MakeContext&) {
  const auto x = read_keys<BumpSettings>(s);
  return s.documenting() ? nullptr : std::make_unique<Bump>(x);
}

}  // namespace scree
