#include "scree/ground/pac2002.hpp"

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/types.hpp"

namespace scree {
namespace {

double signum_of(double x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }

/// The bracket that all curves share: B x - E (B x - atan B x), with E at most 1.
double bent(double bx, double e) { return bx - std::fmin(e, 1.0) * (bx - maths::atan(bx)); }

double unit_factor(const TirFile& f, const char* key,
                   std::initializer_list<std::pair<const char*, double>> known) {
  const std::string unit = f.text(key);
  if (unit.empty()) return 1;
  for (const auto& [name, factor] : known) {
    if (unit == name) return factor;
  }
  input_error("{}: unit {} = '{}' is not known here; convert the file to meter, newton, radian, kg, second",
              f.name(), key, unit);
}

}  // namespace

Pac2002::Pac2002(const TirFile& f) {
  const std::string format = f.text("PROPERTY_FILE_FORMAT");
  const double fit = f.number("FITTYP", 6);
  if (!(format.empty() || format == "PAC2002" || format == "MF_05" || format == "MF-TYRE" ||
        format == "USER") ||
      !(fit == 5 || fit == 6 || fit == 21 || fit == 51 || fit == 52))
    input_error("{}: format '{}' (FITTYP {}) is not PAC2002 (magic formula 5.2)", f.name(), format, fit);
  const double length = unit_factor(f, "LENGTH", {{"METER", 1}, {"METRE", 1}, {"M", 1}, {"MM", 1e-3}});
  const double force = unit_factor(f, "FORCE", {{"NEWTON", 1}, {"N", 1}, {"KN", 1e3}, {"KILONEWTON", 1e3}});
  unit_factor(f, "ANGLE", {{"RADIAN", 1}, {"RADIANS", 1}, {"RAD", 1}});
  unit_factor(f, "TIME", {{"SECOND", 1}, {"SECONDS", 1}, {"SEC", 1}, {"S", 1}});
  fz0_ = f.number("FNOMIN") * force;
  r0_ = f.number("UNLOADED_RADIUS") * length;
  v0_ = f.number("LONGVL", 16.7) * length;
  if (!(fz0_ > 0)) input_error("{}: FNOMIN {} must be positive", f.name(), fz0_);
  if (!(r0_ > 0)) input_error("{}: UNLOADED_RADIUS {} must be positive", f.name(), r0_);
  const auto c = [&](const char* key) { return f.number(key, 0); };
  const auto l = [&](const char* key) { return f.number(key, 1); };
  x_ = {f.number("PCX1"), f.number("PDX1"), c("PDX2"), c("PDX3"), c("PEX1"), c("PEX2"), c("PEX3"),
        c("PEX4"),        f.number("PKX1"), c("PKX2"), c("PKX3"), c("PHX1"), c("PHX2"), c("PVX1"),
        c("PVX2"),        c("RBX1"),        c("RBX2"), c("RCX1"), c("REX1"), c("REX2"), c("RHX1")};
  y_ = {f.number("PCY1"), f.number("PDY1"), c("PDY2"), c("PDY3"), c("PEY1"), c("PEY2"), c("PEY3"), c("PEY4"),
        f.number("PKY1"), f.number("PKY2"), c("PKY3"), c("PHY1"), c("PHY2"), c("PHY3"), c("PVY1"), c("PVY2"),
        c("PVY3"),        c("PVY4"),        c("RBY1"), c("RBY2"), c("RBY3"), c("RCY1"), c("REY1"), c("REY2"),
        c("RHY1"),        c("RHY2"),        c("RVY1"), c("RVY2"), c("RVY3"), c("RVY4"), c("RVY5"), c("RVY6")};
  z_ = {c("QBZ1"), c("QBZ2"), c("QBZ3"), c("QBZ4"), c("QBZ5"), c("QBZ9"), c("QBZ10"), c("QCZ1"), c("QDZ1"),
        c("QDZ2"), c("QDZ3"), c("QDZ4"), c("QDZ6"), c("QDZ7"), c("QDZ8"), c("QDZ9"),  c("QEZ1"), c("QEZ2"),
        c("QEZ3"), c("QEZ4"), c("QEZ5"), c("QHZ1"), c("QHZ2"), c("QHZ3"), c("QHZ4"),  c("SSZ1"), c("SSZ2"),
        c("SSZ3"), c("SSZ4"), c("QSX1"), c("QSX2"), c("QSX3"), c("QSY1"), c("QSY2"),  c("QSY3"), c("QSY4")};
  l_ = {l("LFZO"), l("LCX"),  l("LMUX"),  l("LEX"), l("LKX"), l("LHX"),  l("LVX"), l("LGAX"), l("LCY"),
        l("LMUY"), l("LEY"),  l("LKY"),   l("LHY"), l("LVY"), l("LGAY"), l("LTR"), l("LRES"), l("LGAZ"),
        l("LXAL"), l("LYKA"), l("LVYKA"), l("LS"),  l("LMX"), l("LVMX"), l("LMY")};
  load_ = {f.number("FZMIN", 0) * force, f.number("FZMAX", 1e9) * force};
  kappa_ = {f.number("KPUMIN", -1.5), f.number("KPUMAX", 1.5)};
  alpha_ = {f.number("ALPMIN", -1.5708), f.number("ALPMAX", 1.5708)};
  camber_ = {f.number("CAMMIN", -1), f.number("CAMMAX", 1)};
  if (!(x_.pc1 > 0 && x_.pd1 > 0 && x_.pk1 > 0))
    input_error("{}: PCX1, PDX1 and PKX1 must be positive (they are {}, {}, {})", f.name(), x_.pc1, x_.pd1,
                x_.pk1);
  // In these axes a tyre that slides to the left is pushed to the right: stiffness and peak share the sign
  // that makes B positive.
  if (!(y_.pc1 > 0 && y_.pk2 != 0 && y_.pk1 / y_.pk2 < 0))
    input_error(
        "{}: PKY1 {} and PKY2 {} push a sliding tyre further: the file is in other axes (SAE?); mirror it",
        f.name(), y_.pk1, y_.pk2);
}

double Pac2002::kx(double load, double dfz) const {
  return load * (x_.pk1 + x_.pk2 * dfz) * maths::exp(x_.pk3 * dfz) * l_.kx;
}
double Pac2002::ky(double load, double camber) const {
  const double f = fz0_ * l_.fz0;
  return y_.pk1 * f * maths::sin(2 * maths::atan(load / (y_.pk2 * f))) *
         (1 - y_.pk3 * std::abs(camber * l_.gay)) * l_.ky;
}
double Pac2002::slip_stiffness(double load) const { return kx(load, increment(load)); }
double Pac2002::cornering_stiffness(double load) const { return ky(load, 0); }

double Pac2002::pure_fx(const TyreMotion& m, double dfz) const {
  const double gamma = m.camber * l_.gax;
  const double mu = (x_.pd1 + x_.pd2 * dfz) * (1 - x_.pd3 * gamma * gamma) * l_.mux;
  const double k = m.kappa + (x_.ph1 + x_.ph2 * dfz) * l_.hx;
  const double C = x_.pc1 * l_.cx, D = mu * m.load, B = kx(m.load, dfz) / (C * D);
  const double E = (x_.pe1 + x_.pe2 * dfz + x_.pe3 * dfz * dfz) * (1 - x_.pe4 * signum_of(k)) * l_.ex;
  const double lift = m.load * (x_.pv1 + x_.pv2 * dfz) * l_.vx * l_.mux;
  return D * maths::sin(C * maths::atan(bent(B * k, E))) + lift;
}

Pac2002::LateralCurve Pac2002::pure_fy(const TyreMotion& m, double dfz) const {
  const double gamma = m.camber * l_.gay;
  const double mu = (y_.pd1 + y_.pd2 * dfz) * (1 - y_.pd3 * gamma * gamma) * l_.muy;
  const double shift = (y_.ph1 + y_.ph2 * dfz) * l_.hy + y_.ph3 * gamma;
  const double a = m.slip_angle + shift, K = ky(m.load, m.camber);
  const double C = y_.pc1 * l_.cy, D = mu * m.load, B = K / (C * D);
  const double E = (y_.pe1 + y_.pe2 * dfz) * (1 - (y_.pe3 + y_.pe4 * gamma) * signum_of(a)) * l_.ey;
  const double lift = m.load * ((y_.pv1 + y_.pv2 * dfz) * l_.vy + (y_.pv3 + y_.pv4 * dfz) * gamma) * l_.muy;
  return {D * maths::sin(C * maths::atan(bent(B * a, E))) + lift, K, B * C, mu, shift, lift};
}

double Pac2002::weight_x(const TyreMotion& m, double dfz) const {
  const double B = x_.rb1 * maths::cos(maths::atan(x_.rb2 * m.kappa)) * l_.xal, E = x_.re1 + x_.re2 * dfz;
  const auto g = [&](double a) { return maths::cos(x_.rc1 * maths::atan(bent(B * a, E))); };
  return g(m.slip_angle + x_.rh1) / g(x_.rh1);
}
double Pac2002::weight_y(const TyreMotion& m, double dfz) const {
  const double B = y_.rb1 * maths::cos(maths::atan(y_.rb2 * (m.slip_angle - y_.rb3))) * l_.yka;
  const double E = y_.re1 + y_.re2 * dfz, shift = y_.rh1 + y_.rh2 * dfz;
  const auto g = [&](double k) { return maths::cos(y_.rc1 * maths::atan(bent(B * k, E))); };
  return g(m.kappa + shift) / g(shift);
}
double Pac2002::kappa_side(const TyreMotion& m, double dfz, double friction) const {
  const double D = friction * m.load * (y_.rv1 + y_.rv2 * dfz + y_.rv3 * m.camber) *
                   maths::cos(maths::atan(y_.rv4 * m.slip_angle));
  return D * maths::sin(y_.rv5 * maths::atan(y_.rv6 * m.kappa)) * l_.vyka;
}

double Pac2002::aligning(const TyreMotion& m, double dfz, const LateralCurve& side, double fy_rest, double fx,
                         double fy) const {
  const double gamma = m.camber * l_.gaz, cosine = maths::cos(m.slip_angle);
  const double stiff = side.stiffness != 0 ? kx(m.load, dfz) / side.stiffness * m.kappa : 0;
  const auto equivalent = [&](double a) {
    return maths::atan(maths::hypot(maths::tan(a), stiff)) * (a < 0 ? -1 : 1);
  };
  const double at = equivalent(m.slip_angle + z_.qh1 + z_.qh2 * dfz + (z_.qh3 + z_.qh4 * dfz) * gamma);
  const double ar =
      equivalent(m.slip_angle + side.shift + (side.stiffness != 0 ? side.lift / side.stiffness : 0));
  const double B = (z_.qb1 + z_.qb2 * dfz + z_.qb3 * dfz * dfz) *
                   (1 + z_.qb4 * gamma + z_.qb5 * std::abs(gamma)) * l_.ky / l_.muy;
  const double D =
      m.load * (z_.qd1 + z_.qd2 * dfz) * (1 + z_.qd3 * gamma + z_.qd4 * gamma * gamma) * r0_ / fz0_ * l_.tr;
  const double E = (z_.qe1 + z_.qe2 * dfz + z_.qe3 * dfz * dfz) *
                   (1 + (z_.qe4 + z_.qe5 * gamma) * (2 / kPi) * maths::atan(B * z_.qc1 * at));
  const double trail = D * maths::cos(z_.qc1 * maths::atan(bent(B * at, E))) * cosine;
  const double Br = z_.qb9 * l_.ky / l_.muy + z_.qb10 * side.sharpness;
  const double Dr =
      m.load * ((z_.qd6 + z_.qd7 * dfz) * l_.res + (z_.qd8 + z_.qd9 * dfz) * gamma) * r0_ * l_.muy;
  const double residual = Dr * maths::cos(maths::atan(Br * ar)) * cosine;
  const double arm = (z_.ss1 + z_.ss2 * fy / fz0_ + (z_.ss3 + z_.ss4 * dfz) * gamma) * r0_ * l_.s;
  return -trail * fy_rest + residual + arm * fx;
}

TyreWrench Pac2002::forces(const TyreMotion& given) const {
  TyreWrench out;
  if (!(given.load > 0)) return out;
  const TyreMotion m{load_.hold(given.load), kappa_.hold(given.kappa), alpha_.hold(given.slip_angle),
                     camber_.hold(given.camber), given.speed};
  const double dfz = increment(m.load);
  const LateralCurve side = pure_fy(m, dfz);
  const double fy_rest = side.force * weight_y(m, dfz);
  out.fx = pure_fx(m, dfz) * weight_x(m, dfz);
  out.fy = fy_rest + kappa_side(m, dfz, side.friction);
  out.mx = r0_ * m.load * (z_.sx1 * l_.vmx + (-z_.sx2 * m.camber + z_.sx3 * out.fy / fz0_) * l_.mx);
  const double v = m.speed / v0_;
  out.my = -r0_ * m.load * (z_.sy1 + z_.sy2 * out.fx / fz0_ + z_.sy3 * std::abs(v) + z_.sy4 * v * v * v * v) *
           l_.my;
  out.mz = aligning(m, dfz, side, fy_rest, out.fx, out.fy);
  return out;
}

}  // namespace scree
