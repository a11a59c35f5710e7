#include "scree/soil/variation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "scree/core/elementary.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/random.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

/// Enough waves for a field that is Gaussian to a few per cent in its tails.
constexpr int kWaves = 64;

}  // namespace

GaussianField::GaussianField(double correlation_length, std::uint64_t seed, std::string_view purpose) {
  RandomStream random(seed, 0, purpose);
  for (int i = 0; i < kWaves; ++i) {
    Wave wave;
    wave.kx = random.normal() / correlation_length;
    wave.ky = random.normal() / correlation_length;
    wave.phase = random.uniform(-kPi, kPi);
    waves_.push_back(wave);
  }
}

double GaussianField::at(double x, double y) const {
  double sum = 0;
  for (const Wave& wave : waves_) {
    // Within [-pi, pi], where the series of sine_cosine hold.
    const double angle = wave.kx * x + wave.ky * y + wave.phase;
    sum += lane::sine_cosine(angle - 2 * kPi * std::round(angle / (2 * kPi))).cosine;
  }
  return std::sqrt(2.0 / kWaves) * sum;
}

void describe(Section& s, SoilVariationSettings& x) {
  s.number("correlation_length", x.correlation_length,
           {.unit = "m", .doc = "L of exp(-d^2/(2 L^2))", .range = {.low = 1e-3, .high = 1e6}});
  s.named_numbers(
      "deviation", x.deviation,
      {.unit = "-", .doc = "Relative standard deviation by key: { cohesion = 0.3 }", .range = between(0, 2)});
  if (s.documenting()) return;
  SoilNumbers any;
  for (const auto& [key, deviation] : x.deviation) {
    if (soil_number(any, key) == nullptr)
      s.fail("deviation",
             fmt::format("'{}' is no number of a soil{}", key, name_hint(key, soil_number_keys())));
  }
}

SoilVariation::SoilVariation(const SoilVariationSettings& settings, std::uint64_t seed) {
  for (const auto& [key, deviation] : settings.deviation) {
    if (deviation == 0) continue;
    fields_.push_back({key, std::sqrt(maths::log1p(deviation * deviation)),
                       GaussianField(settings.correlation_length, seed, "soil." + key)});
  }
}

SoilNumbers SoilVariation::at(const Soil& soil, double x, double y) const {
  SoilNumbers out = soil;
  for (const Entry& entry : fields_) {
    double& number = *soil_number(out, entry.key);
    number *=
        lane::exponential(entry.deviation * entry.field.at(x, y) - 0.5 * entry.deviation * entry.deviation);
    for (const SoilSpread& spread : soil.spread) {
      if (spread.key == entry.key) number = std::clamp(number, spread.low, spread.high);
    }
  }
  return out;
}

}  // namespace scree
