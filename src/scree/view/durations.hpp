#pragma once
/// Quantiles of many durations in one page of memory: counts in classes of equal ratio.
#include <array>
#include <cstdint>

namespace scree::view {

class Durations {
 public:
  void add(double seconds);
  std::uint64_t count() const { return count_; }
  /// Duration that a part (0..1) of all did not exceed [s], up to 8 % too large.
  double quantile(double part) const;

 private:
  std::uint64_t count_ = 0;
  std::array<std::uint64_t, 211> classes_{};  ///< 30 a decade, from 1 us up to 10 s
};

}  // namespace scree::view
