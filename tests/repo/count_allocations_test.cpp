#include "support/count_allocations.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/count_allocations.cpp"

namespace scree::testing {
namespace {

/// Keeps the compiler from proving that memory is not needed.
void* keep(void* memory) {
  asm volatile("" : "+r"(memory) : : "memory");
  return memory;
}

template <class Action>
std::int64_t allocations_of(Action&& action) {
  const AllocationCounter counter;
  action();
  return counter.count();
}

class CountAllocations : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!AllocationCounter::works()) GTEST_SKIP() << "the sanitizer owns malloc";
  }
};

TEST_F(CountAllocations, SeesEveryWayToAllocate) {
  EXPECT_EQ(allocations_of([] { std::free(keep(std::malloc(10))); }), 1);
  EXPECT_EQ(allocations_of([] { std::free(keep(std::calloc(2, 10))); }), 1);
  EXPECT_EQ(allocations_of([] {
              void* memory = keep(std::malloc(10));
              std::free(keep(std::realloc(memory, 100000)));
            }),
            2);
  EXPECT_EQ(allocations_of([] { std::free(keep(std::aligned_alloc(64, 128))); }), 1);
  EXPECT_EQ(allocations_of([] {
              void* memory = nullptr;
              EXPECT_EQ(posix_memalign(&memory, 64, 128), 0);
              EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
              std::free(keep(memory));
            }),
            1);
  EXPECT_EQ(allocations_of([] { delete static_cast<double*>(keep(new double(1))); }), 1);
  EXPECT_EQ(allocations_of([] {
              Eigen::VectorXd x(50);
              keep(x.data());
            }),
            1);
}

TEST_F(CountAllocations, SeesNothingWhereNothingIsAllocated) {
  std::vector<double> values(100, 1.0);
  double sum = 0;
  EXPECT_EQ(allocations_of([&] {
              for (const double value : values) sum += value;
            }),
            0);
  EXPECT_EQ(sum, 100);
}

TEST_F(CountAllocations, DoesNotSeeOtherThreads) {
  const AllocationCounter counter;
  const auto before = counter.count();
  std::thread other([] {
    for (int i = 0; i < 1000; ++i) std::free(keep(std::malloc(10)));
  });
  other.join();
  EXPECT_LT(counter.count() - before, 100) << "only what starting a thread takes";
}

}  // namespace
}  // namespace scree::testing
