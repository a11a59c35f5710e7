#include "scree/control/stability_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/maths.hpp"

namespace scree {
namespace {

/// support_distance() where the body's z is up.
double level_distance(const Vec3& a, const Vec3& b, const Vec3& centre) {
  const double x = a.y() - b.y(), y = b.x() - a.x(), length = std::sqrt(x * x + y * y);
  return length > 0 ? ((centre.x() - a.x()) * x + (centre.y() - a.y()) * y) / length : 0;
}

}  // namespace

StabilityMonitor::StabilityMonitor(const RobotInfo& robot)
    : robot_(robot),
      points_(robot.wheels.size()),
      forces_(robot.wheels.size()),
      hubs_(robot.wheels.size()),
      centre_(robot.p_BM),
      shown_(robot.wheels.size(), 1.0),
      axes_(robot.wheels.size()) {
  for (std::size_t i = 0; i < hubs_.size(); ++i) hubs_[i] = robot.wheels[i].p_BK;
  polygon_.order.reserve(2 * robot.wheels.size() + 1);  // evaluate() allocates nothing
  polygon_.flat.reserve(robot.wheels.size());
}

void StabilityMonitor::update(const Readings& r) {
  const Mat3 R_WB = rotation_from_rpy(r.roll, r.pitch, r.yaw);
  const Vec3 down = R_WB.transpose() * Vec3(0, 0, -1);
  centre_ = r.p_BM;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const WheelReading& w = r.wheels[i];
    points_[i] = w.p_BC;
    // Normal and side force turned into the wheel's plane and across it, by the ground's tilt.
    const double ct = maths::cos(w.contact_tilt), st = maths::sin(w.contact_tilt);
    const double normal = w.normal * ct - w.lateral * st, lateral = w.normal * st + w.lateral * ct;
    const double c = maths::cos(w.contact_angle), s = maths::sin(w.contact_angle);
    forces_[i] = (w.traction * c - normal * s) * w.ahead_B + lateral * w.up_B.cross(w.ahead_B) +
                 (normal * c + w.traction * s) * w.up_B;
  }
  evaluate(down);
}

void StabilityMonitor::evaluate(const Vec3& down) {
  support_polygon(points_, down, polygon_);
  std::fill(shown_.begin(), shown_.end(), 1.0);
  count_ = polygon_.edges();
  least_index_ = least_energy_ = least_distance_ = std::numeric_limits<double>::infinity();
  const Vec3 up = -down.normalized();
  for (int e = 0; e < count_; ++e) {
    const int from = polygon_.from(e), to = polygon_.to(e);
    const TipAxis edge(points_[from], points_[to], up);
    StabilityAxis& axis = axes_[e];
    axis.place = from;
    axis.outward = edge.way.cross(-down).normalized();
    axis.moment = stability_moment(edge, points_, forces_);
    // At rest on level ground the moment is that of the weight about the same two wheels.
    const double lever = level_distance(hubs_[from], hubs_[to], centre_);
    // Without gravity nothing holds it up, and nothing tips it: zero.
    const double at_rest = robot_.mass * robot_.gravity * std::max(lever, 1e-3);
    axis.index = at_rest > 0 ? axis.moment / at_rest : 0;
    axis.energy_margin = energy_margin(edge, centre_);
    axis.distance = support_distance(edge, centre_);
    shown_[from] = axis.index;
    least_index_ = std::min(least_index_, axis.index);
    least_energy_ = std::min(least_energy_, axis.energy_margin);
    least_distance_ = std::min(least_distance_, axis.distance);
  }
  if (count_ == 0) least_index_ = least_energy_ = least_distance_ = 0;
}

std::vector<ControlSignal> StabilityMonitor::signals() const {
  std::vector<ControlSignal> out;
  for (const WheelInfo& w : robot_.wheels)
    out.push_back({"stability." + w.name, "-",
                   "stability index of the tip-over axis from this wheel, counter-clockwise"});
  out.push_back({"stability.least", "-", "smallest stability index"});
  out.push_back({"stability.nesm", "m", "normalized energy stability margin"});
  out.push_back({"stability.distance", "m", "centre of mass inside the support polygon, horizontally"});
  return out;
}

void StabilityMonitor::values(std::span<double> out) const {
  std::copy(shown_.begin(), shown_.end(), out.begin());
  out[shown_.size()] = least_index_, out[shown_.size() + 1] = least_energy_,
  out[shown_.size() + 2] = least_distance_;
}

}  // namespace scree
