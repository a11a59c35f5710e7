#include "scree/terrain/identify.hpp"

#include <fmt/core.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/terrain/spectrum.hpp"

namespace scree {
namespace {

/// Standard deviation of ln(Gamma(2)): sqrt(trigamma(2)).
constexpr double kGaussianScatter = 0.80308;
constexpr int kBands = 12, kSectors = 6;

struct Patch {
  int i0, j0, nx, ny;
  bool periodic;  ///< opposite edges meet
};

/// The samples to transform: without the repeated last row or column of a periodic map, of a length that
/// the FFT likes, from the middle.
Patch choose_patch(const HeightField& f, int largest) {
  const GridGeometry& g = f.geometry;
  bool wraps_x = g.nx > 8, wraps_y = g.ny > 8;
  for (int j = 0; j < g.ny && wraps_x; ++j) wraps_x = f.at(0, j) == f.at(g.nx - 1, j);
  for (int i = 0; i < g.nx && wraps_y; ++i) wraps_y = f.at(i, 0) == f.at(i, g.ny - 1);
  const auto choose = [&](int n, bool wraps) {
    n -= wraps;
    return is_good_length(n) && n <= largest ? n : good_length_below(std::min(n, largest));
  };
  Patch p{0, 0, choose(g.nx, wraps_x), choose(g.ny, wraps_y), false};
  p.periodic = wraps_x && wraps_y && p.nx == g.nx - 1 && p.ny == g.ny - 1;
  p.i0 = (g.nx - p.nx) / 2;
  p.j0 = (g.ny - p.ny) / 2;
  return p;
}

/// Least-squares plane (or mean) in centred, normalised coordinates, where the three columns are orthogonal.
void remove_trend(RealSpectrum& map, Detrend how) {
  if (how == Detrend::none) return;
  const int nx = map.nx(), ny = map.ny();
  double mean = 0, sx = 0, sy = 0, xx = 0, yy = 0;
  for (int j = 0; j < ny; ++j) {
    const double y = j - 0.5 * (ny - 1);
    for (int i = 0; i < nx; ++i) {
      const double x = i - 0.5 * (nx - 1), z = map.row(j)[i];
      mean += z, sx += x * z, sy += y * z, xx += x * x, yy += y * y;
    }
  }
  mean /= static_cast<double>(nx) * ny;
  const double a = how == Detrend::plane ? sx / xx : 0, b = how == Detrend::plane ? sy / yy : 0;
  for (int j = 0; j < ny; ++j) {
    const double level = mean + b * (j - 0.5 * (ny - 1));
    for (int i = 0; i < nx; ++i) {
      map.row(j)[i] = static_cast<float>(map.row(j)[i] - level - a * (i - 0.5 * (nx - 1)));
    }
  }
}

double rms_of(const RealSpectrum& map) {
  double sum = 0;
  for (int j = 0; j < map.ny(); ++j) {
    for (int i = 0; i < map.nx(); ++i) sum += static_cast<double>(map.row(j)[i]) * map.row(j)[i];
  }
  return std::sqrt(sum / (static_cast<double>(map.nx()) * map.ny()));
}

/// Hann taper, scaled so that white noise keeps its power.
void taper(RealSpectrum& map) {
  const auto weights = [](int n) {
    std::vector<double> w(n);
    for (int i = 0; i < n; ++i) w[i] = std::sqrt(8.0 / 3.0) * 0.5 * (1 - maths::cos(2 * kPi * (i + 0.5) / n));
    return w;
  };
  const auto wx = weights(map.nx()), wy = weights(map.ny());
  for (int j = 0; j < map.ny(); ++j) {
    for (int i = 0; i < map.nx(); ++i) map.row(j)[i] = static_cast<float>(map.row(j)[i] * wx[i] * wy[j]);
  }
}

/// One regression bin: place and the power of its two independent directions (kx, +-ky).
struct Bin {
  double log_frequency2;
  double angle;     ///< atan2(v, u) in (0, pi/2)
  double up, down;  ///< 2 scale |z|^2 of (kx, ky) and of (kx, -ky)
  double log_density() const { return maths::log(up + down); }
};

std::vector<Bin> regression_bins(const RealSpectrum& map, double lx, double ly) {
  std::vector<Bin> bins;
  const int jx = (map.nx() - 1) / 2, ky = (map.ny() - 1) / 2;
  bins.reserve(static_cast<std::size_t>(jx) * ky);
  const double cells = static_cast<double>(map.nx()) * map.ny();
  const double scale = lx * ly / (cells * cells);
  for (int k = 1; k <= ky; ++k) {
    for (int j = 1; j <= jx; ++j) {
      const double u = j / lx, v = k / ly;
      // |z| of (-j, -k) equals that of (j, k): each counts twice (Eq. 8).
      bins.push_back({maths::log(u * u + v * v), maths::atan2(v, u),
                      2 * scale * std::norm(map.coefficient(j, k)),
                      2 * scale * std::norm(map.coefficient(j, map.ny() - k))});
    }
  }
  return bins;
}

struct Line {
  double intercept, slope, mean_x, sxx, residual2;
  double at(double x) const { return intercept + slope * x; }
};

/// Ordinary least squares of ln S over ln(u^2 + v^2) (Eq. 7).
Line regress(const std::vector<Bin>& bins) {
  double mx = 0, my = 0, sxx = 0, sxy = 0, residual2 = 0;
  const double n = static_cast<double>(bins.size());
  for (const Bin& b : bins) mx += b.log_frequency2 / n, my += b.log_density() / n;
  for (const Bin& b : bins) {
    sxx += (b.log_frequency2 - mx) * (b.log_frequency2 - mx);
    sxy += (b.log_frequency2 - mx) * (b.log_density() - my);
  }
  const double slope = sxy / sxx, intercept = my - slope * mx;
  for (const Bin& b : bins) {
    const double r = b.log_density() - intercept - slope * b.log_frequency2;
    residual2 += r * r;
  }
  return {intercept, slope, mx, sxx, residual2};
}

/// Mean deviation from the line in bands of equal width in log frequency that hold enough bins.
double largest_band_misfit(const std::vector<Bin>& bins, const Line& line) {
  std::array<double, kBands> sum{}, count{};
  double low = 1e300, high = -1e300;
  for (const Bin& b : bins) low = std::min(low, b.log_frequency2), high = std::max(high, b.log_frequency2);
  for (const Bin& b : bins) {
    const int band = std::min(kBands - 1, static_cast<int>((b.log_frequency2 - low) / (high - low) * kBands));
    sum[band] += b.log_density() - line.at(b.log_frequency2);
    count[band] += 1;
  }
  double worst = 0;
  for (int k = 0; k < kBands; ++k) {
    // The mean of n bins scatters by 0.8 / sqrt(n): bands of fewer than 16 say nothing.
    if (count[k] >= 16) worst = std::max(worst, std::abs(sum[k] / count[k]));
  }
  return worst;
}

/// Power with kx = 0 or ky = 0 over what the line foresees there: steps and ramps put theirs there.
double axis_power(const RealSpectrum& map, double lx, double ly, const Line& line) {
  const double cells = static_cast<double>(map.nx()) * map.ny(), scale = 4 * lx * ly / (cells * cells);
  double found = 0, foreseen = 0;
  const auto add = [&](double u, double power) {
    found += power;
    // The line fits E ln S, which for a Gaussian field is lower than ln E S by 0.27.
    foreseen += maths::exp(line.at(2 * maths::log(u))) / (kSigmaBias * kSigmaBias);
  };
  for (int j = 1; 2 * j < map.nx(); ++j) add(j / lx, scale * std::norm(map.coefficient(j, 0)));
  for (int k = 1; 2 * k < map.ny(); ++k) add(k / ly, scale * std::norm(map.coefficient(0, k)));
  return found / foreseen;
}

/// Amplitudes by direction of the wave, in sectors of 30 degrees over half a turn.
void find_anisotropy(const std::vector<Bin>& bins, const Line& line, FbmEstimate& e) {
  std::array<double, kSectors> sum{}, count{};
  for (const Bin& b : bins) {
    const auto add = [&](double angle, double power) {
      const int sector = std::min(kSectors - 1, static_cast<int>(angle / kPi * kSectors));
      sum[sector] += maths::log(2 * power) - line.at(b.log_frequency2);
      count[sector] += 1;
    };
    add(b.angle, b.up);
    add(kPi - b.angle, b.down);
  }
  int rough = -1, smooth = -1;
  for (int k = 0; k < kSectors; ++k) {
    if (count[k] < 16) continue;
    if (rough < 0 || sum[k] / count[k] > sum[rough] / count[rough]) rough = k;
    if (smooth < 0 || sum[k] / count[k] < sum[smooth] / count[smooth]) smooth = k;
  }
  if (rough < 0) return;
  e.anisotropy = maths::exp(0.5 * (sum[rough] / count[rough] - sum[smooth] / count[smooth]));
  e.roughest_direction = (rough + 0.5) * kPi / kSectors;
}

/// Bounds that fifty synthetic maps of each kind stay well inside of, and steps, ramps and waves outside.
void judge(FbmEstimate& e) {
  const auto no = [&e](std::string reason) { e.reasons.push_back(std::move(reason)); };
  if (!(e.hurst > -0.05 && e.hurst < 1.05)) no(fmt::format("H = {:.2f} is outside 0 ... 1", e.hurst));
  if (!(e.scatter < 1.5 * kGaussianScatter)) {
    no(fmt::format(
        "the spectrum scatters by {:.2f} about the line where random ground does by 0.80: steps, waves or "
        "a smooth surface",
        e.scatter));
  }
  if (!(e.misfit < 0.7))
    no(fmt::format("the spectrum is bent: {:.2f} off the line in one band of frequency", e.misfit));
  if (!(e.axis_power < 5)) {
    no(fmt::format("{:.0f} times the power expected lies along x or y: steps, a ramp or furrows",
                   e.axis_power));
  }
  if (!(e.r_squared > 0.3)) no(fmt::format("the line explains {:.0f} % of the spectrum", 100 * e.r_squared));
  e.fractal = e.reasons.empty();
  if (e.fractal && e.anisotropy > 1.3) {
    no(fmt::format(
        "anisotropic: waves at {:.0f} deg from x are {:.2f} times as high as in the smoothest direction",
        e.roughest_direction / kDegree, e.anisotropy));
  }
}

}  // namespace

FbmEstimate identify_fbm(const HeightField& field, const IdentifySettings& settings) {
  check_geometry(field.geometry, "identify");
  check_heights(field, "identify");
  const Patch patch = choose_patch(field, settings.largest);
  if (patch.nx < 8 || patch.ny < 8) {
    input_error("identify: {} x {} samples are too few for a spectrum: at least 8 x 8", patch.nx, patch.ny);
  }
  RealSpectrum map(patch.nx, patch.ny);
  for (int j = 0; j < patch.ny; ++j)
    std::copy_n(&field.z[0] + static_cast<std::size_t>(patch.j0 + j) * field.geometry.nx + patch.i0, patch.nx,
                map.row(j));
  remove_trend(map, settings.detrend);
  FbmEstimate e;
  e.nx = patch.nx, e.ny = patch.ny;
  e.rms = rms_of(map);
  const double range = std::max(std::abs(*std::max_element(field.z.begin(), field.z.end())),
                                std::abs(*std::min_element(field.z.begin(), field.z.end())));
  if (!(e.rms > 1e-6 * range)) {
    e.reasons.push_back(fmt::format(
        "the ground is level or a single ramp: {:.2g} m are left once its plane is taken out", e.rms));
    return e;
  }
  e.tapered = settings.window == SpectrumWindow::hann ||
              (settings.window == SpectrumWindow::automatic && !patch.periodic);
  if (e.tapered) taper(map);
  map.forward(settings.threads);

  const double lx = patch.nx * field.geometry.step_x, ly = patch.ny * field.geometry.step_y;
  std::vector<Bin> bins = regression_bins(map, lx, ly);
  double total = 0;
  for (const Bin& b : bins) total += b.up + b.down;
  if (!std::isfinite(total)) input_error("identify: heights of {:.3g} m are too large for a spectrum", range);
  // Bins at the rounding of float32 (ground that varies along one axis only) must not become minus infinity.
  for (Bin& b : bins)
    b.up = std::max(b.up, 1e-20 * total + 1e-300), b.down = std::max(b.down, 1e-20 * total + 1e-300);
  const Line line = regress(bins);
  const double n = static_cast<double>(bins.size()), variance = line.residual2 / (n - 2);
  // Under a Hann window a bin shares power with its neighbours: correlations (2/3)^2 and (1/6)^2 at one and
  // two bins, so that 1 + 2 (0.444 + 0.028) = 1.94 bins along each axis count as one.
  const double shared = e.tapered ? 1.94 : 1;
  const double slope_error = shared * std::sqrt(variance / line.sxx);
  const double intercept_error =
      shared * std::sqrt(variance * (1 / n + line.mean_x * line.mean_x / line.sxx));
  e.hurst = -line.slope - 1;
  e.hurst_error = slope_error;
  e.sigma_raw = maths::exp(0.5 * line.intercept);
  e.sigma_raw_error = 0.5 * intercept_error * e.sigma_raw;
  e.sigma = e.sigma_raw / kSigmaBias;
  e.sigma_error = e.sigma_raw_error / kSigmaBias;
  double my = 0, syy = 0;
  for (const Bin& b : bins) my += b.log_density() / n;
  for (const Bin& b : bins) syy += (b.log_density() - my) * (b.log_density() - my);
  e.r_squared = 1 - line.residual2 / syy;
  e.scatter = std::sqrt(variance);
  e.misfit = largest_band_misfit(bins, line);
  e.axis_power = axis_power(map, lx, ly, line);
  find_anisotropy(bins, line, e);
  judge(e);
  e.spectrum.reserve(bins.size());
  for (const Bin& b : bins) e.spectrum.push_back({maths::exp(b.log_frequency2), b.up + b.down});
  return e;
}

}  // namespace scree
