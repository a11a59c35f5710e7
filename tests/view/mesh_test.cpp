/// Shapes: closed, facing outwards, of the size asked for.
#include <gtest/gtest.h>

#include <map>

#include "scree/view/primitives.hpp"
#include "scree/view/robot_meshes.hpp"
#include "scree/view/running_gear_mesh.hpp"

namespace scree::view {
namespace {

/// Volume by the divergence theorem: right only when the surface is closed and faces outwards.
double volume(const Mesh& mesh) {
  double sum = 0;
  for (const Surface& s : mesh.surfaces)
    for (std::size_t t = 0; t + 2 < s.indices.size(); t += 3) {
      const Vec3 a = s.vertices[s.indices[t]].p.cast<double>(),
                 b = s.vertices[s.indices[t + 1]].p.cast<double>(),
                 c = s.vertices[s.indices[t + 2]].p.cast<double>();
      sum += a.dot(b.cross(c)) / 6;
    }
  return sum;
}

/// The same with the origin elsewhere: equal only for closed surfaces.
void expect_closed(const Mesh& mesh) {
  Mesh moved;
  Pose away;
  away.p = Vec3(10, -7, 5);
  moved.add(mesh, away);
  EXPECT_NEAR(volume(moved), volume(mesh), 1e-4 * std::abs(volume(mesh)) + 1e-9);
}

/// Part of the triangles whose vertex normals agree with the side they face.
double facing_share(const Mesh& mesh) {
  double good = 0, all = 0;
  for (const Surface& s : mesh.surfaces)
    for (std::size_t t = 0; t + 2 < s.indices.size(); t += 3) {
      const Vertex &a = s.vertices[s.indices[t]], &b = s.vertices[s.indices[t + 1]],
                   &c = s.vertices[s.indices[t + 2]];
      const Eigen::Vector3f face = (b.p - a.p).cross(c.p - a.p);
      if (face.norm() < 4e-9f) continue;  // at a pole: no area, only rounding
      all += 1;
      if (face.dot(a.n + b.n + c.n) > 0) good += 1;
    }
  return good / all;
}

const Material kPlain;

TEST(Primitives, BoxHasTheVolumeOfABoxLessItsChamfers) {
  Mesh mesh;
  const double a = 2, b = 1, c = 0.5, e = 0.1;
  add_box(mesh, {}, Vec3(a, b, c), e, kPlain);
  // A chamfer at 45 degrees takes a prism of cross-section e²/2 along each edge's straight part, and at each
  // corner a cube e³ less the tetrahedron e³/6 that remains of it.
  const double straight = 4 * ((a - 2 * e) + (b - 2 * e) + (c - 2 * e));
  EXPECT_NEAR(volume(mesh), a * b * c - straight * e * e / 2 - 8 * (e * e * e - e * e * e / 6), 1e-6);
  expect_closed(mesh);
  EXPECT_EQ(facing_share(mesh), 1.0);
  EXPECT_TRUE(mesh.bounds().size().isApprox(Vec3(a, b, c), 1e-6));
}

TEST(Primitives, CylinderAndSphereApproachTheirVolumes) {
  Mesh cylinder, sphere;
  add_cylinder(cylinder, {}, 0.5, 0.4, 1e-6, 64, kPlain);
  // A polygon of n sides holds sin(2 pi/n) n/(2 pi) of the circle's area.
  EXPECT_NEAR(volume(cylinder), kPi * 0.25 * 0.4 * std::sin(2 * kPi / 64) * 64 / (2 * kPi), 1e-4);
  expect_closed(cylinder);
  add_sphere(sphere, {}, 0.5, 64, kPlain);
  EXPECT_NEAR(volume(sphere), 4.0 / 3 * kPi * 0.125, 0.005 * 4.0 / 3 * kPi * 0.125);
  EXPECT_EQ(facing_share(sphere), 1.0);
}

TEST(Primitives, PrismAndTubeAreClosedAndFaceOutwards) {
  Mesh prism, tube;
  const Vec2 outline[] = {{-0.5, 0}, {0.5, 0}, {0.3, 0.4}, {-0.3, 0.4}};
  add_prism(prism, {}, outline, 0.6, 0.0, kPlain);
  EXPECT_NEAR(volume(prism), 0.5 * (1.0 + 0.6) * 0.4 * 0.6, 1e-6);
  expect_closed(prism);
  EXPECT_EQ(facing_share(prism), 1.0);
  const Vec3 line[] = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1.5, 0.5, 0.3)};
  add_tube(tube, {}, line, 0.05, 24, kPlain);
  expect_closed(tube);
  EXPECT_GT(volume(tube), 0);
  EXPECT_EQ(facing_share(tube), 1.0);
}

TEST(RunningGear, WheelTouchesTheGroundAtItsRadius) {
  for (const WheelStyle style : {WheelStyle::pneumatic, WheelStyle::grouser}) {
    const WheelShape shape{.radius = 0.2, .width = 0.12, .style = style};
    double reach = 0, half = 0;
    const Mesh mesh = wheel_mesh(shape);
    for (const Surface& s : mesh.surfaces)
      for (const Vertex& v : s.vertices) {
        reach = std::max<double>(reach, std::hypot(v.p.x(), v.p.z()));
        half = std::max<double>(half, std::abs(v.p.y()));
      }
    // Lugs are flat boxes whose corners stand out by at most 3 % of the radius.
    EXPECT_GE(reach, 0.2);
    EXPECT_LE(reach, 0.2 * 1.03);
    EXPECT_LE(half, 0.5 * 0.12 * 1.65);  // the hub cap may stand out
    EXPECT_GE(facing_share(mesh), 0.99);
  }
}

TEST(RunningGear, TrackRepeatsAfterItsPeriodAndStaysAroundItsPulleys) {
  const TrackShape shape{.length = 0.5, .front_radius = 0.05, .rear_radius = 0.08};
  const Mesh a = track_mesh(shape, 0), b = track_mesh(shape, track_period(shape));
  ASSERT_EQ(a.triangles(), b.triangles());
  const Box box = a.bounds(), again = b.bounds();
  EXPECT_TRUE(box.size().isApprox(again.size(), 1e-3));
  EXPECT_NEAR(box.high.x(), 0.25 + 0.05, 0.012);
  EXPECT_NEAR(box.low.x(), -0.25 - 0.08, 0.015);
}

TEST(RobotMeshes, AreModestFaceOutwardsAndFitTheirRobots) {
  for (const NamedMesh& m : project_meshes()) {
    EXPECT_LT(m.mesh.triangles(), 12000u) << m.file;
    EXPECT_GT(m.mesh.triangles(), 300u) << m.file;
    EXPECT_GE(facing_share(m.mesh), 0.985) << m.file;
    EXPECT_LT(m.mesh.bounds().size().maxCoeff(), 2.0) << m.file;
  }
}

}  // namespace
}  // namespace scree::view
