#pragma once
/// The textbook integrals of a wheel on soil, point by point: an independent second method for the laws.
#include <algorithm>
#include <cmath>

#include "scree/ground/soil_wheel.hpp"
#include "scree/soil/soil.hpp"

namespace scree::testing {

struct ReferenceForces {
  double fx = 0, fy = 0, fz = 0, torque = 0;
  double dissipation = 0;  ///< power lost in the soil per U [N], of normal and shear stresses
};

/// Midpoint rule over each zone with `points` points, straight from Nagatani 2016 Eqs. 50.4-50.7 with Wong
/// and Reece's stresses. Driving and braking by V/U. Bulldozing by the formula of errata 003-19.
inline ReferenceForces reference_forces(const Soil& s, const SoilWheel& w, double z, double slip, double beta,
                                        int points = 8000, double gravity = 9.81) {
  ReferenceForces out;
  const double r = w.radius, b = w.width, rs = w.radius + w.lug_share * w.lug_height;
  const double th1 = std::acos(1 - z / r), th2 = -std::acos(1 - s.exit_ratio * z / r);
  const double thm = std::clamp(s.peak_offset + s.peak_slip * slip, 0.0, 0.95) * th1;
  const double th1_lug = std::acos((r - z) / rs);
  const double ratio = slip >= 0 ? 1 - slip : 1 / (1 + slip);
  const double kx = s.shear_modulus + s.shear_modulus_angle * std::abs(beta);
  const double ky = s.side_shear_modulus + s.side_shear_modulus_angle * std::abs(beta);
  const double N = s.sinkage_exponent + s.slip_sinkage * std::abs(slip);
  const auto pressure = [&](double h) {
    if (h <= 0) return 0.0;
    switch (s.pressure) {
      case PressureKind::reece:
        return (s.cohesion * s.cohesive_modulus + s.density * gravity * b * s.frictional_modulus) *
               std::pow(h / b, N);
      case PressureKind::diameter:
        return s.frictional_modulus * std::pow(2 * r, s.diameter_exponent) * std::pow(h, N);
      default:
        return (s.cohesive_modulus / b + s.frictional_modulus) * std::pow(h, N);
    }
  };
  const double X = kPi / 4 - s.friction_angle / 2, cot = 1 / std::tan(X);
  const auto add = [&](double th, double sigma, double d) {
    const double j = rs * ((th1_lug - th) - ratio * (std::sin(th1_lug) - std::sin(th)));
    const double strength = s.cohesion + sigma * std::tan(s.friction_angle);
    const double tau = strength * std::copysign(1 - std::exp(-std::abs(j) / kx), j);
    const double gate = 1 - std::exp(-r * ratio * (th1 - th) * std::tan(std::abs(beta)) / ky);
    const double h = std::max(0.0, r * (std::cos(th) - std::cos(th1)));
    const double rb = (cot + std::tan(X + s.friction_angle)) *
                      (h * s.cohesion + 0.5 * s.density * gravity * h * h *
                                            (cot + cot * cot / (1 / std::tan(s.friction_angle))));
    out.fx += b * d * (rs * tau * std::cos(th) - r * sigma * std::sin(th));
    out.fz += b * d * (rs * tau * std::sin(th) + r * sigma * std::cos(th));
    out.torque += rs * rs * b * d * tau;
    out.fy -= std::copysign(1.0, beta) * d * (r * b * strength * gate + rb * (r - h * std::cos(th)) * gate);
    // Rim against soil, per U: U - V cos along the rim, V sin into the soil.
    out.dissipation += b * d * (rs * tau * (1 - ratio * std::cos(th)) + r * sigma * ratio * std::sin(th));
  };
  for (int i = 0; i < points; ++i) {
    const double q = (i + 0.5) / points;
    const double front = thm + (th1 - thm) * q;
    add(front, pressure(r * (std::cos(front) - std::cos(th1))), (th1 - thm) / points);
    const double rear = th2 + (thm - th2) * q;
    const double mapped = th1 - (rear - th2) / (thm - th2) * (th1 - thm);
    if (thm > th2) add(rear, pressure(r * (std::cos(mapped) - std::cos(th1))), (thm - th2) / points);
  }
  return out;
}

}  // namespace scree::testing
