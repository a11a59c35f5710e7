/// One wheel on soft ground: forces, derivatives, rut and suspension together.
#include "scree/ground/soil_touch.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "scree/terrain/make.hpp"

namespace scree {
namespace {

SoilMount small_wheel(bool suspended = false) {
  SoilMount m;
  m.wheel = {.radius = 0.1, .width = 0.1, .lug_height = 0.01};
  m.suspended = suspended;
  m.suspension = {8000, 350, 0.05, 9, 0.01};
  return m;
}

/// Level ground, or a plane that climbs along x and along y.
TerrainPtr plane(double along = 0, double across = 0) {
  const Document document = Document::from_text(
      fmt::format("kind = \"function\"\nexpression = \"{} * x + {} * y\"\n", along, across), "plane");
  Section root = document.root();
  return make_terrain(root, {});
}

/// A link at rest with its hub at a height above the origin.
LinkMotion link_at(double height) {
  LinkMotion link;
  link.X_WL = {Mat3::Identity(), Vec3(0, 0, height)};
  link.V_WL_L.setZero();
  return link;
}

/// Memory of a wheel that has rolled forward for long at these speeds, at the bottom of its rut.
SoilMemory rolling(const SoilMount& m, double rim, double hub, double side, double depth) {
  const double speed = std::max(std::abs(rim), std::abs(hub));
  SoilMemory out;
  out.ux = m.relaxation_length * (rim - hub) / speed;
  out.uy = -m.relaxation_length * side / speed;
  out.turn = rim + hub >= 0 ? m.relaxation_length : -m.relaxation_length;
  out.sinkage = out.rut = depth;
  return out;
}

class SoilTouching : public ::testing::Test {
 protected:
  Soil soil = load_soil("toyoura");
  SoilMount mount = small_wheel();
  ClosedForm law{soil, mount.wheel};
  TerrainPtr level = plane();

  SoilTouch at(const LinkMotion& link, double spin, const SoilMemory& memory, const SoilStep& step = {}) {
    SoilTouch t;
    touch_soil(mount, link, spin, memory, *level, law, step, t);
    return t;
  }
  /// Spin of a rim speed.
  double spin_of(double rim) const { return rim / mount.wheel.shear_radius(); }
};

TEST_F(SoilTouching, SteadyRollingIsTheLaw) {
  for (const auto model : {SoilModel::stress_integral, SoilModel::closed_form}) {
    mount.model = model;
    for (const double hub : {0.05, 0.1, 0.19, 0.25})
      for (const double side : {0.0, 0.03, -0.06}) {
        LinkMotion link = link_at(0.1 - 0.015);
        link.V_WL_L[0] = hub, link.V_WL_L[1] = side;
        const double rim = 0.2;
        const SoilTouch t = at(link, spin_of(rim), rolling(mount, rim, hub, side, 0.015));
        const double speed = std::max(rim, hub);
        const SoilSlip slip{(rim - hub) / speed, side / speed};
        const SoilReaction<double> f =
            model == SoilModel::closed_form ? law.forces(0.015, slip) : law.integral().forces(0.015, slip);
        EXPECT_NEAR(t.sinkage, 0.015, 1e-12);
        EXPECT_NEAR(t.force[kPull], f.drawbar, 1e-6);
        EXPECT_NEAR(t.force[kSide], f.side, 1e-6);
        EXPECT_NEAR(t.force[kNormal], f.normal, 1e-6);
        EXPECT_NEAR(t.force[kTorque], f.torque, 1e-6);
        EXPECT_NEAR(t.entry, f.entry, 1e-12);
      }
  }
}

TEST_F(SoilTouching, RollingBackIsTheMirrorOfRollingForward) {
  LinkMotion ahead = link_at(0.088), back = ahead;
  ahead.V_WL_L[0] = 0.1, back.V_WL_L[0] = -0.1;
  ahead.V_WL_L[1] = back.V_WL_L[1] = 0.02;
  const SoilTouch a = at(ahead, spin_of(0.2), rolling(mount, 0.2, 0.1, 0.02, 0.012));
  const SoilTouch b = at(back, spin_of(-0.2), rolling(mount, -0.2, -0.1, 0.02, 0.012));
  EXPECT_NEAR(a.force[kPull], -b.force[kPull], 1e-9);
  EXPECT_NEAR(a.force[kTorque], -b.force[kTorque], 1e-9);
  EXPECT_NEAR(a.force[kSide], b.force[kSide], 1e-9);
  EXPECT_NEAR(a.force[kNormal], b.force[kNormal], 1e-9);
}

TEST_F(SoilTouching, AWheelThatStandsIsNotPushed) {
  SoilMemory memory;
  memory.sinkage = memory.rut = 0.012;
  const SoilTouch t = at(link_at(0.088), 0, memory);
  EXPECT_GT(t.force[kNormal], 10);
  EXPECT_NEAR(t.force[kPull], 0, 1e-12);
  EXPECT_NEAR(t.force[kSide], 0, 1e-12);
  EXPECT_NEAR(t.force[kTorque], 0, 1e-12);
}

TEST_F(SoilTouching, InTheAirThereIsNothing) {
  const SoilTouch t = at(link_at(0.101), 5, {});
  EXPECT_FALSE(t.touching);
  for (const double f : t.force) EXPECT_EQ(f, 0);
  EXPECT_NEAR(t.gap, 0.001, 1e-12);
}

TEST_F(SoilTouching, DeeperThanItsRadiusIsBuriedWithNumbers) {
  for (const double depth : {0.09, 0.11, 0.3, 5.0}) {
    const SoilTouch t = at(link_at(0.1 - depth), 1, {});
    EXPECT_EQ(t.buried, depth > 0.1);
    for (const double f : t.force) EXPECT_TRUE(std::isfinite(f));
    for (const auto& row : t.gain)
      for (const double g : row) EXPECT_TRUE(std::isfinite(g));
  }
}

/// On a slope the plane's normal carries: the forces turn with the ground, and the whole wrench with them.
TEST_F(SoilTouching, APlaneIsFeltWholeWhateverItsTilt) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-0.5, 0.5);
  for (int i = 0; i < 30; ++i) {
    const double along = any(random), across = any(random);
    level = plane(along, across);
    const Vec3 n = Vec3(-along, -across, 1).normalized();
    const double distance = 0.088;
    LinkMotion link;
    // The wheel stands upright on the plane: its axle lies in it.
    Mat3 R;
    R.col(2) = n;
    R.col(1) = n.cross(Vec3::UnitX()).normalized();
    R.col(0) = R.col(1).cross(n);
    link.X_WL = {R, distance * n};
    link.V_WL_L << 0.15, 0.01, 0, 0, 0, 0;
    const SoilMemory memory = rolling(mount, 0.2, 0.15, 0.01, 0.012);
    const SoilTouch t = at(link, spin_of(0.2), memory);
    level = plane();
    LinkMotion flat = link_at(distance);
    flat.V_WL_L = link.V_WL_L;
    const SoilTouch same = at(flat, spin_of(0.2), memory);
    EXPECT_NEAR(t.sinkage, 0.012, 1e-9);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(t.force[k], same.force[k], 1e-6 * (1 + std::abs(same.force[k])));
  }
}

/// The power of the wrench is that of the forces at their speeds: no lever is lost.
/// b x^3 - 7/9 b L^2 x has a level plane at the height of its middle over a patch of half a length L, but
/// rises by 8/9 b L^2 for each metre that the wheel moves on: as if it sank so fast into level ground.
TEST_F(SoilTouching, GroundThatRisesIsSunkInto) {
  const double depth = 0.01, b = 20, L = patch_spread(mount.wheel, depth), v = 0.3;
  const Document document = Document::from_text(
      fmt::format("kind = \"function\"\nexpression = \"{} * x^3 - {} * x\"\n", b, 7.0 / 9 * b * L * L), "s");
  Section root = document.root();
  const TerrainPtr rising = make_terrain(root, {});
  for (const double sign : {1.0, -1.0}) {
    LinkMotion over = link_at(0.1 - depth - 1e-5), into = over;
    over.V_WL_L[0] = into.V_WL_L[0] = sign * v;
    into.V_WL_L[2] = -8.0 / 9 * b * L * L * sign * v;
    const SoilMemory memory = rolling(mount, 0.4, sign * v, 0, depth);
    SoilTouch t;
    touch_soil(mount, over, spin_of(0.4), memory, *rising, law, {}, t);
    const SoilTouch expected = at(into, spin_of(0.4), memory),
                    still = at(link_at(0.1 - depth - 1e-5), spin_of(0.4), memory);
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(t.force[i], expected.force[i], 1e-5 * std::abs(expected.force[i]) + 1e-9);
    EXPECT_GT(sign * (t.force[kNormal] - still.force[kNormal]), 0.5);
  }
}

/// Along ground whose slopes exceed those at which patch and sinkage have one answer: what presses changes
/// with the way, not from one look to the next.
TEST_F(SoilTouching, SinkageIsContinuousOnRoughGround) {
  const Document document = Document::from_text(
      "kind=\"fbm\"\nhurst=0.36\nsigma=0.008\nsize=[2,2]\ncells=[256,256]\nseed=3\n", "brick");
  Section root = document.root();
  const TerrainPtr brick = make_terrain(root, {});
  SoilMemory memory;
  const double way = 1e-5;
  double before = 0, worst = 0, along = 0;
  for (double x = -0.8; x < 0.8; x += way) {
    LinkMotion link = link_at(0);
    // As a wheel would: it rises and falls with the ground about it.
    link.X_WL.p = Vec3(x, 0.1, brick->height(-0.8, 0.1) + 0.09 + along);
    SoilTouch t;
    place_soil(mount, link, memory, *brick, t);
    along += 0.01 * (t.sinkage - 0.01);
    if (x > -0.79) worst = std::max(worst, std::abs(t.sinkage - before));
    before = t.sinkage;
    t.direction = 1, t.hub_speed = 1;
    finish_soil(mount, t, std::array<double, 4>{}.data(), {.dt = way}, memory);
  }
  // Slopes of the ground reach 2.7; the hub itself moves by a hundredth of its error.
  EXPECT_LT(worst, 4 * way + 0.01 * 0.03);
}

TEST_F(SoilTouching, PowerOfTheWrenchIsThatOfTheForces) {
  std::mt19937 random(5);
  std::normal_distribution<double> any(0, 0.1);
  for (int i = 0; i < 50; ++i) {
    level = plane(any(random), any(random));
    LinkMotion link;
    link.X_WL = {rotation_about(Vec3(any(random), any(random), 1).normalized(), any(random)),
                 Vec3(0, 0, 0.085)};
    for (int k = 0; k < 6; ++k) link.V_WL_L[k] = any(random);
    const double spin = 2 + any(random);
    const SoilTouch t = at(link, spin, {});
    Vec6 wrench = Vec6::Zero();
    for (int k = 0; k < 4; ++k) wrench += t.force[k] * t.force_column[k];
    const double power = wrench.dot(link.V_WL_L) + t.spin_column * t.force[kTorque] * spin;
    const Vec3 v = link.V_WL_L.head<3>(), w = link.V_WL_L.tail<3>();
    const double parts = t.force[kPull] * t.x.dot(v + w.cross(t.hub)) +
                         t.force[kSide] * t.y.dot(v + w.cross(t.foot)) +
                         t.force[kNormal] * t.n.dot(v + w.cross(t.foot)) -
                         t.force[kTorque] * t.rim_speed / mount.wheel.shear_radius();
    EXPECT_NEAR(power, parts, 1e-9 * (1 + std::abs(parts)));
  }
}

/// What the implicit step is told, against differences: with theta = 1 the mean force over a step is that at
/// the new velocities.
TEST_F(SoilTouching, GainsMatchDifferences) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(0, 1);
  const double dt = 1e-3, h = 1e-5;
  const SoilStep step{dt, 1, 1};
  int checked = 0;
  for (int i = 0; i < 60; ++i) {
    mount = small_wheel(i % 2 == 1);
    mount.model = i % 4 < 2 ? SoilModel::stress_integral : SoilModel::closed_form;
    LinkMotion link = link_at(0.1 - 0.008 - 0.01 * unit(random));
    link.V_WL_L << 0.1 + 0.05 * unit(random), 0.05 * unit(random), -0.02 * unit(random), 0, 0, 0;
    const double rim = 0.2, spin = spin_of(rim);  // driving: V_r = U, whatever the link does
    SoilMemory memory = rolling(mount, rim, link.V_WL_L[0], link.V_WL_L[1], 0.004);
    if (i % 3 == 0) memory.rut = 0.1 - link.X_WL.p.z() + 2e-5;  // rising in its rut
    memory.sinkage = 0;                                         // nothing before: no limit of its growth
    if (mount.suspended) memory.travel = 0.004;
    const SoilTouch t = at(link, spin, memory, step);
    if (t.force[kNormal] <= 1) continue;
    ++checked;
    for (int k = 0; k < 3; ++k) {
      // Velocity and, by half a step of the acceleration's travel, position.
      LinkMotion up = link, down = link;
      up.V_WL_L[k] += h, down.V_WL_L[k] -= h;
      if (k == 2) up.X_WL.p.z() += 0.5 * dt * h, down.X_WL.p.z() -= 0.5 * dt * h;
      const SoilTouch a = at(up, spin, memory, step), b = at(down, spin, memory, step);
      for (int f = 0; f < 4; ++f) {
        double told = 0;
        for (int s = 0; s < 4; ++s) told += t.gain[f][s] * t.speed_row[s][k] / dt;
        const double seen = (a.force[f] - b.force[f]) / (2 * h);
        const double scale = std::max(std::abs(seen), 1.0);
        // Falling branches of the slip are left out of the matrix, which then resists more than the forces.
        const bool left_out = (f == kPull || f == kTorque) && k == 0 && told < seen;
        if (!left_out) {
          EXPECT_NEAR(told, seen, (mount.suspended ? 0.03 : 2e-3) * scale)
              << "wheel " << i << " force " << f << " along " << k;
        }
      }
    }
  }
  EXPECT_GT(checked, 30);
}

TEST_F(SoilTouching, TheSuspensionBearsWhatTheSoilBears) {
  mount = small_wheel(true);
  SoilMemory memory;
  memory.travel = 0.006;
  const SoilTouch t = at(link_at(0.08), 0, memory);
  const double spring = 8000 * 0.006 + 350 * t.rate;
  EXPECT_NEAR(spring, t.force[kNormal], 1e-4 * spring);
}

}  // namespace
}  // namespace scree
