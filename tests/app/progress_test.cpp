#include "scree/app/progress.hpp"

#include <gmock/gmock.h>

#include <fcntl.h>

#include <cmath>
#include <thread>

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

/// A terminal in place of standard error, as long as it lives.
class FakeTerminal {
 public:
  FakeTerminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)), saved_(::dup(STDERR_FILENO)) {
    ::grantpt(master_);
    ::unlockpt(master_);
    const int slave = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
    ::dup2(slave, STDERR_FILENO);
    ::close(slave);
  }
  ~FakeTerminal() {
    ::dup2(saved_, STDERR_FILENO);
    ::close(saved_), ::close(master_);
  }
  /// What was written to it so far.
  std::string read() const {
    ::fcntl(master_, F_SETFL, O_NONBLOCK);
    std::string text(4096, '\0');
    const ssize_t count = ::read(master_, text.data(), text.size());
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
  }

 private:
  int master_, saved_;
};

TEST(Busy, SaysWhatIsDoneAfterHalfASecondAndWipesItself) {
  const FakeTerminal terminal;
  {
    BusyLine line("reading ground");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(terminal.read(), "");
    line.now("writing ground");
    std::this_thread::sleep_for(std::chrono::milliseconds(900));
    EXPECT_NE(terminal.read().find("writing ground 0:01"), std::string::npos);
  }
  const std::string end = terminal.read();
  ASSERT_GE(end.size(), 4u);
  EXPECT_EQ(end.substr(end.size() - 4), "\r\033[K");
}

TEST(Busy, IsSilentWhenQuiet) {
  const FakeTerminal terminal;
  {
    BusyLine line("reading ground", true);
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
  }
  EXPECT_EQ(terminal.read(), "");
}

}  // namespace
}  // namespace scree
