#pragma once
/// A terrain seen by a robot that stands on it: stability and contact, place by place.
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scree/sim/settle.hpp"

namespace scree {

struct SettleMapSettings {
  Rectangle area;
  double step = 0.1;                                        ///< between places [m]
  double yaw = 0;                                           ///< rad
  std::vector<std::pair<std::string, double>> joints = {};  ///< of driven joints [rad or m]
  bool clearance = true;                                    ///< look below the bodies
  int threads = 1;
};

/// What is kept of a place.
struct SettleCell {
  double x = 0, y = 0;
  SettleResult result = SettleResult::settled;
  double z = 0, roll = 0, pitch = 0, tilt = 0;
  double energy_margin = 0, distance = 0, clearance = 0;
  int touching = 0;
  double least_load = 0;     ///< of its wheels [N]
  double steepest = 0;       ///< contact angle, without sign [rad]
  double largest_joint = 0;  ///< of the joints that are found, without sign [rad or m]
  bool belly() const { return clearance < 0; }
};

struct SettleMap {
  SettleMapSettings settings;
  int nx = 0, ny = 0;
  std::vector<SettleCell> cells;  ///< row by row, y rising
  double seconds = 0;             ///< by the clock
};

/// Rows are shared among threads and each begins cold: the same numbers on any number of threads.
SettleMap settle_map(const World& world, int robot, const SettleMapSettings& settings,
                     const std::function<void(double)>& progress = {});

void write_settle_csv(const SettleMap& map, const std::filesystem::path& file);
/// Coloured maps of energy margin, tilt and belly clearance; places where it does not stand are dark.
void draw_settle_map(const SettleMap& map, const std::string& title, const std::filesystem::path& file);

}  // namespace scree
