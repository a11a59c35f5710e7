#pragma once
/// The motion of a prescribed joint as a function of time.
#include <string>
#include <vector>

#include "scree/config/section.hpp"

namespace scree {

struct MotionSettings {
  std::string kind = "none";                   ///< none | ramp | sine | table
  double offset = 0;                           ///< position at time zero (sine: the middle) [rad or m]
  double speed = 0;                            ///< ramp [rad/s or m/s]
  double amplitude = 0;                        ///< sine [rad or m]
  double frequency = 1;                        ///< sine [Hz]
  double phase = 0;                            ///< sine, at time zero [rad]
  std::vector<std::vector<double>> rows = {};  ///< table: [time s, position], times ascending
  bool active() const { return kind != "none"; }
};
void describe(Section& section, MotionSettings& settings);

/// Where a joint is, how fast it moves and accelerates.
struct MotionNow {
  double position = 0, rate = 0, acceleration = 0;
};

/// ramp:  offset + speed t
/// sine:  offset + amplitude sin(2 pi frequency t + phase)
/// table: the cubic spline through the rows that is at rest at both ends (twice differentiable between them),
///        and rests there before and after.
class Motion {
 public:
  Motion() = default;
  /// Throws InputError, naming `who`, on rows that do not make a motion.
  Motion(const MotionSettings& settings, const std::string& who);
  MotionNow operator()(double time) const;

 private:
  MotionNow of_table(double time) const;
  MotionSettings x_;
  std::vector<double> times_, positions_, curvature_;  ///< of the spline, curvature at the rows
};

}  // namespace scree
