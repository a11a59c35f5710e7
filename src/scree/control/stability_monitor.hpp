#pragma once
/// Stability measures of a robot, live: support polygon, NESM and stability moments from what it reads.
#include <span>
#include <vector>

#include "scree/control/controller.hpp"
#include "scree/control/stability.hpp"

namespace scree {

/// One tip-over axis, an edge of the support polygon, in body axes.
struct StabilityAxis {
  int place = 0;                ///< slot of the wheel that the edge starts from: a stable name for it
  Vec3 outward = Vec3::Zero();  ///< horizontal unit vector that points out over the edge
  double moment = 0;            ///< stability moment [N m]
  double index = 1;             ///< moment over its value at rest on level ground [-]
  double energy_margin = 0;     ///< NESM [m]
  double distance = 0;          ///< of the centre of mass inside the edge, horizontally [m]
};

/// Keeps the scratch; update() does not allocate.
class StabilityMonitor {
 public:
  explicit StabilityMonitor(const RobotInfo& robot);
  void update(const Readings& readings);
  /// The same from given support points [m] and forces [N] of the wheels, in body axes; `down` is gravity's
  /// direction there.
  std::span<Vec3> points() { return points_; }
  std::span<Vec3> forces() { return forces_; }
  /// Centres of the wheels as they would be at rest [m] and centre of mass, in body axes: at first those of
  /// the robot's joints at home; a robot that moves them tells where they are.
  std::span<Vec3> hubs() { return hubs_; }
  void set_centre(const Vec3& p_BM) { centre_ = p_BM; }
  void evaluate(const Vec3& down);
  std::span<const StabilityAxis> axes() const { return {axes_.data(), static_cast<std::size_t>(count_)}; }
  double least_index() const { return least_index_; }
  double least_energy_margin() const { return least_energy_; }
  double least_distance() const { return least_distance_; }

  /// "stability.<wheel>": index of the axis that starts at that wheel (1 where none does), then the least
  /// index, the least NESM and the least distance.
  std::vector<ControlSignal> signals() const;
  void values(std::span<double> out) const;
  /// What values() shows; the rest is made anew at every update.
  void memory(Memory& m) { m(shown_), m(least_index_), m(least_energy_), m(least_distance_); }

 private:
  RobotInfo robot_;
  std::vector<Vec3> points_, forces_, hubs_;
  Vec3 centre_;
  std::vector<double> shown_;
  SupportPolygon polygon_;
  std::vector<StabilityAxis> axes_;
  int count_ = 0;
  double least_index_ = 1, least_energy_ = 0, least_distance_ = 0;
};

}  // namespace scree
