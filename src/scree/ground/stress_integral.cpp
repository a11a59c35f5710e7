#include "scree/ground/stress_integral.hpp"

#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/ground/find_sinkage.hpp"

namespace scree {

using namespace lane;

namespace {

constexpr int kPoints = 12;
// Shares u^3 of the zone, measured from its stress-free end, and weights 3 u^2 w, of the Gauss-Legendre
// points u and weights w on (0, 1).
alignas(32) constexpr double kShare[kPoints] = {
    7.836965763334444e-07, 0.00011018725674814935, 0.0015228065177726674, 0.008785302848791317,
    0.03157974148369787,   0.08367323847765983,    0.17808931647789053,   0.3198952672577383,
    0.49992148172177164,   0.6930397892808836,     0.862960822693408,     0.97259517533054};
alignas(32) constexpr double kWeight[kPoints] = {
    6.015036000938906e-06, 0.00036868003116751917, 0.0031782419183673328, 0.012975272789149147,
    0.034992097505185074,  0.07149429476339098,    0.11829659541505427,   0.16382096208487068,
    0.19196108895015015,   0.18804534175748247,    0.14539721505666017,   0.06946419469252126};

// The same with shares u^2 and weights 2 u w of four points, for the side force alone.
alignas(32) constexpr double kSideShare[kLanes] = {0.004820780989426014, 0.10890625570683385,
                                                   0.44888729929169013, 0.8659570925834785};
alignas(32) constexpr double kSideWeight[kLanes] = {0.024152203412833237, 0.21521408227178498,
                                                    0.4369310725907611, 0.3237026417246205};

/// Depth of the wheel that the laws take: down to its axle.
template <class S>
S usable_depth(const S& sinkage, double radius) {
  return min(max(sinkage, S{} + 0.0), S{} + radius);
}

/// sign(j) (1 - exp(-|j|/k)): Janosi and Hanamoto, both ways.
template <class L>
L shear_share(const L& displacement, const L& per_modulus) {
  const L x = displacement * per_modulus;
  const L size = 1.0 - exponential(-abs(x));
  return select(value_of(x) < 0.0, -size, size);
}

}  // namespace

StressIntegral::StressIntegral(const SoilNumbers& soil, const SoilWheel& wheel, double gravity)
    : soil_(soil),
      wheel_(wheel),
      pressure_(pressure_law(soil, {wheel.width, 2 * wheel.radius, gravity})),
      tan_friction_(maths::tan(soil.friction_angle)) {
  const double wedge = 0.25 * kPi - 0.5 * soil.friction_angle;
  const double cot = 1 / maths::tan(wedge);
  const double factor = cot + maths::tan(wedge + soil.friction_angle);
  bulldozing_linear_ = factor * soil.cohesion;
  bulldozing_square_ = factor * 0.5 * soil.density * gravity * (cot + cot * cot * tan_friction_);
}

double bulldozing_resistance(const SoilNumbers& soil, double gravity, double depth) {
  const double wedge = 0.25 * kPi - 0.5 * soil.friction_angle, phi = soil.friction_angle;
  const double cot = 1 / maths::tan(wedge), h = std::max(depth, 0.0);
  return (cot + maths::tan(wedge + phi)) *
         (soil.cohesion * h + 0.5 * soil.density * gravity * h * h * (cot + cot * cot * maths::tan(phi)));
}

template <class S>
SoilReaction<S> StressIntegral::evaluate(const S& sinkage, const S& slip_given, const S& side,
                                         bool all) const {
  using L = decltype(spread(sinkage));
  SoilReaction<S> out;
  if (!(value_of(sinkage) > 0)) return out;
  const double r = wheel_.radius, b = wheel_.width, rs = wheel_.shear_radius();
  const S z = usable_depth(sinkage, r);
  const S slip = clamp(slip_given, S{} - 1.0, S{} + 1.0);
  const Rolling<S> rolling = rolling_of(slip, side);
  const S angle = slip_angle_size(slip, side);
  out.entry = contact_angle(z, r);
  out.exit = 0.0 - contact_angle(soil_.exit_ratio * z, r);
  out.peak = peak_share(slip) * out.entry;
  const S lug_entry = rs > r ? contact_angle(rs - r + z, rs) : out.entry;

  const L front = spread(out.entry - out.peak), rear = spread(out.peak - out.exit);
  const L entry = spread(out.entry), exit = spread(out.exit);
  const SineCosine<S> at_entry = sine_cosine(out.entry), at_lug = sine_cosine(lug_entry);
  const L sin1 = spread(at_entry.sine), cos1 = spread(at_entry.cosine), lug1 = spread(lug_entry);
  const L sin_lug = spread(at_lug.sine), advance = spread(rolling.advance);
  const L per_kx = spread(1.0 / (soil_.shear_modulus + soil_.shear_modulus_angle * angle));
  const L per_ky = spread(1.0 / (soil_.side_shear_modulus + soil_.side_shear_modulus_angle * angle));
  const L sideways = spread(r * rolling.sideways), n = spread(exponent(slip));
  const double scale = r / pressure_.length;

  L fx{}, fz{}, torque{}, fy{};
  const auto add = [&](const L& weight, const L& theta, const L& sine, const L& cosine, const L& sigma) {
    const L strength = soil_.cohesion + tan_friction_ * sigma;
    if (all) {
      const L tau = strength * shear_share(rs * ((lug1 - theta) - advance * (sin_lug - sine)), per_kx);
      fx += weight * (rs * tau * cosine - r * sigma * sine);
      fz += weight * (rs * tau * sine + r * sigma * cosine);
      torque += weight * tau;
    }
    const L gate = 1.0 - exponential(-(sideways * (entry - theta) * per_ky));
    const L h = max(r * (cosine - cos1), L{} + 0.0);
    const L wall = (bulldozing_linear_ + bulldozing_square_ * h) * h * (r - h * cosine);
    fy += weight * gate * (r * b * strength + wall);
  };
  const int points = all ? kPoints : kLanes;
  for (int i = 0; i < points; i += kLanes) {
    const Lanes share = load((all ? kShare : kSideShare) + i),
                weight = load((all ? kWeight : kSideWeight) + i);
    const L delta = L(share) * front;  // theta_1 - theta_f
    const SineCosine<L> half = sine_cosine(0.5 * delta);
    const L sin_d = 2.0 * half.sine * half.cosine, cos_d = 1.0 - 2.0 * half.sine * half.sine;
    // cos theta_f - cos theta_1 without cancellation
    const L rise = 2.0 * half.sine * (sin1 * half.cosine - cos1 * half.sine);
    const L sigma = pressure_.modulus * power(scale * rise, n);
    add(L(weight) * front, entry - delta, sin1 * cos_d - cos1 * sin_d, cos1 * cos_d + sin1 * sin_d, sigma);
    const L theta = exit + L(share) * rear;
    const SineCosine<L> behind = sine_cosine(theta);
    add(L(weight) * rear, theta, behind.sine, behind.cosine, sigma);
  }
  out.drawbar = b * sum(fx);
  out.normal = b * sum(fz);
  out.torque = rs * rs * b * sum(torque);
  const S side_size = sum(fy);
  out.side = value_of(side) < 0 ? side_size : 0.0 - side_size;
  return out;
}

template <class S>
S StressIntegral::side_force(const S& sinkage, const S& slip, const S& side) const {
  return evaluate(sinkage, slip, side, false).side;
}
template double StressIntegral::side_force(const double&, const double&, const double&) const;
template SoilDual StressIntegral::side_force(const SoilDual&, const SoilDual&, const SoilDual&) const;

SoilReaction<double> StressIntegral::forces(double sinkage, const SoilSlip& slip) const {
  return evaluate(sinkage, slip.slip, slip.side, true);
}

SoilReaction<SoilDual> StressIntegral::forces_with_slopes(double sinkage, const SoilSlip& slip) const {
  return evaluate(SoilDual::variable(sinkage, 0), SoilDual::variable(slip.slip, 1),
                  SoilDual::variable(slip.side, 2), true);
}

Sinkage StressIntegral::sinkage(double load, const SoilSlip& slip) const {
  const SoilSlip straight{slip.slip, 0};  // the load does not depend on the side slip, except by k_x
  const SoilSlip& used = soil_.shear_modulus_angle > 0 ? slip : straight;
  return find_sinkage(load, wheel_.radius, [&](double z) { return forces(z, used).normal; });
}

}  // namespace scree
