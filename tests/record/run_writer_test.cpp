#include "scree/record/run_writer.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "record/fake_run.hpp"
#include "scree/core/text.hpp"
#include "scree/record/run_folder.hpp"
#include "support/count_allocations.cpp"
#include "support/errors.hpp"
#include "support/limits.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using scree::testing::fake_summary;
using scree::testing::FakeRun;
using scree::testing::message_of;
using scree::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// States and npy logs to the last bit, text to nine digits (half a unit of the ninth: 5e-9 of the value).
TEST(RunWriter, WritesAFolderThatReadsBack) {
  const TemporaryFolder folder;
  FakeRun fake;
  RunWriter writer(folder.path() / "a/b/run");
  writer.begin(fake.info());
  fake.feed(writer, 1000);
  writer.event({0.25, "rover", "stuck", "it said \"no\", twice", Vec3(0.1, 2, -3), false});
  writer.end(fake_summary());

  const auto run = RunFolder::open(writer.folder());
  ASSERT_EQ(run.columns.size(), 4u);
  EXPECT_EQ(run.columns[0].name, "time");
  EXPECT_EQ(run.columns[1].name, "speed");
  EXPECT_EQ(run.columns[1].unit, "m/s");
  EXPECT_EQ(run.columns[3].unit, "-");
  ASSERT_EQ(run.times().size(), 1000u);
  ASSERT_EQ(run.states.times.size(), 1000u);
  for (int i = 0; i < 1000; ++i) {
    const double t = i * FakeRun::step;
    const auto row = static_cast<std::size_t>(i);
    ASSERT_NEAR(run.times()[row], t, 1e-15);
    for (std::size_t k = 0; k < 3; ++k) {
      const double exact = fake.values_at(t)[k];
      ASSERT_NEAR(run.columns[k + 1].values[row], exact, 5.001e-9 * std::abs(exact));
    }
    const auto state = fake.state_at(t);
    ASSERT_EQ(std::memcmp(run.states.at(row).data(), state.data(), 24), 0);
  }
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_EQ(run.events[0].text, "it said \"no\", twice");
  EXPECT_EQ(run.events[0].kind, "stuck");
  EXPECT_EQ(run.events[0].position, Vec3(0.1, 2, -3));
  EXPECT_FALSE(run.events[0].ends_run);
  EXPECT_TRUE(run.complete);
}

TEST(RunWriter, LogsChosenSignalsAtTheChosenPeriod) {
  const TemporaryFolder folder;
  FakeRun fake;
  RunWriter writer(folder.path() / "run", {.signals = {"wheel.*.slip"}, .period = 0.01, .state_period = 0.1});
  writer.begin(fake.info());
  fake.feed(writer, 1001);
  writer.end(fake_summary());
  const auto run = RunFolder::open(writer.folder());
  ASSERT_EQ(run.columns.size(), 3u);
  EXPECT_EQ(run.columns[1].name, "wheel.left.slip");
  ASSERT_EQ(run.times().size(), 101u);
  for (std::size_t i = 0; i < run.times().size(); ++i) {
    EXPECT_NEAR(run.times()[i], 0.01 * static_cast<double>(i), 1e-12) << "no drift, no line twice";
  }
  EXPECT_EQ(run.states.times.size(), 11u);
}

TEST(RunWriter, APeriodThatIsNoMultipleOfTheStepKeepsItsAverage) {
  const TemporaryFolder folder;
  FakeRun fake;
  RunWriter writer(folder.path() / "run", {.period = 0.0033});
  writer.begin(fake.info());
  fake.feed(writer, 1000);
  writer.end(fake_summary());
  const auto times = RunFolder::open(writer.folder()).times();
  ASSERT_EQ(times.size(), 303u) << "0, 0.0033, ... 0.9966";
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(times[i], 0.0033 * static_cast<double>(i), 0.5 * FakeRun::step + 1e-12);
  }
}

TEST(RunWriter, UnknownSignalIsRefusedAndLeavesNoFolder) {
  const TemporaryFolder folder;
  FakeRun fake;
  {
    RunWriter writer(folder.path() / "deep/run", {.signals = {"sped"}});
    EXPECT_THAT(message_of([&] { writer.begin(fake.info()); }), HasSubstr("did you mean 'speed'"));
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(RunWriter, AnExistingFolderIsKeptWhenTheRunNeverBegins) {
  const TemporaryFolder folder;
  { const RunWriter writer(folder.path()); }
  EXPECT_TRUE(fs::exists(folder.path()));
}

TEST(RunWriter, AFolderThatCannotBeWrittenIsRefusedAtOnce) {
  const TemporaryFolder folder;
  folder.write("file", "x");
  EXPECT_THAT(message_of([&] { RunWriter(folder.path() / "file"); }),
              HasSubstr("is a file; the run needs a folder"));
  EXPECT_THAT(message_of([&] { RunWriter(folder.path() / "file/run"); }), HasSubstr("cannot be made"));
  EXPECT_THAT(message_of([&] { RunWriter("/proc/scree/run"); }),
              HasSubstr("/proc/scree/run: the folder cannot be made"));
  EXPECT_THAT(message_of([&] { RunWriter("/proc"); }), HasSubstr("cannot be written to"));
  if (::geteuid() != 0) {
    fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_THAT(message_of([&] { RunWriter(folder.path()); }), HasSubstr("Permission denied"));
    fs::permissions(folder.path(), fs::perms::owner_all);
  }
}

TEST(RunWriter, FullDiskIsARunErrorThatKeepsWhatWasWritten) {
  const TemporaryFolder folder;
  FakeRun fake;
  RunWriter writer(folder.path() / "run");
  writer.begin(fake.info());
  std::string message;
  {
    const scree::testing::FileSizeLimit limit(100000);
    message = message_of<RunError>([&] { fake.feed(writer, 20000); });
    fake.feed(writer, 10);  // told once; afterwards silent
  }
  EXPECT_THAT(message, HasSubstr("cannot be written"));
  auto summary = fake_summary();
  summary.error = message;
  writer.end(summary);
  const auto run = RunFolder::open(writer.folder());
  EXPECT_GT(run.times().size(), 1000u) << "100,000 bytes hold more than 1,000 lines";
  EXPECT_EQ(run.times()[1000], 1000 * FakeRun::step);
  EXPECT_TRUE(run.complete) << "the summary says why";
  EXPECT_THAT(run.summary, HasSubstr("cannot be written"));
}

TEST(RunWriter, NoSpaceForTheSummaryIsARunErrorAndLeavesNoHalf) {
  const TemporaryFolder folder;
  FakeRun fake;
  RunWriter writer(folder.path() / "run");
  writer.begin(fake.info());
  {
    const scree::testing::FileSizeLimit limit(20);
    EXPECT_THAT(message_of<RunError>([&] { writer.end(fake_summary()); }), HasSubstr("summary.json"));
  }
  EXPECT_FALSE(fs::exists(writer.folder() / "summary.json"));
}

TEST(RunWriter, ARunKilledAtAnyMomentReadsUpToTheLastFlush) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  const pid_t child = ::fork();
  if (child == 0) {
    FakeRun fake;
    RunWriter writer(path);
    writer.begin(fake.info());
    for (int i = 0;; ++i) {
      writer.sample(fake.sample(i * FakeRun::step));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  // Few bytes a second: only the clock makes it flush.
  std::this_thread::sleep_for(std::chrono::milliseconds(1600));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  const auto run = RunFolder::open(path);
  EXPECT_FALSE(run.complete);
  EXPECT_GT(run.times().size(), 50u);
  EXPECT_EQ(run.times().size(), run.states.times.size());
  EXPECT_EQ(run.times()[50], 50 * FakeRun::step);
}

TEST(RunWriter, AnOldSummaryDoesNotOutliveANewRun) {
  const TemporaryFolder folder;
  folder.write("summary.json", "{}");
  FakeRun fake;
  RunWriter writer(folder.path());
  writer.begin(fake.info());
  EXPECT_FALSE(RunFolder::open(folder.path()).complete);
}

TEST(RunWriter, WritingASampleAllocatesNothing) {
  if (!scree::testing::AllocationCounter::works()) GTEST_SKIP() << "the sanitizer owns malloc";
  const TemporaryFolder folder;
  FakeRun fake;
  RunWriter writer(folder.path() / "run");
  writer.begin(fake.info());
  const Sample sample = fake.sample(0.123456789);
  for (int i = 0; i < 5000; ++i) writer.sample(sample);  // the first batch starts the thread that writes
  const scree::testing::AllocationCounter counter;
  for (int i = 0; i < 20000; ++i) writer.sample(sample);
  EXPECT_EQ(counter.count(), 0);
}

TEST(SummaryJson, HasTheDocumentedKeysAndIsValidJson) {
  const std::string text = summary_json(fake_summary());
  EXPECT_EQ(text.substr(text.find("\"outcome\"")),
            "\"outcome\": \"finished\",\n"
            "  \"error\": null,\n"
            "  \"warnings\": [],\n"
            "  \"simulated_s\": 2,\n"
            "  \"cpu_s\": 0.5,\n"
            "  \"wall_s\": 0.6,\n"
            "  \"real_time_factor\": 4,\n"
            "  \"steps\": 2000,\n"
            "  \"state_hash\": \"0000000000000abc\",\n"
            "  \"events\": [\n"
            "    {\"time\": 1.25, \"robot\": \"rover\", \"kind\": \"goal\", "
            "\"text\": \"reached \\\"it\\\", at last\", \"position\": [1, -2.5, 0], \"ends_run\": true}\n"
            "  ],\n"
            "  \"numbers\": {\n"
            "    \"path_m\": 12.5,\n"
            "    \"odd\": null\n"
            "  }\n"
            "}\n");
  EXPECT_THAT(summary_json({}), HasSubstr("\"events\": [],\n  \"numbers\": {}\n}\n"));
}

TEST(Csv, FieldsComeBack) {
  for (const std::string text : {"", "plain", "a,b", "say \"x\"", "\"", ",", "a b"}) {
    EXPECT_THAT(csv_fields(csv_field(text) + ",next"), ElementsAre(text, "next"));
  }
  EXPECT_THAT(csv_fields(csv_field("two\nlines")), ElementsAre("two lines"));
}

}  // namespace
}  // namespace scree
