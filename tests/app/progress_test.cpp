#include "scree/app/progress.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "scree/app/progress.cpp"

namespace scree {
namespace {

TEST(Progress, LineShowsShareFactorAndTimeLeft) {
  EXPECT_EQ(progress_line("demo", 0.25, 123.4, 10),
            "demo [#######.......................]  25 %  123 x real time  0:30 left");
  EXPECT_EQ(progress_line("demo", 1, 0, 10), "demo [##############################] 100 %  0:00 left");
}

TEST(Progress, OddSharesDoNotBreakTheLine) {
  EXPECT_EQ(progress_line("x", 0, 0, 1), "x [..............................]   0 %");
  EXPECT_EQ(progress_line("x", std::nan(""), 0, 1), progress_line("x", 0, 0, 1));
  EXPECT_EQ(progress_line("x", -1, 0, 1), progress_line("x", 0, 0, 1));
  EXPECT_EQ(progress_line("x", 7, 0, 1), progress_line("x", 1, 0, 1));
}

TEST(Progress, ClockText) {
  EXPECT_EQ(clock_text(0), "0:00");
  EXPECT_EQ(clock_text(6.2), "0:07");
  EXPECT_EQ(clock_text(65), "1:05");
  EXPECT_EQ(clock_text(7390), "2:03:10");
  EXPECT_EQ(clock_text(INFINITY), "long");
}

TEST(Progress, IsSilentWhenStandardErrorIsNotATerminal) {
  ::testing::internal::CaptureStderr();
  {
    ProgressBar bar("demo");
    ::usleep(600000);
    bar.update(0.5, 10);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace scree
