#include "scree/control/stability_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/maths.hpp"

namespace scree {
namespace {

/// support_distance() where the body's z is up.
Lanes level_distance(const V3<Lanes>& a, const V3<Lanes>& b, const V3<Lanes>& centre) {
  using namespace lane;
  const Lanes x = a.y - b.y, y = b.x - a.x, length = sqrt(x * x + y * y);
  return select(length > 0.0, ((centre.x - a.x) * x + (centre.y - a.y) * y) / length, Lanes{});
}

/// Where edges end that begin at four corners, one after the other around.
V3<Lanes> next_corners(const V3<Lanes>& a) {
  const auto next = [](const Lanes& x) { return __builtin_shufflevector(x, x, 1, 2, 3, 0); };
  return {next(a.x), next(a.y), next(a.z)};
}

V3<Lanes> everywhere(const Vec3& v) { return {lane::lanes(v.x()), lane::lanes(v.y()), lane::lanes(v.z())}; }

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
  const maths::SineCosine roll = maths::sine_cosine(r.roll), pitch = maths::sine_cosine(r.pitch);
  centre_ = r.p_BM;
  for (std::size_t first = 0; first < points_.size(); first += kLanes) {
    const std::size_t count = std::min<std::size_t>(kLanes, points_.size() - first);
    Lanes tilts{}, angles{};
    for (std::size_t k = 0; k < count; ++k)
      tilts[k] = r.wheels[first + k].contact_tilt, angles[k] = r.wheels[first + k].contact_angle;
    const maths::LaneSineCosine tilt = maths::sine_cosines(tilts), angle = maths::sine_cosines(angles);
    for (std::size_t k = 0; k < count; ++k) {
      const WheelReading& w = r.wheels[first + k];
      points_[first + k] = w.p_BC;
      // Normal and side force turned into the wheel's plane and across it, by the ground's tilt.
      const double ct = tilt.cosine[k], st = tilt.sine[k], c = angle.cosine[k], s = angle.sine[k];
      const double normal = w.normal * ct - w.lateral * st, lateral = w.normal * st + w.lateral * ct;
      forces_[first + k] = (w.traction * c - normal * s) * w.ahead_B + lateral * w.up_B.cross(w.ahead_B) +
                           (normal * c + w.traction * s) * w.up_B;
    }
  }
  // The world's z in the body's axes is the last row of rotation_from_rpy().
  evaluate(-Vec3(pitch.sine, pitch.cosine * roll.sine, pitch.cosine * roll.cosine));
}

void StabilityMonitor::evaluate(const Vec3& down) {
  support_polygon(points_, down, polygon_);
  std::fill(shown_.begin(), shown_.end(), 1.0);
  count_ = polygon_.edges();
  least_index_ = least_energy_ = least_distance_ = std::numeric_limits<double>::infinity();
  const ForceSum sum(points_, forces_);
  const V3<Lanes> up = everywhere(-down.normalized()), centre = everywhere(centre_);
  const V3<Lanes> force = everywhere(sum.force), moment = everywhere(sum.moment);
  for (int first = 0; first < count_; first += kLanes) {
    V3<Lanes> from, to, hub_from, hub_to;
    const int count = std::min(kLanes, count_ - first);
    for (int k = 0; k < kLanes; ++k) {
      const int corner = polygon_.from(first + std::min(k, count - 1));
      lane::set_lane(from, k, points_[corner]), lane::set_lane(hub_from, k, hubs_[corner]);
    }
    if (count_ == kLanes) {
      to = next_corners(from), hub_to = next_corners(hub_from);
    } else {
      for (int k = 0; k < kLanes; ++k) {
        const int corner = polygon_.to(first + std::min(k, count - 1));
        lane::set_lane(to, k, points_[corner]), lane::set_lane(hub_to, k, hubs_[corner]);
      }
    }
    const TipAxis<Lanes> edge(from, to, up);
    const Lanes holds = stability_moment(edge, force, moment), energy = energy_margin(edge, centre);
    const Lanes distance = support_distance(edge, centre);
    // At rest on level ground the moment is that of the weight about the same two wheels. Without gravity
    // nothing holds it up, and nothing tips it: zero.
    const Lanes lever = lane::max(level_distance(hub_from, hub_to, centre), lane::lanes(1e-3));
    const Lanes at_rest = robot_.mass * robot_.gravity * lever;
    const Lanes index = lane::select(at_rest > 0.0, holds / at_rest, Lanes{});
    for (int k = 0; k < count; ++k) {
      StabilityAxis& axis = axes_[first + k];
      axis.place = polygon_.from(first + k);
      axis.outward = -Vec3(edge.inward.x[k], edge.inward.y[k], edge.inward.z[k]);
      axis.moment = holds[k], axis.index = index[k];
      axis.energy_margin = energy[k], axis.distance = distance[k];
      shown_[axis.place] = axis.index;
      least_index_ = std::min(least_index_, axis.index);
      least_energy_ = std::min(least_energy_, axis.energy_margin);
      least_distance_ = std::min(least_distance_, axis.distance);
    }
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
