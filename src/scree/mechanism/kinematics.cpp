#include "scree/mechanism/kinematics.hpp"

#include <cassert>
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/mechanism/block6.hpp"

namespace scree {
namespace {

/// 2 / n, next to 1 by the series, to rounding: all the rest waits for it.
inline double twice_inverse(double n) {
  const double e = n - 1;
  if (!(std::abs(e) < 1e-4)) return 2 / n;
  return 2 - e * (2 - e * (2 - e * 2));
}

/// Rotation of a quaternion (w, x, y, z) of any length: stages of an explicit step do not keep it at one.
inline void rotation_from_quaternion(const double* q, Mat3& R) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double s = twice_inverse(w * w + x * x + y * y + z * z);
  const double sx = s * x, sy = s * y, sz = s * z;
  const double wx = w * sx, wy = w * sy, wz = w * sz;
  const double xx = x * sx, xy = x * sy, xz = x * sz;
  const double yy = y * sy, yz = y * sz, zz = z * sz;
  double* r = R.data();
  r[0] = 1 - (yy + zz), r[1] = xy + wz, r[2] = xz - wy;
  r[3] = xy - wz, r[4] = 1 - (xx + zz), r[5] = yz + wx;
  r[6] = xz + wy, r[7] = yz - wx, r[8] = 1 - (xx + yy);
}

inline void place_base(const Tree& tree, const double* x, const double* v, LinkMotion& base) {
  if (tree.fixed_base()) {
    base.X_WL = tree.fixed_pose();
    base.V_WL_L.setZero();
    return;
  }
  base.X_WL.p = Vec3(x[0], x[1], x[2]);
  rotation_from_quaternion(x + 3, base.X_WL.R);
  base.V_WL_L.head<3>().noalias() = base.X_WL.R.transpose() * Vec3(v[0], v[1], v[2]);
  base.V_WL_L.tail<3>() = Vec3(v[3], v[4], v[5]);
}

/// Ding 2011, Eqs. 1-3 link by link, in link axes; a prismatic joint moves the link's origin (erratum 003-2).
inline void place_link(const Joint& joint, double q, double rate, const LinkMotion& parent, LinkFactor& f,
                       LinkMotion& link) {
  using namespace block6;
  const bool turns = joint.type == JointType::revolute;
  Turn R_PL = load_turn(joint.R0.data());
  Lanes p_PL = load4(joint.p_PJ.data());
  if (turns) {
    const maths::SineCosine turn = maths::sine_cosine(q);
    const Turn C = load_turn(joint.R_cos.data()), S = load_turn(joint.R_sin.data());
    R_PL = {R_PL.x + turn.cosine * C.x + turn.sine * S.x, R_PL.y + turn.cosine * C.y + turn.sine * S.y,
            R_PL.z + turn.cosine * C.z + turn.sine * S.z};
  } else {
    p_PL += q * load4(joint.axis_P.data());
  }
  store_turn(R_PL, f.R_PL.data());
  store3(p_PL, f.p_PL.data());
  const Turn R_WP = load_turn(parent.X_WL.R.data());
  store_turn({R_WP * R_PL.x, R_WP * R_PL.y, R_WP * R_PL.z}, link.X_WL.R.data());
  store3(load3(parent.X_WL.p.data()) + R_WP * p_PL, link.X_WL.p.data());
  const Turn R_LP = R_PL.transposed();
  const Six V_P = load6(parent.V_WL_L.data());
  const Lanes w_P = turning(V_P), own = rate * load4(joint.axis.data());
  const Lanes v = R_LP * (linear(V_P) + cross3(w_P, p_PL)), w = R_LP * w_P;
  store6(turns ? join(v, w + own) : join(v + own, w), link.V_WL_L.data());
}

}  // namespace

void update_kinematics(const Tree& tree, std::span<const double> positions,
                       std::span<const double> velocities, Workspace& ws) {
  assert(static_cast<int>(positions.size()) == tree.position_count());
  assert(static_cast<int>(velocities.size()) == tree.velocity_count());
  const double* x = positions.data();
  const double* v = velocities.data();
  place_base(tree, x, v, ws.link[0]);
  const double* q = x + tree.joint_position();
  const double* rate = v + tree.joint_velocity();
  const auto joints = tree.joints();
  const std::size_t n = joints.size();
  for (std::size_t j = 0; j < n; ++j) {
    ws.q[j] = q[j];
    ws.rate[j] = rate[j];
    place_link(joints[j], q[j], rate[j], ws.link[joints[j].parent], ws.factor[j + 1], ws.link[j + 1]);
  }
  const std::size_t rotors = ws.spin.size();
  for (std::size_t r = 0; r < rotors; ++r) {
    ws.angle[r] = q[n + r];
    ws.spin[r] = rate[n + r];
  }
}

Vec3 point_velocity(const Workspace& ws, int link, const Vec3& p_LP) {
  const LinkMotion& m = ws.link[link];
  return m.X_WL.R * (m.V_WL_L.head<3>() + Vec3(m.V_WL_L.tail<3>()).cross(p_LP));
}

Vec3 specific_force(const Workspace& ws, int link, const Vec3& p_LP) {
  const Vec6 a = ws.factor[link].u + ws.factor[link].b;
  const Vec3& w = ws.w_mid[link];
  return a.head<3>() + Vec3(a.tail<3>()).cross(p_LP) + w.cross(w.cross(p_LP));
}

Vec3 point_acceleration(const Workspace& ws, int link, const Vec3& p_LP) {
  return ws.link[link].X_WL.R * specific_force(ws, link, p_LP) + ws.gravity;
}

MatX point_jacobian(const Tree& tree, const Workspace& ws, int link, const Vec3& p_LP) {
  MatX J = MatX::Zero(6, tree.velocity_count());
  const Mat3 R_LW = ws.link[link].X_WL.R.transpose();
  const Vec3 p_WP = point_position(ws, link, p_LP);
  for (int at = link; at > 0; at = tree.joints()[at - 1].parent) {
    const Joint& joint = tree.joints()[at - 1];
    const Vec3 axis = R_LW * (ws.link[at].X_WL.R * joint.axis);
    const int column = tree.joint_velocity() + at - 1;
    if (joint.type == JointType::revolute) {
      const Vec3 arm = R_LW * (p_WP - ws.link[at].X_WL.p);
      J.col(column).head<3>() = axis.cross(arm);
      J.col(column).tail<3>() = axis;
    } else {
      J.col(column).head<3>() = axis;
    }
  }
  if (!tree.fixed_base()) {
    const Mat3 R_LB = R_LW * ws.link[0].X_WL.R;
    J.block<3, 3>(0, 0) = J.block<3, 3>(3, 3) = R_LB;
    J.block<3, 3>(0, 3) = -skew(R_LW * (p_WP - ws.link[0].X_WL.p)) * R_LB;
  }
  return J;
}

VecX body_velocities(const Tree& tree, const Workspace& ws) {
  VecX V(tree.velocity_count());
  if (!tree.fixed_base()) V.head<6>() = ws.link[0].V_WL_L;
  for (int j = 0; j < tree.joint_count(); ++j) V[tree.joint_velocity() + j] = ws.rate[j];
  for (int r = 0; r < tree.rotor_count(); ++r) V[tree.rotor_velocity() + r] = ws.spin[r];
  return V;
}

}  // namespace scree
