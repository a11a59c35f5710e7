#pragma once
/// Closed forms of the validation cases. SI units; x forward, z up; pitch nose-up positive.
#include <functional>
#include <vector>

namespace reference {

/// A two-axle robot seen from the side. Suspensions act along the chassis' z.
struct Vehicle {
  double mass;          ///< kg
  double front, rear;   ///< distance of the axles from the centre of mass along the chassis' x [m]
  double hub_below;     ///< unloaded hubs below the centre of mass, along the chassis' z [m]
  double radius;        ///< of the wheels [m]
  double spin_inertia;  ///< of one wheel [kg m²]
  double stiffness;     ///< of one suspension [N/m]
  double rolling;       ///< rolling resistance coefficient [-]
  double gravity;       ///< m/s²
};

struct Acceleration {
  double acceleration;           ///< m/s²
  double pitch;                  ///< rad
  double front, rear;            ///< normal force of one wheel [N]
  double slip_front, slip_rear;  ///< (U - V)/U
};
/// Steady state of four wheels under the same constant torque [N m] on level ground, two wheels an axle.
Acceleration steady_acceleration(const Vehicle& vehicle, double torque);

/// Distance [m] at which a body thrown at `speed` and `angle` is back at its height.
double jump_distance(double speed, double angle, double gravity);

struct Standing {
  double pitch;        ///< of the chassis against the slope [rad]
  double front, rear;  ///< normal force of one wheel [N]
};
/// At rest on a slope [rad], nose uphill, every wheel braked and using the same share of its friction.
Standing standing_on_slope(const Vehicle& vehicle, double slope);

/// Height of the bilinear patch at fractional position (s, t) in [0, 1]² of a cell with the given corners.
double bilinear_patch(double z00, double z10, double z01, double z11, double s, double t);

/// Longitudinal force [N] at slip kappa = (U - V)/|V| [-] under a load [N]: Bakker, Nyborg, Pacejka 1987.
double tyre_force(double kappa, double load);

/// Solves F(x) = 0 from x0; throws std::runtime_error when it does not converge.
std::vector<double> newton(const std::function<std::vector<double>(const std::vector<double>&)>& F,
                           std::vector<double> x0);

/// Soil as Ding 2011 Sec. 5.2.2 prints it, and a four-wheeled rover in the pitch plane.
struct DingSoil {
  double K = 1796e3, c = 24.5, phi = 0.62396, k = 0.01045;  ///< Pa/m^N, Pa, rad (35.75 degrees), m
  double n0, n1, cP1, cP2, cP3, cM;
};
struct DingRover {
  double mass = 35, gravity = 9.81;
  double wheelbase = 0.64, height = 0.2286, hitch = 0.2;  ///< of the axles; of centre of mass and hitch above ground [m]
  double radius = 0.1, width = 0.1, lug = 0.01;           ///< m
  double mean_load = 86;                                  ///< of the corrections [N]
};
struct DingWheel {
  double load = 0, sinkage = 0, pull = 0, moment = 0;
};
struct DingSteady {
  double slip = 0, spare = 0;  ///< spare: drawbar pull that is left [N]; negative: it does not get on
  DingWheel front, rear;
};
/// Steady drive up a slope [rad] against a pull at the hitch [N]: all wheels of one slip, loads by moments about the
/// rear axle (the soil's moments on the wheels turn the nose up), sinkage that carries the load, slip that balances.
DingSteady steady_climb(const DingSoil& soil, const DingRover& rover, double slope, double pull);

}  // namespace reference
