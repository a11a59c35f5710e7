#pragma once
/// What was seen clear of the ground need not be looked at again until it can touch: what was c above the
/// ground somewhere does not meet it within c/sqrt(1 + S²) of there, S being a bound of the ground's slopes.
/// Spares looks and changes no answer.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "scree/core/lanes.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// How far something may move before its places can touch; places lie in rows.
class ClearRoom {
 public:
  ClearRoom(int rows, int places)
      : places_(places),
        stride_((places + kLanes - 1) / kLanes * kLanes),
        until_(static_cast<std::size_t>(rows) * stride_, std::numeric_limits<double>::infinity()) {}
  int places() const { return places_; }
  double slope_bound() const { return slope_bound_; }
  /// Before every look: no place has moved farther than `way` [m] since the last one. `division`: how the
  /// whole is divided into places; with another one nothing is known of them.
  void move(double way, const Terrain& terrain, double slope_bound, double division = 0) {
    way_ += way;
    // A bound that is far too wide by now is not kept for ever.
    if (terrain_ == &terrain && division_ == division && slope_bound <= slope_bound_ &&
        slope_bound_ <= 2 * slope_bound + 1)
      return;
    terrain_ = &terrain, division_ = division, slope_bound_ = slope_bound;
    per_height_ = (1 - 1e-6) / std::sqrt(1 + slope_bound * slope_bound);
    for (std::size_t row = 0; row < until_.size(); row += stride_)
      std::fill_n(until_.begin() + row, places_, way_);
  }
  /// Whether nothing can touch of this place.
  bool enough(int row, int place) const { return way_ < until_[row * stride_ + place]; }
  /// The opposite, of this place and the next three: bit k, the k-th. Beyond places() nothing can touch.
  int near_of_four(int row, int place) const {
    return 15 ^ lane::sign_bits(lane::lanes(way_) < lane::load(&until_[row * stride_ + place]));
  }
  /// A place was seen so high above the ground [m]; not above zero: some of it is below.
  void set(int row, int place, double height) {
    until_[row * stride_ + place] = way_ + per_height_ * height - kSlack;
  }
  /// How far a place may still move [m], and the least of the first so many; and where that is known already.
  double left(int row, int place) const { return until_[row * stride_ + place] - way_; }
  double least_left(int row, int count) const {
    return *std::min_element(&until_[row * stride_], &until_[row * stride_ + count]) - way_;
  }
  void set_way(int row, int place, double way) { until_[row * stride_ + place] = way_ + way - kSlack; }

 private:
  static constexpr double kSlack = 1e-9;  // m, for rounding
  int places_, stride_;                   ///< of a row; filled up to a multiple of four
  std::vector<double> until_;             ///< ways up to which they cannot touch
  double way_ = 0;                        ///< no place has moved farther so far [m]
  const Terrain* terrain_ = nullptr;
  double slope_bound_ = 0, per_height_ = 0, division_ = 0;
};

}  // namespace scree
