#pragma once
/// Tyre forces and moments by PAC2002 (the Delft magic formula, version 5.2), from a tyre property file.
///
/// Ding 2011 Sec. 5.1.2 and Eq. 32, with sin for the printed cos and with the shifts (errata 003-32); the
/// full set with combined slip, camber and the moments is Pacejka, Tyre and Vehicle Dynamics (2nd ed. 2006),
/// Sec. 4.3.2, in the letters of the files (PCX1, PDX1, ...). Turn slip is left out (all zeta are 1).
///
/// Axes: x forward, y left, z up, at the contact; forces are those on the tyre. kappa = (U - V)/|V|, slip
/// angle atan2(v_y, |v_x|) [rad], camber [rad] positive when the top leans to the right (about +x). Inputs
/// beyond the ranges that the file gives are taken at their ends.
#include <filesystem>

#include "scree/ground/tir_file.hpp"

namespace scree {

struct TyreMotion {
  double load;            ///< F_z [N]
  double kappa = 0;       ///< longitudinal slip [-]
  double slip_angle = 0;  ///< alpha [rad]
  double camber = 0;      ///< gamma [rad]
  double speed = 0;       ///< |V_x| [m/s]
};

struct TyreWrench {
  double fx = 0, fy = 0;  ///< N
  double mx = 0;          ///< overturning couple [N m]
  double my = 0;          ///< rolling resistance, negative when rolling forward [N m]
  double mz = 0;          ///< self-aligning moment [N m]
};

class Pac2002 {
 public:
  /// Throws InputError for another format, foreign units, or coefficients that make no tyre.
  explicit Pac2002(const TirFile& file);
  static Pac2002 from_file(const std::filesystem::path& file) { return Pac2002(TirFile::read(file)); }

  TyreWrench forces(const TyreMotion& motion) const;

  double nominal_load() const { return fz0_; }
  double radius() const { return r0_; }
  /// d F_x / d kappa and d F_y / d alpha at zero slip, of the curves without their shifts [N, N/rad].
  double slip_stiffness(double load) const;
  double cornering_stiffness(double load) const;

 private:
  struct Longitudinal {
    double pc1, pd1, pd2, pd3, pe1, pe2, pe3, pe4, pk1, pk2, pk3, ph1, ph2, pv1, pv2;
    double rb1, rb2, rc1, re1, re2, rh1;
  };
  struct Lateral {
    double pc1, pd1, pd2, pd3, pe1, pe2, pe3, pe4, pk1, pk2, pk3, ph1, ph2, ph3, pv1, pv2, pv3, pv4;
    double rb1, rb2, rb3, rc1, re1, re2, rh1, rh2, rv1, rv2, rv3, rv4, rv5, rv6;
  };
  struct Moments {
    double qb1, qb2, qb3, qb4, qb5, qb9, qb10, qc1, qd1, qd2, qd3, qd4, qd6, qd7, qd8, qd9;
    double qe1, qe2, qe3, qe4, qe5, qh1, qh2, qh3, qh4, ss1, ss2, ss3, ss4;
    double sx1, sx2, sx3, sy1, sy2, sy3, sy4;
  };
  /// Scaling factors (lambda), one where the file is silent.
  struct Scales {
    double fz0, cx, mux, ex, kx, hx, vx, gax, cy, muy, ey, ky, hy, vy, gay, tr, res, gaz, xal, yka, vyka, s,
        mx, vmx, my;
  };
  /// Range of validity of one input.
  struct Limits {
    double low, high;
    double hold(double x) const { return x < low ? low : x > high ? high : x; }
  };
  /// What the pure lateral curve leaves for the moments.
  struct LateralCurve {
    double force, stiffness, sharpness, friction, shift, lift;
  };
  double kx(double load, double dfz) const;
  double ky(double load, double camber) const;
  double pure_fx(const TyreMotion& m, double dfz) const;
  LateralCurve pure_fy(const TyreMotion& m, double dfz) const;
  double weight_x(const TyreMotion& m, double dfz) const;
  double weight_y(const TyreMotion& m, double dfz) const;
  double kappa_side(const TyreMotion& m, double dfz, double friction) const;
  double aligning(const TyreMotion& m, double dfz, const LateralCurve& side, double fy_rest, double fx,
                  double fy) const;
  double increment(double load) const { return (load - l_.fz0 * fz0_) / (l_.fz0 * fz0_); }

  double fz0_, r0_, v0_;
  Longitudinal x_;
  Lateral y_;
  Moments z_;
  Scales l_;
  Limits load_, kappa_, alpha_, camber_;
};

}  // namespace scree
