#include "scree/core/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace scree {
namespace {

TEST(Crew, DoesEveryNumberOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    Crew crew(threads);
    for (const int count : {0, 1, 2, 7, 100, 1000}) {
      for (int round = 0; round < 50; ++round) {
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
        crew.each(count, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
        for (const auto& x : done) ASSERT_EQ(x.load(), 1) << threads << " threads, " << count;
      }
    }
  }
}

TEST(Crew, PassesOnTheFailureOfTheSmallestAndDoesTheRest) {
  for (const int threads : {1, 4}) {
    Crew crew(threads);
    for (int round = 0; round < 200; ++round) {
      std::atomic<int> done = 0;
      try {
        crew.each(64, [&](int i) {
          ++done;
          if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
        });
        FAIL();
      } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "7");
      }
      EXPECT_EQ(done.load(), 64);
      crew.each(3, [](int) {});  // and goes on afterwards
    }
  }
}

}  // namespace
}  // namespace scree
