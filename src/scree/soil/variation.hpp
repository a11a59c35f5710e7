#pragma once
/// Soils that vary from place to place: random fields of their parameters, for studies of uncertainty
/// (Nagatani 2016 Sec. 50.2.4).
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/soil/soil.hpp"

namespace scree {

/// A smooth Gaussian field over the plane: mean 0, variance 1, correlation exp(-d^2/(2 L^2)).
/// A sum of waves with random directions, lengths and phases (Shinozuka and Deodatis 1991 with random wave
/// vectors); the same seed and purpose give the same field everywhere.
class GaussianField {
 public:
  GaussianField(double correlation_length, std::uint64_t seed, std::string_view purpose);
  double at(double x, double y) const;

 private:
  struct Wave {
    double kx, ky, phase;
  };
  std::vector<Wave> waves_;
};

struct SoilVariationSettings {
  double correlation_length = 1.0;  ///< L [m]
  /// Relative standard deviation of single numbers, by key.
  std::vector<std::pair<std::string, double>> deviation;
  bool operator==(const SoilVariationSettings&) const = default;
};
void describe(Section& section, SoilVariationSettings& settings);

/// Multiplies numbers of a soil by log-normal fields of mean 1, each with a stream of its own, and holds them
/// within the soil's published spread where it has one.
class SoilVariation {
 public:
  SoilVariation() = default;  ///< none
  SoilVariation(const SoilVariationSettings& settings, std::uint64_t seed);
  bool varies() const { return !fields_.empty(); }
  /// The numbers of `soil` at a place. Allocates nothing.
  SoilNumbers at(const Soil& soil, double x, double y) const;

 private:
  struct Entry {
    std::string key;
    double deviation;  ///< of the logarithm
    GaussianField field;
  };
  std::vector<Entry> fields_;
};

}  // namespace scree
