#pragma once
/// How deep a wheel sinks under a load, for any law of the normal force over sinkage.
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/ground/soil_wheel.hpp"

namespace scree {

/// The least sinkage at which normal(sinkage) [N] reaches the load [N]. The force grows like a power of the
/// sinkage, so the search runs over logarithms: up from a millionth of the radius by doublings, then
/// Illinois' false position to 1e-13.
template <class Normal>
Sinkage find_sinkage(double load, double radius, const Normal& normal) {
  if (!(load > 0)) return {};
  const double log_load = maths::log(load);
  const auto excess = [&](double x) {  // of ln F over ln W at ln z = x; no force at all counts as very little
    const double force = normal(maths::exp(x));
    return (force > 1e-300 ? maths::log(force) : -700.0) - log_load;
  };
  const double end = maths::log(radius);
  double low = maths::log(1e-6 * radius), f_low = excess(low);
  if (f_low >= 0) return {1e-6 * radius, false};
  double high = low, f_high = f_low;
  while (f_high < 0 && high < end) {
    low = high, f_low = f_high;
    high = std::fmin(high + 0.7, end);
    f_high = excess(high);
  }
  if (f_high < 0) return {radius, true};
  int last = 0;
  for (int i = 0; i < 100 && high - low > 1e-13; ++i) {
    const double x = low + (high - low) * (-f_low / (f_high - f_low)), f = excess(x);
    if (f == 0) return {maths::exp(x), false};
    if (f < 0) {
      low = x, f_low = f;
      if (last < 0) f_high *= 0.5;
      last = -1;
    } else {
      high = x, f_high = f;
      if (last > 0) f_low *= 0.5;
      last = 1;
    }
    if (std::fabs(f) < 1e-14) return {maths::exp(x), false};
  }
  return {maths::exp(0.5 * (low + high)), false};
}

}  // namespace scree
