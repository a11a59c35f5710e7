/// scree terrain: the four subcommands from the outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>
#include <algorithm>
#include <fstream>
#include <iterator>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "terrain/support.hpp"

#ifdef SCREE_HAVE_COMMAND
namespace scree {
namespace {

using scree::testing::ProgramResult;
using scree::testing::run_program;
using ::testing::HasSubstr;

ProgramResult terrain(const TemporaryFolder& folder, const std::string& arguments) {
  return run_program("cd '" + folder.path().string() + "' && '" + command() + "' terrain " + arguments +
                     " 2>&1");
}

TEST(TerrainCommand, MakeInfoIdentifyConvert) {
  const TemporaryFolder folder;
  ProgramResult r = terrain(
      folder, "make fbm --set hurst=0.36 --set sigma=0.008 --seed 3 -o brick.txt --picture brick.png");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("kind = \"grid\""));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "brick.png"));

  r = terrain(folder, "info brick.txt --json");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("\"length_m\": 1,"));
  EXPECT_THAT(r.output, HasSubstr("\"rms_slope_deg\""));

  r = terrain(folder, "identify brick.txt --json --detrend mean");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("\"fractal\": true"));
  EXPECT_THAT(r.output, HasSubstr("\"samples_x\": 128"));

  r = terrain(folder, "make --like brick.txt -o more.mesh");
  EXPECT_EQ(r.status, 0) << r.output;
  r = terrain(folder, "identify more.mesh");
  EXPECT_EQ(r.status, 0) << r.output;

  r = terrain(folder, "convert more.mesh more.obj --area 0 0.2 0 0.2");
  EXPECT_EQ(r.status, 0) << r.output;
  r = terrain(folder, "convert sines out.xyz --area -2 2 -2 2 --cell 0.5");
  EXPECT_EQ(r.status, 0) << r.output;
  r = terrain(folder, "info out.xyz --set cells=[8,8]");
  EXPECT_EQ(r.status, 0) << r.output;
}

TEST(TerrainCommand, EveryFormatReadsBackToTheSameGround) {
  const TemporaryFolder folder;
  ASSERT_EQ(terrain(folder, "make noise --set size=[4,3] --set cell=0.25 --seed 5 -o a.txt").status, 0);
  std::vector<std::string> formats = {"mesh", "obj", "xyz"};
#ifdef SCREE_HAVE_GDAL
  formats.insert(formats.end(), {"asc", "tif", "png"});
#endif
  const TerrainPtr original = terrain_from("kind = 'grid'\nfile = 'a.txt'", folder.path());
  for (const std::string& format : formats) {
    const ProgramResult r = terrain(folder, "convert a.txt b." + format + " --json");
    ASSERT_EQ(r.status, 0) << r.output;
    // The table that the command prints is what a scenario needs.
    const ProgramResult text = terrain(folder, "convert a.txt b." + format);
    const auto table = text.output.find("[terrain]\n");
    ASSERT_NE(table, std::string::npos);
    const TerrainPtr back = terrain_from(text.output.substr(table + 10), folder.path());
    for (double x = -2; x <= 2; x += 0.25) {
      for (double y = -1.5; y <= 1.5; y += 0.25) {
        // 16 bits over some 0.1 m are 2e-6 m; text has nine digits or more.
        EXPECT_NEAR(back->height(x, y), original->height(x, y), 3e-6) << format << " " << x << " " << y;
      }
    }
  }
}

TEST(TerrainCommand, SpectrumPlot) {
  if (!scree::testing::have_program("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryFolder folder;
  const ProgramResult r = terrain(folder, "identify fbm --seed 2 --plot s.png");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_GT(std::filesystem::file_size(folder.path() / "s.png"), 5000u);
  EXPECT_EQ(terrain(folder, "identify fbm --plot s.xcf").status, 2);
  EXPECT_EQ(terrain(folder, "identify fbm --plot none/s.png").status, 2);
}

TEST(TerrainCommand, NamesAreNeverRunAsCommands) {
  if (!scree::testing::have_program("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryFolder folder;
  ASSERT_EQ(terrain(folder, "make fbm --seed 3 -o 'a`touch PWN`.txt'").status, 0);
  const ProgramResult r =
      terrain(folder, "identify 'a`touch PWN`.txt' --plot 's`touch PWN2`$(touch PWN3)\";!touch PWN4.png'");
  EXPECT_EQ(r.status, 0) << r.output;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    ++files;
    EXPECT_FALSE(entry.path().filename().string().starts_with("PWN")) << entry.path();
  }
  EXPECT_EQ(files, 2);
}

TEST(TerrainCommand, BadInputIsOneLineAndStatusTwo) {
  const TemporaryFolder folder;
  folder.write("ramp.txt", "0 0 0\n1 1 1\n2 2 2\n");
  for (const char* arguments :
       {"info none.txt", "info gird", "make fbm", "make", "make fbm --set hurst=7 -o a.txt",
        "make fbm -o a.docx", "make fbm --set hurst", "convert flat a.txt", "info ramp.txt",
        "identify ramp.txt --set cell=1", "info flat --area 1 0 0 1",
        "make --like ramp.txt --set cell=1 -o b.txt", "nothing"}) {
    const ProgramResult r = terrain(folder, arguments);
    EXPECT_EQ(r.status, 2) << arguments << ": " << r.output;
    EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << arguments << ": " << r.output;
  }
  EXPECT_EQ(terrain(folder, "make fbm -o none/a.txt").status, 1);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "a.txt"));
}

#ifdef SCREE_HAVE_GDAL
TEST(TerrainCommand, GdalIsOpenedOnlyForRastersAndMissedInOneLine) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "lib");
  for (int major = 26; major < 60; ++major) folder.write(fmt::format("lib/libgdal.so.{}", major), "none");
  const auto without = [&folder](const std::string& arguments) {
    return run_program(fmt::format("cd '{}' && LD_LIBRARY_PATH=lib '{}' terrain {} 2>&1",
                                   folder.path().string(), command(), arguments));
  };
  // All that reads and writes no raster works where GDAL does not.
  ASSERT_EQ(without("make noise --set size=[4,3] --set cell=0.25 --seed 5 -o a.txt").status, 0);
  for (const char* arguments : {"convert a.txt a.tif", "convert a.txt a.png"}) {
    const ProgramResult r = without(arguments);
    EXPECT_EQ(r.status, 1) << r.output;
    EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << r.output;
    EXPECT_THAT(r.output, HasSubstr("need GDAL, which cannot be loaded: "));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "a.tif"));
  ASSERT_EQ(terrain(folder, "convert a.txt a.tif").status, 0);
  EXPECT_EQ(without("info a.tif").status, 1);
}

TEST(TerrainCommand, DamagedBlocksAreOneLineWhoeverUnpacksThem) {
  // Blocks are unpacked by several threads, none of which may print beside us.
  const TemporaryFolder folder;
  ASSERT_EQ(terrain(folder, "make noise --set size=[8,8] --set cell=0.01 --seed 5 -o whole.tif").status, 0);
  std::ifstream in(folder.path() / "whole.tif", std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  ASSERT_GT(bytes.size(), 100000u);
  for (std::size_t k = bytes.size() / 5; k < bytes.size() * 4 / 5; k += 997) bytes[k] ^= 0x55;
  std::ofstream(folder.path() / "half.tif", std::ios::binary) << bytes;
  const ProgramResult r = terrain(folder, "info half.tif");
  EXPECT_EQ(r.status, 2) << r.output;
  EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << r.output;
  EXPECT_THAT(r.output, HasSubstr("half.tif"));
}
#endif

TEST(TerrainCommand, MemoryThatCannotBeHadIsRefusedWithTheNumber) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer reserves terabytes of addresses: it does not start under a limit";
#endif
  const TemporaryFolder folder;
  const auto limited = [&](const std::string& arguments) {
    return run_program("ulimit -v 900000; cd '" + folder.path().string() + "' && '" + command() +
                       "' terrain " + arguments + " 2>&1");
  };
  EXPECT_EQ(limited("make fbm -o small.txt").status, 0);
  // 20,000 x 20,000 samples of 4 bytes where a process may have 0.9 GB.
  for (const char* arguments :
       {"make fbm --set size=[100,100] --set cells=[20000,20000] -o a.txt",
        "make function --set expression=x --set sampled=true --set size=[9,9] --set cells=[20000,20000] -o "
        "a.txt"}) {
    const ProgramResult r = limited(arguments);
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_THAT(r.output, HasSubstr("needs 1.6 GB of memory and 0."));
    EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << r.output;
  }
}

}  // namespace
}  // namespace scree
#endif
