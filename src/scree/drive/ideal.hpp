#pragma once
/// The ideal torque source, with limits: what drives without motor data are made of.
#include <algorithm>
#include <limits>

#include "scree/drive/settings.hpp"

namespace scree {

/// A torque and how fast it falls with speed.
struct Push {
  double torque = 0;  ///< [N m], positive drives towards positive speed
  double slope = 0;   ///< -d torque / d speed [N m s/rad], >= 0
};

/// Wanted torque `constant - falloff w`, kept between the limits
/// -limit <= torque <= limit up to corner_speed, motoring limit falling in a line to zero at top_speed.
/// Every branch falls with w, so a secant of the law never has a negative slope.
class TorqueLimits {
 public:
  TorqueLimits() = default;
  explicit TorqueLimits(const DriveSettings& x)
      : limit_(x.limit > 0 ? x.limit : std::numeric_limits<double>::infinity()),
        capped_(x.top_speed > 0),
        top_(x.top_speed),
        fall_(x.top_speed > 0 ? x.limit / (x.top_speed - x.corner_speed) : 0) {}

  Push operator()(double constant, double falloff, double w) const {
    const double wanted = constant - falloff * w;
    if (!capped_) {
      if (wanted > limit_) return {limit_, 0};
      if (wanted < -limit_) return {-limit_, 0};
      return {wanted, falloff};
    }
    const double high = upper(w), low = -upper(-w);
    if (wanted > high) return {high, high > 0 && high < limit_ ? fall_ : 0};
    if (wanted < low) return {low, low < 0 && low > -limit_ ? fall_ : 0};
    return {wanted, falloff};
  }

 private:
  double upper(double w) const { return std::clamp(fall_ * (top_ - w), 0.0, limit_); }
  double limit_ = 0;
  bool capped_ = false;
  double top_ = 0, fall_ = 0;
};

}  // namespace scree
