/// Controller `cdta`: speed control within the limits that keep the wheels loaded and gripping.
#include <algorithm>
#include <cmath>

#include "scree/control/axles.hpp"
#include "scree/control/cdta_solver.hpp"
#include "scree/control/controllers.hpp"
#include "scree/core/maths.hpp"

namespace scree {
namespace {

struct CdtaSettings {
  double speed = 0;              ///< desired, along the body's x [m/s]
  double gain = 100;             ///< desired acceleration per speed error [1/s]
  double torque_limit = 0;       ///< per wheel [N m]; 0 = what the drive allows
  double friction_share = 0.85;  ///< of the tyre's peak D that traction may use [-]
  double normal_least = 0.05;    ///< N_min as a share of the robot's weight, per axle [-]
};

/// Morrot 2011 Sec. 3 after Silva 2010; the optimum is solve_cdta's. Differs: where an axle is in the air
/// the planar problem has no meaning; the axle that touches then pulls no more than what turns the robot
/// back (its contact force must not turn it further), the other one is let go.
class CdtaController : public Controller {
 public:
  CdtaController(const CdtaSettings& x, const RobotInfo& robot)
      : x_(x), robot_(robot), axles_(split_axles(robot, x.torque_limit, "cdta")) {}

  void update(const Readings& r, std::span<DriveCommand> commands) override {
    desired_ = x_.gain * (x_.speed - r.velocity.x());
    CdtaProblem q;
    q.mass = robot_.mass, q.gravity = robot_.gravity, q.pitch = r.pitch, q.desired = desired_;
    AxleReading a[2];
    for (int i = 0; i < 2; ++i) {
      a[i] = read_axle(axles_[i], r, robot_.p_BM);
      q.axles[i] = {.p = a[i].p,
                    .tangent = a[i].tangent,
                    .friction = x_.friction_share * a[i].friction,
                    .force_limit = axles_[i].torque_limit / axles_[i].radius,
                    .normal_least = x_.normal_least * robot_.mass * robot_.gravity};
    }
    double force[2] = {0, 0};
    if (a[0].touching > 0 && a[1].touching > 0) {
      const CdtaSolution s = solve_cdta(q);
      status_ = s.status == CdtaSolution::Status::solved       ? 0
                : s.status == CdtaSolution::Status::infeasible ? 1
                                                               : 2;
      force[0] = s.traction[0], force[1] = s.traction[1];
      acceleration_ = s.acceleration;
    } else {
      status_ = 3;
      for (int i = 0; i < 2; ++i)
        if (a[i].touching > 0) force[i] = one_axle(q.axles[i], a[i].normal, i);
      acceleration_ = (force[0] + force[1]) / robot_.mass;
    }
    // What the tyres can take at the present load, which the plan may have moved.
    for (int i = 0; i < 2; ++i) {
      const double most = std::min(q.axles[i].force_limit, q.axles[i].friction * std::max(a[i].normal, 0.0));
      force[i] = std::clamp(force[i], -most, most);
      command_axle(axles_[i], robot_, force[i], commands);
    }
  }

  std::vector<ControlSignal> signals() const override {
    return {{"desired_acceleration", "m/s^2", "gain times speed error"},
            {"planned_acceleration", "m/s^2", "what the limits allow of it"},
            {"status", "-", "0 solved, 1 infeasible: least violation, 2 singular, 3 an axle in the air"}};
  }
  void values(std::span<double> out) const override {
    out[0] = desired_, out[1] = acceleration_, out[2] = status_;
  }
  void memory(Memory& m) override { m(desired_), m(acceleration_), m(status_); }

 private:
  /// Traction of the only axle that touches, such that its force turns the other one back to the ground.
  double one_axle(const CdtaAxle& axle, double normal, int which) const {
    const double wish = robot_.mass * desired_;
    const Vec2 t(maths::cos(axle.tangent), maths::sin(axle.tangent)), n(-t.y(), t.x());
    const double pull = axle.p.x() * t.y() - axle.p.y() * t.x(),
                 push = axle.p.x() * n.y() - axle.p.y() * n.x();
    // Moment (nose-up positive) F pull + N push; with the rear on the ground it must be <= 0, else >= 0.
    const double bound = std::abs(pull) > 1e-9 ? -normal * push / pull : 0;
    const bool rear = which == 0;
    return (pull > 0) == rear ? std::min(wish, bound) : std::max(wish, bound);
  }

  CdtaSettings x_;
  RobotInfo robot_;
  std::array<Axle, 2> axles_;
  double desired_ = 0, acceleration_ = 0, status_ = 0;
};

}  // namespace

std::unique_ptr<Controller> make_cdta_controller(Section& s, const RobotInfo& robot) {
  CdtaSettings x;
  s.number("speed", x.speed, {"m/s", "Desired, along the body's x", finite()});
  s.number("gain", x.gain, {"1/s", "Desired acceleration per speed error", positive()});
  s.number("torque_limit", x.torque_limit, {"N m", "Per wheel; 0 = what the drive allows", not_negative()});
  s.number("friction_share", x.friction_share,
           {"-", "Share of the tyre's peak that traction may use", {.low = 0, .high = 1, .open_low = true}});
  s.number("normal_least", x.normal_least,
           {"-", "Least load of an axle, as a share of the weight", between(0, 0.5)});
  if (s.documenting()) return nullptr;
  return std::make_unique<CdtaController>(x, robot);
}

}  // namespace scree
