#include "scree/record/npy.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

#include "record/fake_run.hpp"
#include "scree/record/run_folder.hpp"
#include "scree/record/run_writer.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using testing::FakeRun;
using ::testing::HasSubstr;
using testing::message_of;
using testing::run_program;
using testing::TemporaryFolder;

TEST(Npy, HeaderIsThatOfNumpysFormat) {
  const std::vector<std::string> names = {"time", "it's"}, titles = {"time [s]", "it's [m]"};
  const std::string header = npy_header(names, titles, 7);
  EXPECT_EQ(header.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(header.size() % 64, 0u) << "the data begin aligned";
  EXPECT_EQ(static_cast<unsigned char>(header[8]) + 256 * static_cast<unsigned char>(header[9]),
            static_cast<int>(header.size()) - 10);
  EXPECT_EQ(header.back(), '\n');
  EXPECT_THAT(header, HasSubstr("(('time [s]', 'time'), '<f8'), (('it\\'s [m]', 'it\\'s'), '<f8'), "));
  EXPECT_EQ(npy_header(names, titles, 12345678).size(), header.size());
  const std::vector<std::string> many(3000, "a_rather_long_name");
  EXPECT_EQ(npy_header(many, many, 1)[6], 2) << "beyond 64 KiB: version 2.0";
}

TEST(Npy, ARunReadsBackToTheSameBits) {
  const TemporaryFolder folder;
  FakeRun fake;
  RunWriter writer(folder.path(), {.format = "npy"});
  writer.begin(fake.info());
  fake.feed(writer, 250);
  writer.end(testing::fake_summary());
  EXPECT_FALSE(fs::exists(folder.path() / "log.csv"));
  const RunFolder run = RunFolder::open(folder.path());
  ASSERT_EQ(run.times().size(), 250u);
  EXPECT_EQ(run.columns[2].name, "wheel.left.slip");
  EXPECT_EQ(run.columns[1].unit, "m/s");
  for (std::size_t i = 0; i < 250; ++i) {
    const auto values = fake.values_at(static_cast<double>(i) * FakeRun::step);
    for (int c = 0; c < 3; ++c) EXPECT_EQ(run.columns[c + 1].values[i], values[c]);
  }
}

TEST(Npy, AFileCutAnywhereReadsUpToItsLastWholeRecord) {
  const TemporaryFolder folder;
  {
    NpyWriter writer(folder.path() / "log.npy", {"time", "x"}, {"time [s]", "x [m]"});
    for (int i = 0; i < 10; ++i) {
      const double row[] = {0.1 * i, 1.0 * i};
      writer.append(row);
    }
    writer.flush();
  }
  const std::string whole = folder.read("log.npy");
  const std::size_t header = whole.size() - 10 * 16;
  for (std::size_t size = header; size <= whole.size(); ++size) {
    folder.write("cut.npy", whole.substr(0, size));
    EXPECT_EQ(read_npy(folder.path() / "cut.npy")[1].values.size(), (size - header) / 16);
  }
  EXPECT_THAT(whole.substr(0, header), HasSubstr("10,)"));
  for (const std::size_t size : {0ul, 5ul, 11ul, header - 1}) {
    folder.write("cut.npy", whole.substr(0, size));
    EXPECT_NE(message_of([&] { read_npy(folder.path() / "cut.npy"); }), "") << size;
  }
  folder.write("other.npy", std::string("\x93NUMPY\x01\x00\x10\x00{'descr': '<f8'}", 26));
  EXPECT_THAT(message_of([&] { read_npy(folder.path() / "other.npy"); }),
              HasSubstr("not a log of this program"));
}

TEST(Npy, OneLineOfNumpyReadsIt) {
  if (run_program("python3 -c 'import numpy' 2>&1").status != 0) GTEST_SKIP() << "no numpy here";
  const TemporaryFolder folder;
  FakeRun fake;
  RunWriter writer(folder.path(), {.format = "npy"});
  writer.begin(fake.info());
  fake.feed(writer, 100);
  writer.end(testing::fake_summary());
  const auto result =
      run_program("cd " + folder.path().string() +
                  " && python3 -c 'import numpy; log = numpy.load(\"log.npy\"); "
                  "print(len(log), log[\"wheel.left.slip\"][50], log[\"speed [m/s]\"][0])' 2>&1");
  EXPECT_EQ(result.output, "100 -0.05 0.0\n");
}

}  // namespace
}  // namespace scree
