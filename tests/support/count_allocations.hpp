#pragma once
/// Counts calls of malloc and its family on this thread: `operator new` alone would miss Eigen's.
///
///     AllocationCounter counter;
///     step(...);
///     EXPECT_EQ(counter.count(), 0);
///
/// A test program that uses it compiles tests/support/count_allocations.cpp (one line:
/// `#include "support/count_allocations.cpp"` in exactly one of its files).
#include <cstdint>

namespace scree::testing {

/// Counts from its construction to its end; counters do not nest.
class AllocationCounter {
 public:
  AllocationCounter();
  ~AllocationCounter();
  AllocationCounter(const AllocationCounter&) = delete;
  AllocationCounter& operator=(const AllocationCounter&) = delete;

  /// Allocations so far on this thread.
  std::int64_t count() const;
  /// False under a sanitizer that brings its own malloc: nothing is counted then.
  static bool works();
};

}  // namespace scree::testing
