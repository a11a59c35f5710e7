#include "scree/core/program.hpp"

#include <gmock/gmock.h>

#include <csignal>

#include "scree/core/errors.hpp"
#include "support/errors.hpp"

namespace scree {
namespace {

using scree::testing::message_of;
using ::testing::HasSubstr;

TEST(Program, ReadsWhatItIsGivenAndKeepsWhatItPrints) {
  Program cat({"cat"}, "test");
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + "\n";
  EXPECT_TRUE(cat.write(text));
  EXPECT_EQ(cat.finish(), 0);
  EXPECT_EQ(cat.output(), text);
  EXPECT_EQ(cat.complaints(), "");
  EXPECT_EQ(cat.finish(), 0) << "may be repeated";
  EXPECT_FALSE(cat.write("more"));
}

TEST(Program, ArgumentsArriveAsTheyStand) {
  const std::string nasty = "a b;`touch PWN`$(touch PWN)'\"\\\n*?";
  Program echo({"printf", "%s|", nasty, "", "-n"}, "test");
  EXPECT_EQ(echo.finish(), 0);
  EXPECT_EQ(echo.output(), nasty + "||-n|");
}

TEST(Program, StatusAndComplaintsAreKept) {
  Program shell({"sh", "-c", "echo what went wrong >&2; exit 3"}, "test");
  EXPECT_EQ(shell.finish(), 3);
  EXPECT_EQ(shell.complaints(), "what went wrong\n");
  Program killed({"sh", "-c", "kill -9 $$"}, "test");
  EXPECT_EQ(killed.finish(), 128 + SIGKILL);
}

TEST(Program, OneThatEndsEarlyIsNoSignalToThisProgram) {
  // With SIGPIPE at its default, a write to an ended program would end this one.
  void (*before)(int) = std::signal(SIGPIPE, SIG_DFL);
  Program gone({"true"}, "test");
  const std::string block(1 << 20, 'x');
  bool open = true;
  for (int i = 0; i < 100 && open; ++i) open = gone.write(block);
  EXPECT_FALSE(open);
  std::signal(SIGPIPE, before);
}

TEST(Program, OneThatDoesNotExistIsNamed) {
  EXPECT_THAT(message_of<RunError>([] { Program({"no-such-program"}, "figure"); }),
              HasSubstr("figure: the program 'no-such-program' does not start"));
}

TEST(Program, IgnoredSignalsAreNotInherited) {
  void (*before)(int) = std::signal(SIGPIPE, SIG_IGN);
  Program shell({"sh", "-c", "kill -PIPE $$; echo alive"}, "test");
  EXPECT_EQ(shell.finish(), 128 + SIGPIPE);
  std::signal(SIGPIPE, before);
}

}  // namespace
}  // namespace scree
