#pragma once
/// Looks along the line in which the wheel's plane cuts the ground, where it does so once for every place
/// along the trace; and what lies between looks one after the other, wherever these come from.
#include <array>

#include "scree/ground/looks.hpp"

namespace scree::looks {

class LooksAlong : public Looks {
 public:
  /// `count` looks, `step` apart.
  LooksAlong(const Looks& looks, int count, double step) : Looks(looks), count_(count), step_(step) {}
  /// For looks that come from elsewhere.
  LooksAlong(const Terrain& terrain, const RimPlane& wheel)
      : Looks(terrain, wheel, {}), count_(0), step_(0) {}
  virtual ~LooksAlong() = default;

  /// In groups from the rim's lowest point outward, as long as the ground there can beat the best.
  void visit_groups();

  static constexpr int kMost = 1024;  ///< looks
  using Row = std::array<Look, kMost + kLanes>;
  /// All of them, and what they find between them.
  void look_at_all(Row& looks) const { look_along(looks.data(), 0, count_); }
  double steepest_seen(const Row& looks) const;
  void use_all(const Row& looks) { use_profile(looks.data(), count_); }

 protected:
  virtual Look between(const Look& a, const Look& b, double share) const;
  void use_profile(const Look* looks, int count);

 private:
  void visit_group(int group, const HeightRange& all);
  void look_along(Look* out, int begin, int count) const;
  void fill_four(Lanes x, Lanes y, Lanes z, Lanes slope_x, Lanes slope_y, Look* out) const;
  double most_along(double s0, double s1, HeightRange heights) const;
  void settle(Look& look) const;
  void visit_beyond(Look a, Look b);
  void look_along_between(const Look& a, const Look& b);
  Look end_of_rim(Look inside, Look outside) const;
  Look line_of_walls(Look inside, Look outside) const;

  int count_;
  double step_;  // m
};

}  // namespace scree::looks
