#pragma once
/// Looks down along the suspension, where the wheel's plane may cut the ground more than once: the profile
/// winds and may fall into parts.
#include <array>

#include "scree/ground/looks.hpp"

namespace scree::looks {

class LooksAbove : public Looks {
 public:
  /// At `count` places along the wheel, for features of which `step` is a quarter; no slope is larger than
  /// `slope_bound` (infinity: unknown).
  LooksAbove(const Looks& looks, int count, double step, double slope_bound);

  /// From the rim's lowest point outward, so that the best is found early, and only where the ground's
  /// heights can beat it.
  void visit_gaps();

 private:
  static constexpr int kStacked = 4;  // stretches of ground above each other that are followed
  /// Along the suspension, between these [m along b].
  struct Strip {
    double high, low;
    double highest = 0;  ///< of the ground there [m, upwards]; of strip_between()
    bool empty() const { return !(high > low); }
  };
  /// What a look down finds at one place along the wheel: ground from the highest to the first that bears.
  struct Place {
    double u;
    std::array<Look, kStacked> at;
    int count = 0;
    bool walled = false;
  };
  struct Every {
    int first, end, stride;
  };
  using Joined = std::array<int, kStacked>;

  Strip strip_between(double u0, double u1, double least) const;
  Strip higher_between(double u0, double u1) const;
  double least(double u0, double u1) const;
  void look_over(const Vec3& from, double t, double dt, Every i, double* over) const;
  bool look_down(double u, const Strip& strip, double dt, Look& out) const;
  void enter(const Vec3& from, double inside, double outside, Look& out) const;
  Look look_between(const Look& a, const Look& b, double share) const;
  void look_between(const Look& a, const Look& b);
  Place look_at(double u, Strip strip);
  void visit_gap(const Place& a, const Place& b, int halves);
  Joined join(const Place& a, const Place& b) const;
  void follow_torn(const Place& a, const Place& b, const Joined& next);
  void follow(Look a, int side);
  bool in_wall(double u) const;
  void pass_line(double outside, double inside);
  /// Ground above this is a wall, or not reached [m along b].
  double reach_up(double u) const { return std::min(wheel_.wall_line(u), kLookDeepest * wheel_.radius); }
  /// dt over du of a look down.
  double along(const Look& x) const { return x.rise + x.u / std::max(x.h - x.t, 1e-3 * wheel_.radius); }

  int count_;
  double end_, du_, dt_;  // of the rim, from look to look, and down along each [m]
  double closing_;        // how fast the ground can come nearer along the suspension
};

}  // namespace scree::looks
