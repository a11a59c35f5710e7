#include "scree/terrain/craters.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/random.hpp"
#include "scree/terrain/extent.hpp"
#include "scree/terrain/kinds.hpp"
#include "scree/terrain/scatter.hpp"
#include "scree/terrain/strewn_ground.hpp"

namespace scree {

CraterShape fresh_crater(double diameter) {
  const double km = diameter / 1000;
  return {1000 * 0.196 * maths::pow(km, 1.010), 1000 * 0.036 * maths::pow(km, 1.014),
          1000 * 0.257 * maths::pow(km, 1.011)};
}

Crater::Crater(const Vec2& c, double d, double f)
    : centre(c), diameter(d), freshness(f), shape(fresh_crater(d)) {
  shape.depth *= f;
  shape.rim *= f;
}

double Crater::steepest() const { return std::max(4 * shape.depth / diameter, 2 * shape.rim / shape.flank); }

std::pair<double, double> Crater::profile(double r) const {
  const double radius = 0.5 * diameter;
  if (r < radius) {
    const double t = r / radius;
    return {shape.rim - shape.depth * (1 - t * t), 2 * shape.depth * t / radius};
  }
  const double t = (r - radius) / shape.flank;
  if (!(t < 1)) return {0, 0};
  return {shape.rim * (1 - t) * (1 - t), -2 * shape.rim * (1 - t) / shape.flank};
}

TerrainPoint Crater::at(double dx, double dy) const {
  const double r = std::sqrt(dx * dx + dy * dy);
  const auto [z, slope] = profile(r);
  const double per_r = r > 0 ? slope / r : 0;
  return {z, per_r * dx, per_r * dy};
}

std::vector<Crater> draw_craters(const Rectangle& area, const CraterSettings& s) {
  if (!(s.smallest > 0 && s.largest > s.smallest)) {
    input_error("craters: diameters from {} m to {} m: positive and growing", s.smallest, s.largest);
  }
  RandomStream random(s.seed, 0, "craters");
  const auto above = [&s](double d) { return s.density * maths::pow(d, -s.exponent); };
  // The largest crater's flank reaches 1.03 radii beyond its rim: draw centres that far outside.
  const double reach = 0.5 * s.largest + fresh_crater(s.largest).flank;
  const double ratio = maths::pow(s.smallest / s.largest, s.exponent);
  std::vector<Crater> craters;
  scatter(random, area, reach, above(s.smallest) - above(s.largest), "craters", [&](const Vec2& centre) {
    // Inverse of the cumulative law, cut off at both ends.
    const double diameter = s.smallest * maths::pow(1 - random.uniform() * (1 - ratio), -1 / s.exponent);
    craters.emplace_back(centre, diameter, random.uniform(s.least_freshness, 1));
  });
  return craters;
}

namespace {

struct CraterKind {
  CraterSettings craters;
  Extent extent{.size = {100, 100}, .cell = 0.25};
  StrewnOptions ground{.grid = {.name = "craters"}};
};

void describe(Section& s, CraterKind& x) {
  s.number(
      "density", x.craters.density,
      {.unit = "1/m^2", .doc = "Craters above 1 m in diameter per square metre", .range = not_negative()});
  s.number("exponent", x.craters.exponent,
           {.unit = "-", .doc = "b of N(>D) = density D^-b", .range = positive()});
  s.number("smallest", x.craters.smallest, {.unit = "m", .doc = "Smallest diameter", .range = positive()});
  s.number("largest", x.craters.largest, {.unit = "m", .doc = "Largest diameter", .range = positive()});
  s.number("least_freshness", x.craters.least_freshness,
           {.unit = "-",
            .doc = "Wear: depth and rim are scaled by a number between this and 1",
            .range = between(0, 1)});
  describe_seed(s, x.craters.seed);
  describe(s, x.extent);
  describe(s, x.ground);
}

}  // namespace

TerrainPtr make_craters(Section& s, const MakeContext& context) {
  CraterKind x;
  x.craters.seed = context.seed;
  if (!s.documenting() && s.has("cells")) x.extent.cell = 0;
  describe(s, x);
  if (s.documenting()) return nullptr;
  const GridGeometry geometry = geometry_of(x.extent, "craters");
  return strewn_ground(draw_craters(geometry.bounds(), x.craters), geometry, x.ground, context.threads);
}

}  // namespace scree
