#pragma once
/// Random numbers only come from named streams: (seed, trial, purpose) -> numbers.
/// The same name gives the same numbers on any machine, thread or rank, whatever else is drawn.
#include <cstdint>
#include <string_view>

#include "scree/core/memory.hpp"

namespace scree {

/// One number for a seed and a trial, for streams that know of no trials; of trial 0 the seed itself.
std::uint64_t trial_seed(std::uint64_t seed, std::uint64_t trial);

/// A small, fast, well-mixed generator (SplitMix64: Steele, Lea, Flood 2014) started from a stream's name.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t trial, std::string_view purpose);

  std::uint64_t next_bits();
  /// Uniform in [0, 1).
  double uniform();
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Standard normal (Box-Muller, both values used).
  double normal();
  /// Uniform integer in [0, count).
  std::uint64_t below(std::uint64_t count);

  void memory(Memory& m) { m(state_), m(spare_), m(has_spare_); }

 private:
  std::uint64_t state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace scree
