#pragma once
/// Kinematics without dynamics (Ding 2011 Table 1): how a robot stands on the ground at a given place.
///
/// Inverse kinematics: horizontal position and yaw of the base are given; height, roll, pitch, the joints
/// that nothing drives, contact angles and wheel loads are found. They are where the energy
///
///     E = sum of springs of the wheels (h_i) + joint springs and stops - m g . p_M
///
/// is least, h_i being the displacement that the ground imposes on wheel i along its suspension (the same
/// search as in the step). Couplings hold exactly. Where there are as many wheels as unknowns (a
/// rocker-bogie), that is every wheel on the ground; where there are more (four wheels under one chassis),
/// the springs decide; wheels may hang free. Wheels without a suspension are discs that give by kRigidGive
/// under their share of the weight; soil does not give. Friction only holds the robot where it is: tangential
/// forces do no work on what is found.
///
/// The search is Newton's with the springs' stiffness, steps halved until the energy falls, so it ends near
/// the pose that it starts from; a cold start comes from the heights under the wheels.
#include <span>
#include <string>
#include <vector>

#include "scree/control/stability_monitor.hpp"
#include "scree/sim/world.hpp"

namespace scree {

struct SettledWheel {
  bool touching = false;
  Vec3 p_W = Vec3::Zero();         ///< contact; in the air, the lowest point of the rim [m]
  Vec3 normal_W = Vec3::UnitZ();   ///< of the ground there
  Vec3 hub_W = Vec3::Zero();       ///< centre of the wheel [m]
  Vec3 forward_W = Vec3::UnitX();  ///< where it points
  double load = 0;                 ///< along the normal [N]
  double give = 0;                 ///< of the suspension [m]; in the air negative
  double angle = 0;                ///< of the contact on the rim, ahead of the hub positive [rad]
};

enum class SettleResult { settled, tips_over, outside };
const char* settle_name(SettleResult result);

/// How it stands.
struct Settled {
  SettleResult result = SettleResult::settled;
  double x = 0, y = 0, z = 0;           ///< of the base [m]
  double roll = 0, pitch = 0, yaw = 0;  ///< rad
  std::vector<double> joints;           ///< all, in the tree's order [rad or m]
  std::vector<SettledWheel> wheels;
  int touching = 0;          ///< wheels on the ground
  double tilt = 0;           ///< of the base's z from the vertical [rad]
  double energy_margin = 0;  ///< NESM [m]
  double distance = 0;       ///< of the centre of mass inside the support polygon [m]
  double clearance = 0;      ///< of the lowest body above the ground [m]; negative: it would touch
  double residual = 0;       ///< what is left of the generalized forces over the weight [-]
  int iterations = 0;
};

class Settler {
 public:
  /// Gravity must point down (-z) and not vanish; the robot needs wheels and a floating base.
  Settler(const World& world, int robot);
  /// Sets a joint that something drives (a steering head) to a position [rad or m]. Throws InputError on a
  /// name that is none, on a joint that is found here, and beyond its limits.
  void set_joint(const std::string& name, double position);
  /// Whether belly clearance is looked for (it costs about as much as the rest).
  void look_below(bool wanted) { below_ = wanted; }

  /// Stands the robot at (x, y, yaw). `near`: start from how it stood last.
  const Settled& settle(double x, double y, double yaw, bool near = false);

  const World& world() const { return world_; }
  const RobotModel& model() const { return model_; }
  const Workspace& mechanism() const { return mechanism_; }

 private:
  static constexpr int kMost = 24;  ///< unknowns
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMost, 1>;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMost, kMost>;
  struct Energy {
    double value = 0;
    Vector slope;
    Matrix curvature;
  };

  void build_freedoms();
  void put(const Vector& u);
  void look(Energy& out);
  void cold_start();
  bool descend();
  void report();
  Vector freedom_columns(int link, const Vec3& p_W, const Vec3& direction) const;
  void find_ground();

  const World& world_;
  const RobotModel& model_;
  Workspace mechanism_;
  StabilityMonitor stability_;
  std::vector<double> positions_, velocities_;
  std::vector<double> stiffness_;  ///< of rigid wheels; 0: the suspension's law
  /// q_joint = offset + sum share_k s_k over the free coordinates s.
  Eigen::MatrixXd share_;
  Eigen::VectorXd given_;       ///< positions of the joints where all s are zero
  std::vector<char> free_;      ///< joints that are found here
  int freedoms_ = 0;            ///< z, roll, pitch, then free coordinates
  std::vector<char> below_of_;  ///< [link * joints + joint]: the joint carries the link
  Vector u_;
  double x_ = 0, y_ = 0, yaw_ = 0;
  double slope_bound_ = 0, feature_ = 0;  ///< of the ground around
  Vec3 roll_axis_, pitch_axis_;
  std::vector<Vec3> hub_, forward_, up_, point_, normal_;
  std::vector<double> h_, sine_, facing_;
  bool below_ = true;
  Settled out_;
};

}  // namespace scree
