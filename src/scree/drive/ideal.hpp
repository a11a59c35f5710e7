#pragma once
/// The ideal torque source, with limits: what drives without motor data are made of.
#include <algorithm>
#include <limits>

#include "scree/drive/lanes_of.hpp"
#include "scree/drive/settings.hpp"

namespace scree {

/// A torque and how fast it falls with speed.
template <class T>
struct PushOf {
  T torque{};  ///< [N m], positive drives towards positive speed
  T slope{};   ///< -d torque / d speed [N m s/rad], >= 0
};
using Push = PushOf<double>;

/// Wanted torque `constant - falloff w`, kept between the limits
/// -limit <= torque <= limit up to corner_speed, motoring limit falling in a line to zero at top_speed.
/// Every branch falls with w, so a secant of the law never has a negative slope.
template <class T>
class TorqueLimitsOf {
 public:
  TorqueLimitsOf() = default;
  explicit TorqueLimitsOf(const DriveSettings& x)
      : limit_(x.limit > 0 ? x.limit : std::numeric_limits<double>::infinity()),
        capped_(x.top_speed > 0),
        top_(x.top_speed),
        fall_(x.top_speed > 0 ? x.limit / (x.top_speed - x.corner_speed) : 0) {}

  PushOf<T> operator()(T constant, T falloff, T w) const {
    using namespace lane;
    const T wanted = constant - falloff * w;
    if (!any(capped_ > T{}))
      return {within<T>(wanted, -limit_, limit_), select(abs(wanted) > limit_, T{}, falloff)};
    const T high = select(capped_ > T{}, upper(w), limit_), low = -select(capped_ > T{}, upper(-w), limit_);
    const T fall_high = select((high > T{}) & (high < limit_), fall_, T{});
    const T fall_low = select((low < T{}) & (low > -limit_), fall_, T{});
    return {select(wanted > high, high, select(wanted < low, low, wanted)),
            select(wanted > high, fall_high, select(wanted < low, fall_low, falloff))};
  }
  auto numbers() { return std::tie(limit_, capped_, top_, fall_); }

 private:
  T upper(T w) const { return within<T>(fall_ * (top_ - w), T{}, limit_); }
  T limit_{};
  T capped_{};  ///< 1 where the limit falls with speed
  T top_{}, fall_{};
};
using TorqueLimits = TorqueLimitsOf<double>;

}  // namespace scree
