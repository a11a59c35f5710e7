#pragma once
/// Soil parameters from measured curves of a single-wheel test bed.
#include <filesystem>
#include <string>
#include <vector>

#include "scree/study/wheel_bed.hpp"

namespace scree {

/// One measured point; what was not measured is NaN.
struct WheelMeasurement {
  WheelBedPoint at;
  double sinkage, drawbar, side, torque;  ///< m, N, N, N m
};

/// Reads a table with a header: `slip` and any of `sinkage`, `drawbar`, `side`, `torque`; `load` and
/// `slip_angle` where they vary. Units in brackets are converted: m, cm, mm; N, kN; N m; deg, rad; -, %.
/// Other columns are passed over. Throws InputError with file and line.
std::vector<WheelMeasurement> read_wheel_csv(const std::filesystem::path& file,
                                             const WheelBedPoint& fallback);

struct FitSettings {
  WheelBedSettings bed;                 ///< its soil is where the search starts
  std::vector<std::string> parameters;  ///< keys of numbers of the soil
  int most_evaluations = 400;
};

struct FittedNumber {
  std::string key;
  double start, value;
  double error;       ///< standard error; infinite when the data say nothing
  bool identifiable;  ///< see FitResult
};

/// Least squares by Levenberg-Marquardt (Eigen's port of MINPACK), each channel divided by its root mean
/// square.
///
/// Standard errors are those of the linearised problem, s^2 (J^T J)^-1 with s^2 = sum of squares / (points -
/// parameters). A number counts as not identifiable when a noise of one per cent of each channel (or the
/// scatter of the data, if that is larger) leaves it uncertain by more than half, or when it sits at the end
/// of its range; `warnings` say with which others it can be exchanged (correlation beyond 0.98).
struct FitResult {
  Soil soil;
  std::vector<FittedNumber> numbers;
  MatX correlation;
  struct Channel {
    std::string name, unit;
    int count;
    double rms;  ///< of the residuals, in its unit
  };
  std::vector<Channel> channels;
  std::vector<std::string> warnings;
  int evaluations = 0;
  bool converged = false;
};
FitResult fit_soil(const std::vector<WheelMeasurement>& data, const FitSettings& settings);

/// The soil as a file that load_soil reads.
std::string soil_text(const Soil& soil);
std::string fit_json(const FitResult& result);
/// Measured and fitted curves over slip.
Figure fit_figure(const std::vector<WheelMeasurement>& data, const FitResult& result,
                  const WheelBedSettings& bed);

}  // namespace scree
