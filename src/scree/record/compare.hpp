#pragma once
/// Runs side by side: how fast, how steady, how much slip, load, energy. From logs alone, so any runs will
/// do.
#include <span>
#include <string>
#include <vector>

#include "scree/record/plot.hpp"
#include "scree/record/run_folder.hpp"

namespace scree {

/// Wheels that stand at the same length of the robot, by their logged centres.
struct AxleFigures {
  std::string name;         ///< "front", "middle", "rear"; "axle 1" (the foremost) and so on beyond three
  double largest_slip = 0;  ///< largest |slip| of its wheels while they touch [-]
  double mean_slip = 0;     ///< mean |slip| over wheels and time, on the ground [-]
};

struct RunFigures {
  std::string run;                 ///< name of the folder
  double duration = 0;             ///< simulated [s]
  double speed = 0;                ///< desired [m/s]; 0 = none is known
  double time_to_speed = -1;       ///< first time at the desired speed (within 1 %) [s]; -1 = never
  double share_within = 0;         ///< share of the whole planned time within 5 % of it [-]
  std::vector<AxleFigures> axles;  ///< from front to rear
  double least_normal = 0;         ///< smallest normal force of any wheel, after the first second [N]
  double airborne = 0;             ///< share of the time that some wheel is in the air [-]
  double energy = 0;               ///< out of the battery (or into the motors) [J]
  double energy_per_metre = 0;     ///< [J/m]
  double peak_power = 0;           ///< greatest electrical power [W]
  double distance = 0;             ///< path length [m]
  std::string outcome;             ///< of the summary
};

struct CompareSettings {
  double speed = 0;     ///< desired [m/s]; 0 = what the run's scenario gave its controller
  double duration = 0;  ///< planned time [s], for shares; 0 = the longest run's
};

RunFigures run_figures(const RunFolder& run, const CompareSettings& settings);
std::vector<RunFigures> compare_runs(std::span<const RunFolder> runs, CompareSettings settings);
std::string comparison_table(std::span<const RunFigures> rows);
std::string comparison_json(std::span<const RunFigures> rows);
/// Speed, normal forces, slip of the rearmost axle, electrical power over time: Morrot 2011 Figs. 11 and 12.
Figure comparison_figure(std::span<const RunFolder> runs, const std::string& title);

}  // namespace scree
