// The equations of motion against derivations that share nothing with the recursion.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "mechanism/random_tree.hpp"
#include "mechanism/stepper.hpp"
#include "scree/core/dense.hpp"

namespace scree {
namespace {

using test::joint;
using Real = long double;
using V3 = std::array<Real, 3>;

V3 add(const V3& a, const V3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
V3 scaled(const V3& a, Real s) { return {a[0] * s, a[1] * s, a[2] * s}; }
V3 cross(const V3& a, const V3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// `p` turned by the rotation vector r (Rodrigues).
V3 turned(const V3& p, const V3& r) {
  const Real angle = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  if (angle == 0) return p;
  const V3 n = scaled(r, 1 / angle), c = cross(n, p);
  return add(p, add(scaled(c, std::sin(angle)), scaled(cross(n, c), 1 - std::cos(angle))));
}

/// Three links made of mass points: a floating base, an arm that turns on it, a slide on the arm.
struct MassPoint {
  int link;
  Real mass;
  V3 place;  ///< link axes
};
const std::vector<MassPoint> kPoints = {{0, 2.0L, {0.3L, 0.1L, 0}},     {0, 1.0L, {-0.2L, 0.2L, 0.1L}},
                                        {0, 1.5L, {0, -0.3L, 0.2L}},    {0, 0.7L, {0.1L, 0, -0.4L}},
                                        {1, 0.8L, {0.2L, 0, 0.1L}},     {1, 0.5L, {0, 0.3L, 0}},
                                        {1, 0.9L, {-0.1L, 0.1L, 0.3L}}, {2, 0.6L, {0.1L, 0.1L, 0}},
                                        {2, 0.4L, {0, -0.1L, 0.2L}},    {2, 0.3L, {-0.2L, 0, 0.1L}}};
const V3 kHinge = {0.4L, 0.1L, 0.2L}, kHingeAxis = {0.6L, 0, 0.8L};
const V3 kRail = {0.1L, 0.5L, 0}, kRailAxis = {0, 0.6L, -0.8L};

/// World place of a point when the base has moved from the reference by `step` in reference axes and turned
/// by the rotation vector `turn` (reference axes), after the reference rotation `attitude`.
V3 place(const MassPoint& point, const V3& attitude, const std::array<Real, 8>& xi) {
  V3 p = point.place;
  if (point.link == 2) p = add(add(p, kRail), scaled(kRailAxis, xi[7]));
  if (point.link >= 1) p = add(turned(p, scaled(kHingeAxis, xi[6])), kHinge);
  p = add(turned(p, {xi[3], xi[4], xi[5]}), {xi[0], xi[1], xi[2]});
  return turned(p, attitude);
}

/// First and second derivative along a line in xi by central differences of sixth order.
void differentiate(const std::function<V3(Real)>& path, V3& first, V3& second) {
  const Real h = 1e-3L;
  first = second = {0, 0, 0};
  const Real c1[4] = {0, 3.0L / 4, -3.0L / 20, 1.0L / 60};
  const Real c2[4] = {-49.0L / 18, 3.0L / 2, -3.0L / 20, 1.0L / 90};
  for (int k = -3; k <= 3; ++k) {
    const V3 p = path(k * h);
    const int m = std::abs(k);
    first = add(first, scaled(p, (k < 0 ? -1 : 1) * c1[m] / h));
    second = add(second, scaled(p, c2[m] / (h * h)));
  }
}

/// D'Alembert for the mass points: sum m J^T (J a + (second derivative along the motion) - g) = forces.
VecX accelerations_of_points(const V3& attitude, double q0, double q1, const VecX& velocity,
                             const Vec3& gravity, const VecX& forces) {
  MatX H = MatX::Zero(8, 8);
  VecX Q = forces;
  for (const MassPoint& point : kPoints) {
    const auto at = [&](const VecX& direction) {
      return [&, direction](Real t) {
        std::array<Real, 8> xi{0, 0, 0, 0, 0, 0, q0, q1};
        for (int i = 0; i < 8; ++i) xi[i] += t * static_cast<Real>(direction[i]);
        return place(point, attitude, xi);
      };
    };
    Eigen::Matrix<double, 3, 8> J;
    V3 first, second;
    for (int i = 0; i < 8; ++i) {
      differentiate(at(VecX::Unit(8, i)), first, second);
      for (int k = 0; k < 3; ++k) J(k, i) = static_cast<double>(first[k]);
    }
    differentiate(at(velocity), first, second);
    Vec3 bias;
    for (int k = 0; k < 3; ++k) bias[k] = static_cast<double>(second[k]) - gravity[k];
    const double m = static_cast<double>(point.mass);
    H += m * J.transpose() * J;
    Q -= m * J.transpose() * bias;
  }
  return solve_dense(H, Q);
}

TreeSettings tree_of_points() {
  TreeSettings s;
  for (int i = 0; i < 3; ++i) {
    LinkSettings link{"link" + std::to_string(i)};
    for (const MassPoint& point : kPoints) {
      if (point.link != i) continue;
      const Vec3 p(point.place[0], point.place[1], point.place[2]);
      lump_link({"point", static_cast<double>(point.mass), p, Mat3::Zero()}, Pose{}, link);
    }
    s.links.push_back(link);
  }
  const auto vec = [](const V3& v) { return Vec3(v[0], v[1], v[2]); };
  s.joints = {joint("hinge", JointType::revolute, "link0", "link1", vec(kHinge), vec(kHingeAxis)),
              joint("rail", JointType::prismatic, "link1", "link2", vec(kRail), vec(kRailAxis))};
  return s;
}

TEST(Derivation, ThreeLinkFloatingTreeMovesAsItsMassPoints) {
  test::Stepper s(tree_of_points());
  RandomStream random(31, 0, "points");
  for (int trial = 0; trial < 10; ++trial) {
    const Vec3 r = test::random_vector(random);
    const Quat attitude(Eigen::AngleAxisd(r.norm(), r.normalized()));
    VecX velocity(8), forces = VecX::Zero(8);
    for (int i = 0; i < 8; ++i) velocity[i] = random.normal();
    const double q0 = random.normal(), q1 = random.normal();
    forces[6] = random.normal(), forces[7] = random.normal();
    s.x = {1, 2, 3, attitude.w(), attitude.x(), attitude.y(), attitude.z(), q0, q1};
    const Vec3 v_W = attitude * Vec3(velocity.head<3>());
    s.v = {v_W[0], v_W[1], v_W[2], velocity[3], velocity[4], velocity[5], velocity[6], velocity[7]};
    s.load = [&](test::Stepper& self, double) {
      self.ws.joint_load[0].force += forces[6];
      self.ws.joint_load[1].force += forces[7];
    };
    s.accelerate();
    // A constant rotation vector rate from the reference attitude is a constant angular velocity, so that the
    // accelerations of both methods mean the same at this instant.
    const VecX expected = accelerations_of_points({r[0], r[1], r[2]}, q0, q1, velocity, s.gravity, forces);
    for (int i = 0; i < 8; ++i) {
      // Differences: h^6 of terms that grow as the sixth power of speeds up to 5: 1e-18 * 1e4 / h ~ 1e-11.
      EXPECT_NEAR(s.a[i], expected[i], 1e-9 * (1 + expected.norm())) << "trial " << trial;
    }
  }
}

/// Ding 2011 Eq. 7 with errata 003-5 to 003-7: world axes, base velocity at its centre of mass, axes turned
/// into the world, inertias in world axes. Revolute joints only, as printed.
MatX ding_inertia_matrix(const Tree& tree, const Workspace& ws) {
  const int n = tree.joint_count();
  const auto com = [&](int i) { return ws.link[i].X_WL * tree.links()[i].p_LC; };
  const auto inertia = [&](int i) {
    const Link& link = tree.links()[i];
    const Mat3 c = skew(link.p_LC), R = ws.link[i].X_WL.R;
    return Mat3(R * (link.inertia_L - link.mass * c * c.transpose()) * R.transpose());
  };
  const Vec3 r_0 = com(0);
  MatX H = MatX::Zero(6 + n, 6 + n);
  for (int i = 0; i <= n; ++i) {
    Eigen::Matrix3Xd J_MR = Eigen::Matrix3Xd::Zero(3, n), J_MT = J_MR;
    for (int at = i; at > 0; at = tree.joints()[at - 1].parent) {
      const Vec3 axis = ws.link[at].X_WL.R * tree.joints()[at - 1].axis;
      J_MR.col(at - 1) = axis;
      J_MT.col(at - 1) = axis.cross(com(i) - ws.link[at].X_WL.p);
    }
    const double m = tree.links()[i].mass;
    const Mat3 r = skew(com(i) - r_0), I = inertia(i);
    H.topLeftCorner<3, 3>() += m * Mat3::Identity();
    H.block<3, 3>(0, 3) += m * r.transpose();
    H.block<3, 3>(3, 0) += m * r;
    H.block<3, 3>(3, 3) += I + m * r * r.transpose();
    H.topRightCorner(3, n) += m * J_MT;
    H.block(3, 6, 3, n) += I * J_MR + m * r * J_MT;
    H.bottomRightCorner(n, n) += J_MR.transpose() * I * J_MR + m * J_MT.transpose() * J_MT;
  }
  H.bottomLeftCorner(n, 6) = H.topRightCorner(6, n).transpose();
  return H;
}

TEST(Derivation, InertiaMatrixIsDings) {
  for (int trial = 0; trial < 10; ++trial) {
    RandomStream random(32, trial, "ding");
    TreeSettings settings = test::random_tree(random, 6, false);
    settings.rotors.clear();
    settings.links[0].p_LC.setZero();
    for (JointSettings& j : settings.joints) {
      j.type = JointType::revolute;
      j.armature = 0;
    }
    test::Stepper s(settings);
    const test::RandomState state = test::random_state(random, s.tree);
    s.x = state.x, s.v = state.v;
    s.refresh();
    MatX H;
    inertia_matrix(s.tree, s.ws, H);
    const MatX D = ding_inertia_matrix(s.tree, s.ws);
    MatX turn = MatX::Identity(H.rows(), H.cols());
    turn.block<3, 3>(0, 0) = turn.block<3, 3>(3, 3) = s.ws.link[0].X_WL.R;
    EXPECT_LT((turn.transpose() * D * turn - H).norm(), 1e-12 * H.norm());
    // Eq. 6: the kinetic energy is its quadratic form.
    const VecX V = body_velocities(s.tree, s.ws);
    EXPECT_NEAR(kinetic_energy(s.tree, s.ws), 0.5 * V.dot(H * V), 1e-12 * H.norm());
  }
}

TEST(Derivation, PointAccelerationIsTheRateOfPointVelocity) {
  RandomStream random(33, 0, "point");
  test::Stepper s(test::random_tree(random, 6, false));
  const test::RandomState state = test::random_state(random, s.tree);
  s.x = state.x, s.v = state.v;
  normalise_base(s.tree, s.x);
  const int link = s.tree.link_count() - 1;
  const Vec3 p(0.2, -0.1, 0.4);
  s.accelerate();
  const Vec3 a = point_acceleration(s.ws, link, p), f = specific_force(s.ws, link, p);
  EXPECT_LT((s.ws.link[link].X_WL.R * f - (a - s.gravity)).norm(), 1e-12);
  Vec3 v[2];
  const double h = 1e-5;
  for (int side = 0; side < 2; ++side) {
    s.x = state.x, s.v = state.v;
    normalise_base(s.tree, s.x);
    s.rk4(side == 0 ? -h : h);
    s.refresh();
    v[side] = point_velocity(s.ws, link, p);
  }
  EXPECT_LT(((v[1] - v[0]) / (2 * h) - a).norm(), 1e-6 * (1 + a.norm()));
}

}  // namespace
}  // namespace scree
