#pragma once
/// Steady drives of a rover on soft ground, up a slope or against a pull: the experiments of Ding 2011
/// Sec. 5.2.2.
#include <functional>
#include <string>
#include <vector>

#include "scree/record/plot.hpp"
#include "scree/sim/scenario.hpp"

namespace scree {

struct RoverTrialSettings {
  std::string model = "el-dorado";
  std::string soil = "toyoura";       ///< of `scree list soils`
  std::string law = "closed_form";    ///< or stress_integral
  double lug_height = 0.01;           ///< m
  double slope = 0;                   ///< rad, straight up
  double pull = 0;                    ///< N, backward and level, at the chassis
  double hitch = -0.10;               ///< where it pulls, above the centre of the chassis [m]
  double gravity = 9.81;              ///< m/s²
  double rim_speed = 0.06;            ///< m/s, of the rim without lugs
  double duration = 16, step = 1e-3;  ///< s; the last 30 % are measured
  std::vector<std::string> set = {};  ///< further changes to the scenario
};

struct RoverTrialWheel {
  std::string name;
  double load = 0, sinkage = 0, pull = 0, resistance = 0, slip = 0;
};

struct RoverTrial {
  std::vector<RoverTrialWheel> wheels;  ///< means over the measured stretch
  double slip = 0, sinkage = 0;         ///< means of the wheels
  double pull = 0, resistance = 0;      ///< of all wheels [N, N m]
  double speed = 0;                     ///< of the robot along the slope [m/s]
  double unrest = 0;                    ///< largest change of the mean slip over the stretch
  std::string outcome;                  ///< "finished", or the event that ended it
};
RoverTrial run_rover_trial(const RoverTrialSettings& settings);

/// A drive over ground, sampled: what Ding 2011 Fig. 18 shows.
struct RoverDrive {
  std::vector<double> time, x, y, roll, pitch, yaw, left, right;  ///< s, m, rad; rocker angles
  std::vector<std::string> wheels;
  std::vector<std::vector<double>> slip, load, sinkage;  ///< per wheel
  std::vector<double> slope_along,
      slope_across;        ///< of the ground under the last wheel, in its heading [rad]
  double largest_sum = 0;  ///< of the two rocker angles, at any step [rad]
  std::string outcome;
  double cpu = 0;  ///< s
};
RoverDrive run_rover_drive(const Scenario& scenario, double period,
                           const std::function<void(double)>& progress = {});
Figure rover_drive_figure(const RoverDrive& drive, const std::string& title);

/// The random deformable ground of Ding 2011 Sec. 5.2.3: El-Dorado II from (0.5, 0.5) towards (5, 5).
std::string random_ground_scenario(std::uint64_t seed);

}  // namespace scree
