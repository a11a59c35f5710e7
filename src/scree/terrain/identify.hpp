#pragma once
/// Reads H and sigma back from ground (Yokokohji 2002, Sec. 3.3), with their standard errors, and says when
/// the ground is not of that kind.
#include <string>
#include <vector>

#include "scree/terrain/height_field.hpp"

namespace scree {

enum class Detrend { none, mean, plane };
enum class SpectrumWindow {
  automatic,  ///< none for a map whose edges meet, Hann for any other
  none,
  hann,
};

struct IdentifySettings {
  Detrend detrend = Detrend::plane;
  SpectrumWindow window = SpectrumWindow::automatic;
  int largest = 4096;  ///< a larger map is identified from its middle
  int threads = 1;
};

/// Power and place of one bin of the regression: 1 <= j, k < N/2.
struct SpectrumPoint {
  double frequency2;  ///< u^2 + v^2 [1/m^2]
  double density;     ///< S(u, v), one-quadrant [m^4]
};

struct FbmEstimate {
  double hurst = 0, hurst_error = 0;          ///< one standard error
  double sigma_raw = 0, sigma_raw_error = 0;  ///< as the regression gives it (the paper's) [m^(1-H)]
  double sigma = 0, sigma_error = 0;          ///< corrected for the mean of log(Gamma(2)/2): raw / 0.8736
  double r_squared = 0;                       ///< of the regression of log S
  double scatter = 0;                         ///< sd of ln S about the line; 0.803 for a Gaussian field
  double misfit = 0;                          ///< largest mean deviation of ln S in a band of frequency
  double axis_power = 0;                      ///< power on the axes over what the line foresees
  double anisotropy = 1;                      ///< amplitude in the roughest over the smoothest direction
  double roughest_direction = 0;              ///< of the wave, from +x towards +y [rad], [0, pi)
  double rms = 0;                             ///< of the detrended heights [m]
  bool tapered = false;                       ///< a Hann window was laid over the map
  int nx = 0, ny = 0;                         ///< samples used
  bool fractal = false;
  std::vector<std::string> reasons;     ///< why it is not, one line each; or what to be aware of
  std::vector<SpectrumPoint> spectrum;  ///< every bin of the regression
};

/// Regression of log S over log(u^2 + v^2), S = L^2/N^4 (sum of the four bins (+-j, +-k)) (Eqs. 7-8).
/// Differs (errata 001-7/8): 1 <= j, k <= N/2 - 1 only (axes are counted twice in the paper, Nyquist is
/// degenerate), L^2 makes sigma independent of the map's size.
FbmEstimate identify_fbm(const HeightField& field, const IdentifySettings& settings = {});

/// exp(E ln(Gamma(2)/2) / 2) = exp((psi(2) - ln 2) / 2): what a Gaussian field's sigma is multiplied by.
inline constexpr double kSigmaBias = 0.873557;

}  // namespace scree
