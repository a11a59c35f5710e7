/// Drives are computed four side by side where they are alike; what one does must not depend on who stands
/// beside it.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "drive/one_joint.hpp"
#include "scree/core/random.hpp"

namespace scree {
namespace {

using testing::OneJoint;
using Mode = DriveCommand::Mode;

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// A drive of a random kind, with or without brake, friction, coil, gear losses and limits.
DriveSettings random_drive(RandomStream& r, int number) {
  const auto either = [&] { return r.uniform() < 0.5; };
  DriveSettings d;
  if (either()) {
    d = testing::magmotor();
    d.gear_ratio = r.uniform(3, 30);
    if (either()) d.gear_efficiency = 1;
    if (either()) d.motor.friction = {};
    if (either()) d.motor.inductance = r.uniform(1e-5, 1e-3);
    d.motor.peak_current = either() ? 0 : r.uniform(38, 80);
    d.gain = r.uniform(0.1, 5);
  } else {
    d.kind = either() ? "torque" : "governor";
    d.limit = r.uniform(1, 20), d.gain = r.uniform(0.1, 300), d.speed = r.uniform(-10, 10);
    if (either()) d.corner_speed = r.uniform(1, 4), d.top_speed = r.uniform(5, 20);
  }
  if (either()) d.brake.torque = r.uniform(1, 30);
  d.name = std::to_string(number);
  return d;
}

DriveCommand random_command(RandomStream& r, const DriveSettings& d) {
  DriveCommand c;
  const double draw = r.uniform();
  if (d.kind == "dc" && draw < 0.15)
    c = {Mode::voltage, r.uniform(-30, 30), 0};
  else if (d.kind == "dc" && draw < 0.3)
    c = {Mode::current, r.uniform(-60, 60), 0};
  else if (draw < 0.5)
    c = {Mode::speed, r.uniform(-20, 20), 0};
  else if (draw < 0.9)
    c = {Mode::torque, r.uniform(-15, 15), 0};
  if (r.uniform() < 0.3) c.brake = r.uniform(0, 40);
  return c;
}

TEST(DrivePacks, ADriveAmongOthersHasTheBitsThatItHasAlone) {
  RandomStream r(3, 0, "packs");
  int packs = 0, shared = 0;
  for (int trial = 0; trial < 400; ++trial) {
    DriveTrainSettings together;
    const int count = 1 + static_cast<int>(9 * r.uniform());
    const bool alike = r.uniform() < 0.5;  // the usual robot: the same drive at every wheel
    const DriveSettings first = random_drive(r, 0);
    for (int i = 0; i < count; ++i) {
      together.drives.push_back(alike ? first : random_drive(r, i));
      together.drives.back().name = std::to_string(i);
    }
    OneJoint all(together, 0.05);
    packs += static_cast<int>(all.train.packs().size()), shared += count;
    std::vector<OneJoint> alone;
    for (const DriveSettings& d : together.drives) alone.emplace_back(DriveTrainSettings{{d}, {}}, 0.05);
    for (int i = 0; i < count; ++i) all.speeds[i] = alone[i].speeds[0] = r.uniform(-10, 10);
    const double dt = r.uniform() < 0.5 ? 1e-3 : 5e-3, theta = r.uniform() < 0.5 ? 0.5 : 1;
    for (int step = 0; step < 30; ++step) {
      if (step % 10 == 0)
        for (int i = 0; i < count; ++i)
          all.commands[i] = alone[i].commands[0] = random_command(r, together.drives[i]);
      // An instant first, then a step.
      begin(all.train, all.commands, {all.speeds, all.angles}, {}, all.state, all.work);
      const std::vector<DriveReport> instant = all.work.drives;
      all.implicit_step(dt, theta);
      DriveEnergy sum;
      for (int i = 0; i < count; ++i) {
        OneJoint& one = alone[i];
        begin(one.train, one.commands, {one.speeds, one.angles}, {}, one.state, one.work);
        ASSERT_TRUE(same(instant[i].torque, one.work.drives[0].torque)) << trial << " " << step << " " << i;
        ASSERT_TRUE(same(instant[i].power, one.work.drives[0].power)) << trial << " " << step << " " << i;
        one.implicit_step(dt, theta);
        ASSERT_TRUE(same(all.work.torque[i], one.work.torque[0])) << trial << " " << step << " " << i;
        ASSERT_TRUE(same(all.work.slope[i], one.work.slope[0])) << trial << " " << step << " " << i;
        const DriveReport &a = all.work.drives[i], &b = one.work.drives[0];
        ASSERT_TRUE(same(a.torque, b.torque) && same(a.brake, b.brake) && same(a.current, b.current) &&
                    same(a.voltage, b.voltage) && same(a.power, b.power) && same(a.friction, b.friction));
        const std::size_t at = all.train.drives()[i].at;
        for (std::size_t k = 0; k < one.train.energy_at(); ++k)
          ASSERT_TRUE(same(all.state[at + k], one.state[k])) << one.train.state_name(k);
        const DriveEnergy e = one.train.energy(one.state);
        sum.work += e.work, sum.brake += e.brake, sum.friction += e.friction, sum.copper += e.copper;
        sum.ideal += e.ideal, sum.chemical += e.chemical, sum.gear += e.gear;
      }
      const DriveEnergy e = all.train.energy(all.state);
      const double size = 1e-9 * (1 + std::abs(sum.chemical) + std::abs(sum.ideal) + std::abs(sum.work));
      EXPECT_NEAR(e.work, sum.work, size);
      EXPECT_NEAR(e.brake, sum.brake, size);
      EXPECT_NEAR(e.friction, sum.friction, size);
      EXPECT_NEAR(e.copper, sum.copper, size);
      EXPECT_NEAR(e.ideal, sum.ideal, size);
      EXPECT_NEAR(e.chemical, sum.chemical, size);
      EXPECT_NEAR(e.gear, sum.gear, size);
    }
  }
  EXPECT_LT(3 * packs, 2 * shared) << "few were computed side by side";
}

}  // namespace
}  // namespace scree
