#include "scree/ground/magic_formula.hpp"

#include <Eigen/LU>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"

namespace scree {
namespace {

/// y_m of a curve: y - E (y - atan y) = tan(pi / 2C). Monotone in y for E <= 1, so bisection always finds it.
double peak_argument(double C, double E) {
  const double target = maths::tan(kPi / (2 * C));
  double low = 0, high = 1;
  const auto psi = [E](double y) { return y - E * (y - maths::atan(y)); };
  while (psi(high) < target && high < 1e6) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (psi(middle) < target ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double curve_value(double x, double B, double C, double D, double E) {
  const double y = B * x;
  return D * maths::sin(C * maths::atan(y - E * (y - maths::atan(y))));
}

void describe_set(Section section, BakkerSet& set) {
  section.number("shape", set.shape, {.unit = "-", .doc = "C", .range = {1.0, 2.0, true, false}});
  std::vector<double> a(set.a.begin(), set.a.end());
  section.numbers("a", a, {.unit = "-", .doc = "a1 .. a8; load in kN, slip in percent or degrees"});
  if (a.size() != set.a.size()) section.fail("a", fmt::format("needs 8 numbers, got {}", a.size()));
  std::copy(a.begin(), a.end(), set.a.begin());
  section.finish();
}

}  // namespace

void describe(Section& s, TyreSettings& x) {
  s.choice("kind", x.kind, {"bakker87", "constant"},
           {.doc = "load-dependent coefficients of 1987, or the same friction at all loads"});
  describe_set(s.child("longitudinal", "Fx coefficients of kind bakker87"), x.longitudinal);
  describe_set(s.child("lateral", "Fy coefficients of kind bakker87"), x.lateral);
  s.number("friction", x.friction,
           {.unit = "-", .doc = "peak friction of kind constant", .range = positive()});
  s.number("peak_slip", x.peak_slip,
           {.unit = "-", .doc = "longitudinal slip at the peak, kind constant", .range = positive()});
  s.angle("peak_slip_angle", x.peak_slip_angle,
          {.doc = "slip angle at the peak, kind constant", .range = {0, 1.2, true, false}});
  s.number("shape", x.shape, {.unit = "-", .doc = "C of kind constant", .range = {1.0, 2.0, true, false}});
  s.number("curvature", x.curvature, {.unit = "-", .doc = "E of kind constant", .range = between(-10, 1)});
  s.number("relaxation_length", x.relaxation_length,
           {.unit = "m", .doc = "travel over which slip forces build up", .range = positive()});
  s.number("damping_time", x.damping_time,
           {.unit = "s", .doc = "damping of the slip deflection at rest", .range = not_negative()});
  s.number("rolling_resistance", x.rolling_resistance,
           {.unit = "-", .doc = "resisting moment / (load x radius)", .range = between(0, 1)});
  s.number("max_load", x.max_load,
           {.unit = "N", .doc = "largest load that the coefficients follow", .range = positive()});
}

Tyre::Tyre(const TyreSettings& settings) : settings_(settings) {
  x_ = fit(false);
  y_ = fit(true);
  alike_ = x_.alike(y_);
  same_friction_ = settings_.kind == "constant";
}

Tyre::Coefficients Tyre::coefficients(bool lateral, double load) const {
  if (settings_.kind == "constant") {
    const double C = settings_.shape, E = settings_.curvature;
    const double peak = lateral ? settings_.peak_slip_angle / kDegree : 100 * settings_.peak_slip;
    return {peak_argument(C, E) / peak, C, settings_.friction * load, E};
  }
  const BakkerSet& set = lateral ? settings_.lateral : settings_.longitudinal;
  const auto& a = set.a;
  const double Fz = std::max(load, 1e-6) * 1e-3;  // kN; the limit at zero load is finite
  const double D = (a[0] * Fz + a[1]) * Fz;
  const double BCD = lateral ? a[2] * maths::sin(a[3] * maths::atan(a[4] * Fz))
                             : (a[2] * Fz + a[3]) * Fz / maths::exp(a[4] * Fz);
  return {BCD / (set.shape * D), set.shape, D, (a[5] * Fz + a[6]) * Fz + a[7]};
}

double Tyre::longitudinal_force(double kappa, double load) const {
  const auto c = coefficients(false, load);
  return curve_value(100 * kappa, c.B, c.C, c.D, c.E);
}

double Tyre::lateral_force(double slip_angle, double load) const {
  const auto c = coefficients(true, load);
  return curve_value(slip_angle / kDegree, c.B, c.C, c.D, c.E);
}

double Tyre::peak_force(double load) const {
  if (same_friction_) return settings_.friction * load;
  const double Fz = std::max(load, 1e-6) * 1e-3;  // kN
  return (settings_.longitudinal.a[0] * Fz + settings_.longitudinal.a[1]) * Fz;
}

double Tyre::peak_kappa(double load) const {
  const auto c = coefficients(false, load);
  return 0.01 * peak_argument(c.C, c.E) / c.B;
}

double Tyre::peak_slip_angle(double load) const {
  const auto c = coefficients(true, load);
  return kDegree * peak_argument(c.C, c.E) / c.B;
}

Tyre::LoadFunctions Tyre::functions(bool lateral, double t) const {
  const double load = std::max(t * settings_.max_load, 1e-6);
  const auto c = coefficients(lateral, load);
  const double peak = peak_argument(c.C, c.E);
  return {c.D / load, c.E, peak, c.B / peak};
}

/// Interpolation in Chebyshev nodes of t = Fz / max_load in [0, 1].
void Tyre::fit_powers(bool lateral, Curve& curve) const {
  Eigen::Matrix<double, kTerms, kTerms> powers;
  Eigen::Matrix<double, kTerms, 4> values;
  for (int i = 0; i < kTerms; ++i) {
    const double t = 0.5 * (1 - maths::cos(kPi * (i + 0.5) / kTerms));
    for (int k = 0; k < kTerms; ++k) powers(i, k) = maths::pow(t, k);
    const LoadFunctions f = functions(lateral, t);
    values.row(i) = Eigen::Map<const Eigen::RowVector4d>(f.data());
  }
  Eigen::Matrix<double, kTerms, 4> fitted = powers.fullPivLu().solve(values);
  curve.constant = ((values.rowwise() - values.row(0)).array().abs() <= 1e-12 * values.array().abs()).all();
  curve.straight = (values.col(1).array() == 0).all();
  if (curve.constant) fitted.setZero(), fitted.row(0) = values.row(0);
  for (int f = 0; f < 4; ++f)
    for (int k = 0; k < kTerms; ++k) curve.all()[f]->power[k] = fitted(k, f);
}

/// The same by Chebyshev polynomials, which stay well conditioned however many there are.
void Tyre::fit_chebyshev(bool lateral, int terms, Curve& curve) const {
  curve.terms = terms;
  for (Polynomial* p : curve.all()) p->power = {}, p->chebyshev = {};
  for (int i = 0; i < terms; ++i) {
    const double angle = kPi * (i + 0.5) / terms;
    const LoadFunctions f = functions(lateral, 0.5 * (1 + maths::cos(angle)));
    for (int which = 0; which < 4; ++which)
      for (int k = 0; k < terms; ++k)
        curve.all()[which]->chebyshev[k] += (k > 0 ? 2.0 : 1.0) / terms * f[which] * maths::cos(k * angle);
  }
}

/// Whether the fit is within 1e-6 at all loads.
bool Tyre::follows(bool lateral, Curve& curve) const {
  constexpr int kLoads = 200;
  for (int i = 0; i <= kLoads; ++i) {
    const double t = static_cast<double>(i) / kLoads;
    const LoadFunctions exact = functions(lateral, t);
    if (!(exact[0] > 0 && std::isfinite(exact[1] + exact[2] + exact[3]))) {
      input_error(
          "tyre: the coefficients give no usable {} curve at {:.0f} N (friction {:.4g}, E {:.4g}); "
          "check a1 .. a8 or lower max_load (now {} N)",
          lateral ? "Fy" : "Fx", t * settings_.max_load, exact[0], exact[1], settings_.max_load);
    }
    for (int f = 0; f < 4; ++f) {
      const double off = value(curve, *curve.all()[f], t) - exact[f];
      if (!(std::abs(off) < 1e-6 * std::max(std::abs(exact[f]), 1e-3))) return false;
    }
  }
  return true;
}

Tyre::Curve Tyre::fit(bool lateral) const {
  Curve curve;
  curve.shape = coefficients(lateral, 1.0).C;
  fit_powers(lateral, curve);
  if (follows(lateral, curve)) return curve;
  for (int terms = kTerms + 4; terms <= kMostTerms; terms += 2) {
    fit_chebyshev(lateral, terms, curve);
    if (follows(lateral, curve)) return curve;
  }
  input_error(
      "tyre: max_load = {} N is too wide a range for the {} coefficients to be followed to 1e-6; lower it "
      "(loads above are taken as max_load in the coefficients)",
      settings_.max_load, lateral ? "Fy" : "Fx");
}

}  // namespace scree
