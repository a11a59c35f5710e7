#pragma once
/// Where the published outcome holds: the ramp experiment of Morrot 2011 Sec. 5 over the robot and ramp data
/// that the paper does not print, under both controllers.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scree/sim/sink.hpp"

namespace scree {

struct ViviMapSettings {
  std::filesystem::path scenario;  ///< the ramp scenario; its controller kind is replaced
  std::vector<double> heights = {0.18, 0.20, 0.22, 0.24,
                                 0.26, 0.28, 0.30};               ///< centre of mass above ground [m]
  std::vector<double> torques = {16, 25, 40};                     ///< limit per wheel [N m]
  std::vector<double> angles_deg = {10, 15, 20, 25, 30, 35, 40};  ///< of the ramp
  std::vector<double> radii = {0, 0.2, 0.4, 1};                   ///< of the ramp's entry [m]
  std::vector<std::string> overrides;  ///< laid over every run, as --set (a coarser step, another length)
  int threads = 1;
};

/// How one run ended.
struct MapOutcome {
  std::string outcome;       ///< "finished", "rolled_over", ...
  std::string cause;         ///< of a roll-over: "traction", "impact", "flight"
  double time = 0;           ///< of the end [s]
  double largest_pitch = 0;  ///< [rad]
  bool rolled_over() const { return outcome == "rolled_over"; }
};

struct MapCell {
  double height = 0, torque = 0, angle_deg = 0, radius = 0;
  MapOutcome speed, cdta;
  /// The paper's result: the proportional controller rolls over, CDTA does not.
  bool as_published() const { return speed.rolled_over() && !cdta.rolled_over(); }
};

/// Why a robot rolled over, from what happened between the last moment with both axles on the ground and the
/// end: "impact" when the ground pressed on the wheels by more than three times the weight around that moment
/// (which throws the robot); else "flight" when no wheel touched for half of that time or more; else
/// "traction".
class RollOverWitness : public Sink {
 public:
  explicit RollOverWitness(double weight) : weight_(weight) {}
  std::vector<std::string> wanted_signals() const override;
  bool wants_state(double) const override { return false; }
  void begin(const RunInfo& info) override;
  void sample(const Sample& sample) override;
  std::string cause() const;
  double largest_pitch() const { return largest_pitch_; }

 private:
  struct Moment {
    double time, front, rear;
  };
  double weight_;
  int pitch_ = -1;
  std::vector<int> front_, rear_;
  std::vector<Moment> moments_;
  double largest_pitch_ = 0;
};

/// Runs every cell; `progress` gets the share done. Cells in the order radius, torque, height, angle,
/// whatever the number of threads.
std::vector<MapCell> vivi_map(const ViviMapSettings& settings,
                              const std::function<void(double)>& progress = {});
std::string map_csv(const std::vector<MapCell>& cells);
/// Panels of height over angle, a row per radius, a column per torque limit, drawn by gnuplot.
void draw_map(const std::vector<MapCell>& cells, const std::filesystem::path& file);

}  // namespace scree
