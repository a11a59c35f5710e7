#pragma once
/// The single-wheel test bed as a simulation: a wheel of contact kind `soil` on a carriage, stepped in time
/// until it rolls steadily.
///
/// The carriage slides along x on a fixed base and carries a vertical slide, which bears the wheel and weighs
/// as much as the load. Slip is prescribed (the carriage moves at a given speed), or the drawbar load is (a
/// force pulls the carriage back, and slip is what comes of it). What the bed measures is averaged over the
/// last stretch. It shares the laws with WheelBed, and nothing else: sinkage, slip and forces come from the
/// motion.
#include "scree/study/wheel_bed.hpp"

namespace scree {

struct DynamicBedSettings {
  double speed = 0.1;  ///< of the faster of rim and carriage [m/s]
  double step = 1e-3;  ///< s
  double length = 30;  ///< rolled by the rim or the carriage before measuring, in relaxation lengths
};

struct DynamicBedRow : WheelBedRow {
  double time = 0;    ///< simulated [s]
  double unrest = 0;  ///< largest change of the load over the measured stretch / load [-]
  bool held = false;  ///< the drawbar load was more than the wheel can pull
};

/// One point with slip and slip angle prescribed; `at.slip` of the answer is the slip that was measured.
DynamicBedRow run_dynamic_bed(const WheelBed& bed, const WheelBedPoint& point,
                              const DynamicBedSettings& settings = {});
/// The same with a drawbar load [N] that pulls back instead of a slip.
DynamicBedRow run_drawbar_bed(const WheelBed& bed, const WheelBedPoint& point, double drawbar,
                              const DynamicBedSettings& settings = {});

/// Points of the simulated bed over the curves of the steady one.
Figure dynamic_figure(const WheelBedSettings& settings, const std::vector<WheelBedRow>& steady,
                      const std::vector<DynamicBedRow>& dynamic);

}  // namespace scree
