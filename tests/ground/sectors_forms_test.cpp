/// Wheels of sectors at random places against closed forms: planes at any tilt, edges, gaps, wedges, ridges;
/// convergence, mirror images, and looks that were spared.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "scree/core/random.hpp"
#include "scree/ground/sectors.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using testing::terrain_of;

SectorPose pose_at(const Vec3& centre, const Mat3& R = Mat3::Identity()) {
  return {centre, R.col(0), R.col(1), R.col(2)};
}

/// Sum of load times normal.
Vec3 pushed(const Terrain& terrain, const SectorWheel& w, const SectorPose& pose) {
  SectorContact c;
  press_sectors(terrain, w, SectorLines(w.sectors), pose, c);
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < c.count; ++k) sum += c.section(k).load * c.section(k).normal;
  return sum;
}

/// Force of a face at the distance D from the axle, along its normal, between the angles from that normal
/// whose tangents these are; of the whole width:
///   K/phi_ref int h (R_m/R) sec = K D/(2 R² phi_ref) int (R² sec² - D² sec⁴),  R_m = D sec.
double face_force(const SectorWheel& w, double D, double from, double to) {
  const double R = w.radius, most = D < R ? std::sqrt(R * R - D * D) / D : 0;
  const auto integral = [&](double t) {
    t = std::clamp(t, -most, most);
    return R * R * t - D * D * (t + t * t * t / 3);
  };
  return w.stiffness * D / (2 * R * R * (10 * kPi / 180)) * (integral(to) - integral(from));
}

/// One of a kind of ground with a wheel on it, and what the ground does to the wheel.
struct Form {
  std::unique_ptr<const Terrain> terrain;
  SectorPose pose;
  Vec3 force;
};

/// Any plane, any tilt of the wheel. With N the plane's normal, m the size of its part in the wheel's plane,
/// a disk whose centre is delta above it sees a line at D = delta/m, and its force is along N with weight
/// 1/m.
Form plane_form(const SectorWheel& w, RandomStream& random) {
  const double slope = random.uniform(0, 0.6), uphill = random.uniform(-3, 3);
  Form f;
  f.terrain = terrain_of(fmt::format("kind = \"flat\"\nslope = {}\nuphill = {}\n", slope, uphill));
  const Vec3 N(-std::sin(slope) * std::cos(uphill), -std::sin(slope) * std::sin(uphill), std::cos(slope));
  const Mat3 R =
      rotation_from_rpy(random.uniform(-0.3, 0.3), random.uniform(-0.5, 0.5), random.uniform(-3, 3));
  const double across = N.dot(R.col(1)), m = std::sqrt(1 - across * across);
  f.pose = pose_at(random.uniform(0.90, 0.98) * m * w.radius * N, R);
  double sum = 0;
  for (int i = 0; i < w.disks; ++i) {
    const Vec3 centre = f.pose.centre + ((i + 0.5) / w.disks - 0.5) * w.width * R.col(1);
    const double D = N.dot(centre) / m;
    if (D < w.radius) sum += face_force(w, D, -1e9, 1e9) / m / w.disks;
  }
  f.force = sum * N;
  return f;
}

/// A step's edge ahead, the floor out of reach: wall below the edge, top behind it.
Form edge_form(const SectorWheel& w, RandomStream& random) {
  const double angle = random.uniform(0.35, 1.2), deep = random.uniform(0.01, 0.08) * w.radius;
  const double x = (w.radius - deep) * std::sin(angle), z = (w.radius - deep) * std::cos(angle);
  Form f;
  f.terrain = terrain_of("kind = \"step\"\nstart = 0.0\nrise = 0.3\nedge = 0.00001\n");
  f.pose = pose_at({-x, random.uniform(-1, 1), 0.3 + z});
  f.force = Vec3(-face_force(w, x, z / x, 1e9), 0, face_force(w, z, x / z, 1e9));
  return f;
}

/// A gap that both edges of which carry: two such edges.
Form gap_form(const SectorWheel& w, RandomStream& random) {
  const double half = random.uniform(0.3, 0.7) * w.radius, off = random.uniform(-0.05, 0.05) * w.radius;
  const double z = random.uniform(0.93, 0.97) * std::sqrt(w.radius * w.radius - half * half);
  Form f;
  f.terrain = terrain_of(fmt::format(
      "kind = \"trench\"\nstart = {}\nwidth = {}\nwall = 0.00001\ndepth = 0.3\n", -half, 2 * half));
  f.pose = pose_at({off, 0.1, z});
  f.force = Vec3::Zero();
  for (const double side : {-1.0, 1.0}) {
    const double x = half - side * off;
    f.force += Vec3(-side * face_force(w, x, z / x, 1e9), 0, face_force(w, z, x / z, 1e9));
  }
  return f;
}

/// Down in a wedge: two planes, each as far as the other.
Form wedge_form(const SectorWheel& w, RandomStream& random) {
  const double slope = random.uniform(0.5, 2.0), x = random.uniform(-0.02, 0.02) * w.radius;
  const double per = 1 / std::sqrt(1 + slope * slope), z = random.uniform(0.95, 0.97) * w.radius / per;
  Form f;
  f.terrain = terrain_of(fmt::format("kind = \"function\"\nexpression = \"{}*abs(x)\"\n", slope));
  f.pose = pose_at({x, 0, z});
  f.force = Vec3::Zero();
  for (const double side : {-1.0, 1.0}) {
    const double D = (z - slope * side * x) * per;
    f.force += face_force(w, D, -1e9, 1e9) * Vec3(-side * slope * per, 0, per);
  }
  return f;
}

/// On a ridge: a cylinder on an edge, two planes that end there.
Form ridge_form(const SectorWheel& w, RandomStream& random) {
  const double slope = random.uniform(0.2, 1.0), x = random.uniform(-0.2, 0.2) * w.radius;
  const double z = random.uniform(0.88, 0.94) * std::sqrt(w.radius * w.radius - x * x);  // 2 to 50 N
  const double per = 1 / std::sqrt(1 + slope * slope);
  Form f;
  f.terrain = terrain_of(fmt::format("kind = \"function\"\nexpression = \"-{}*abs(x)\"\n", slope));
  f.pose = pose_at({x, 0, z});
  f.force = Vec3::Zero();
  for (const double side : {-1.0, 1.0}) {
    // The ridge's place from the axle, in axes along the face (outward) and against its normal.
    const double along = (-x * side + z * slope) * per, D = (z + slope * side * x) * per;
    f.force += face_force(w, D, along / D, 1e9) * Vec3(side * slope * per, 0, per);
  }
  return f;
}

struct FormKind {
  const char* name;
  Form (*make)(const SectorWheel&, RandomStream&);
  double bound;  ///< of the median error at 5 x 60
  double
      floor;  ///< which refinement need not undercut: at edges rays are as close at any resolution, and a
              ///< section's normal points at the axle from its load's centre, up to a degree from the sum's
};

/// Largest errors of the force over its size, sorted.
std::vector<double> form_errors(const FormKind& kind, int disks, int sectors) {
  RandomStream random(11, 0, kind.name);
  std::vector<double> errors;
  for (int i = 0; i < 60; ++i) {
    SectorWheel w;
    w.disks = disks, w.sectors = sectors;
    const Form f = kind.make(w, random);
    errors.push_back((pushed(*f.terrain, w, f.pose) - f.force).norm() / f.force.norm());
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

class SectorForms : public ::testing::TestWithParam<FormKind> {};

TEST_P(SectorForms, RefinementConvergesToTheClosedForm) {
  double last = 1;
  for (const int sectors : {60, 120, 240, 480}) {
    const std::vector<double> e = form_errors(GetParam(), 5, sectors);
    const double median = e[e.size() / 2];
    RecordProperty(fmt::format("median_{}", sectors), fmt::format("{:.4f}", median));
    RecordProperty(fmt::format("worst_{}", sectors), fmt::format("{:.4f}", e.back()));
    EXPECT_LT(median, sectors == 60 ? GetParam().bound : GetParam().floor + last) << sectors;
    last = median;
  }
  EXPECT_LT(last, 0.013);
}

INSTANTIATE_TEST_SUITE_P(Grounds, SectorForms,
                         ::testing::Values(FormKind{"plane", plane_form, 0.005, 0},
                                           FormKind{"edge", edge_form, 0.015, 0.012},
                                           FormKind{"gap", gap_form, 0.015, 0.012},
                                           FormKind{"wedge", wedge_form, 0.02, 0},
                                           FormKind{"ridge", ridge_form, 0.2, 0}),
                         [](const auto& info) { return std::string(info.param.name); });

/// Looks that were spared change nothing, to the last bit: wheels that roll, hop and turn over any ground.
TEST(SectorRoom, SparesLooksAndChangesNothing) {
  for (const char* text :
       {"kind = \"fbm\"\nsize = [1.0, 1.0]\ncells = [128, 128]\nhurst = 0.36\nsigma = 0.008\n",
        "kind = \"step\"\nstart = 0.0\nrise = 0.03\nedge = 0.001\n", "kind = \"flat\"\nslope = 0.1\n",
        "kind = \"rocks\"\nsampled = false\nsize = [2.0, 2.0]\ncover = 0.5\nsmallest = 0.03\nlargest = 0.2\n",
        "kind = \"function\"\nexpression = \"0.02*sin(40*x)*cos(35*y+0.3)\"\n"}) {
    const auto terrain = terrain_of(text);
    RandomStream random(5, 0, "walks");
    int spared = 0, pressed = 0;
    for (int walk = 0; walk < 8; ++walk) {
      SectorWheel w;
      w.sectors = 58;                    // the last four are not full
      if (walk % 4 == 2) w.width = 0.3;  // a drum
      const SectorLines lines(w.sectors);
      SectorRoom room(w);
      Vec3 p(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0);
      if (walk == 7) p.x() = -0.16;  // from level ground towards the step
      double roll = random.uniform(-0.3, 0.3), pitch = 0.1, yaw = random.uniform(-3, 3), up = 0.9;
      for (int i = 0; i < 300; ++i) {
        // Small ways; turns on the spot, of a wheel and of a drum, and of a wheel about its axle; long ways.
        const bool drives = walk % 4 == 0 || walk == 7, rolls = walk % 4 == 3 && walk != 7;
        const double moves = walk == 7 ? 5 : drives, turns = drives ? 1e-3 : rolls ? 0 : 2e-2;
        p.x() += moves * random.uniform(-1e-4, 3e-4), p.y() += moves * random.uniform(-1e-4, 2e-4);
        roll += random.uniform(-turns, turns), yaw += random.uniform(-turns, turns);
        pitch += rolls ? random.uniform(-4e-2, 4e-2) : 0;
        up = !drives ? up : std::clamp(up + random.uniform(-0.01, 0.01), 0.85, 1.2);
        p.z() = terrain->height(p.x(), p.y()) + up * w.radius;
        const SectorPose pose = pose_at(p, rotation_from_rpy(roll, pitch, yaw));
        SectorContact fresh, kept;
        press_sectors(*terrain, w, lines, pose, fresh);
        const double near = 0.5 * w.width + 1.2 * w.radius;
        room.move(*terrain, terrain->slope_bound({p.x() - near, p.x() + near, p.y() - near, p.y() + near}), w,
                  pose);
        for (int four = 0; four < room.places(); ++four) spared += room.enough(0, four);
        press_sectors(*terrain, w, lines, pose, room, kept);
        ASSERT_EQ(fresh.count, kept.count) << text << i;
        pressed += fresh.count > 0;
        for (int k = 0; k < fresh.count; ++k) {
          const ContactSection a = fresh.section(k), b = kept.section(k);
          ASSERT_EQ(a.load, b.load) << text << i;
          ASSERT_EQ(a.normal, b.normal);
          ASSERT_EQ(a.point, b.point);
        }
      }
    }
    EXPECT_GT(pressed, 100) << text;
    EXPECT_GT(spared, 1000) << text;
  }
}

/// Ground, wheel and motion in a mirror give the mirror's forces, to rounding: left and right, and fore and
/// aft.
TEST(Sectors, TheMirrorsForcesAreTheMirrorOfTheForces) {
  const std::string sines = "kind = \"function\"\nexpression = \"0.01*sin(40*{}x)*cos(35*{}y+0.3)\"\n";
  const auto terrain = terrain_of(fmt::format(fmt::runtime(sines), "", ""));
  const auto in_y = terrain_of(fmt::format(fmt::runtime(sines), "", "-1*"));
  const auto in_x = terrain_of(fmt::format(fmt::runtime(sines), "-1*", ""));
  RandomStream random(6, 0, "mirrors");
  SectorWheel w;
  const auto wrench = [&](const Terrain& on, const SectorPose& pose) {
    SectorContact c;
    press_sectors(on, w, SectorLines(w.sectors), pose, c);
    return sector_wrench(w, pose, c);
  };
  int seen = 0;
  for (int i = 0; i < 100; ++i) {
    const Mat3 R =
        rotation_from_rpy(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-3, 3));
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    SectorPose pose = pose_at({x, y, terrain->height(x, y) + random.uniform(0.9, 0.98) * w.radius}, R);
    pose.v = Vec3(random.uniform(-0.2, 0.2), random.uniform(-0.1, 0.1), random.uniform(-0.02, 0.02));
    pose.w = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    pose.spin = random.uniform(-5, 5);
    const SectorWrench f = wrench(*terrain, pose);
    if (!(f.load > 0)) continue;  // it leaves the ground faster than it comes back
    ++seen;
    for (const bool left : {true, false}) {
      const Vec3 m = left ? Vec3(1, -1, 1) : Vec3(-1, 1, 1);
      const auto polar = [&](const Vec3& v) { return Vec3(v.cwiseProduct(m)); };
      const auto axial = [&](const Vec3& v) { return Vec3(-v.cwiseProduct(m)); };
      // Forward and up are mirrored; the axle, which turns things, as turning is. In the mirror that swaps
      // fore and aft the wheel's own forward is turned about, and the axle and the spin with it.
      SectorPose other{polar(pose.centre), polar(pose.n), axial(pose.a), polar(pose.b),
                       polar(pose.v),      axial(pose.w), pose.spin};
      if (!left) other.n = -other.n, other.a = -other.a, other.spin = -other.spin;
      const SectorWrench g = wrench(left ? *in_y : *in_x, other);
      EXPECT_LT((g.force - polar(f.force)).norm(), 1e-9 * f.force.norm()) << i << left;
      EXPECT_LT((g.moment - axial(f.moment)).norm(), 1e-9 * w.radius * f.force.norm()) << i << left;
      EXPECT_NEAR(g.spin_torque, left ? f.spin_torque : -f.spin_torque, 1e-9 * w.radius * f.force.norm());
    }
  }
  EXPECT_GT(seen, 50);
}

/// A wheel's longitudinal and lateral force over its slips: the brush under a parabolic pressure, with the
/// stiffness of the whole wheel, however many disks share it.
TEST(Sectors, SlipCurvesOfAWheelAreTheBrushIntegral) {
  const auto flat = terrain_of("kind = \"flat\"\n");
  for (const int disks : {1, 5, 12}) {
    SectorWheel w;
    w.disks = disks, w.sectors = 480;
    for (const double slip : {0.005, 0.02, 0.05, 0.1, 0.3}) {
      SectorPose pose = pose_at({0, 0, 0.96 * w.radius});
      const auto forces = [&](double rim, double side) {
        pose.v = Vec3(1, side, 0), pose.spin = rim / w.radius;
        SectorContact c;
        press_sectors(*flat, w, SectorLines(w.sectors), pose, c);
        return sector_wrench(w, pose, c);
      };
      const auto brush = [](double C, double limit) {  // sum of min(2 C x, 6 limit x (1 - x))
        double sum = 0;
        const int n = 4000;
        for (int i = 0; i < n; ++i) {
          const double x = (i + 0.5) / n;
          sum += std::min(2 * C * x, 6 * limit * x * (1 - x)) / n;
        }
        return sum;
      };
      const SectorWrench driven = forces(1 / (1 - slip), 0), beside = forces(1, slip);
      EXPECT_NEAR(driven.force.x(), brush(w.slip.along * slip, w.slip.friction_x * driven.load),
                  2e-3 * driven.load)
          << disks << " " << slip;
      EXPECT_NEAR(-beside.force.y(), brush(w.slip.across * slip, w.slip.friction_y * beside.load),
                  2e-3 * beside.load)
          << disks << " " << slip;
    }
  }
}

}  // namespace
}  // namespace scree
