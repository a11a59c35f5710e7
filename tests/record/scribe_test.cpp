#include "scree/record/scribe.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace scree {
namespace {

TEST(Scribe, WritesEverythingInOrderWhoeverIsSlow) {
  for (const bool slow_work : {false, true}) {
    std::vector<double> written;
    int flushes = 0;
    Scribe scribe([&](std::span<const double> batch, bool flush) {
      if (slow_work) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      written.insert(written.end(), batch.begin(), batch.end());
      flushes += flush;
    });
    double next = 0;
    for (int i = 0; i < 3000; ++i) {
      for (double& x : scribe.add(static_cast<std::size_t>(i % 97))) x = next++;
      if (scribe.full() || i % 500 == 7) scribe.hand_over(i % 500 == 7);
    }
    scribe.finish();
    ASSERT_EQ(written.size(), static_cast<std::size_t>(next));
    std::vector<double> wanted(written.size());
    std::iota(wanted.begin(), wanted.end(), 0.0);
    EXPECT_EQ(written, wanted);
    EXPECT_EQ(flushes, 7);
  }
}

TEST(Scribe, TellsAFailureOnceAndWritesNothingAfterIt) {
  int calls = 0;
  Scribe scribe([&](std::span<const double>, bool) {
    if (++calls == 3) throw std::runtime_error("full");
  });
  int told = 0;
  for (int i = 0; i < 10; ++i) {
    scribe.add(5);
    try {
      scribe.hand_over(false);
    } catch (const std::runtime_error&) {
      ++told;
    }
  }
  scribe.finish();
  EXPECT_EQ(told, 1);
  EXPECT_EQ(calls, 3);
}

TEST(Scribe, AShortRunIsWrittenByWhoTellsIt) {
  std::thread::id writer;
  Scribe scribe([&](std::span<const double> batch, bool) {
    writer = std::this_thread::get_id();
    EXPECT_EQ(batch.size(), 3u);
  });
  scribe.add(3);
  scribe.finish();
  EXPECT_EQ(writer, std::this_thread::get_id());
}

}  // namespace
}  // namespace scree
