/// Bodies on soil that deforms: plates, prints, ploughs.
#include "scree/ground/hull_soil.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ground/body_bench.hpp"
#include "scree/terrain/flat.hpp"

namespace scree::testing {
namespace {

constexpr double kG = 9.81;

/// A body over soil: touched, printed, moved by hand.
struct Belly : BodyBench {
  explicit Belly(const std::string& kind = "columns", double friction = 0,
                 const std::string& soil_name = "dry_sand")
      : BodyBench(box(), friction_of(friction), "kind = \"" + kind + "\"") {
    soils = std::make_unique<GroundSoils>(load_soil(soil_name));
  }
  static HullSettings friction_of(double mu) {
    HullSettings h;
    h.friction = mu;
    return h;
  }
  GroundView view() const {
    GroundView ground;
    ground.terrain = &flat, ground.tiles = &tiles, ground.grid = &grid, ground.soils = soils.get();
    ground.gravity = kG;
    return ground;
  }
  /// Force and moment about the link's origin, world axes; then the print.
  Vec6 press(const Pose& X, const Vec3& v = Vec3::Zero(), bool print = true) {
    link = {X, Vec6::Zero()};
    link.V_WL_L.head<3>() = X.R.transpose() * v;
    load.apparent.setZero(), load.wrench.setZero();
    const GroundView ground = view();
    const ContactMotion motion{std::span(&link, 1), {}};
    const StageStep step{1e-3, 0.5, 0.5, 1};
    report = {};
    Touch touch{ground, motion, step, {std::span(&load, 1), {}}, {}, report};
    group->touch(touch, memory.data(), *scratch);
    group->list(ground, motion, *scratch, contacts);
    if (print) group->press(ground, tiles, *scratch, memory.data());
    Vec6 world;
    world << X.R * load.wrench.head<3>(), X.R * load.wrench.tail<3>();
    return world;
  }
  double sunk_at(double x, double y) const {
    const int i = static_cast<int>(std::lround(x / tiles.cell())),
              j = static_cast<int>(std::lround(y / tiles.cell()));
    const SoilTile* t = tiles.find({tile_of(i), tile_of(j)});
    return t ? kSoilUnit * t->sunk[static_cast<std::size_t>(in_tile(j) * kTileSide + in_tile(i))] : 0;
  }
  Flat flat;
  SoilGridSettings grid;
  SoilTiles tiles{0.02, 1000};
  std::unique_ptr<GroundSoils> soils;
};

/// Bekker by hand, for the box's shorter side.
double plate_pressure(const SoilNumbers& soil, double s) {
  return (soil.cohesive_modulus / (2 * kHalf.y()) + soil.frictional_modulus) *
         std::pow(s, soil.sinkage_exponent);
}
constexpr double kBottomArea = 0.6 * 0.4;

TEST(HullSoil, APlateCarriesWhatTheLawSays) {
  const Soil soil = load_soil("dry_sand");
  for (const char* kind : {"columns", "axis_columns"})
    for (const double yaw : {0.0, 0.4})
      for (const double s : {0.002, 0.01, 0.03}) {
        Belly belly(kind);
        const Vec6 f = belly.press(standing(kHalf.z() - s, 0, 0, yaw));
        EXPECT_NEAR(f[2] / (kBottomArea * plate_pressure(soil, s)), 1, 1e-9) << kind << " " << s;
        EXPECT_LT(f.head<2>().norm() + f.tail<3>().norm(), 1e-9 * f[2]) << "sides cancel";
        EXPECT_TRUE(belly.report.body);
        double listed = 0;
        for (const Contact& c : belly.contacts) listed += c.force_W.z();
        EXPECT_NEAR(listed, f[2], 1e-9 * f[2]);
      }
}

TEST(HullSoil, PointsPressAsSmallPlates) {
  ContactElement e;
  e.contact.kind = "columns";
  e.points = {Vec3(0.1, 0, 0), Vec3(-0.1, 0, 0)};
  Belly belly;
  SeenPlaces seen;
  belly.group = contact_kind("columns").make(std::span(&e, 1), seen);
  belly.scratch = belly.group->scratch();
  belly.memory.assign(static_cast<std::size_t>(belly.group->memory()), 0.0);
  belly.contacts.resize(static_cast<std::size_t>(belly.group->contacts()));
  const Vec6 f = belly.press(standing(-0.01));
  EXPECT_GT(f[2], 0);
  EXPECT_NEAR(f[4], 0, 1e-9 * f[2]);
  EXPECT_NEAR(belly.sunk_at(0.1, 0), 0.01, 2 * kSoilUnit);
  EXPECT_EQ(belly.sunk_at(0.06, 0), 0);
}

TEST(HullSoil, LeavesItsPrintAndMeetsItAgain) {
  const Soil soil = load_soil("dry_sand");
  Belly belly;
  const double s = 0.02;
  const double down = belly.press(standing(kHalf.z() - s))[2];
  for (const Vec2& p : {Vec2(0, 0), Vec2(0.28, 0.18), Vec2(-0.28, -0.18), Vec2(0.28, -0.18)})
    EXPECT_NEAR(belly.sunk_at(p.x(), p.y()), s, 2 * kSoilUnit);
  for (const Vec2& p : {Vec2(0.34, 0), Vec2(0, 0.24), Vec2(-0.34, -0.24)})
    EXPECT_EQ(belly.sunk_at(p.x(), p.y()), 0);
  const SoilBalance b = soil_balance(belly.tiles);
  EXPECT_EQ(b.loose + b.compacted, b.sunk);
  EXPECT_NEAR(kSoilUnit * static_cast<double>(b.sunk) * 4e-4, kBottomArea * s, 0.06 * kBottomArea * s);
  // The same again is borne by the same; lifted within the rebound it falls by E; lifted out of it, nothing.
  EXPECT_NEAR(belly.press(standing(kHalf.z() - s))[2], down, 2e-3 * down);
  const double rebound = plate_pressure(soil, s) / soil.unloading_stiffness;
  const double half = belly.press(standing(kHalf.z() - s + 0.5 * rebound))[2];
  EXPECT_NEAR(half / down, 0.5, 0.08) << "but for the outline, whose cells remember less";
  EXPECT_LT(belly.press(standing(kHalf.z() - s + 2 * rebound))[2], 0.12 * down);
  EXPECT_EQ(belly.press(standing(kHalf.z() + 0.001))[2], 0);
}

TEST(HullSoil, AboveARutThereIsNothingToLieOn) {
  Belly belly;
  // A rut of 5 cm under the whole of it.
  for (int ty = -1; ty <= 0; ++ty)
    for (int tx = -1; tx <= 0; ++tx)
      belly.tiles.edit({tx, ty}, belly.flat).sunk.fill(static_cast<std::int32_t>(0.05 / kSoilUnit));
  EXPECT_EQ(belly.press(standing(kHalf.z() - 0.03))[2], 0);
  EXPECT_GT(belly.press(standing(kHalf.z() - 0.051))[2], 0);
}

TEST(HullSoil, ASlidingBellyPloughsARutAgainstBekkersResistance) {
  const Soil soil = load_soil("dry_sand");
  const double s = 0.03, n = soil.sinkage_exponent;
  const double bekker = 2 * kHalf.y() * plate_pressure(soil, s) * s / (n + 1);
  for (const double way : {1.0, -1.0}) {
    Belly belly;
    belly.grid.compaction = 0;
    double drag = 0, side = 0;
    int count = 0;
    for (int k = 0; k < 150; ++k) {  // 0.3 m
      const Vec6 f = belly.press(standing(kHalf.z() - s, 0, 0, 0, way * 2e-3 * k), Vec3(way * 0.5, 0, 0));
      if (k < 50) continue;
      drag -= way * f[0], side = std::max(side, std::abs(f[1])), ++count;
    }
    drag /= count;
    EXPECT_NEAR(drag / bekker, 1, 0.03) << way;
    EXPECT_LT(side, 0.02 * drag);
    const SoilBalance b = soil_balance(belly.tiles);
    EXPECT_EQ(b.loose, b.sunk) << "nothing was pressed together";
    EXPECT_NEAR(belly.sunk_at(-way * 0.2, 0), s, 2 * kSoilUnit) << "the rut behind";
    EXPECT_EQ(belly.sunk_at(way * 0.64, 0), 0);
    EXPECT_GT(soil_offset(belly.tiles, way * 0.63, 0), 0.005) << "a heap ahead";
    EXPECT_LT(soil_offset(belly.tiles, -way * 0.2, 0), -0.02) << "an open rut behind";
  }
}

TEST(HullSoil, FrictionIsNoMoreThanTheSoilCanShear) {
  const Soil soil = load_soil("dry_sand");
  for (const double mu : {0.2, 5.0}) {
    Belly belly("columns", mu), smooth("columns", 0);
    const Pose X = standing(kHalf.z() - 0.02);
    belly.press(X), smooth.press(X);
    for (double& e : belly.memory) e = 0;
    const Vec3 v(0, 3, 0);
    const Vec6 all = belly.press(X, v, false), bare = smooth.press(X, v, false);
    // The faces around have a share of it, and the one ahead its pressure.
    const double most =
        std::min(mu * bare[2], kBottomArea * soil.cohesion + bare[2] * std::tan(soil.friction_angle));
    EXPECT_NEAR((bare[1] - all[1]) / most, 1, mu < 1 ? 0.05 : 0.2) << mu;
  }
}

TEST(HullSoil, WhatItLosesByAccelerationIsTheSlopeOfItsForces) {
  // apparent = theta dt C + dt^2/4 K against differences of the forces, upright and turning.
  const double dt = 1e-3, s = 0.01, h = 1e-6;
  const auto force = [&](double z, double roll, double pitch, double vz) {
    Belly belly;
    return belly.press(standing(kHalf.z() - z, roll, pitch), Vec3(0, 0, vz), false);
  };
  Belly belly;
  belly.press(standing(kHalf.z() - s), Vec3::Zero(), false);
  const Mat6 A = belly.load.apparent;
  const double K = (force(s + h, 0, 0, 0)[2] - force(s - h, 0, 0, 0)[2]) / (2 * h);
  const double C = (force(s, 0, 0, -h)[2] - force(s, 0, 0, h)[2]) / (2 * h);
  EXPECT_NEAR(A(2, 2) / (0.5 * dt * C + 0.25 * dt * dt * K), 1, 1e-4);
  // Turning: the faces around feel it too, by a part.
  const double per = A(2, 2) / kBottomArea;
  EXPECT_NEAR(A(3, 3) / (per * 0.6 * std::pow(0.4, 3) / 12), 1, 0.02);
  EXPECT_NEAR(A(4, 4) / (per * 0.4 * std::pow(0.6, 3) / 12), 1, 0.02);
  const double roll = -(force(s, h, 0, 0)[3] - force(s, -h, 0, 0)[3]) / (2 * h);
  const double pitch = (force(s, 0, h, 0)[4] - force(s, 0, -h, 0)[4]) / (2 * h);  // nose up positive
  EXPECT_NEAR(roll / (K * std::pow(0.4, 2) / 12), 1, 0.1);
  EXPECT_NEAR(pitch / (K * std::pow(0.6, 2) / 12), 1, 0.1);
  EXPECT_LT((A - A.transpose()).norm(), 1e-12 * A.norm());
}

TEST(HullSoil, OnlyTakesEnergy) {
  // Guided there and back on random ways, out of the soil at both ends: the soil's work is never positive.
  std::mt19937 random(11);
  std::uniform_real_distribution<double> depth(0.005, 0.03), speed(-0.4, 0.4), tilt(-0.08, 0.08);
  for (int trial = 0; trial < 6; ++trial) {
    Belly belly;
    const double a = depth(random), v = speed(random), roll = tilt(random), pitch = tilt(random), T = 0.3;
    double work = 0;
    const int steps = 200;
    double x = 0;
    for (int i = 0; i < steps; ++i) {
      const double t = (i + 0.5) * T / steps;
      const double z = kHalf.z() + 0.03 - (0.03 + a) * std::sin(kPi * t / T);
      const double vz = -(0.03 + a) * kPi / T * std::cos(kPi * t / T), vx = v * std::cos(2 * kPi * t / T);
      x += vx * T / steps;
      const Vec6 f = belly.press(standing(z, roll, pitch, 0, x), Vec3(vx, 0, vz));
      work += T / steps * (f[0] * vx + f[2] * vz);
    }
    EXPECT_LT(work, 0) << trial;
  }
}

}  // namespace
}  // namespace scree::testing
