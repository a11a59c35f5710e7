#pragma once
/// Tyre forces by the magic formula.
///
/// Morrot 2011, Eqs. 11-13: y = D sin[C atan{B x - E (B x - atan B x)}], with the coefficients of Bakker,
/// Nyborg and Pacejka 1987 (SAE 870421) as functions of the load, or with constants that give the same peak
/// friction at all loads. x is the longitudinal slip kappa in percent or the slip angle in degrees, forces in
/// N, loads in kN inside the coefficient sets (errata 000-11); everything outside this file is SI.
///
/// Combined slip: both slips are divided by the slip of their own peak, (xi, eta), and each curve is read at
/// rho = hypot(xi, eta) and shared by direction: Fx = Fx0(rho) xi / rho, Fy = Fy0(rho) eta / rho. Pure slip
/// gives back the pure curve; the two peaks bound an ellipse. In normalised form B cancels: with y = rho y_m,
/// where y_m solves y_m - E (y_m - atan y_m) = tan(pi / 2C), the curve is D sin[C atan psi(y)].
///
/// The load enters through smooth functions (B, D, E, y_m of Fz), which are replaced by polynomials in Fz
/// fitted when the tyre is built; the fit's error is checked there to be below 1e-6. Powers of Fz serve up to
/// 1 kN; over all loads of the 1987 data (8 kN) y_m of the lateral curve asks for 27 Chebyshev polynomials.
#include <array>
#include <string>

#include "scree/config/section.hpp"
#include "scree/core/lanes.hpp"

namespace scree {

/// One direction of the 1987 set: D = a1 Fz² + a2 Fz; BCD as the set says; E = a6 Fz² + a7 Fz + a8.
struct BakkerSet {
  double shape;             ///< C [-]
  std::array<double, 8> a;  ///< a1 .. a8, Fz in kN
  bool operator==(const BakkerSet&) const = default;
};

struct TyreSettings {
  /// "bakker87": load-dependent car tyre; "constant": same friction coefficient at all loads.
  std::string kind = "bakker87";
  BakkerSet longitudinal{1.65, {-21.3, 1144, 49.6, 226, 0.069, -0.006, 0.056, 0.486}};
  BakkerSet lateral{1.30, {-22.1, 1011, 1078, 1.82, 0.208, 0.000, -0.354, 0.707}};
  double friction = 0.8;              ///< peak Fx/Fz and Fy/Fz of kind "constant" [-]
  double peak_slip = 0.15;            ///< kappa at the peak of Fx, kind "constant" [-]
  double peak_slip_angle = 0.15;      ///< alpha at the peak of Fy, kind "constant" [rad]
  double shape = 1.5;                 ///< C of kind "constant" [-]
  double curvature = 0.0;             ///< E of kind "constant" [-]
  double relaxation_length = 0.06;    ///< of the slip deflection [m]
  double damping_time = 0.005;        ///< of the slip deflection [s]
  double rolling_resistance = 0.015;  ///< moment / (load x radius) [-]
  double max_load = 1000;             ///< loads above are taken as this one in the coefficients [N]
  bool operator==(const TyreSettings&) const = default;
};
void describe(Section& section, TyreSettings& settings);

/// Friction demand of a wheel: forces divided by the load, and how they change with slip.
template <class T>
struct TyreFriction {
  T mu_x, mu_y;      ///< Fx/Fz, Fy/Fz [-]
  T xx, xy, yx, yy;  ///< d mu / d (kappa, tan alpha), with falling branches taken as flat
};

class Tyre {
 public:
  explicit Tyre(const TyreSettings& settings);
  const TyreSettings& settings() const { return settings_; }

  /// Pure curves evaluated directly from the coefficients [N]; the reference for the fast path.
  double longitudinal_force(double kappa, double load) const;
  double lateral_force(double slip_angle, double load) const;
  /// Largest Fx at this load [N] (the D of Eq. 11).
  double peak_force(double load) const;
  /// kappa and slip angle [rad] at which the pure curves peak.
  double peak_kappa(double load) const;
  double peak_slip_angle(double load) const;

  /// Whether its coefficients change with the load.
  bool follows_load() const { return !(x_.constant && y_.constant); }
  /// kappa = (U - V)/|V| [-], tan_alpha [-], load [N].
  template <class T>
  TyreFriction<T> friction(T kappa, T tan_alpha, T load) const;

 private:
  static constexpr int kTerms = 9, kMostTerms = 40;
  /// Of t = Fz / max_load in [0, 1].
  struct Polynomial {
    std::array<double, kTerms> power{};
    std::array<double, kMostTerms> chebyshev{};  ///< of 2 t - 1, where the powers do not serve
    bool operator==(const Polynomial&) const = default;
  };
  struct Curve {
    double shape = 1;
    Polynomial friction;    ///< D / Fz
    Polynomial curvature;   ///< E
    Polynomial peak;        ///< y_m
    Polynomial per_slip;    ///< B / y_m in 1/percent or 1/degree: xi = per_slip x
    bool constant = false;  ///< the same at all loads
    bool straight = false;  ///< E = 0 at all loads
    int terms = 0;          ///< Chebyshev polynomials; 0: powers
    std::array<Polynomial*, 4> all() { return {&friction, &curvature, &peak, &per_slip}; }
    /// The two directions differ in their scale of slip only.
    bool alike(const Curve& other) const {
      return shape == other.shape && friction == other.friction && curvature == other.curvature &&
             peak == other.peak;
    }
  };
  struct Coefficients {
    double B, C, D, E;
  };
  Coefficients coefficients(bool lateral, double load) const;
  Curve fit(bool lateral) const;

  using LoadFunctions = std::array<double, 4>;  ///< D / Fz, E, y_m, B / y_m
  LoadFunctions functions(bool lateral, double t) const;
  void fit_powers(bool lateral, Curve& curve) const;
  void fit_chebyshev(bool lateral, int terms, Curve& curve) const;
  bool follows(bool lateral, Curve& curve) const;

  template <class T>
  static T value(const Curve& curve, const Polynomial& p, T t) {
    if (curve.constant) return lane::constant<T>(p.power[0]);
    return curve.terms > 0 ? chebyshev_sum(p.chebyshev, curve.terms, t) : lane::polynomial(p.power, t);
  }
  /// Clenshaw's recursion. Few tyres need it: kept out of the way.
  template <class T>
  [[gnu::noinline]] static T chebyshev_sum(const std::array<double, kMostTerms>& c, int terms, T t) {
    const T twice = 4.0 * t - 2.0;
    T next{}, after{};
    for (int k = terms - 1; k > 0; --k) {
      const T here = twice * next - after + c[k];
      after = next, next = here;
    }
    return 0.5 * twice * next - after + c[0];
  }
  template <class T>
  static void read(const Curve& curve, T rho, T t, T& level, T& slope);

  TyreSettings settings_;
  Curve x_, y_;
  bool alike_ = false;
  bool same_friction_ = false;  ///< kind "constant"
};

/// Friction on one curve at the normalised slip rho, and its derivative by rho (never negative).
template <class T>
[[gnu::always_inline]] inline void Tyre::read(const Curve& curve, T rho, T t, T& level, T& slope) {
  using namespace lane;
  const T peak = value(curve, curve.peak, t);
  const T d = value(curve, curve.friction, t);
  const T y = rho * peak;
  T psi = y, dpsi = constant<T>(1.0);
  if (!curve.straight) {
    const T E = value(curve, curve.curvature, t);
    psi = y - E * (y - arc_tangent(y));
    dpsi = 1.0 - E + E / (1.0 + y * y);
  }
  const SineCosine<T> sc = sine_cosine(curve.shape * arc_tangent(psi));
  level = d * sc.sine;
  slope = d * max(sc.cosine, T{}) * curve.shape * dpsi * peak / (1.0 + psi * psi);
}

template <class T>
[[gnu::always_inline]] inline TyreFriction<T> Tyre::friction(T kappa, T tan_alpha, T load) const {
  using namespace lane;
  const T t = clamp(load, T{}, constant<T>(settings_.max_load)) * (1.0 / settings_.max_load);
  const T gain_x = 100.0 * value(x_, x_.per_slip, t);
  const T gain_y = (1.0 / kDegree) * value(y_, y_.per_slip, t);
  const T xi = gain_x * kappa;
  const T eta = gain_y * arc_tangent(tan_alpha);
  const T rho = sqrt(xi * xi + eta * eta + 1e-24);
  const T per_rho = 1.0 / rho;
  const T cx = xi * per_rho, cy = eta * per_rho;
  T level_x, slope_x, level_y, slope_y;
  read(x_, rho, t, level_x, slope_x);
  if (alike_) {
    level_y = level_x, slope_y = slope_x;
  } else {
    read(y_, rho, t, level_y, slope_y);
  }
  // mu = level(rho) c: radially it grows by `slope`, sideways by level / rho.
  const T side_x = level_x * per_rho, side_y = level_y * per_rho;
  const T d_eta = gain_y / (1.0 + tan_alpha * tan_alpha);
  TyreFriction<T> f;
  f.mu_x = level_x * cx;
  f.mu_y = level_y * cy;
  f.xx = (side_x + (slope_x - side_x) * cx * cx) * gain_x;
  f.xy = (slope_x - side_x) * cx * cy * d_eta;
  f.yx = (slope_y - side_y) * cx * cy * gain_x;
  f.yy = (side_y + (slope_y - side_y) * cy * cy) * d_eta;
  return f;
}

}  // namespace scree
