#pragma once
/// Robots that touch each other: hulls and wheels as convex solids (ground/solid.hpp), pushed apart.
///
/// With depth d along the normal, d' its rate, v_t the speed along the contact, and m the mass that yields
/// there, 1/m = sum over both of 1/m_i + (r x n).I_i^-1 (r x n), each as if its joints were held and its
/// base free:
///
///     F = m w^2 d max(0, 1 + d'/v_d),   F_t = -mu F v_t / sqrt(v_t^2 + v_0^2)
///
/// (Hunt and Crossley 1975: losses grow with depth, so that the force neither begins with a jump nor pulls.)
/// w = 2 pi / 60 ms is soft beside the ground: the force is that expected at the middle of a step and held
/// over it, equal and opposite for the two, which a step of up to 5 ms follows; under its own weight a robot
/// leans 0.9 mm into another. v_d is 1 m/s and v_0 1 cm/s, or more where that would be stiffer than the step
/// bears. A wheel's rim moves with its spin, and what acts on it turns it. Neither side remembers anything:
/// two robots that lean on each other creep by v_0.
///
/// Who is near whom is found by sweeping along x over the robots' reaches; robots that are far apart cost a
/// comparison each.
#include <string>
#include <utility>
#include <vector>

#include "scree/ground/solid.hpp"
#include "scree/sim/world.hpp"

namespace scree {

class Encounters {
 public:
  /// Nobody touches anybody when two robots start inside each other: they are there to be compared.
  Encounters(const World& world, const State& start, SimWorkspace& workspace);

  /// Forces between robots that touch in this state, for a step of dt, into workspace.push and
  /// workspace.report. The robots' scratches are used for those that are near each other.
  void meet(const World& world, const State& state, double dt, SimWorkspace& workspace);

  /// One line where they are left to pass through each other; else empty.
  const std::string& note() const { return note_; }

 private:
  struct Place {
    double x, y, z, reach;
    int robot;
  };
  void find_near(const World& world, const State& state, std::size_t most);
  bool touch(const World& world, int i, int j, double dt, SimWorkspace& workspace);

  std::vector<Place> order_;  ///< by x - reach
  std::vector<std::pair<int, int>> near_;
  std::vector<int> pushed_;  ///< robots with forces of the last step
  SolidScratch scratch_;
  bool off_ = false, ordered_ = false;
  std::string note_;
};

}  // namespace scree
