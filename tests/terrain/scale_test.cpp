/// Large ground: what memory it takes from the file to the run, and a model too large to hold.
#if defined(SCREE_HAVE_GDAL) && defined(SCREE_HAVE_COMMAND)
#include <fmt/format.h>
#include <gdal_priv.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "scree/terrain/grid.hpp"
#include "support/paths.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

/// A plain GeoTIFF, quick to write.
void write_waves(const std::filesystem::path& file, int n, GDALDataType type) {
  GDALAllRegister();
  GDALDataset* out =
      GetGDALDriverManager()->GetDriverByName("GTiff")->Create(file.c_str(), n, n, 1, type, nullptr);
  ASSERT_NE(out, nullptr);
  double transform[6] = {0, 0.1, 0, 0, 0, -0.1};
  out->SetGeoTransform(transform);
  std::vector<float> row(n);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) row[c] = static_cast<float>((c * 13 + r * 7) % 200) * 1e-3f;
    ASSERT_EQ(
        out->GetRasterBand(1)->RasterIO(GF_Write, 0, r, n, 1, row.data(), n, 1, GDT_Float32, 0, 0, nullptr),
        CE_None);
  }
  GDALClose(out);
}

/// Runs a scenario in a process of its own; returns its largest resident memory [byte].
double peak_memory(const std::filesystem::path& scenario, const std::filesystem::path& out) {
  std::fflush(stdout);  // the child would write it once more
  const pid_t child = ::fork();
  if (child == 0) {
    // Into a file: the child must not mix with the test's own report.
    if (!std::freopen((out.string() + ".txt").c_str(), "w", stdout)) ::_exit(3);
    const std::string program = command();
    ::execl(program.c_str(), program.c_str(), "run", scenario.c_str(), "--out", out.c_str(), nullptr);
    ::_exit(4);
  }
  int status = 0;
  rusage usage{};
  EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/// Elevation model, crater field, trench, friction map and a robot.
std::string scenario(int n) {
  return fmt::format(R"(format = 1
duration = 0.2
[terrain]
kind = "compose"
sampled = true
[terrain.base]
kind = "dem"
file = "waves_{0}.tif"
[[terrain.feature]]
kind = "craters"
sampled = false
size = [10, 10]
cell = 0.1
density = 0.05
largest = 3
[[terrain.feature]]
kind = "trench"
at = [1, 0]
footprint = [2, 2]
[terrain.friction]
kind = "image"
file = "friction_{0}.tif"
cell = 0.1
low = 0.5
[[robot]]
model = "skid4"
)",
                     n);
}

TEST(Scale, OneCopyOfTheGroundFromTheFileToTheRun) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer keeps freed memory and shadows all of it: the peak is its own";
#endif
  // 4 bytes a cell for the heights, 2 % for the table of slopes, 1 byte for the friction map, and no second
  // copy at any time; beside them 32 MB of GDAL's blocks and a buffer of 8 MB. For 10^8 cells that is 560 MB
  // with the program itself (40 MB): below 600 MB.
  constexpr int kSmall = 100, kLarge = 4500;
  const TemporaryFolder folder;
  double peak[2];
  for (int k = 0; k < 2; ++k) {
    const int n = k == 0 ? kSmall : kLarge;
    write_waves(folder.path() / fmt::format("waves_{}.tif", n), n, GDT_Float32);
    write_waves(folder.path() / fmt::format("friction_{}.tif", n), n, GDT_Byte);
    peak[k] = peak_memory(folder.write(fmt::format("s{}.toml", n), scenario(n)),
                          folder.path() / fmt::format("run{}", n));
  }
  const double cells = 1.0 * kLarge * kLarge, grew = peak[1] - peak[0];
  EXPECT_LT(grew, 5.1 * cells + 42e6);
  EXPECT_GT(grew, 4 * cells) << "measures nothing";
}

TEST(Scale, ASparseModelOfTenThousandMillionCellsIsUsedByWindow) {
  const TemporaryFolder folder;
  GDALAllRegister();
  const char* options[] = {"SPARSE_OK=TRUE", "TILED=YES", "BIGTIFF=YES", nullptr};
  const std::filesystem::path file = folder.path() / "huge.tif";
  GDALDataset* out = GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
      file.c_str(), 100000, 100000, 1, GDT_Float32, const_cast<char**>(options));
  ASSERT_NE(out, nullptr);
  double transform[6] = {0, 0.5, 0, 0, 0, -0.5};
  out->SetGeoTransform(transform);
  std::vector<float> block(300 * 300);
  for (int k = 0; k < 300 * 300; ++k) block[k] = static_cast<float>(k % 300) * 0.01f;
  ASSERT_EQ(out->GetRasterBand(1)->RasterIO(GF_Write, 70000, 80000, 300, 300, block.data(), 300, 300,
                                            GDT_Float32, 0, 0, nullptr),
            CE_None);
  GDALClose(out);
  EXPECT_THAT(refusal("kind = 'dem'\nfile = 'huge.tif'", folder.path()),
              AllOf(HasSubstr("100000 x 100000"), HasSubstr("use a window")));
  const TerrainPtr t =
      terrain_from("kind = 'dem'\nfile = 'huge.tif'\nwindow = [70000, 80000, 300, 300]", folder.path());
  const Grid& grid = dynamic_cast<const Grid&>(*t);
  EXPECT_EQ(grid.geometry().nx, 300);
  EXPECT_EQ(grid.geometry().step_x, 0.5);
  EXPECT_NEAR(grid.sample_height(250, 7), 2.5, 1e-6);
  // A coarser look at a thousand times as many pixels reads through GDAL's own resampling.
  const TerrainPtr coarse = terrain_from(
      "kind = 'dem'\nfile = 'huge.tif'\nwindow = [69000, 79000, 3000, 3000]\ncell = 5", folder.path());
  EXPECT_EQ(dynamic_cast<const Grid&>(*coarse).geometry().nx, 300);
}

}  // namespace
}  // namespace scree
#endif
