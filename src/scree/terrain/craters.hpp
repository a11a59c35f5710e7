#pragma once
/// Ground struck by craters of many sizes.
#include <cstdint>
#include <utility>
#include <vector>

#include "scree/terrain/terrain.hpp"

namespace scree {

/// Shape of a fresh simple crater, lengths in km, D < 15 km:
/// depth below the rim crest 0.196 D^1.010, rim height 0.036 D^1.014, width of the flank 0.257 D^1.011.
/// Pike 1977, "Size-dependence in the shape of fresh impact craters on the Moon", in Impact and Explosion
/// Cratering, pp. 489-509. Constants as later authors quote them (the paper itself was not at hand; Pike
/// 1974, doi 10.1029/GL001i007p00291, confirms a depth of 0.2 D and the limit of 10 to 15 km). They were
/// measured on craters of kilometres: craters of metres, in loose soil, are an extrapolation and often
/// shallower, which is what `freshness` is for. The shape between these lengths is ours.
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
  HeightRange heights() const { return {profile(0).first, profile(0.5 * diameter).first}; }
  double steepest() const;
  /// Height and slope dz/dr at distance r from the centre.
  std::pair<double, double> profile(double r) const;
  TerrainPoint at(double dx, double dy) const;
  using Shape = Crater;
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
/// cumulative law N(>D) = density D^-b. The defaults are the empirical saturation line of Hartmann 1984
/// ("Does crater saturation equilibrium occur in the solar system?", Icarus 60), N(>D) = 10^-1.14 D^-1.83
/// (cumulative, per km^2, D in km; constants as later codes quote them): ground as full of craters as any.
std::vector<Crater> draw_craters(const Rectangle& area, const CraterSettings& settings);

}  // namespace scree
