#include "scree/mechanism/integrate.hpp"

#include <cmath>

#include "scree/mechanism/block6.hpp"

namespace scree {
namespace {

/// 1 / sqrt(n). A step changes the length of a quaternion little: next to 1 the series, to rounding, instead
/// of a root and a division that all the rest waits for.
inline double inverse_root(double n) {
  const double e = n - 1;
  if (!(std::abs(e) < 1e-4)) return 1 / std::sqrt(n);
  return 1 - e * (0.5 - e * (0.375 - e * 0.3125));
}

/// to += h from, four at a time.
inline void add_scaled(const double* from, double h, double* to, int count) {
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) lane::store(to + i, lane::load(to + i) + h * lane::load(from + i));
  for (; i < count; ++i) to[i] += h * from[i];
}

}  // namespace

void drift(const Tree& tree, std::span<double> positions, std::span<const double> velocities, double h) {
  double* x = positions.data();
  const double* v = velocities.data();
  if (!tree.fixed_base() && !tree.held_base()) {
    for (int i = 0; i < 3; ++i) x[i] += h * v[i];
    // A turn by |w| h has the quaternion (1, tan(|w| h/2) w/|w|) up to length; tan x = x (1 + x²/3) + O(x^5).
    const double* w = v + 3;
    const double k = h / 2, turn = k * k * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const double s = k * (1 + turn / 3);
    const double a = s * w[0], b = s * w[1], c = s * w[2];
    double* q = x + 3;
    const double q0 = q[0] - (q[1] * a + q[2] * b + q[3] * c);
    const double q1 = q[1] + (q[0] * a + q[2] * c - q[3] * b);
    const double q2 = q[2] + (q[0] * b + q[3] * a - q[1] * c);
    const double q3 = q[3] + (q[0] * c + q[1] * b - q[2] * a);
    const double scale = inverse_root(q0 * q0 + q1 * q1 + q2 * q2 + q3 * q3);
    q[0] = q0 * scale, q[1] = q1 * scale, q[2] = q2 * scale, q[3] = q3 * scale;
  }
  const int joints = tree.joint_velocity();
  add_scaled(v + joints, h, x + tree.joint_position(), tree.velocity_count() - joints);
}

void kick(const Tree& tree, const Workspace& ws, std::span<const double> accelerations, double h,
          std::span<double> velocities) {
  const double* a = accelerations.data();
  double* v = velocities.data();
  if (!tree.fixed_base()) {
    // Columns of the rotation in lanes; the fourth lane goes its own way.
    const double* R = ws.link[0].X_WL.R.data();
    const Lanes turned = block6::load4(R) * lane::lanes(a[0]) + block6::load4(R + 3) * lane::lanes(a[1]) +
                         block6::load4(R + 6) * lane::lanes(a[2]);
    for (int i = 0; i < 3; ++i) v[i] += h * turned[i];
    for (int i = 3; i < 6; ++i) v[i] += h * a[i];
  }
  const int joints = tree.joint_velocity();
  add_scaled(a + joints, h, v + joints, tree.velocity_count() - joints);
}

void position_rates(const Tree& tree, std::span<const double> positions, std::span<const double> velocities,
                    std::span<double> rates) {
  const double* v = velocities.data();
  if (!tree.fixed_base()) {
    const double* q = positions.data() + 3;
    const double* w = v + 3;
    for (int i = 0; i < 3; ++i) rates[i] = v[i];
    rates[3] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    rates[4] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    rates[5] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    rates[6] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
  }
  const int from = tree.joint_position(), shift = from - tree.joint_velocity();
  for (int i = from; i < tree.position_count(); ++i) rates[i] = v[i - shift];
}

void velocity_rates(const Tree& tree, const Workspace& ws, std::span<const double> accelerations,
                    std::span<double> rates) {
  for (double& rate : rates) rate = 0;
  kick(tree, ws, accelerations, 1.0, rates);
}

void normalise_base(const Tree& tree, std::span<double> positions) {
  if (tree.fixed_base()) return;
  double* q = positions.data() + 3;
  const double scale = 1 / std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; ++i) q[i] *= scale;
}

void meet_couplings(const Tree& tree, std::span<double> positions, std::span<double> velocities) {
  double* q = positions.data() + tree.joint_position();
  double* rate = velocities.data() + tree.joint_velocity();
  // A coupling may hang on another: as many passes as there are links in the longest such chain.
  for (std::size_t pass = 0; pass < tree.couplings().size(); ++pass) {
    for (const Coupling& c : tree.couplings()) {
      q[c.a] = c.ratio * q[c.b] + c.offset;
      rate[c.a] = c.ratio * rate[c.b];
    }
  }
}

}  // namespace scree
