/// Pacing: deadlines are absolute, lateness is counted and does not add up.
#include "scree/view/pacer.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <time.h>

#include <thread>

#include "scree/core/errors.hpp"

namespace scree::view {
namespace {

void sleep_for(double seconds) {
  timespec t{static_cast<time_t>(seconds), static_cast<long>(1e9 * (seconds - static_cast<time_t>(seconds)))};
  nanosleep(&t, nullptr);
}

TEST(Pacer, NeverComesBackEarlyAndDoesNotDrift) {
  Pacer pacer;
  const double before = wall_clock();
  pacer.start(0, 2.0);  // two simulated seconds a second
  const double started = wall_clock();
  double error = 0;
  for (int k = 1; k <= 100; ++k) {
    error = pacer.wait(0.004 * k);
    EXPECT_GE(error, 0);
  }
  const double elapsed = wall_clock();
  // 0.4 s simulated at twice the speed: the last deadline lies 0.2 s after the start, whatever happened on
  // the way; what the call came back late is what it says.
  EXPECT_GE(elapsed - before, 0.2);
  EXPECT_LE(elapsed - error - started, 0.2 + 1e-3);
  EXPECT_EQ(pacer.deadlines(), 100u);
}

TEST(Pacer, CountsWhatWasMissedAndCatchesUp) {
  Pacer pacer(10);
  pacer.start(0, 1);
  pacer.wait(0.01);
  const std::uint64_t before = pacer.missed();
  sleep_for(0.06);
  int late = 0;
  for (int k = 2; k <= 6; ++k) late += pacer.wait(0.01 * k) > 0.005;
  EXPECT_GE(pacer.missed() - before, 4u);  // 0.02 to 0.06 had passed
  EXPECT_GE(late, 2);
  EXPECT_GE(pacer.wait(0.3), 0);  // far ahead: on time again, from the same zero
  EXPECT_EQ(pacer.moved(), 0u);
}

TEST(Pacer, GivesUpALostScheduleInsteadOfRushing) {
  Pacer pacer(0.03);
  pacer.start(0, 1);
  sleep_for(0.08);
  pacer.wait(0.01);
  EXPECT_EQ(pacer.moved(), 1u);
  const double start = wall_clock();
  pacer.wait(0.03);  // 20 ms after the moved deadline, not at once
  EXPECT_GE(wall_clock() - start, 0.015);
}

TEST(Pacer, QuantilesSpanTheWholeRun) {
  Pacer pacer(100);
  pacer.start(0, 1e9);  // every deadline has passed: a thousand small errors
  for (int k = 0; k < 1000; ++k) pacer.wait(0);
  EXPECT_LT(pacer.error_quantile(0.5), 0.02);
  sleep_for(0.05);
  for (int k = 0; k < 6000; ++k) pacer.wait(0);  // and many large ones, which must not push them out
  const double small = pacer.error_quantile(1000.0 / 7000), large = pacer.error_quantile(0.5);
  EXPECT_LT(small, 0.05);
  EXPECT_GE(large, 0.05);
  EXPECT_GE(pacer.error_quantile(1), pacer.drift());  // the last error is the largest, and the drift
  EXPECT_NEAR(pacer.drift(), pacer.error_quantile(1), 0.08 * pacer.error_quantile(1));
}

TEST(Pacer, DriftHoldsWhatTheScheduleWasMoved) {
  Pacer pacer(0.03);
  pacer.start(0, 1);
  sleep_for(0.08);
  pacer.wait(0.01);   // 70 ms late: moved
  pacer.wait(0.012);  // on time again
  EXPECT_GE(pacer.drift(), 0.07);
  pacer.start(0.012, 1);
  EXPECT_EQ(pacer.drift(), 0);
}

TEST(Pacer, PinsToACoreThatExists) {
  EXPECT_THROW(pin_thread(100000), InputError);
  EXPECT_THROW(pin_thread(-1), InputError);
  std::thread([] {
    pin_thread(0);
    EXPECT_EQ(sched_getcpu(), 0);
  }).join();
}

}  // namespace
}  // namespace scree::view
