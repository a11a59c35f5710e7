#pragma once
/// The battery behind the choppers of all motors of a robot.
#include "scree/drive/settings.hpp"

namespace scree {

/// Open-circuit voltage behind an internal resistance. Each motor sits behind an ideal chopper, so the
/// battery's current is the motors' electrical power over the battery's voltage:
///
///     I = sum V_i I_i / U,   U = U_oc(charge) - R I,   I <= current limit
///
/// The open-circuit voltage falls in a line from full to empty; empty, it gives nothing (but takes).
class Battery {
 public:
  Battery() = default;
  explicit Battery(const BatterySettings& x);
  bool active() const { return full_ > 0; }
  double capacity() const { return capacity_; }  ///< [A s], 0 = endless
  double start_charge() const { return start_; }

  double open_voltage(double charge) const {
    return capacity_ > 0 ? empty_ + (full_ - empty_) * charge / capacity_ : full_;
  }
  bool empty(double charge) const { return capacity_ > 0 && charge <= 0; }
  double state_of_charge(double charge) const { return capacity_ > 0 ? charge / capacity_ : 1; }

  /// Current of a power drawn [A] (negative charges): the smaller root of U_oc I - R I^2 = P.
  /// Beyond the greatest power, U_oc^2 / 4R, the current of that power.
  double current(double power, double open_voltage) const;
  double voltage(double current, double open_voltage) const { return open_voltage - resistance_ * current; }
  /// Greatest current out of the battery [A], and the voltage and power there.
  double most_current(double open_voltage) const;
  double least_voltage(double open_voltage) const {
    return resistance_ > 0 ? voltage(most_current(open_voltage), open_voltage) : open_voltage;
  }
  /// Greatest current back into the battery [A] at this charge.
  double most_charging(double charge) const {
    return !takes_ || (capacity_ > 0 && charge >= capacity_) ? 0 : charge_limit_;
  }
  double resistance() const { return resistance_; }

 private:
  double full_ = 0, empty_ = 0, resistance_ = 0, limit_ = 0, charge_limit_ = 0, capacity_ = 0, start_ = 0;
  bool takes_ = true;
};

}  // namespace scree
