#pragma once
/// The world: gravity, ground, any number of robots. Built once, constant, shared by threads.
/// `State` is all that a resume needs; `SimWorkspace` is scratch.
#include <memory>
#include <string>
#include <vector>

#include "scree/control/stability_monitor.hpp"
#include "scree/ground/slice_search.hpp"
#include "scree/mechanism/workspace.hpp"
#include "scree/robot/model.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

class LabelMap;  // terrain/map.hpp

enum class StepMethod { implicit, euler, rk4 };
/// How the contact of a rim is found: the search that misses nothing on the ground at hand, or plain slices.
enum class RimSearch { exact, slices };
/// Which way a suspended wheel's contact force points: along the ground's normal, or in the wheel's plane.
enum class ContactNormal { ground, wheel_plane };

struct SolverSettings {
  StepMethod method = StepMethod::implicit;
  double step = 1e-3;  ///< s
  /// A step is divided until no piece is off by more than this [m] (careful.hpp); 0: it is not.
  double tolerance = 0;
  double theta = 0.5;  ///< weight of new values, implicit; 1/2 second order, 1 damps most
  /// Weight for slip and drives; 0 chooses: 1/2 below 5 ms or with a tolerance, else 1.
  double theta_slip = 0;
  int slices = 20;  ///< divisions of the lower half rim in the contact search
  RimSearch search = RimSearch::exact;
  ContactNormal normal = ContactNormal::ground;
};
void describe(Section& section, SolverSettings& settings);

struct WorldRobot {
  std::string name;
  std::shared_ptr<const RobotModel> model;
  int offset = 0;  ///< of its block in the state
  int kind = 0;    ///< robots of the same model have the same number
};

class World {
 public:
  World(Vec3 gravity, std::shared_ptr<const Terrain> terrain, SolverSettings solver);
  /// Returns the robot's index.
  int add(std::string name, std::shared_ptr<const RobotModel> model);

  const Vec3& gravity() const { return gravity_; }
  double gravity_size() const { return gravity_size_; }  ///< [m/s²]
  const Terrain& terrain() const { return *terrain_; }
  std::shared_ptr<const Terrain> shared_terrain() const { return terrain_; }
  const SolverSettings& solver() const { return solver_; }
  const SliceTable& slices() const { return slices_; }
  const std::vector<WorldRobot>& robots() const { return robots_; }
  /// Doubles in a state: the time, then the robots' blocks.
  int state_size() const { return state_size_; }
  double friction() const { return friction_; }
  const ScalarMap* friction_map() const { return friction_map_.get(); }
  /// Scale of the tyres' friction everywhere, and from place to place (null: 1).
  void set_friction(double scale, std::shared_ptr<const ScalarMap> map) {
    friction_ = scale;
    friction_map_ = std::move(map);
  }
  /// Friction coefficient between robots.
  double robot_friction() const { return robot_friction_; }
  /// Whether robots touch each other, and with what friction.
  bool robots_touch() const { return robots_touch_; }
  void set_encounters(bool touch, double friction) { robots_touch_ = touch, robot_friction_ = friction; }
  /// Which soil lies where, by name; null where the scenario names none.
  const LabelMap* soil_map() const { return soil_map_.get(); }
  /// The same with the numbers of each soil; null where no wheel asks for them.
  const GroundSoils* soils() const { return soils_.get(); }
  /// How soil deforms; null where no wheel asks for it.
  const SoilGridSettings* soil_grid() const { return has_soil_grid_ ? &soil_grid_ : nullptr; }
  void set_soil_grid(const SoilGridSettings& grid) { soil_grid_ = grid, has_soil_grid_ = true; }
  void set_soil(std::shared_ptr<const LabelMap> map, std::shared_ptr<const GroundSoils> soils = nullptr) {
    soil_map_ = std::move(map);
    soils_ = std::move(soils);
  }

 private:
  Vec3 gravity_;
  double gravity_size_;
  std::shared_ptr<const Terrain> terrain_;
  SolverSettings solver_;
  SliceTable slices_;
  std::vector<WorldRobot> robots_;
  int state_size_ = 1;
  double friction_ = 1, robot_friction_ = 0.5;
  bool robots_touch_ = true;
  std::shared_ptr<const ScalarMap> friction_map_;
  std::shared_ptr<const LabelMap> soil_map_;
  std::shared_ptr<const GroundSoils> soils_;
  SoilGridSettings soil_grid_;
  bool has_soil_grid_ = false;
};

/// One contiguous block of doubles, and tiles of soil that deforms (copied when written on): copying it is a
/// snapshot, hashing it is the determinism check.
class State {
 public:
  explicit State(const World& world);
  double time() const { return values_[0]; }
  void set_time(double t) { values_[0] = t; }
  std::span<double> all() { return values_; }
  std::span<const double> all() const { return values_; }
  double* block(const WorldRobot& robot) { return values_.data() + robot.offset; }
  const double* block(const WorldRobot& robot) const { return values_.data() + robot.offset; }
  SoilTiles& soil() { return soil_; }
  const SoilTiles& soil() const { return soil_; }
  std::uint64_t hash() const;

 private:
  std::vector<double> values_;
  SoilTiles soil_;
};

/// Named views into a robot's block.
struct RobotBlock {
  RobotBlock(const RobotModel& model, double* block)
      : positions(block + model.layout().positions, model.tree().position_count()),
        velocities(block + model.layout().velocities, model.tree().velocity_count()),
        contacts(block + model.layout().contacts),
        drives(block + model.layout().drives, model.train().state_size()) {}
  std::span<double> positions, velocities;
  double* contacts;  ///< the groups' memories
  std::span<double> drives;
};

/// Scratch of one robot.
/// What the terrain says of the ground near a robot, asked once for a square of places that the robot may be
/// at: a function of where it is alone, so that a resumed run has the same bits.
struct NearGround {
  const Terrain* terrain = nullptr;
  double column = 0, row = 0;  ///< of the square
  double slope_bound = 0;      ///< no slope there is larger
  double feature = 0;          ///< finest feature there [m]; 0: smooth or unknown
};

struct RobotScratch {
  RobotScratch(const RobotModel& model, const World& world);
  Workspace mechanism;
  DriveWorkspace drive;
  std::vector<std::unique_ptr<ContactScratch>> contact;  ///< per group
  std::vector<SeenGround> seen;
  std::vector<Contact> contacts;  ///< flat list, filled by list_contacts()
  /// How much of it is that of the last touch.
  enum class Listed { nothing, wheels, all } listed = Listed::nothing;
  const SoilTiles* soil = nullptr;  ///< of the state that is being looked at
  NearGround near;
  std::vector<double> acceleration;
  StabilityMonitor stability;  ///< filled by balance()
  /// Of the driven coordinates, where they do not lie side by side (RobotModel::drives_rotors).
  std::vector<double> speed_before, speed_after, angle;
  std::vector<double> goal;      ///< where kinematic drives take their joints
  std::vector<double> stage[5];  ///< explicit integrators: state and slopes
};

/// What acts on a robot from outside besides the ground, held over a step: other robots (encounters.hpp).
struct OutsidePush {
  /// (Force; moment about the world's origin), world axes: along the same line for both who push, however
  /// they turn within the step.
  std::vector<Vec6> link;
  std::vector<double> rotor;  ///< torque about the axle on the wheel alone [N m]
  bool any = false;
  void clear();
};

/// What the last step of one robot found, for events.
struct RobotReport : TouchReport {
  bool met = false;          ///< it touches another robot
  double energy_margin = 0;  ///< NESM [m], where an event watches it
};

struct SimWorkspace {
  /// Every robot steps in a scratch of its own, which its sensors read between steps. Who only looks at one
  /// robot after the other may share a scratch among robots of the same model.
  enum class Scratch { own, shared };
  explicit SimWorkspace(const World& world, Scratch scratch = Scratch::own);
  RobotScratch& of(int robot) { return *scratch[scratch_of[robot]]; }
  std::vector<RobotReport> report;                     ///< per robot
  std::vector<std::unique_ptr<RobotScratch>> scratch;  ///< one a robot, or one a model
  std::vector<int> scratch_of;                         ///< which one a robot uses
  std::vector<std::vector<DriveCommand>> commands;     ///< per robot, per drive; held between samples
  std::vector<OutsidePush> push;                       ///< per robot
};

}  // namespace scree
