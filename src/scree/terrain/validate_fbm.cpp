#include "scree/terrain/validate_fbm.hpp"

#include <cmath>
#include <cstdint>

#include "scree/terrain/fbm.hpp"
#include "scree/terrain/identify.hpp"

namespace scree {
namespace {

FbmCheck check(std::string name, std::string unit, double published, double ours, double bar, bool relative) {
  const double error = std::abs(ours - published) / (relative ? std::abs(published) : 1);
  return {std::move(name), std::move(unit), published, ours, error, bar, relative, error <= bar};
}

struct Ground {
  std::string name;
  double hurst, sigma;
  double rms;  ///< of the paper's stones, by the convention that reproduces them [m]
  std::uint64_t first_seed;
};

void add_checks(const Ground& ground, int seeds, std::vector<FbmCheck>& checks) {
  constexpr int n = 128;
  const GridGeometry geometry = GridGeometry::spanning(n + 1, n + 1, {0, 1, 0, 1});
  double hurst = 0, sigma = 0, square = 0;
  FbmSettings s{.hurst = ground.hurst, .sigma = ground.sigma};
  for (int seed = 0; seed < seeds; ++seed) {
    s.seed = ground.first_seed + static_cast<std::uint64_t>(seed);
    const FbmEstimate e =
        identify_fbm(make_fbm(geometry, s), {.detrend = Detrend::mean, .window = SpectrumWindow::none});
    hurst += e.hurst / seeds;
    sigma += e.sigma / seeds;
    square += e.rms * e.rms / seeds;
  }
  checks.push_back(check(ground.name + " H", "-", ground.hurst, hurst, 0.02, false));
  checks.push_back(check(ground.name + " sigma", "m^(1-H)", ground.sigma, sigma, 0.05, true));
  // The square of one map scatters by about half (a few long waves carry it): 50 maps by 7 %, so the rms by
  // 3.5 %, and three standard deviations are 10 %.
  checks.push_back(check(ground.name + " rms of the maps", "m", fbm_expected_rms(s, n, n, 1.0 / n, 1.0 / n),
                         std::sqrt(square), 0.1, true));
  // Two digits (6.0 mm) and three (13.3 mm) are given: half of the last is 0.8 % and 0.4 %.
  checks.push_back(check(ground.name + " rms, sum over the spectrum", "m", ground.rms,
                         fbm_expected_rms(s, n, n, 1.0 / n, 1.0 / n), 0.01, true));
}

}  // namespace

std::vector<FbmCheck> validate_fbm(int seeds) {
  std::vector<FbmCheck> checks;
  add_checks({"gravel", 0.33, 0.0035, 0.0060, 1}, seeds, checks);
  add_checks({"chopped brick", 0.36, 0.0080, 0.0133, 1001}, seeds, checks);
  return checks;
}

}  // namespace scree
