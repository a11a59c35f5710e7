#pragma once
/// Ground struck by craters of many sizes.
#include <cstdint>
#include <utility>
#include <vector>

#include "scree/terrain/terrain.hpp"

namespace scree {

/// Shape of a fresh simple crater (Pike 1977, Table 1, lunar craters below 15 km, lengths in km):
/// depth below the rim crest 0.196 D^1.010, rim height 0.036 D^1.014, width of the flank 0.257 D^1.011.
struct CraterShape {
  double depth, rim, flank;  ///< [m]
};
CraterShape fresh_crater(double diameter);

/// A crater in level ground: a paraboloid bowl inside the crest, a flank that falls as (1 - t)^2 to nothing
/// outside. Wear scales depth and rim alike.
struct Crater {
  Crater(const Vec2& centre, double diameter, double freshness);

  Vec2 centre;        ///< [m]
  double diameter;    ///< rim crest to rim crest [m]
  double freshness;   ///< 1: as made; towards 0: worn down
  CraterShape shape;  ///< worn [m]

  static constexpr bool kAdds = true;
  double reach() const { return 0.5 * diameter + shape.flank; }
  double steepest() const;
  /// Height and slope dz/dr at distance r from the centre.
  std::pair<double, double> profile(double r) const;
  TerrainPoint at(double dx, double dy) const;
};

struct CraterSettings {
  double density = 0.0224;       ///< craters above 1 m in diameter per square metre
  double exponent = 1.83;        ///< b of N(>D) = density (D / 1 m)^-b
  double smallest = 1;           ///< diameter [m]
  double largest = 20;           ///< diameter [m]
  double least_freshness = 0.2;  ///< uniform between this and 1
  std::uint64_t seed = 0;
};

/// Positions, sizes and wear: a Poisson process in the area (and around it, so that rims reach in) with the
/// cumulative law N(>D) = density D^-b. The defaults are the empirical saturation line of Hartmann 1984,
/// log10 N = -1.83 log10 D - 1.14 (per km^2, D in km): ground as full of craters as any.
std::vector<Crater> draw_craters(const Rectangle& area, const CraterSettings& settings);

}  // namespace scree
