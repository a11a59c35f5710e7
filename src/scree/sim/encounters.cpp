#include "scree/sim/encounters.hpp"
#include "scree/sim/touch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/kinematics.hpp"

namespace scree {
namespace {

constexpr double kFrequency = 2 * kPi / 0.06;  // rad/s
constexpr double kLossSpeed = 1.0;             // m/s: of d', at which the force doubles
constexpr double kCreep = 0.01;                // m/s
/// Pairs that are looked at for robots that start inside each other: where there are more, some do.
constexpr std::size_t kMostAtStart = 1 << 20;
constexpr double kStiffest = 0.25;  // of the mass that yields, that losses and friction may take in one step

/// Velocity of a place fixed to a link, world axes.
Vec3 velocity_at(const LinkMotion& link, const Vec3& p_W) {
  const Vec3 v = link.X_WL.R * link.V_WL_L.head<3>(), w = link.X_WL.R * link.V_WL_L.tail<3>();
  return v + w.cross(p_W - link.X_WL.p);
}

/// The axle in the world of a wheel that turns beside its link; zero for everything else.
Vec3 turning_axle(const RobotModel& model, const RobotSolid& solid, const Workspace& w) {
  if (solid.wheel < 0 || model.wheels()[static_cast<std::size_t>(solid.wheel)].rotor < 0) return Vec3::Zero();
  return w.link[static_cast<std::size_t>(solid.link)].X_WL.R *
         model.wheels()[static_cast<std::size_t>(solid.wheel)].axes.col(1);
}

Vec3 surface_velocity(const RobotModel& model, const RobotSolid& solid, const Workspace& w, const Vec3& p_W) {
  const LinkMotion& link = w.link[static_cast<std::size_t>(solid.link)];
  Vec3 v = velocity_at(link, p_W);
  if (solid.wheel >= 0) {
    const RobotWheel& wheel = model.wheels()[static_cast<std::size_t>(solid.wheel)];
    if (wheel.rotor >= 0)
      v += w.spin[static_cast<std::size_t>(wheel.rotor)] *
           turning_axle(model, solid, w).cross(p_W - link.X_WL * solid.solid.centre);
  }
  return v;
}

void add_push(const RobotModel& model, const RobotSolid& solid, const Workspace& w, const Vec3& p_W,
              const Vec3& force_W, OutsidePush& push) {
  const Pose& X = w.link[static_cast<std::size_t>(solid.link)].X_WL;
  Vec6& wrench = push.link[static_cast<std::size_t>(solid.link)];
  wrench.head<3>() += force_W;
  wrench.tail<3>() += p_W.cross(force_W);
  if (solid.wheel < 0) return;
  const RobotWheel& wheel = model.wheels()[static_cast<std::size_t>(solid.wheel)];
  if (wheel.rotor >= 0)
    push.rotor[static_cast<std::size_t>(wheel.rotor)] +=
        turning_axle(model, solid, w).dot((p_W - X * solid.solid.centre).cross(force_W));
}

/// How a robot gives way where it is pushed, as one rigid body.
struct Yielding {
  double per_mass;  ///< 1 / mass
  Vec3 centre = Vec3::Zero();
  Mat3 per_inertia = Mat3::Zero();
  Yielding(const Tree& tree, const Workspace& w) {
    per_mass = 1 / tree.mass();
    centre = centre_of_mass(tree, w);
    per_inertia = inertia_about_centre(tree, w).inverse();
  }
  /// Acceleration of a place along n for a unit of force along n [1/kg].
  double along(const Vec3& n, const Vec3& p) const {
    const Vec3 moment = (p - centre).cross(n);
    return per_mass + moment.dot(per_inertia * moment);
  }
};

}  // namespace

Encounters::Encounters(const World& world, const State& start, SimWorkspace& workspace) {
  const auto& robots = world.robots();
  for (const WorldRobot& robot : robots) {
    order_.push_back({0, 0, 0, robot.model->reach(), static_cast<int>(order_.size())});
  }
  near_.reserve(8 * robots.size());
  pushed_.reserve(2 * robots.size());
  off_ = robots.size() < 2;
  if (off_) return;
  find_near(world, start, kMostAtStart);
  for (std::size_t k = 0; k < near_.size() && !off_; ++k) {
    const auto [i, j] = near_[k];
    for (const int r : {i, j}) place_links(world, start, r, workspace);
    if (!touch(world, i, j, world.solver().step, workspace)) continue;
    off_ = true;
    note_ = fmt::format("robots '{}' and '{}' start inside each other: robots pass through one another",
                        robots[i].name, robots[j].name);
  }
  for (OutsidePush& push : workspace.push) push.clear();
}

/// Pairs within reach of each other, in the order of their numbers; not more than `most` and those of one
/// more robot.
void Encounters::find_near(const World& world, const State& state, std::size_t most) {
  near_.clear();
  for (Place& p : order_) {
    const WorldRobot& robot = world.robots()[static_cast<std::size_t>(p.robot)];
    const double* q = state.block(robot) + robot.model->layout().positions;
    if (!robot.model->tree().fixed_base()) p.x = q[0], p.y = q[1], p.z = q[2];
  }
  const auto before = [](const Place& a, const Place& b) {
    const double left = a.x - a.reach, right = b.x - b.reach;
    return left < right || (left == right && a.robot < b.robot);
  };
  if (!ordered_) std::sort(order_.begin(), order_.end(), before);
  ordered_ = true;
  // Nearly in order from the last time.
  for (std::size_t k = 1; k < order_.size(); ++k)
    for (std::size_t m = k; m > 0 && before(order_[m], order_[m - 1]); --m)
      std::swap(order_[m], order_[m - 1]);
  for (std::size_t k = 0; k < order_.size() && near_.size() <= most; ++k) {
    const Place& a = order_[k];
    for (std::size_t m = k + 1; m < order_.size() && order_[m].x - order_[m].reach < a.x + a.reach; ++m) {
      const Place& b = order_[m];
      const double reach = a.reach + b.reach;
      if (std::abs(a.y - b.y) > reach || std::abs(a.z - b.z) > reach) continue;
      near_.emplace_back(std::min(a.robot, b.robot), std::max(a.robot, b.robot));
    }
  }
  std::sort(near_.begin(), near_.end());
}

bool Encounters::touch(const World& world, int i, int j, double dt, SimWorkspace& workspace) {
  const RobotModel &a = *world.robots()[static_cast<std::size_t>(i)].model,
                   &b = *world.robots()[static_cast<std::size_t>(j)].model;
  const Workspace &wa = workspace.of(i).mechanism, &wb = workspace.of(j).mechanism;
  std::optional<Yielding> ya, yb;
  for (const RobotSolid& sa : a.solids()) {
    const Pose& Xa = wa.link[static_cast<std::size_t>(sa.link)].X_WL;
    for (const RobotSolid& sb : b.solids()) {
      const Pose& Xb = wb.link[static_cast<std::size_t>(sb.link)].X_WL;
      Overlap overlap;
      if (!overlaps(sa.solid, Xa, sb.solid, Xb, scratch_, overlap)) continue;
      if (!ya) ya.emplace(a.tree(), wa), yb.emplace(b.tree(), wb);
      const Vec3 &n = overlap.normal, &p = overlap.point;
      const double mass = 1 / std::max(ya->along(n, p) + yb->along(n, p), 1e-9);
      const Vec3 v = surface_velocity(b, sb, wb, p) - surface_velocity(a, sa, wa, p);
      const double deepening = -n.dot(v);
      // Of the middle of the step: the force would else be late by half of it, and make energy.
      const double depth = std::max(overlap.depth + 0.5 * dt * deepening, 0.0);
      const double push = kFrequency * kFrequency * depth;
      const double loss = std::min(push / kLossSpeed, kStiffest / dt);
      const double load = mass * std::max(push + loss * deepening, 0.0);
      const Vec3 along = v + deepening * n;
      const double limit = world.robot_friction() * load;
      const double creep = std::max(kCreep, limit * dt / (kStiffest * mass));
      const Vec3 force = load * n - limit / std::sqrt(along.squaredNorm() + creep * creep) * along;
      add_push(b, sb, wb, p, force, workspace.push[static_cast<std::size_t>(j)]);
      add_push(a, sa, wa, p, -force, workspace.push[static_cast<std::size_t>(i)]);
    }
  }
  return ya.has_value();
}

void Encounters::meet(const World& world, const State& state, double dt, SimWorkspace& workspace) {
  if (off_) return;
  for (const int r : pushed_) {
    workspace.push[static_cast<std::size_t>(r)].clear();
    workspace.report[static_cast<std::size_t>(r)].met = false;
  }
  pushed_.clear();
  find_near(world, state, std::numeric_limits<std::size_t>::max());
  int updated = -1;
  for (const auto& [i, j] : near_) {
    for (const int r : {i, j})
      if (r != updated) place_links(world, state, r, workspace);
    updated = i;
    if (!touch(world, i, j, dt, workspace)) continue;
    for (const int r : {i, j}) {
      workspace.push[static_cast<std::size_t>(r)].any = true;
      workspace.report[static_cast<std::size_t>(r)].met = true;
      pushed_.push_back(r);
    }
  }
}

}  // namespace scree
