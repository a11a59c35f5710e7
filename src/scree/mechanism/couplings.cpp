#include "scree/mechanism/couplings.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/mechanism/articulated.hpp"

namespace scree {
namespace {

void clear_right_side(Workspace& ws) {
  for (LinkFactor& f : ws.factor) {
    f.p.setZero();
    f.joint_residual = f.joint_given = 0;
  }
  for (RotorFactor& rf : ws.rotor_factor) rf.residual = 0;
}

double& residual(const Tree& tree, int coordinate, Workspace& ws) {
  return coordinate < tree.joint_count() ? ws.factor[coordinate + 1].joint_residual
                                         : ws.rotor_factor[coordinate - tree.joint_count()].residual;
}

/// Relative motion that a vector of coordinate rates gives a coupling; zero when it is met.
double slip(const Coupling& c, const double* coordinates) {
  return coordinates[c.a] - c.ratio * coordinates[c.b];
}

/// Response of all accelerations to a unit force of each coupling, and what these do to the couplings.
void find_responses(const Tree& tree, Workspace& ws) {
  const auto couplings = tree.couplings();
  const int n = static_cast<int>(couplings.size());
  for (int k = 0; k < n; ++k) {
    clear_right_side(ws);
    residual(tree, couplings[k].a, ws) += 1;
    residual(tree, couplings[k].b, ws) -= couplings[k].ratio;
    double* column = ws.coupling_columns.col(k).data();
    articulated::absorb_rotors(tree, ws);
    articulated::substitute(tree, ws, column);
    for (int i = 0; i < n; ++i) ws.coupling_matrix(i, k) = slip(couplings[i], column + tree.joint_velocity());
    for (int j = 0; j < tree.joint_count(); ++j) ws.coupling_given(j, k) = ws.factor[j + 1].joint_force;
  }
}

/// L U in place, without pivots: near enough symmetric and positive, being the inverse of an inertia.
void factor_responses(const Tree& tree, Workspace& ws) {
  MatX& K = ws.coupling_matrix;
  const int n = static_cast<int>(K.rows());
  for (int k = 0; k < n; ++k) {
    if (!(std::abs(K(k, k)) > 0) || !std::isfinite(K(k, k))) {
      run_error("{}: coupling '{}' cannot be solved for its force", tree.name(), tree.couplings()[k].name);
    }
    for (int i = k + 1; i < n; ++i) {
      const double f = K(i, k) /= K(k, k);
      for (int j = k + 1; j < n; ++j) K(i, j) -= f * K(k, j);
    }
  }
}

/// Makes the couplings' slip accelerations what x holds; x becomes the forces.
void enforce(const Tree& tree, VecX& x, double* accelerations, Workspace& ws) {
  const MatX& K = ws.coupling_matrix;
  const auto couplings = tree.couplings();
  const int n = static_cast<int>(couplings.size());
  for (int i = 0; i < n; ++i) {
    x[i] -= slip(couplings[i], accelerations + tree.joint_velocity());
    for (int k = 0; k < i; ++k) x[i] -= K(i, k) * x[k];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= K(i, k) * x[k];
    x[i] /= K(i, i);
  }
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < tree.velocity_count(); ++i) accelerations[i] += x[k] * ws.coupling_columns(i, k);
    for (int j = 0; j < tree.joint_count(); ++j) ws.joint_force[j] += x[k] * ws.coupling_given(j, k);
  }
}

}  // namespace

void couple(const Tree& tree, double dt, double* accelerations, Workspace& ws) {
  find_responses(tree, ws);
  factor_responses(tree, ws);
  // A constraint that is linear in the coordinates is kept exactly by every integrator, rounding apart. The
  // critically damped return takes care of that and of initial states that do not meet it.
  constexpr double kRate = 50;  // 1/s, where the step allows
  const double rate = dt > 0 ? std::min(kRate, 0.25 / dt) : kRate;
  const auto pick = [&](const std::vector<double>& joint, const std::vector<double>& rotor, int i) {
    return i < tree.joint_count() ? joint[i] : rotor[i - tree.joint_count()];
  };
  const auto couplings = tree.couplings();
  for (std::size_t i = 0; i < couplings.size(); ++i) {
    const Coupling& c = couplings[i];
    const double gap = pick(ws.q, ws.angle, c.a) - c.ratio * pick(ws.q, ws.angle, c.b) - c.offset;
    const double gap_rate = pick(ws.rate, ws.spin, c.a) - c.ratio * pick(ws.rate, ws.spin, c.b);
    ws.coupling_force[i] = -2 * rate * gap_rate - rate * rate * gap;
  }
  enforce(tree, ws.coupling_force, accelerations, ws);
}

void keep_coupled(const Tree& tree, double* change, Workspace& ws) {
  ws.coupling_change.setZero();
  enforce(tree, ws.coupling_change, change, ws);
  ws.coupling_force += ws.coupling_change;
}

}  // namespace scree
