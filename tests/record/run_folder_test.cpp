#include "scree/record/run_folder.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "record/fake_run.hpp"
#include "scree/record/run_writer.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using scree::testing::message_of;
using scree::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(RunFolder, SaysWhatIsWrongWithAFolder) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { RunFolder::open(folder.path() / "none"); }),
              HasSubstr("none: no such run folder"));
  EXPECT_THAT(message_of([&] { RunFolder::open(folder.path()); }),
              HasSubstr("not a run folder: it has no log.csv or log.npy"));
  folder.write("log.csv", "");
  EXPECT_THAT(message_of([&] { RunFolder::open(folder.path()); }),
              HasSubstr("does not begin with the column 'time [s]'"));
  folder.write("log.csv", "time\n");
  EXPECT_THAT(message_of([&] { RunFolder::open(folder.path()); }),
              HasSubstr("'time' is not of the form 'name [unit]'"));
  folder.write("log.csv", "time [s],x [m]\n0,1\n0.1,abc\n");
  EXPECT_THAT(message_of([&] { RunFolder::open(folder.path()); }),
              HasSubstr("log.csv:3: '0.1,abc' in column 2"));
  folder.write("log.csv", "time [s],x [m]\n0,1,2\n");
  EXPECT_THAT(message_of([&] { RunFolder::open(folder.path()); }), HasSubstr("log.csv:2"));
  folder.write("log.csv", "time [s],x [m]\n0\n");
  EXPECT_THAT(message_of([&] { RunFolder::open(folder.path()); }), HasSubstr("log.csv:2"));
  folder.write("log.csv", "time [s]\n");
  folder.write("states.bin", std::string(40, 'x'));
  EXPECT_THAT(message_of([&] { RunFolder::open(folder.path()); }), HasSubstr("not a file of states"));
  StatesHeader header;
  header.version = 99;
  folder.write("states.bin", {reinterpret_cast<const char*>(&header), sizeof header});
  EXPECT_THAT(message_of([&] { RunFolder::open(folder.path()); }), HasSubstr("states of version 99"));
  fs::remove(folder.path() / "states.bin");
  folder.write("events.csv", "time [s],robot,kind,text,x [m],y [m],z [m],ends_run\nsoon,a,b\n");
  EXPECT_THAT(message_of([&] { RunFolder::open(folder.path()); }), HasSubstr("events.csv:2: not an event"));
}

TEST(RunFolder, AFolderCutAtAnyByteReadsWhatIsWhole) {
  const TemporaryFolder folder;
  scree::testing::FakeRun fake;
  {
    RunWriter writer(folder.path());
    writer.begin(fake.info());
    fake.feed(writer, 3);
    writer.event({0.002, "a", "stuck", "text", Vec3(1, 2, 3), false});
    writer.end(scree::testing::fake_summary());
  }
  const std::string log = folder.read("log.csv"), states = folder.read("states.bin");
  const std::string events = folder.read("events.csv");
  const std::size_t header_end = log.find('\n') + 1;
  std::size_t last = 0;
  for (std::size_t size = header_end; size <= log.size(); ++size) {
    folder.write("log.csv", log.substr(0, size));
    const auto rows = RunFolder::open(folder.path()).times().size();
    EXPECT_GE(rows, last);
    last = rows;
  }
  EXPECT_EQ(last, 3u);
  last = 0;
  for (std::size_t size = 0; size <= states.size(); ++size) {
    folder.write("states.bin", states.substr(0, size));
    const auto run = RunFolder::open(folder.path());
    EXPECT_EQ(run.states.times.size(), size < 32 ? 0 : (size - 32) / 32);
    EXPECT_EQ(run.states.values.size(), 3 * run.states.times.size());
  }
  for (std::size_t size = 0; size <= events.size(); ++size) {
    folder.write("events.csv", events.substr(0, size));
    EXPECT_EQ(RunFolder::open(folder.path()).events.size(), size == events.size() ? 1u : 0u);
  }
}

TEST(RunFolder, AnAbsurdStateSizeDoesNotAllocate) {
  const TemporaryFolder folder;
  folder.write("log.csv", "time [s]\n");
  StatesHeader header;
  header.state_size = ~std::uint64_t{0} / 8;
  folder.write("states.bin", std::string(reinterpret_cast<const char*>(&header), sizeof header) + "abc");
  EXPECT_TRUE(RunFolder::open(folder.path()).states.times.empty());
}

TEST(RunFolder, FindsColumnsByNameAndPattern) {
  const TemporaryFolder folder;
  folder.write("log.csv", "time [s],speed [m/s],wheel.a.slip [-],wheel.b.slip [-]\n0,nan,-inf,1e-3\n");
  const auto run = RunFolder::open(folder.path());
  EXPECT_TRUE(std::isnan(run.column("speed").values[0]));
  const std::vector<std::string> patterns = {"wheel.*"};
  const auto chosen = run.match(patterns);
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[1]->name, "wheel.b.slip");
  EXPECT_THAT(message_of([&] { run.column("sped"); }), HasSubstr("did you mean 'speed'?"));
  const std::vector<std::string> bad = {"wheels.*"};
  EXPECT_THAT(message_of([&] { run.match(bad); }), HasSubstr("no signal in the log matches 'wheels.*'"));
}

}  // namespace
}  // namespace scree
