#include "scree/sim/trip.hpp"

#include <cmath>

namespace scree {
namespace {

const double* positions(const State& state, const WorldRobot& robot) {
  return state.block(robot) + robot.model->layout().positions;
}

double yaw_of(const double* x) {
  const Mat3 R = Quat(x[3], x[4], x[5], x[6]).toRotationMatrix();
  return maths::atan2(R(1, 0), R(0, 0));
}

}  // namespace

TripMeter::TripMeter(const World& world, const State& state) {
  for (const auto& robot : world.robots()) {
    const double* x = positions(state, robot);
    trips_.push_back({Vec3(x[0], x[1], x[2]), Vec2(x[0], x[1]), yaw_of(x), 0});
  }
}

void TripMeter::update(const World& world, const State& state) {
  for (std::size_t i = 0; i < trips_.size(); ++i) {
    const Vec3 p = Eigen::Map<const Vec3>(positions(state, world.robots()[i]));
    trips_[i].distance += (p - trips_[i].last).norm();
    trips_[i].last = p;
  }
}

void TripMeter::memory(Memory& m) {
  for (Trip& trip : trips_) {
    for (double& x : trip.last) m(x);
    for (double& x : trip.start) m(x);
    m(trip.heading), m(trip.distance);
  }
}

void TripMeter::name_signals(const World& world, SignalCatalog& catalog) {
  for (const auto& robot : world.robots()) {
    const std::string prefix = world.robots().size() > 1 ? robot.name + "." : "";
    catalog.add({prefix + "distance", "m", "length of the base's path since the start"});
    catalog.add({prefix + "course.along", "m", "way made along the heading of the start, horizontally"});
    catalog.add(
        {prefix + "course.offset", "m", "distance from the straight line of the start, left positive"});
    catalog.add({prefix + "course.heading", "rad", "heading against that of the start, left positive"});
  }
}

void TripMeter::values(const World& world, const State& state, std::span<double> out) const {
  for (std::size_t i = 0; i < trips_.size(); ++i) {
    const double* x = positions(state, world.robots()[i]);
    const Trip& trip = trips_[i];
    const Vec2 way = Vec2(x[0], x[1]) - trip.start;
    const auto [s, c] = maths::sine_cosine(trip.heading);
    out[kSignals * i] = trip.distance;
    out[kSignals * i + 1] = c * way.x() + s * way.y();
    out[kSignals * i + 2] = c * way.y() - s * way.x();
    out[kSignals * i + 3] = std::remainder(yaw_of(x) - trip.heading, 2 * kPi);
  }
}

}  // namespace scree
