/// Wheels of sectors against closed forms: plane, side slope, step, gap, wedge; slip forces against the
/// brush.
#include "scree/ground/sectors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/random.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using testing::terrain_of;

constexpr double kReference = 10 * kPi / 180;

SectorPose upright(const Vec3& centre, const Mat3& R = Mat3::Identity()) {
  return {centre, R.col(0), R.col(1), R.col(2)};
}

Vec3 total_normal(const SectorContact& c) {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < c.count; ++k) sum += c.section(k).load * c.section(k).normal;
  return sum;
}

/// Load of a wheel that a plane enters to the distance D of its axis: the sum over sectors as an integral,
/// K/(2 R² phi_ref) D int (R² - D² sec²) sec² = 2/3 K (R² - D²)^(3/2) / (R² phi_ref).
double load_on_plane(const SectorWheel& w, double D) {
  return 2.0 / 3.0 * w.stiffness * std::pow(w.radius * w.radius - D * D, 1.5) /
         (w.radius * w.radius * kReference);
}

TEST(Sectors, OnAPlaneTheLoadIsTheIntegral) {
  const auto flat = terrain_of("kind = \"flat\"\n");
  SectorWheel w;
  w.sectors = 3600 / 5;
  for (const double depth : {0.001, 0.003, 0.008}) {
    SectorContact c;
    press_sectors(*flat, w, SectorLines(w.sectors), upright({0.3, -0.2, w.radius - depth}), c);
    EXPECT_EQ(c.count, w.disks);
    const Vec3 f = total_normal(c);
    EXPECT_NEAR(f.z(), load_on_plane(w, w.radius - depth), 5e-3 * f.z()) << depth;
    EXPECT_NEAR(std::hypot(f.x(), f.y()), 0, 1e-9 * f.z());
  }
}

TEST(Sectors, RefinementConvergesAndTheLoadDoesNotGrowWithIt) {
  const auto flat = terrain_of("kind = \"flat\"\n");
  SectorWheel w;
  const double D = w.radius - 0.004, exact = load_on_plane(w, D);
  double last = 1;
  for (const int sectors : {60, 180, 540}) {
    double worst = 0;  // whatever the sectors' places
    for (int i = 0; i < 20; ++i) {
      w.sectors = sectors;
      w.disks = 1 + i % 7;
      SectorContact c;
      press_sectors(*flat, w, SectorLines(w.sectors), upright({0, 0, D}, rotation_from_rpy(0, 0.01 * i, 0.3)),
                    c);
      worst = std::max(worst, std::abs(total_normal(c).z() / exact - 1));
    }
    EXPECT_LT(worst, last);
    last = worst;
  }
  EXPECT_LT(last, 2e-3);
}

TEST(Sectors, AcrossASlopeTheForceStandsOnTheGround) {
  // Rolled against the slope or not, at any heading: along the plane's normal, whose distance decides.
  const auto slope = terrain_of("kind = \"flat\"\nslope_deg = 20\nuphill_deg = 90\n");
  SectorWheel w;
  w.sectors = 720, w.disks = 15;
  const Vec3 normal(0, -std::sin(20 * kPi / 180), std::cos(20 * kPi / 180));
  for (const double yaw : {0.0, 0.7, 1.5}) {
    SectorContact c;
    press_sectors(*slope, w, SectorLines(w.sectors),
                  upright(Vec3((w.radius - 0.004) * normal), rotation_from_rpy(0.2, 0.1, yaw)), c);
    const Vec3 f = total_normal(c);
    EXPECT_GT(f.norm(), 0);
    EXPECT_NEAR(f.normalized().dot(normal), 1, 1e-9) << yaw;
  }
}

TEST(Sectors, TheForceIsTheSlopeOfTheStoredEnergy) {
  // Undamped, pushed along any way over a bump that the wheel straddles: work against the force equals the
  // difference of the energy K h²/2 summed over sectors.
  const auto bump = terrain_of("kind = \"bump\"\nrise = 0.03\nlength = 0.3\nwidth = 0.2\n");
  SectorWheel w;
  w.sectors = 720, w.disks = 9, w.damping = 0;
  const auto energy = [&](const SectorPose& pose) {
    // Independent of press_sectors: by bisection along every sector's line.
    double sum = 0;
    for (int i = 0; i < w.disks; ++i) {
      const Vec3 centre = pose.centre + ((i + 0.5) / w.disks - 0.5) * w.width * pose.a;
      for (int j = 0; j < w.sectors; ++j) {
        const double angle = (j + 0.5) * 2 * kPi / w.sectors;
        const Vec3 e = std::sin(angle) * pose.n - std::cos(angle) * pose.b;
        const auto inside = [&](double s) {
          const Vec3 p = centre + s * e;
          return bump->height(p.x(), p.y()) > p.z();
        };
        if (!inside(w.radius)) continue;
        double low = 0, high = w.radius;
        for (int k = 0; k < 40; ++k) (inside(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
        const double h = (w.radius * w.radius - low * low) / (2 * w.radius);
        sum += 0.5 * w.stiffness * h * h / w.disks * (2 * kPi / w.sectors) / kReference;
      }
    }
    return sum;
  };
  const Mat3 R = rotation_from_rpy(0.2, -0.1, 0.4);
  const Vec3 at(0.04, 0.03, bump->height(0.04, 0.03) + w.radius - 0.002);
  SectorContact c;
  press_sectors(*bump, w, SectorLines(w.sectors), upright(at, R), c);
  const Vec3 f = total_normal(c);
  ASSERT_GT(f.norm(), 1);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 d = 2e-5 * Vec3::Unit(axis);
    const double slope = (energy(upright(at + d, R)) - energy(upright(at - d, R))) / 4e-5;
    EXPECT_NEAR(f[axis], -slope, 0.02 * f.norm()) << axis;
  }
}

TEST(Sectors, AWallAndTheFloorAreTwoSections) {
  const auto step = terrain_of("kind = \"step\"\nstart = 0.0\nrise = 0.3\nedge = 0.002\n");
  SectorWheel w;
  w.disks = 3;
  SectorContact c;
  press_sectors(*step, w, SectorLines(w.sectors), upright({-w.radius + 0.003, 0, w.radius - 0.002}), c);
  ASSERT_EQ(c.count, 6);
  int walls = 0;
  for (int k = 0; k < c.count; ++k) {
    if (c.section(k).normal.x() < -0.9) ++walls;
  }
  EXPECT_EQ(walls, 3);
}

TEST(Sectors, OverAGapBothEdgesCarry) {
  // A trench narrower than the wheel: two sections a disk, symmetric, standing on its edges.
  const auto gap =
      terrain_of("kind = \"trench\"\nstart = -0.02\nwidth = 0.036\nwall = 0.002\ndepth = 0.05\n");
  SectorWheel w;
  w.disks = 1, w.sectors = 720;
  SectorContact c;
  press_sectors(*gap, w, SectorLines(w.sectors), upright({0, 0, 0.039}), c);
  ASSERT_EQ(c.count, 2);
  EXPECT_NEAR(c.section(0).load, c.section(1).load, 2e-2 * c.section(0).load);
  EXPECT_NEAR(total_normal(c).x(), 0, 2e-2 * total_normal(c).z());
}

TEST(Sectors, AnEdgeUnderHalfTheWidthIsFelt) {
  // The ground is a sill along the wheel, under its left half only: half the load, off the middle plane.
  const auto sill = terrain_of("kind = \"function\"\nexpression = \"y > 0 ? 0 : -0.1\"\n");
  const auto flat = terrain_of("kind = \"flat\"\n");
  SectorWheel w;
  w.disks = 10;
  SectorContact half, whole;
  const SectorPose pose = upright({0, 0, w.radius - 0.003});
  press_sectors(*sill, w, SectorLines(w.sectors), pose, half);
  press_sectors(*flat, w, SectorLines(w.sectors), pose, whole);
  EXPECT_NEAR(total_normal(half).z(), 0.5 * total_normal(whole).z(), 1e-9);
  const SectorWrench f = sector_wrench(w, pose, half);
  EXPECT_NEAR(f.moment.x(), 0.25 * w.width * f.load, 1e-6 * f.load);
}

TEST(Sectors, InTheAirNothingPressesAndTheDamperNeverPulls) {
  const auto flat = terrain_of("kind = \"flat\"\n");
  SectorContact c;
  SectorWheel w;
  press_sectors(*flat, w, SectorLines(w.sectors), upright({0, 0, w.radius + 1e-6}), c);
  EXPECT_EQ(c.count, 0);
  SectorPose pose = upright({0, 0, w.radius - 0.002});
  pose.v = Vec3(0, 0, 5);
  press_sectors(*flat, w, SectorLines(w.sectors), pose, c);
  EXPECT_EQ(sector_wrench(w, pose, c).load, 0);
}

TEST(Sectors, ADrivenWheelIsPushedForwardAndHeldBackBySpin) {
  const auto flat = terrain_of("kind = \"flat\"\n");
  SectorWheel w;
  SectorPose pose = upright({0, 0, w.radius - 0.003});
  pose.v = Vec3(0.5, 0.02, 0);
  pose.spin = 1.05 * 0.5 / w.radius;
  SectorContact c;
  press_sectors(*flat, w, SectorLines(w.sectors), pose, c);
  const SectorWrench f = sector_wrench(w, pose, c);
  EXPECT_GT(f.force.x(), 0);
  EXPECT_LT(f.force.y(), 0);
  // The torque is the force times the height of the axle over the ground.
  EXPECT_NEAR(f.spin_torque, -f.force.x() * (w.radius - 0.003), 2e-2 * std::abs(f.spin_torque));
}

/// The brush: bristles of stiffness c along a contact of length 1 under a parabolic pressure, sliding where
/// their deflection asks for more than friction gives. C = c/2, N = 1.
double brush(double C, double mu, double slip) {
  const int n = 20000;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double x = (i + 0.5) / n, pressure = 6 * x * (1 - x);
    sum += std::min(2 * C * slip * x, mu * pressure) / n;
  }
  return sum;
}

TEST(GimNikravesh, PureSlipsAreTheBrushIntegral) {
  const SlipStiffness w{30, 50, 0.6, 0.8};
  for (const double slip : {0.001, 0.01, 0.03, 0.05, 0.1, 0.5}) {
    EXPECT_NEAR(-gim_nikravesh(w, {slip, 0}, 1).along, brush(30, 0.6, slip), 2e-4);
    EXPECT_NEAR(gim_nikravesh(w, {0, -slip}, 1).across, brush(50, 0.8, slip), 2e-4);
  }
}

TEST(GimNikravesh, StaysOnTheEllipseAndReachesIt) {
  const SlipStiffness w;
  RandomStream random(3, 0, "slips");
  for (int i = 0; i < 1000; ++i) {
    const SlipForces f = gim_nikravesh(w, {random.uniform(-2, 2), random.uniform(-2, 2)}, 20);
    EXPECT_LE(std::hypot(f.along / (0.6 * 20), f.across / (0.8 * 20)), 1 + 1e-12);
  }
  const SlipForces f = gim_nikravesh(w, {1.5, 1.0}, 20);
  EXPECT_NEAR(std::hypot(f.along / 12, f.across / 16), 1, 1e-12);
  EXPECT_LT(f.along, 0);
  EXPECT_LT(f.across, 0);
}

TEST(GimNikravesh, SmallSlipsHaveTheStiffnessOfTheWheel) {
  const SlipStiffness w;
  EXPECT_NEAR(gim_nikravesh(w, {1e-9, 0}, 20).along, -150e-9, 1e-15);
  EXPECT_NEAR(gim_nikravesh(w, {0, 1e-9}, 20).across, -500e-9, 1e-14);
  // Parts of a wheel add up to it.
  const SlipForces part = gim_nikravesh(w, {0.1, 0.05}, 5, 0.25), whole = gim_nikravesh(w, {0.1, 0.05}, 20);
  EXPECT_NEAR(4 * part.along, whole.along, 1e-12);
  EXPECT_NEAR(4 * part.across, whole.across, 1e-12);
}

TEST(GimNikravesh, DerivativesAreThoseOfTheForces) {
  const SlipStiffness w;
  RandomStream random(4, 0, "slips");
  for (int i = 0; i < 200; ++i) {
    const SectionSlip s{random.uniform(-0.5, 0.5), random.uniform(-0.2, 0.2)};
    const double d = 1e-6;
    const SlipForces f = gim_nikravesh(w, s, 20);
    const SlipForces xp = gim_nikravesh(w, {s.along + d, s.across}, 20),
                     xm = gim_nikravesh(w, {s.along - d, s.across}, 20);
    const SlipForces yp = gim_nikravesh(w, {s.along, s.across + d}, 20),
                     ym = gim_nikravesh(w, {s.along, s.across - d}, 20);
    EXPECT_NEAR(f.xx, (xp.along - xm.along) / (2 * d), 1e-3);
    EXPECT_NEAR(f.yx, (xp.across - xm.across) / (2 * d), 1e-3);
    EXPECT_NEAR(f.xy, (yp.along - ym.along) / (2 * d), 1e-3);
    EXPECT_NEAR(f.yy, (yp.across - ym.across) / (2 * d), 1e-3);
    const SlipForces more = gim_nikravesh(w, s, 20 + d), less = gim_nikravesh(w, s, 20 - d);
    EXPECT_NEAR(f.x_load, (more.along - less.along) / (2 * d), 1e-5);
    EXPECT_NEAR(f.y_load, (more.across - less.across) / (2 * d), 1e-5);
  }
}

TEST(GimNikravesh, SlipsFollowTheConventions) {
  EXPECT_DOUBLE_EQ(section_slip(1, 2, 0).along, -0.5);  // driving
  EXPECT_DOUBLE_EQ(section_slip(2, 1, 0).along, 0.5);   // braking
  EXPECT_DOUBLE_EQ(section_slip(-1, -2, 0).along, 0.5);
  EXPECT_DOUBLE_EQ(section_slip(0, 0, 1).across, 0);
}

}  // namespace
}  // namespace scree
