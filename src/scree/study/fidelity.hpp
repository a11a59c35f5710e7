#pragma once
/// One drive at several levels of wheel fidelity (Ding 2011 Sec. 5.1): rigid contact, and laws of soft soil.
#include <functional>
#include <string>
#include <vector>

#include "scree/record/plot.hpp"
#include "scree/sim/scenario.hpp"

namespace scree {

/// slices: rigid ground, a tyre on a suspension; sectors: rigid ground, elastic disks; closed_form and
/// stress_integral: soil.
const std::vector<std::string>& fidelity_levels();

struct FidelitySettings {
  std::string scenario;
  std::vector<std::string> overrides = {};
  std::vector<std::string> levels = fidelity_levels();
  double lug_height = -1;  ///< m, where the scenario's wheels say nothing of lugs
  double period = 0.05;    ///< between samples [s]
};

/// One level's drive.
struct FidelityRun {
  std::string level, outcome;
  std::vector<double> time, x, y, slip, sinkage, work;  ///< slip and sinkage: means of the wheels
  double distance = 0;                                  ///< of the base [m]
  double mean_slip = 0, mean_sinkage = 0;               ///< over the drive [-, m]
  double largest_sinkage = 0;                           ///< of any wheel [m]
  double energy = 0;                                    ///< work of the drives on the wheels [J]
  double beside = 0, beside_end = 0;  ///< of the last level's path, root mean square and at the end [m]
  double cpu = 0;                     ///< s
  double simulated = 0;               ///< s
};

/// The scenario with all wheels at a level. Throws InputError on an unknown level.
Scenario at_fidelity(const FidelitySettings& settings, const std::string& level);

/// All levels in the order given; `beside` is against the last.
std::vector<FidelityRun> compare_fidelity(const FidelitySettings& settings,
                                          const std::function<void(double)>& progress = {});
Figure fidelity_figure(const std::vector<FidelityRun>& runs, const std::string& title);

}  // namespace scree
