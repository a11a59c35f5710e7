#pragma once
/// Ground strewn with rocks.
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scree/terrain/terrain.hpp"

namespace scree {

enum class RockLaw {
  mars,   ///< Golombek & Rapp 1997, from the fraction of ground that rocks cover
  power,  ///< N(>D) = density D^-exponent per square metre
};

struct RockSettings {
  RockLaw law = RockLaw::mars;
  double cover = 0.10;        ///< mars: fraction k of the ground covered by rocks of all sizes
  double density = 0.01;      ///< power: rocks above 1 m per square metre
  double exponent = 2.5;      ///< power
  double smallest = 0.1;      ///< diameter [m]
  double largest = 1.5;       ///< diameter [m]
  double height_ratio = 0.5;  ///< height above the ground over diameter (a half-buried sphere; no source)
  double roundness = 0.5;     ///< 1: smooth domes; 0: cut by flat faces
  std::uint64_t seed = 0;
};

/// A dome on an elliptic foot, (1 - r^2)(1 + r^2/2) of its height: within 4 % of a half sphere over the inner
/// half, with sides of finite slope (3 height / radius) in place of upright ones; cut by flat faces.
struct Rock {
  Vec2 centre = Vec2::Zero();
  double diameter = 1;    ///< geometric mean of the two axes [m]
  double elongation = 1;  ///< long over short axis
  double yaw = 0;         ///< of the long axis [rad]
  double height = 0.5;    ///< [m]
  std::array<Vec3, 4> faces =
      {};  ///< n with n . (x, y, z) <= 1, in axes of the rock scaled to 1; zero cuts nothing

  static constexpr bool kAdds = false;
  double reach() const { return 0.5 * diameter * std::sqrt(elongation); }
  HeightRange heights() const { return {0, height}; }
  double steepest() const { return 6 * height * std::sqrt(elongation) / diameter; }
  /// Height above the ground and its gradient, at an offset from the centre.
  TerrainPoint at(double dx, double dy) const;

  /// The rock in its own axes, ready to be asked at many points.
  class Shape {
   public:
    explicit Shape(const Rock& rock);
    TerrainPoint at(double dx, double dy) const;

   private:
    struct Face {
      Vec3 n;
      double slope_x, slope_y;
    };
    double cosine_, sine_, per_long_, per_short_, height_;
    int cuts_ = 0;  ///< faces that cut something
    std::array<Face, 4> faces_;
  };
};

/// Fraction of the ground under rocks of at least diameter D [m]: F(D) = k exp(-q D), q = 1.79 + 0.152 / k.
/// Golombek & Rapp 1997 (doi 10.1029/96JE03319), as restated by Golombek et al. 2003 (NTRS 20030111177) for
/// k of 0.05 to 0.40, from the Viking and Pathfinder sites.
double rock_cover(double cover, double diameter);
/// Rocks of at least diameter D per square metre, by either law: for mars the integral of -dF / (pi D^2 / 4)
/// up to the largest diameter.
double rock_number(const RockSettings& settings, double diameter);

std::vector<Rock> draw_rocks(const Rectangle& area, const RockSettings& settings);
}  // namespace scree
