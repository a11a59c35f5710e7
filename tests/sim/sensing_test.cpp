/// Sensors on a robot that moves, against differences of its motion.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "scree/sim/touch.hpp"
#include "sim/scenarios.hpp"

namespace scree {
namespace {

/// What the sensors of one place show: position, velocity (world axes), rotation, specific force, gyro.
struct PlaceReading {
  Vec3 p, v, f, w;
  Mat3 R;
};

PlaceReading read_place(const SensorSuite& suite) {
  const auto value = [&](std::size_t k) {
    const auto v = suite.sensors()[k].reading().values;
    return Vec3(v[0], v[1], v[2]);
  };
  const Vec3 rpy = value(2);
  PlaceReading out;
  out.R = rotation_from_rpy(rpy.x(), rpy.y(), rpy.z());
  out.p = value(0), out.v = out.R * value(1), out.f = value(3), out.w = value(4);
  return out;
}

class OnLink : public ::testing::TestWithParam<const char*> {};

TEST_P(OnLink, FollowsItsMotion) {
  const std::string mount =
      fmt::format("link=\"{}\",position=[0.21,-0.13,0.17],yaw=0.6,pitch=-0.3,rate=2000", GetParam());
  std::string list = "robot.0.sensor=[";
  for (const char* kind : {"position", "speed", "attitude", "accelerometer", "gyro"})
    list += fmt::format("{{kind=\"{}\",{}}},", kind, mount);
  Simulation s(
      load_scenario(source_tree("/scenarios/rocker.toml"), {"duration=3", "solver.step=5e-4", list + "]"}));
  const SensorSuite& suite = s.pilots()[0].sensors();
  testing::run_to(s, 0.5);
  const double dt = 5e-4;
  std::vector<double> speed_errors, force_errors, turn_errors;
  double fastest = 0, strongest = 0, turning = 0;
  PlaceReading before = read_place(suite);
  while (!s.finished() && s.time() < 2.5) {
    s.advance();
    const PlaceReading now = read_place(suite);
    const Vec3 v = 0.5 * (before.v + now.v), a = (now.v - before.v) / dt;
    speed_errors.push_back(((now.p - before.p) / dt - v).norm());
    // Specific force: acceleration less gravity, in the sensor's axes as it stands in the middle of the step.
    const Mat3 R = 0.5 * (before.R + now.R);
    force_errors.push_back((R * now.f - (a - s.world().gravity())).norm());
    const Mat3 turn = before.R.transpose() * now.R;
    const Vec3 w(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
    turn_errors.push_back((0.5 * w / dt - 0.5 * (before.w + now.w)).norm());
    fastest = std::max(fastest, v.norm()), strongest = std::max(strongest, a.norm());
    turning = std::max(turning, now.w.norm());
    before = now;
  }
  const auto median = [](std::vector<double>& x) {
    std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
    return x[x.size() / 2];
  };
  EXPECT_GT(fastest, 0.05);
  EXPECT_GT(strongest, 0.3);
  EXPECT_GT(turning, 0.1);
  EXPECT_LT(median(speed_errors), 1e-4 * fastest);
  EXPECT_LT(median(turn_errors), 1e-3 * turning);
  EXPECT_LT(median(force_errors), 5e-3 * strongest);
}

/// What is listed at every sample is what the whole list says, wheels in the air among them.
TEST(ListOfWheels, SaysWhatTheListOfContactsSays) {
  int touching = 0, flying = 0;
  for (const char* name : {"terrain/brick", "rocker", "terrain/course", "kyoto/crossing", "soil/sand"}) {
    Simulation s(load_scenario(source_tree(fmt::format("/scenarios/{}.toml", name))));
    const RobotModel& model = *s.world().robots()[0].model;
    for (double t = 0.02; t < 1.5 && !s.finished(); t += 0.02) {
      testing::run_to(s, t);
      RobotScratch& scratch = s.workspace().of(0);
      scratch.listed = RobotScratch::Listed::nothing;
      list_wheels(s.world(), model, scratch);
      std::vector<Contact> wheels = scratch.contacts;
      list_contacts(s.world(), model, scratch);
      for (const RobotWheel& wheel : model.wheels()) {
        const Contact &a = wheels[wheel.contact], &b = scratch.contacts[wheel.contact];
        (b.touching ? touching : flying)++;
        ASSERT_EQ(a.touching, b.touching) << name << " at " << t;
        const auto numbers = [](const Contact& c) {
          return std::array{c.load, c.fx, c.fy, c.travel, c.angle};
        };
        EXPECT_EQ(numbers(a), numbers(b)) << name << " at " << t;
      }
    }
  }
  EXPECT_GT(touching, 500);
  EXPECT_GT(flying, 20);
}

INSTANTIATE_TEST_SUITE_P(Rocker, OnLink, ::testing::Values("chassis", "left", "right"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace scree
