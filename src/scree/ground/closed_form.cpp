#include "scree/ground/closed_form.hpp"

#include "scree/ground/find_sinkage.hpp"

namespace scree {

using namespace lane;

namespace {

/// Braking slip over which the corrections of driving wheels fade.
constexpr double kBrakedFade = 0.1;

/// (cos a - cos b)/(a - b) and (sin a - sin b)/(a - b), also where a and b meet.
template <class S>
SineCosine<S> chords(const S& a, const S& b) {
  const S half = 0.5 * (a - b);
  const SineCosine<S> middle = sine_cosine(0.5 * (a + b)), h = sine_cosine(half);
  const S sinc = value_of(abs(half)) < 1e-8 ? S{} + 1.0 : h.sine / half;
  return {middle.cosine * sinc, -middle.sine * sinc};
}

}  // namespace

ClosedForm::ClosedForm(const SoilNumbers& soil, const SoilWheel& wheel, double gravity, double mean_load)
    : integral_(soil, wheel, gravity), mean_load_(mean_load) {}

template <class S>
SoilReaction<S> ClosedForm::evaluate(const S& sinkage, const S& slip_given, const S& side,
                                     bool with_side) const {
  SoilReaction<S> out;
  if (!(value_of(sinkage) > 0)) return out;
  const SoilNumbers& soil = integral_.soil();
  const double r = wheel().radius, b = wheel().width, rs = wheel().shear_radius();
  const S z = min(sinkage, S{} + r);
  const S slip = clamp(slip_given, S{} - 1.0, S{} + 1.0);
  out.entry = contact_angle(z, r);
  out.exit = 0.0 - contact_angle(soil.exit_ratio * z, r);
  out.peak = integral_.peak_share(slip) * out.entry;
  const S lug_entry = rs > r ? contact_angle(rs - r + z, rs) : out.entry;

  const SineCosine<S> rear = chords(out.peak, out.exit), front = chords(out.peak, out.entry);
  const S A = rear.cosine - front.cosine, B = rear.sine - front.sine, C = 0.5 * (out.entry - out.exit);
  const S rise = -front.cosine * (out.entry - out.peak);  // cos theta_m - cos theta_1
  const PressureLaw p = integral_.pressure();
  const S sigma = p.modulus * power((r / p.length) * rise, integral_.exponent(slip));
  S kx = S{} + soil.shear_modulus;
  if (soil.shear_modulus_angle > 0) kx = kx + soil.shear_modulus_angle * slip_angle_size(slip, side);
  const S path =
      rs * ((lug_entry - out.peak) -
            rolling_of(slip, side).advance * (sine_cosine(lug_entry).sine - sine_cosine(out.peak).sine));
  const S grown = 1.0 - exponential(-abs(path / kx));
  const S D = value_of(path) < 0 ? -grown : grown;
  const double t = integral_.tan_friction();
  out.normal = b * (r * A * sigma + rs * B * (soil.cohesion + t * sigma) * D);

  const ClosedFormSettings& c = soil.closed_form;
  const S lighter = mean_load_ > 0 ? 1.0 - out.normal / mean_load_ : S{} + 0.0;
  const S per_A = 1.0 / A;
  out.torque = rs * rs * C * D *
               (b * soil.cohesion + (1.0 + c.moment_load * lighter) * out.normal * t / r * per_A) /
               (1.0 + rs * t / r * B * D * per_A);
  // They were found on driving wheels: on a braked one they fade.
  const S driven = clamp(1.0 + slip / kBrakedFade, S{} + 0.0, S{} + 1.0);
  out.drawbar = (out.torque * (A * A + B * B) * per_A / (rs * C) - B * out.normal * per_A) *
                (1.0 + driven * (c.pull_offset + c.pull_slip * max(slip, S{} + 0.0))) *
                (1.0 + driven * c.pull_load * lighter);
  if (with_side) out.side = integral_.side_force(sinkage, slip, side);
  return out;
}

SoilReaction<double> ClosedForm::forces(double sinkage, const SoilSlip& slip) const {
  return evaluate(sinkage, slip.slip, slip.side, slip.side != 0);
}

SoilReaction<SoilDual> ClosedForm::forces_with_slopes(double sinkage, const SoilSlip& slip) const {
  return evaluate(SoilDual::variable(sinkage, 0), SoilDual::variable(slip.slip, 1),
                  SoilDual::variable(slip.side, 2), true);
}

Sinkage ClosedForm::sinkage(double load, const SoilSlip& slip) const {
  return find_sinkage(load, wheel().radius,
                      [&](double z) { return evaluate(z, slip.slip, slip.side, false).normal; });
}

}  // namespace scree
