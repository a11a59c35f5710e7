#include "scree/terrain/sines.hpp"

#include <fmt/core.h>

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/terrain/kinds.hpp"

namespace scree {

Sines::Sines(const SinesSettings& s)
    : settings_(s),
      kx_(s.wavelength_x > 0 ? 2 * kPi / s.wavelength_x : 0),
      ky_(s.wavelength_y > 0 ? 2 * kPi / s.wavelength_y : 0) {
  if (!(s.wavelength_x >= 0 && s.wavelength_y >= 0)) {
    input_error("sines: wavelengths {} and {} m must not be negative", s.wavelength_x, s.wavelength_y);
  }
  if (!std::isfinite(s.amplitude)) input_error("sines: amplitude {} m must be finite", s.amplitude);
  // With no wave along x, sin(phase_x) alone would scale the ground: take the one-direction form instead.
  if (kx_ == 0) settings_.phase_x += kPi / 2;
}

void Sines::sample(const TerrainRow& row) const {
  const double a = settings_.amplitude;
  for (int k = 0; k < row.count; ++k) {
    const double px = kx_ * row.x[k] + settings_.phase_x, py = ky_ * row.y[k] + settings_.phase_y;
    const double sx = maths::sin(px), cx = maths::cos(px), sy = maths::sin(py), cy = maths::cos(py);
    row.z[k] = settings_.height + a * sx * cy;
    row.slope_x[k] = a * kx_ * cx * cy;
    row.slope_y[k] = -a * ky_ * sx * sy;
  }
}

/// |gradient|^2 = a^2 (kx^2 cos^2 cos^2 + ky^2 sin^2 sin^2) is at most a^2 max(kx, ky)^2, and reaches it.
double Sines::slope_bound(const Rectangle&) const {
  return std::abs(settings_.amplitude) * std::max(kx_, ky_);
}

std::string Sines::summary() const {
  return fmt::format("sines, amplitude {:.4g} m, wavelengths {:.4g} m x {:.4g} m", settings_.amplitude,
                     settings_.wavelength_x, settings_.wavelength_y);
}

void describe(Section& s, SinesSettings& x) {
  s.number("amplitude", x.amplitude, {.unit = "m", .doc = "Half of crest to trough"});
  s.number("wavelength_x", x.wavelength_x,
           {.unit = "m", .doc = "Wavelength along x; 0: the same at every x", .range = not_negative()});
  s.number("wavelength_y", x.wavelength_y,
           {.unit = "m", .doc = "Wavelength along y; 0: the same at every y", .range = not_negative()});
  s.angle("phase_x", x.phase_x, {.unit = "rad", .doc = "Added to 2 pi x / wavelength_x"});
  s.angle("phase_y", x.phase_y, {.unit = "rad", .doc = "Added to 2 pi y / wavelength_y"});
  s.number("height", x.height, {.unit = "m", .doc = "Mean height"});
}

TerrainPtr make_sines(Section& s, const MakeContext&) {
  const auto x = read_keys<SinesSettings>(s);
  return s.documenting() ? nullptr : std::make_unique<Sines>(x);
}

}  // namespace scree
