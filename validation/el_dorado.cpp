#include <algorithm>
#include <cmath>

#include "reference.hpp"

namespace reference {
namespace {

/// Ding 2011 Eq. 16 with errata 003-16, term by term: forces of one wheel at a sinkage and a slip.
struct WheelAnswer {
  double normal, moment, pull;
};
WheelAnswer ding_wheel(const DingSoil& s, const DingRover& v, double z, double slip) {
  const double r = v.radius, rs = v.radius + v.lug, b = v.width, t = std::tan(s.phi);
  const double th1 = std::acos((r - z) / r), thm = 0.5 * th1, th2 = 0, th1s = std::acos((r - z) / rs);
  const double A = (std::cos(thm) - std::cos(th2)) / (thm - th2) + (std::cos(thm) - std::cos(th1)) / (th1 - thm);
  const double B = (std::sin(thm) - std::sin(th2)) / (thm - th2) + (std::sin(thm) - std::sin(th1)) / (th1 - thm);
  const double C = 0.5 * (th1 - th2);
  const double N = s.n0 + s.n1 * slip;
  const double sigma = s.K * std::pow(r * (std::cos(thm) - std::cos(th1)), N);
  const double D = 1 - std::exp(-rs * ((th1s - thm) - (1 - slip) * (std::sin(th1s) - std::sin(thm))) / s.k);
  const double tau = (s.c + sigma * t) * D;
  WheelAnswer out;
  out.normal = r * b * A * sigma + rs * b * B * tau;
  const double off = (v.mean_load - out.normal) / v.mean_load;
  out.moment = rs * rs * C * D * (b * s.c + (1 + s.cM * off) * out.normal * t / (r * A)) /
               (1 + rs * B * D * t / (r * A));
  out.pull = (out.moment * (A * A + B * B) / (rs * A * C) - B * out.normal / A) * (1 + s.cP1 + s.cP2 * slip) *
             (1 + s.cP3 * off);
  return out;
}

double sinkage_for(const DingSoil& s, const DingRover& v, double load, double slip) {
  double low = 1e-9, high = 0.999 * v.radius;
  for (int i = 0; i < 200; ++i) {
    const double z = 0.5 * (low + high);
    (ding_wheel(s, v, z, slip).normal < load ? low : high) = z;
  }
  return 0.5 * (low + high);
}

}  // namespace

DingSteady steady_climb(const DingSoil& s, const DingRover& v, double slope, double pull) {
  const double W = v.mass * v.gravity;
  // At a slip: loads by moments about the rear axle, forces of the wheels there, what is left over.
  const auto at = [&](double slip) {
    DingSteady x;
    x.slip = slip;
    x.front.load = x.rear.load = 0.25 * W * std::cos(slope);
    for (int i = 0; i < 60; ++i) {
      for (DingWheel* w : {&x.front, &x.rear}) {
        w->sinkage = sinkage_for(s, v, w->load, slip);
        const WheelAnswer a = ding_wheel(s, v, w->sinkage, slip);
        w->pull = a.pull, w->moment = a.moment;
      }
      const double nose_up = W * std::sin(slope) * (v.height - v.radius) + pull * (v.hitch - v.radius) +
                             2 * (x.front.moment + x.rear.moment);
      x.front.load = 0.25 * W * std::cos(slope) - 0.5 * nose_up / v.wheelbase;
      x.rear.load = 0.25 * W * std::cos(slope) + 0.5 * nose_up / v.wheelbase;
    }
    x.spare = 2 * (x.front.pull + x.rear.pull) - W * std::sin(slope) - pull;
    return x;
  };
  // The pull that is left grows with slip and falls again as the wheels dig in: the first slip that will do.
  double low = 0, high = 0;
  while (at(high).spare < 0) {
    low = high, high += 0.01;
    if (high > 0.95) return at(low);  // it does not get up
  }
  for (int i = 0; i < 60; ++i) {
    const double slip = 0.5 * (low + high);
    (at(slip).spare < 0 ? low : high) = slip;
  }
  return at(0.5 * (low + high));
}

}  // namespace reference
