#include "scree/sim/settle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/dense.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/ground/contact_search.hpp"
#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/pilot.hpp"
#include "scree/sim/touch.hpp"

namespace scree {
namespace {

constexpr double kRigidGive = 2e-5;   // m, under a wheel's share of the weight
constexpr double kTipped = 1.05;      // rad from the vertical: it does not stand on its wheels
constexpr double kLargestTurn = 0.2;  // rad a step
constexpr double kEnough = 1e-10;     // residual over the weight, and energy over weight x metre
constexpr int kMostSteps = 60;

/// Spring of a wheel: energy, force, stiffness at a give h >= 0.
struct WheelSpring {
  double energy, force, stiffness;
};
WheelSpring wheel_spring(const SuspensionSettings& s, double rigid, double h) {
  if (h <= 0) return {0, 0, 0};
  if (rigid > 0) return {0.5 * rigid * h * h, rigid * h, rigid};
  const Suspension<double> law{s.stiffness, s.damping, s.travel, s.stiffening - 1, s.blend * s.travel};
  const SuspensionSpring<double> now = suspension_spring(law, h);
  // Its integral, piece by piece: linear, the blend (stiffness rising in a line), stiff.
  const double beyond = std::max(h - law.travel, 0.0), inside = std::min(beyond, law.blend_length);
  const double rest = beyond - inside, k = law.stiffness, e = k * law.extra;
  double energy = 0.5 * k * h * h;
  if (beyond > 0) {
    energy += e * inside * inside * inside / (6 * law.blend_length);
    energy += e * (0.5 * law.blend_length * rest + 0.5 * rest * rest);
  }
  return {energy, now.force, now.stiffness};
}

}  // namespace

const char* settle_name(SettleResult result) {
  return result == SettleResult::settled     ? "settled"
         : result == SettleResult::tips_over ? "tips_over"
                                             : "outside";
}

Settler::Settler(const World& world, int robot)
    : world_(world),
      model_(*world.robots()[robot].model),
      mechanism_(model_.tree()),
      stability_(robot_info(model_, world.gravity())),
      positions_(model_.tree().home()),
      velocities_(model_.tree().velocity_count(), 0.0) {
  const std::string& name = world.robots()[robot].name;
  const Vec3& g = world.gravity();
  if (!(g.z() < 0) || maths::hypot(g.x(), g.y()) > 1e-9 * g.norm())
    input_error("robot '{}': world.gravity [{}, {}, {}] must point straight down to settle", name, g.x(),
                g.y(), g.z());
  if (model_.tree().held_base() || model_.tree().fixed_base())
    input_error("robot '{}': its base is fixed: there is nothing to settle", name);
  if (model_.wheels().size() < 3)
    input_error("robot '{}': {} wheels; a robot stands on three or more", name, model_.wheels().size());
  for (const PrescribedJoint& p : model_.prescribed())
    if (p.drive < 0) positions_[model_.tree().joint_position() + p.joint] = p.motion(0).position;
  const std::size_t n = model_.wheels().size();
  hub_.resize(n), forward_.resize(n), up_.resize(n), point_.resize(n), normal_.resize(n);
  h_.resize(n), sine_.resize(n), facing_.resize(n), stiffness_.resize(n);
  out_.wheels.resize(n);
  out_.joints.resize(model_.tree().joint_count());
  const double share = model_.tree().mass() * g.norm() / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::string& kind = model_.wheels()[i].settings.contact.kind;
    stiffness_[i] = model_.wheels()[i].suspended && kind == "slices" ? 0 : share / kRigidGive;
  }
  build_freedoms();
}

/// Which joints move freely, and how coupled ones follow them.
void Settler::build_freedoms() {
  const Tree& tree = model_.tree();
  const int joints = tree.joint_count();
  free_.assign(joints, 1);
  for (int j = 0; j < joints; ++j)
    if (tree.joints()[j].settings.prescribed) free_[j] = 0;
  for (const DriveMount& m : model_.mounts())
    if (m.at.kind == Coordinate::Kind::joint && m.drive.kind != "torque") free_[m.at.index] = 0;
  // Couplings between joints as rows of C q = c; a free coordinate is a joint that no coupling gives.
  Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(joints, joints);
  std::vector<char> leads = free_;
  Eigen::VectorXd offset = Eigen::VectorXd::Zero(joints);
  for (int j = 0; j < joints; ++j)
    if (!free_[j]) offset[j] = positions_[tree.joint_position() + j], basis.row(j).setZero();
  for (std::size_t pass = 0; pass < tree.couplings().size(); ++pass) {
    for (const Coupling& c : tree.couplings()) {
      if (c.a >= joints || c.b >= joints || !free_[c.a]) continue;
      basis.row(c.a) = c.ratio * basis.row(c.b);
      offset[c.a] = c.ratio * offset[c.b] + c.offset;
      leads[c.a] = 0;
    }
  }
  std::vector<int> columns;
  for (int j = 0; j < joints; ++j)
    if (leads[j]) columns.push_back(j);
  freedoms_ = 3 + static_cast<int>(columns.size());
  if (freedoms_ > kMost)
    input_error("robot '{}': {} joints that nothing drives; settling bears {}", model_.name(), columns.size(),
                kMost - 3);
  share_.resize(joints, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    share_.col(static_cast<Eigen::Index>(k)) = basis.col(columns[k]);
  given_ = offset;
  u_ = Vector::Zero(freedoms_);
  below_of_.assign(static_cast<std::size_t>(tree.link_count() * joints), 0);
  for (int link = 1; link < tree.link_count(); ++link)
    for (int at = link; at > 0; at = tree.joints()[at - 1].parent) below_of_[link * joints + at - 1] = 1;
}

void Settler::set_joint(const std::string& name, double position) {
  const Tree& tree = model_.tree();
  const int j = tree.joint_index(name);
  if (free_[j])
    input_error("robot '{}': joint '{}' is found by settling and cannot be given", model_.name(), name);
  const JointSettings& s = tree.joints()[j].settings;
  if (!(position >= s.lower && position <= s.upper))
    input_error("robot '{}': joint '{}': {} is outside its limits [{}, {}]", model_.name(), name, position,
                s.lower, s.upper);
  given_[j] = position;
  positions_[tree.joint_position() + j] = position;
}

/// Moves the mechanism to u = (z, roll, pitch, free coordinates).
void Settler::put(const Vector& u) {
  const Tree& tree = model_.tree();
  positions_[0] = x_, positions_[1] = y_, positions_[2] = u[0];
  const Quat q(rotation_from_rpy(u[1], u[2], yaw_));
  positions_[3] = q.w(), positions_[4] = q.x(), positions_[5] = q.y(), positions_[6] = q.z();
  for (int j = 0; j < tree.joint_count(); ++j) {
    double at = given_[j];
    for (Eigen::Index k = 0; k < share_.cols(); ++k) at += share_(j, k) * u[3 + k];
    positions_[tree.joint_position() + j] = at;
  }
  update_kinematics(tree, positions_, velocities_, mechanism_);
  // Turning further in roll: about the base's own x; in pitch: about the level axis across the heading.
  roll_axis_ = mechanism_.link[0].X_WL.R.col(0);
  pitch_axis_ = Vec3(maths::sin(yaw_), -maths::cos(yaw_), 0);
}

/// d(p . direction)/du of a point that rides on a link.
Settler::Vector Settler::freedom_columns(int link, const Vec3& p_W, const Vec3& d) const {
  const Tree& tree = model_.tree();
  Vector row = Vector::Zero(freedoms_);
  const Vec3 arm = p_W - mechanism_.link[0].X_WL.p;
  row[0] = d.z();
  row[1] = d.dot(roll_axis_.cross(arm));
  row[2] = d.dot(pitch_axis_.cross(arm));
  for (int j = 0; j < tree.joint_count(); ++j) {
    if (!below_of_[link * tree.joint_count() + j]) continue;
    const Joint& joint = tree.joints()[j];
    const Pose& X = mechanism_.link[j + 1].X_WL;
    const Vec3 axis = X.R * joint.axis;
    const double moved = joint.type == JointType::revolute ? d.dot(axis.cross(p_W - X.p)) : d.dot(axis);
    for (Eigen::Index k = 0; k < share_.cols(); ++k) row[3 + k] += share_(j, k) * moved;
  }
  return row;
}

/// Displacement that the ground imposes on every wheel, and where.
void Settler::find_ground() {
  using namespace lane;
  RimGround ground;
  ground.terrain = &world_.terrain();
  ground.slices = &world_.slices();
  ground.slope_bound = slope_bound_;
  ground.feature = feature_;
  const std::size_t n = model_.wheels().size();
  for (std::size_t first = 0; first < n; first += kLanes) {
    WheelPlanes planes{};
    const int count = static_cast<int>(std::min<std::size_t>(kLanes, n - first));
    for (int k = 0; k < kLanes; ++k) {
      const std::size_t i = first + static_cast<std::size_t>(k < count ? k : 0);
      const RobotWheel& w = model_.wheels()[i];
      const Pose& X = mechanism_.link[w.link].X_WL;
      hub_[i] = X * w.hub, forward_[i] = X.R * w.axes.col(0), up_[i] = X.R * w.axes.col(2);
      set_lane(planes.centre, k, hub_[i]);
      set_lane(planes.n, k, forward_[i]);
      set_lane(planes.b, k, up_[i]);
      planes.radius[k] = w.settings.radius;
    }
    const WheelContacts c =
        find_contacts(ground, planes, lanes(std::numeric_limits<double>::infinity()), count);
    for (int k = 0; k < count; ++k) {
      const std::size_t i = first + static_cast<std::size_t>(k);
      const double r = model_.wheels()[i].settings.radius;
      normal_[i] = Vec3(-c.slope_x[k], -c.slope_y[k], 1).normalized();
      if (c.valid[k]) {
        h_[i] = c.h[k], sine_[i] = c.sine[k];
        point_[i] = hub_[i] + (c.h[k] - r * c.cosine[k]) * up_[i] + r * c.sine[k] * forward_[i];
      } else {  // far above, or deep inside
        const TerrainPoint under = ground.terrain->at(hub_[i].x(), hub_[i].y());
        h_[i] = (under.z + r - hub_[i].z()) * std::max(up_[i].z(), 0.1);
        if (h_[i] < 0) h_[i] = std::min(h_[i], -0.5 * r);
        normal_[i] = under.normal(), sine_[i] = 0;
        point_[i] = hub_[i] - r * up_[i];
      }
      facing_[i] = std::max(normal_[i].dot(up_[i]), 0.05);
    }
  }
}

void Settler::look(Energy& out) {
  const Tree& tree = model_.tree();
  const Vec3& g = world_.gravity();
  find_ground();
  out.value = 0;
  out.slope = Vector::Zero(freedoms_);
  out.curvature = Matrix::Zero(freedoms_, freedoms_);
  for (std::size_t i = 0; i < h_.size(); ++i) {
    const RobotWheel& w = model_.wheels()[i];
    const WheelSpring s = wheel_spring(w.settings.suspension, stiffness_[i], h_[i]);
    out.value += s.energy;
    if (s.force <= 0) continue;
    const Vector row = freedom_columns(w.link, point_[i], -normal_[i] / facing_[i]);
    out.slope += s.force * row;
    out.curvature += s.stiffness * row * row.transpose();
  }
  for (int l = 0; l < tree.link_count(); ++l) {
    const Vec3 c = mechanism_.link[l].X_WL * tree.links()[l].p_LC;
    out.value -= tree.links()[l].mass * g.dot(c);
    out.slope += freedom_columns(l, c, -tree.links()[l].mass * g);
  }
  for (int j = 0; j < tree.joint_count(); ++j) {
    if (!free_[j]) continue;
    const JointSettings& s = tree.joints()[j].settings;
    const double q = mechanism_.q[j], past = q > s.upper ? q - s.upper : q < s.lower ? q - s.lower : 0;
    const double stretch = q - s.spring_rest;
    out.value += 0.5 * s.spring_stiffness * stretch * stretch + 0.5 * s.limit_stiffness * past * past;
    const double force = s.spring_stiffness * stretch + s.limit_stiffness * past;
    const double k = s.spring_stiffness + (past != 0 ? s.limit_stiffness : 0);
    for (Eigen::Index a = 0; a < share_.cols(); ++a) {
      out.slope[3 + a] += force * share_(j, a);
      for (Eigen::Index b = 0; b < share_.cols(); ++b)
        out.curvature(3 + a, 3 + b) += k * share_(j, a) * share_(j, b);
    }
  }
}

/// Every wheel fitted to the height under its hub, in least squares.
void Settler::cold_start() {
  u_.setZero();
  u_[0] = world_.terrain().height(x_, y_) + 0.5 * model_.reach();
  for (int pass = 0; pass < 8; ++pass) {
    put(u_);
    Vector right = Vector::Zero(freedoms_);
    Matrix A = 1e-6 * Matrix::Identity(freedoms_, freedoms_);
    for (const RobotWheel& w : model_.wheels()) {
      const Pose& X = mechanism_.link[w.link].X_WL;
      const Vec3 hub = X * w.hub;
      const TerrainPoint under = world_.terrain().at(hub.x(), hub.y());
      // The disc stands on the slope along its heading.
      const Vec3 n = X.R * w.axes.col(0);
      const double slope = std::clamp(under.slope_x * n.x() + under.slope_y * n.y(), -2.0, 2.0);
      const double gap = under.z + w.settings.radius * std::sqrt(1 + slope * slope) - hub.z();
      const Vector row = freedom_columns(w.link, hub, Vec3::UnitZ());
      A += row * row.transpose();
      right += gap * row;
    }
    Vector step = solve_symmetric(A, right);
    const double turn = freedoms_ > 1 ? step.tail(freedoms_ - 1).cwiseAbs().maxCoeff() : 0;
    if (turn > 2 * kLargestTurn) step *= 2 * kLargestTurn / turn;
    u_ += step;
    if (step.cwiseAbs().maxCoeff() < 1e-4) break;
  }
}

/// Newton's steps down the energy. False: it tips over.
bool Settler::descend() {
  const double weight = model_.tree().mass() * world_.gravity().norm();
  Energy now, next;
  put(u_);
  look(now);
  double damping = 0;
  bool better = true;
  out_.iterations = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    out_.iterations = step + 1;
    out_.residual = now.slope.norm() / weight;
    if (out_.residual < kEnough) break;
    // What no spring holds (a robot in the air) falls by the weight over a stiffness of weight/metre.
    Matrix H = now.curvature;
    for (int k = 0; k < freedoms_; ++k) H(k, k) += weight * (1e-3 + damping);
    Vector way = -solve_symmetric(H, now.slope);
    const double turn = way.tail(freedoms_ - 1).cwiseAbs().maxCoeff();
    const double most = std::max(turn / kLargestTurn, std::abs(way[0]) / (0.5 * model_.reach()));
    if (most > 1) way /= most;
    double length = 1;
    better = false;
    for (int half = 0; half < 12 && !better; ++half, length *= 0.5) {
      put(u_ + length * way);
      look(next);
      better = next.value < now.value;
      if (better) u_ += length * way;
    }
    if (std::max(std::abs(u_[1]), std::abs(u_[2])) > kTipped) return false;
    if (!better) {  // a crease of the ground, or the end of rounding
      if (damping > 0 || now.slope.norm() < 1e-6 * weight) break;
      damping = 1;
      continue;
    }
    const double fallen = now.value - next.value;
    std::swap(now, next);
    damping = length > 0.1 ? 0 : 1;
    if (fallen < kEnough * weight * 1e-3) break;  // a tenth of a picometre
  }
  if (!better) put(u_), look(now);
  out_.residual = now.slope.norm() / weight;
  return true;
}

void Settler::report() {
  const Tree& tree = model_.tree();
  const Pose& X = mechanism_.link[0].X_WL;
  const Pose X_BW = X.inverse();
  out_.x = x_, out_.y = y_, out_.z = u_[0], out_.yaw = yaw_;
  out_.roll = u_[1], out_.pitch = u_[2];
  out_.tilt = maths::atan2(maths::hypot(X.R(0, 2), X.R(1, 2)), X.R(2, 2));
  for (int j = 0; j < tree.joint_count(); ++j) out_.joints[j] = mechanism_.q[j];
  out_.touching = 0;
  const double weight = tree.mass() * world_.gravity().norm();
  stability_.set_centre(X_BW * centre_of_mass(tree, mechanism_));
  for (std::size_t i = 0; i < h_.size(); ++i) {
    const RobotWheel& w = model_.wheels()[i];
    SettledWheel& s = out_.wheels[i];
    s.touching = h_[i] > 0;
    s.give = h_[i];
    s.p_W = s.touching ? point_[i] : Vec3(hub_[i] - w.settings.radius * up_[i]);
    s.normal_W = normal_[i];
    s.hub_W = hub_[i] + std::max(h_[i], 0.0) * up_[i];
    s.forward_W = forward_[i];
    s.load = wheel_spring(w.settings.suspension, stiffness_[i], h_[i]).force / facing_[i];
    s.angle = s.touching ? maths::asin(std::clamp(sine_[i], -1.0, 1.0)) : 0;
    out_.touching += s.touching;
    stability_.points()[i] = X_BW * s.p_W;
    stability_.forces()[i] = X_BW.R * Vec3(s.load * s.normal_W);
    stability_.hubs()[i] =
        X_BW * (mechanism_.link[w.link].X_WL * model_.resting_hub(static_cast<int>(i), weight));
  }
  stability_.evaluate(X_BW.R * world_.gravity());
  out_.energy_margin = stability_.least_energy_margin();
  out_.distance = stability_.least_distance();
  out_.clearance = below_ ? -sunk(world_, model_, mechanism_) : 0;
}

const Settled& Settler::settle(double x, double y, double yaw, bool near) {
  const bool warm = near && out_.result == SettleResult::settled && out_.iterations > 0;
  const double rise = warm ? world_.terrain().height(x, y) - world_.terrain().height(x_, y_) : 0;
  x_ = x, y_ = y, yaw_ = yaw;
  if (warm) u_[0] += rise;
  const double reach = model_.reach();
  const Rectangle around{x - reach, x + reach, y - reach, y + reach};
  slope_bound_ = world_.terrain().slope_bound(around);
  feature_ = world_.terrain().finest_feature(around);
  const Rectangle area = world_.terrain().bounds();
  if (!warm) cold_start();
  const bool stands = descend();
  report();
  out_.result =
      stands && out_.tilt < kTipped && out_.distance > 0 ? SettleResult::settled : SettleResult::tips_over;
  for (const SettledWheel& w : out_.wheels)
    if (!area.contains(w.p_W.x(), w.p_W.y())) out_.result = SettleResult::outside;
  return out_;
}

}  // namespace scree
