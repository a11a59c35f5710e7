#pragma once
/// The optimum of the planar traction control CDTA, exactly.
#include <array>

#include "scree/core/types.hpp"

namespace scree {

/// One axle in the pitch plane (x ahead, y up): where it touches, and what it may pull.
struct CdtaAxle {
  Vec2 p = Vec2::Zero();     ///< contact point from the centre of mass [m]
  double tangent = 0;        ///< angle of the contact's tangent above the horizontal, uphill positive [rad]
  double friction_base = 0;  ///< |F| <= friction_base + friction N (the tyre's peak, linear in the load) [N]
  double friction = 0;       ///< [-]
  double force_limit = 0;    ///< |F| <= force_limit: motor torque over radius [N]
  double normal_least = 0;   ///< N >= normal_least [N]
};

struct CdtaProblem {
  double mass = 0, gravity = 0;   ///< [kg], [m/s^2]
  double pitch = 0;               ///< of the body, nose-up positive [rad]
  double desired = 0;             ///< acceleration along the body's x [m/s^2]
  std::array<CdtaAxle, 2> axles;  ///< rear, front
};

struct CdtaSolution {
  enum class Status {
    solved,      ///< every limit is kept
    infeasible,  ///< none can: the least violation of the load and friction limits
    singular,    ///< the contacts do not determine the loads (both normals meet in the centre of mass ...)
  };
  Status status = Status::singular;
  std::array<double, 2> traction{}, normal{};  ///< F and N of rear and front [N]
  double acceleration = 0;                     ///< [m/s^2]
  double violation = 0;                        ///< largest breach of a limit when infeasible [N]
};

/// Traction of two axles such that the body accelerates along its x as nearly as possible as desired, with
/// no acceleration normal to it and none in pitch (Morrot 2011 Sec. 3, after Silva 2010; definition, signs
/// and tie-breaks: conventions, "Planar CDTA"; T_sat / r by erratum 000 sec. 3):
///
///     sum (F_i t_i + N_i n_i) + (0, -m g) = m a (cos pitch, sin pitch),   sum p_i x (F_i t_i + N_i n_i) = 0
///     N_i >= N_min,  |F_i| <= base_i + friction_i N_i,  |F_i| <= force_limit_i
///     first |a - desired| least, then |F1| + |F2| least, then F1^2 + F2^2 least.
///
/// The three equations make N1, N2 and a linear in (F1, F2), so the limits are ten half-planes: a convex
/// polygon, cut out of the rectangle of the force limits. The optimum lies on the segment a = const in it.
/// Everything is closed form; no iteration, no allocation.
CdtaSolution solve_cdta(const CdtaProblem& problem);

}  // namespace scree
