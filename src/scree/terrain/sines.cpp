#include "scree/terrain/sines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/lanes.hpp"
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

namespace {

/// Sine and cosine of 2 pi turns, to 1e-14 and the rounding of `turns` itself.
lane::SineCosine<lane::Lanes> of_turns(lane::Lanes turns) {
  return lane::sine_cosine(2 * kPi * (turns - lane::nearest(turns)));
}

}  // namespace

/// Four points at a time; a row's end repeats its last point.
void Sines::sample(const TerrainRow& row) const {
  const double a = settings_.amplitude, per_x = kx_ / (2 * kPi), per_y = ky_ / (2 * kPi);
  const double from_x = settings_.phase_x / (2 * kPi), from_y = settings_.phase_y / (2 * kPi);
  for (int k = 0; k < row.count; k += lane::kLanes) {
    const int last = std::min(lane::kLanes, row.count - k) - 1;
    lane::Lanes x, y;
    for (int i = 0; i < lane::kLanes; ++i)
      x[i] = row.x[k + std::min(i, last)], y[i] = row.y[k + std::min(i, last)];
    const auto [sx, cx] = of_turns(per_x * x + from_x);
    const auto [sy, cy] = of_turns(per_y * y + from_y);
    const lane::Lanes z = settings_.height + a * sx * cy, slope_x = a * kx_ * cx * cy,
                      slope_y = -a * ky_ * sx * sy;
    for (int i = 0; i <= last; ++i)
      row.z[k + i] = z[i], row.slope_x[k + i] = slope_x[i], row.slope_y[k + i] = slope_y[i];
  }
}

/// Half the shorter wave: a crest.
double Sines::finest_feature(const Rectangle&) const {
  const double k = std::max(kx_, ky_);
  return k > 0 ? kPi / k : 0;
}

/// |gradient|^2 = a^2 (kx^2 cos^2 cos^2 + ky^2 sin^2 sin^2) is at most a^2 max(kx, ky)^2, and reaches it.
double Sines::slope_bound(const Rectangle&) const {
  return std::abs(settings_.amplitude) * std::max(kx_, ky_);
}

/// That in the middle, and as much as it can change from there: |f_xx| <= a kx^2, |f_xy| <= a kx ky,
/// |f_yy| <= a ky^2.
std::optional<SlopeRange> Sines::slope_range(const Rectangle& area) const {
  const double half_x = 0.5 * (area.x_max - area.x_min), half_y = 0.5 * (area.y_max - area.y_min);
  const double change = std::abs(settings_.amplitude) * (kx_ * half_x + ky_ * half_y);
  if (!(change < 1)) return {};
  const TerrainPoint middle = at(area.x_min + half_x, area.y_min + half_y);
  return SlopeRange{middle.slope_x - kx_ * change, middle.slope_x + kx_ * change,
                    middle.slope_y - ky_ * change, middle.slope_y + ky_ * change};
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
