#pragma once
/// The single-wheel test bed: one wheel, one soil, forces over load, slip and slip angle.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scree/ground/closed_form.hpp"
#include "scree/ground/pac2002.hpp"
#include "scree/record/plot.hpp"
#include "scree/soil/soil_tiles.hpp"

namespace scree {

/// Which law answers.
enum class WheelModel { stress_integral, closed_form, pac2002, soil_grid };
const std::vector<std::string>& wheel_model_names();

struct WheelBedSettings {
  WheelModel model = WheelModel::stress_integral;
  Soil soil;
  SoilWheel wheel;
  double gravity = 9.81;        ///< m/s^2
  double mean_load = 0;         ///< of the closed form's corrections [N]; 0: none
  double speed = 0;             ///< of pac2002 [m/s]
  std::optional<Pac2002> tyre;  ///< of pac2002
  SoilGridSettings grid;        ///< of soil_grid, which is always simulated
  int passes = 1;               ///< soil_grid: over the same track
};

/// What is set on the bed.
struct WheelBedPoint {
  double load = 65;       ///< N
  double slip = 0;        ///< [-1, 1]
  double slip_angle = 0;  ///< rad
};

struct WheelBedRow {
  WheelBedPoint at;
  double sinkage = 0;          ///< m
  double drawbar = 0;          ///< N
  double side = 0;             ///< N
  double torque = 0;           ///< N m
  double entry = 0, exit = 0;  ///< rad
  double thrust = 0;           ///< along the motion, Nagatani 2016 Eq. 50.9 [N]
  double cornering = 0;        ///< across it, against the slide, Eq. 50.8 [N]
  double efficiency = 0;  ///< drawbar power / shaft power of a driving wheel; NaN where it makes no sense
  double mx = 0, mz = 0;  ///< of pac2002 [N m]
  bool buried = false;    ///< down to the axle: the soil does not carry the load
};

/// Fills in what follows from the measured forces: thrust, cornering, efficiency at a rim of this radius [m].
void complete_row(WheelBedRow& row, double radius);

/// A bed that is set up once.
class WheelBed {
 public:
  /// Throws InputError for a wheel, a soil or a tyre that does not go together.
  explicit WheelBed(const WheelBedSettings& settings);
  /// Throws InputError for a load that is not positive, and a slip or slip angle out of range.
  WheelBedRow measure(const WheelBedPoint& point) const;
  const WheelBedSettings& settings() const { return settings_; }

 private:
  WheelBedRow measure_tyre(const WheelBedPoint& point) const;
  WheelBedSettings settings_;
  StressIntegral integral_;
  ClosedForm closed_;
};

/// All points of a sweep: loads outermost, then slip angles, then slips.
struct WheelSweep {
  std::vector<double> loads, slips, slip_angles;
};
std::vector<WheelBedRow> sweep_wheel(const WheelBed& bed, const WheelSweep& sweep,
                                     const std::function<void(double)>& progress = {});

/// "0:0.8:0.05" and "0,10,20" and mixtures, as numbers; `what` names them in the message.
std::vector<double> parse_values(const std::string& text, const std::string& what);

std::string wheel_csv(const std::vector<WheelBedRow>& rows);
std::string wheel_json(const WheelBedSettings& settings, const std::vector<WheelBedRow>& rows);

/// Ways across a slope: travel at an angle above the contour line (Nagatani 2016 Fig. 50.11).
struct SlopeCase {
  std::string name;
  double climb;  ///< rad, 90 degrees: straight up
};
const std::vector<SlopeCase>& slope_cases();

/// The steepest slope that a wheel can traverse at a slip, whatever slip angle it needs.
///
/// A wheel that carries W on level ground carries W cos(psi) on a slope psi and needs, along and across its
/// path, F_T >= W sin(psi) sin(climb) and F_C >= W sin(psi) cos(climb) (Nagatani 2016 Sec. 50.2.3).
struct SlopeLimit {
  std::string name;
  double slip, slope, slip_angle;  ///< [-], rad, rad
};
std::vector<SlopeLimit> slope_limits(const WheelBed& bed, double load, const std::vector<double>& slips,
                                     const std::function<void(double)>& progress = {});

/// Sinkage, forces, torque over slip, one curve a slip angle and load.
Figure wheel_figure(const WheelBedSettings& settings, const std::vector<WheelBedRow>& rows);
/// Thrust against cornering force (Nagatani 2016 Fig. 50.10), with the forces that slopes of 5 to 20 degrees
/// ask for. Rows of one load.
Figure thrust_cornering_figure(const WheelBedSettings& settings, const std::vector<WheelBedRow>& rows);
/// Steepest slope over slip for every case.
Figure slope_figure(const WheelBedSettings& settings, const std::vector<SlopeLimit>& limits);

}  // namespace scree
