#include "scree/drive/battery.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {

Battery::Battery(const BatterySettings& x)
    : full_(x.voltage),
      empty_(x.voltage_empty > 0 ? x.voltage_empty : x.voltage),
      resistance_(x.internal_resistance),
      limit_(x.current_limit > 0 ? x.current_limit : std::numeric_limits<double>::infinity()),
      charge_limit_(x.charge_limit > 0 ? x.charge_limit : limit_),
      capacity_(x.capacity),
      start_(x.capacity * x.state_of_charge),
      takes_(x.regeneration) {}

double Battery::current(double power, double open_voltage) const {
  // Written so that R = 0 and small powers lose no digits.
  const double square = open_voltage * open_voltage - 4 * resistance_ * power;
  if (square <= 0) return open_voltage / (2 * resistance_);
  return 2 * power / (open_voltage + std::sqrt(square));
}

double Battery::most_current(double open_voltage) const {
  // Past the point of greatest power more current would give less.
  const double peak =
      resistance_ > 0 ? open_voltage / (2 * resistance_) : std::numeric_limits<double>::infinity();
  return std::min(limit_, peak);
}

}  // namespace scree
