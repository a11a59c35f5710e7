#pragma once
/// Ground strewn with rocks.
#include <array>
#include <cstdint>
#include <vector>

#include "scree/terrain/height_field.hpp"

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
  double height_ratio = 0.5;  ///< height above the ground over diameter (a half-buried sphere)
  double roundness = 0.5;     ///< 1: smooth domes; 0: cut by flat faces
  std::uint64_t seed = 0;
};

struct Rock {
  Vec2 centre;
  double diameter;    ///< mean of the two axes [m]
  double elongation;  ///< long over short axis
  double yaw;         ///< of the long axis [rad]
  double height;      ///< [m]
  std::array<Vec3, 4>
      faces;  ///< each cuts at height * (1 - x nx - y ny) / nz, in axes of the rock scaled to 1
};

/// Fraction of the ground under rocks of at least diameter D (Golombek & Rapp 1997, Eq. 1; D in m):
/// F(D) = k exp(-q D), q = 1.79 + 0.152 / k.
double rock_cover(double cover, double diameter);
/// Rocks of at least diameter D per square metre, by either law: for mars the integral of -dF / (pi D^2 / 4)
/// up to the largest diameter.
double rock_number(const RockSettings& settings, double diameter);

std::vector<Rock> draw_rocks(const Rectangle& area, const RockSettings& settings);
/// Height of a rock above the ground at an offset from its centre [m]; 0 outside.
double rock_height(const Rock& rock, double dx, double dy);
/// Raises a level field to the rocks that stand on it; where two meet, the higher counts. (On uneven ground,
/// compose adds such a field to the base.)
void add_rocks(HeightField& field, const std::vector<Rock>& rocks);

}  // namespace scree
