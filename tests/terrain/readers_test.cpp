/// Every reader of ground against files made by other programs: GDAL's own tools, ImageMagick, Python. Points
/// are compared one by one: orientation, units, middle or corner of a cell, nodata, mask, scale, bit depths.
#ifdef SCREE_HAVE_GDAL
#include <gmock/gmock.h>

#include <cmath>

#include "scree/terrain/grid.hpp"
#include "support/program.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// What the files hold: no symmetry, so that a turn or a flip cannot hide.
double height(int column, int row) { return 100 + 3 * column - 2 * row + 0.25 * column * row; }

class Readers : public ::testing::Test {
 protected:
  static constexpr int kColumns = 9, kRows = 7;

  void SetUp() override {
    // A plain table of text, which gdal_translate turns into anything: cells of 2 m, lower left corner at
    // (1000, 500).
    std::string text =
        fmt::format("ncols {}\nnrows {}\nxllcorner 1000\nyllcorner 500\ncellsize 2\nNODATA_value -9999\n",
                    kColumns, kRows);
    for (int r = 0; r < kRows; ++r, text += "\n")
      for (int c = 0; c < kColumns; ++c) text += fmt::format("{} ", height(c, r));
    folder_.write("source.asc", text);
  }
  bool need(const char* program) { return scree::testing::have_program(program); }
  void shell(const std::string& command) {
    const auto result =
        scree::testing::run_program("cd '" + folder_.path().string() + "' && " + command + " 2>&1");
    ASSERT_EQ(result.status, 0) << command << ": " << result.output;
  }
  TerrainPtr read(const std::string& table) { return terrain_from(table, folder_.path()); }

  /// Every sample of a file that keeps its place: sample (c, r) is the middle of its cell.
  void expect_same(const std::string& table, double tolerance) {
    const TerrainPtr terrain = read(table);
    for (int r = 0; r < kRows; ++r)
      for (int c = 0; c < kColumns; ++c)
        EXPECT_NEAR(terrain->height(1000 + 2 * c + 1, 500 + 2 * (kRows - 1 - r) + 1), height(c, r), tolerance)
            << table << " at " << c << ", " << r;
  }
  TemporaryFolder folder_;
};

TEST_F(Readers, WhatGdalTranslateWrites) {
  if (!need("gdal_translate")) GTEST_SKIP() << "gdal-bin is not installed";
  expect_same("kind = 'dem'\nfile = 'source.asc'\nkeep_origin = true", 1e-4);
  const struct {
    const char *options, *file;
    double tolerance;
  } cases[] = {{"-of GTiff", "a.tif", 1e-5},
               {"-of GTiff -ot Float64 -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16 -co COMPRESS=LZW",
                "b.tif", 1e-5},
               {"-of GTiff -co COMPRESS=DEFLATE -co ENDIANNESS=BIG", "c.tif", 1e-5},
               {"-of HFA", "d.img", 1e-5},
               {"-of AAIGrid", "e.asc", 1e-4},
               {"-of ENVI -co INTERLEAVE=BSQ", "f.bin", 1e-5},
               {"-of GSBG", "g.grd", 1e-5},
               {"-of VRT", "h.vrt", 1e-5}};
  for (const auto& c : cases) {
    shell(fmt::format("gdal_translate -q {} source.asc {}", c.options, c.file));
    expect_same(fmt::format("kind = 'dem'\nfile = '{}'\nkeep_origin = true", c.file), c.tolerance);
  }
}

TEST_F(Readers, ScaleOffsetAndIntegerTypes) {
  if (!need("gdal_translate")) GTEST_SKIP() << "gdal-bin is not installed";
  // Centimetres above 90 m in 16 bits: the file says so itself.
  shell("gdal_translate -q -ot Int16 -scale 90 190 0 10000 -a_scale 0.01 -a_offset 90 source.asc s.tif");
  expect_same("kind = 'dem'\nfile = 's.tif'\nkeep_origin = true", 0.0051);
  // And settings of ours come after.
  const TerrainPtr t =
      read("kind = 'dem'\nfile = 's.tif'\nkeep_origin = true\nvertical_scale = 2\nvertical_offset = 1");
  EXPECT_NEAR(t->height(1001, 513), 2 * height(0, 0) + 1, 0.011);
}

TEST_F(Readers, NodataAndMasksAreGaps) {
  if (!need("gdal_translate")) GTEST_SKIP() << "gdal-bin is not installed";
  // A hole by value, then the same hole by a mask band inside and beside the file.
  shell(fmt::format("sed 's/^{} /-9999 /' source.asc > holed.asc", height(0, 3)));
  shell("gdal_translate -q holed.asc holed.tif");
  const auto dem = [](const std::string& file, const std::string& more = "") {
    return "kind = 'dem'\nfile = '" + file + "'\nkeep_origin = true\n" + more;
  };
  EXPECT_THAT(refusal(dem("holed.tif"), folder_.path()),
              AllOf(HasSubstr("1 of 63 "), HasSubstr("nodata = \"fill\"")));
  shell(
      "gdal_translate -q -mask 1 -a_nodata none --config GDAL_TIFF_INTERNAL_MASK YES -b 1 holed.tif "
      "inside.tif");
  EXPECT_THAT(refusal(dem("inside.tif"), folder_.path()), HasSubstr("1 of 63 "));
  shell(
      "gdal_translate -q -mask 1 -a_nodata none --config GDAL_TIFF_INTERNAL_MASK NO -b 1 holed.tif "
      "beside.tif");
  EXPECT_THAT(refusal(dem("beside.tif"), folder_.path()), HasSubstr("1 of 63 "));
  // Stepped over by a coarser cell, it is a gap all the same.
  EXPECT_THAT(refusal(dem("holed.tif", "cell = 6\nresampling = 'nearest'"), folder_.path()),
              HasSubstr("1 of 63 pixels"));
  for (const char* file : {"holed.tif", "inside.tif", "beside.tif"}) {
    const TerrainPtr t = read(dem(file, "nodata = 'fill'"));
    EXPECT_THAT(t->summary(), HasSubstr("1 samples without a height"));
    EXPECT_NEAR(t->height(1001, 507), height(0, 3), 1.6)
        << file;  // the membrane at an edge is level across it
  }
}

TEST_F(Readers, ResamplingKeepsAPlaneWhereverTheCellFalls) {
  if (!need("gdal_translate")) GTEST_SKIP() << "gdal-bin is not installed";
  std::string text = "ncols 100\nnrows 80\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
  for (int r = 0; r < 80; ++r, text += "\n")
    for (int c = 0; c < 100; ++c) text += fmt::format("{:.9g} ", 8000 + 0.3 * (c + 0.5) - 0.1 * (79.5 - r));
  folder_.write("plane.asc", text);
  shell("gdal_translate -q -oo DATATYPE=Float64 -ot Float64 plane.asc plane.tif");
  for (const char* how : {"bilinear", "cubic", "average"}) {
    for (const double cell : {9.0, 0.7, 2.0, 3.3}) {
      const TerrainPtr t = read(fmt::format(
          "kind = 'dem'\nfile = 'plane.tif'\nkeep_origin = true\ncell = {}\nresampling = '{}'", cell, how));
      const Grid& grid = dynamic_cast<const Grid&>(*t);
      const GridGeometry& g = grid.geometry();
      EXPECT_EQ(g.step_x, cell);
      EXPECT_LE(g.x_max() + 0.5 * cell, 100 + 1e-6) << "no cell hangs over the edge";
      for (int j = 0; j < g.ny; ++j)
        for (int i = 0; i < g.nx; ++i)
          ASSERT_NEAR(grid.sample_height(i, j), 8000 + 0.3 * g.x(i) - 0.1 * g.y(j), 1e-5)
              << how << " " << cell;
    }
  }
}

TEST_F(Readers, ReferenceSystemsInFeetDegreesAndGrads) {
  if (!need("gdal_translate")) GTEST_SKIP() << "gdal-bin is not installed";
  const auto step = [&](const std::string& srs, const std::string& corners) {
    shell("gdal_translate -q -a_srs '" + srs + "' -a_ullr " + corners + " source.asc u.tif");
    const TerrainPtr t = read("kind = 'dem'\nfile = 'u.tif'");
    return dynamic_cast<const Grid&>(*t).geometry().step_y;
  };
  EXPECT_NEAR(step("EPSG:32633", "500000 5000014 500018 5000000"), 2, 1e-9);
  EXPECT_NEAR(step("EPSG:2263", "0 14 18 0"), 2 * 1200.0 / 3937, 1e-9);
  // NTF (Paris) counts in grads: a grad of latitude is 0.9 degrees, on Clarke 1880 (a = 6378249.2, 1/f =
  // 293.4660213): meridian radius at 45 degrees 6367397 m.
  const double grads = step("EPSG:4807", "0 50.0035 0.0045 49.9965"),
               e2 = 2 / 293.4660213 - 1 / std::pow(293.4660213, 2);
  const double radius = 6378249.2 * (1 - e2) / std::pow(1 - e2 / 2, 1.5);
  EXPECT_NEAR(grads, 0.001 * 0.9 * M_PI / 180 * radius, 1e-3 * grads);
}

TEST_F(Readers, TextGridsWithCellsThatAreNoNumbers) {
  for (const auto& [from, to] : {std::pair{"103", "b"}, {"103", "4x0"}, {"103", "--"}}) {
    std::ifstream in(folder_.path() / "source.asc");
    std::string text((std::istreambuf_iterator<char>(in)), {});
    text.replace(text.find(std::string(" ") + from + " ") + 1, 3, to);
    folder_.write("bad.asc", text);
    EXPECT_THAT(refusal("kind = 'dem'\nfile = 'bad.asc'", folder_.path()),
                AllOf(HasSubstr("bad.asc', line 7"), HasSubstr(std::string("'") + to + "' is not a height")));
  }
  std::ifstream in(folder_.path() / "source.asc");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  folder_.write("short.asc", text.substr(0, text.size() - 30));
  EXPECT_NE(refusal("kind = 'dem'\nfile = 'short.asc'", folder_.path()), "");
}

TEST_F(Readers, WhatImageMagickWritesInEveryBitDepth) {
  if (!need("convert")) GTEST_SKIP() << "ImageMagick is not installed";
  // A ramp of 16 columns, black on the left, and a white row at the top.
  std::string pgm = "P2\n16 4\n15\n";
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 16; ++c) pgm += fmt::format("{} ", r == 0 ? 15 : c);
  folder_.write("ramp.pgm", pgm);
  const auto at = [&](const std::string& file, int c, int r) {
    const TerrainPtr t = read("kind = 'image'\nfile = '" + file + "'\ncell = 1\nlow = 0\nhigh = 15");
    return t->height(c - 7.5, 1.5 - r);
  };
  const struct {
    const char *options, *file;
    double tolerance;
  } cases[] = {
      {"-depth 16 -define png:bit-depth=16 -define png:color-type=0", "p16.png", 1e-3},
      {"-depth 8 -define png:bit-depth=8 -define png:color-type=0", "p8.png", 1e-3},
      {"-depth 4 -define png:bit-depth=4 -define png:color-type=0", "p4.png", 1e-4},
      {"-depth 2 -define png:bit-depth=2 -define png:color-type=0", "p2.png",
       4.99},  // four levels, rounded down,
      {"-depth 16", "t16.tif", 1e-3},
      {"-depth 12", "t12.tif", 5e-3},
      {"-depth 8 -compress none", "t8.tif", 1e-3},
      {"-depth 4", "t4.tif", 1e-4},
      {"-quality 100", "j8.jpg", 0.2},
  };
  for (const auto& c : cases) {
    shell(fmt::format("convert ramp.pgm {} {}", c.options, c.file));
    EXPECT_NEAR(at(c.file, 0, 0), 15, c.tolerance) << c.file << ": white";
    EXPECT_NEAR(at(c.file, 0, 2), 0, c.tolerance) << c.file << ": black";
    for (int k = 0; k < 16; ++k) EXPECT_NEAR(at(c.file, k, 2), k, c.tolerance) << c.file << " " << k;
  }
  // TIFF whose zero is white: ImageMagick stores the same bytes under that tag, and reads them turned round.
  shell("convert ramp.pgm -depth 8 -define quantum:polarity=min-is-white w8.tif");
  for (int k = 0; k < 16; ++k) EXPECT_NEAR(at("w8.tif", k, 2), 15 - k, 1e-3);
  for (int k = 0; k < 16; ++k) {
    const double level = at("p2.png", k, 2) / 5;
    EXPECT_NEAR(level, std::round(level), 1e-6) << "one of four levels";
  }
  shell("convert ramp.pgm -threshold 50% -depth 1 -define png:bit-depth=1 -define png:color-type=0 p1.png");
  EXPECT_NEAR(at("p1.png", 2, 2), 0, 1e-6);
  EXPECT_NEAR(at("p1.png", 14, 2), 15, 1e-6);
}

TEST_F(Readers, TransparencyPalettesAndHalfFilesAreRefused) {
  if (!need("convert")) GTEST_SKIP() << "ImageMagick is not installed";
  shell("convert -size 64x64 gradient: g.png");
  const auto image = [](const std::string& file) {
    return "kind = 'image'\nfile = '" + file + "'\ncell = 1";
  };
  shell("convert g.png -alpha set -region 8x8 -channel A -evaluate set 0 +channel hole.png");
  EXPECT_NE(refusal(image("hole.png"), folder_.path()), "");
  if (!need("gdal_translate")) GTEST_SKIP() << "gdal-bin is not installed";
  for (const auto& [driver, file] :
       {std::pair{"JPEG", "half.jpg"}, {"PNG", "half.png"}, {"GTiff", "half.tif"}, {"BMP", "half.bmp"}}) {
    // Noise, so that half of the bytes is half of the picture.
    shell("convert -size 64x64 xc:gray50 +noise Random -colorspace Gray -depth 8 -type Grayscale noise.png");
    shell(fmt::format("gdal_translate -q --config GDAL_PAM_ENABLED NO -of {} noise.png {}", driver, file));
    EXPECT_EQ(refusal(image(file), folder_.path()), "") << file;
    const auto path = folder_.path() / file;
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    EXPECT_THAT(refusal(image(file), folder_.path()), HasSubstr(file)) << file;
  }
}

TEST_F(Readers, AHeaderThatClaimsTooMuchIsRefusedAtOnce) {
  if (!need("convert")) GTEST_SKIP() << "ImageMagick is not installed";
  if (!need("python3")) GTEST_SKIP() << "python3 is not installed";
  shell("convert -size 8x8 gradient: -define png:color-type=0 small.png");
  shell(
      "python3 -c \"import struct,zlib\nd=bytearray(open('small.png','rb').read())\n"
      "d[16:24]=struct.pack('>II',40000,40000)\nd[29:33]=struct.pack('>I',zlib.crc32(bytes(d[12:29])))\n"
      "open('huge.png','wb').write(d)\"");
  EXPECT_THAT(refusal("kind = 'image'\nfile = 'huge.png'\ncell = 1", folder_.path()),
              AllOf(HasSubstr("40000 x 40000"), HasSubstr("6.4 GB")));
  // A BMP packs nothing at all; the same header is read for heights and for maps of friction.
  shell("convert -size 8x8 gradient: -depth 8 -type Grayscale BMP3:small.bmp");
  shell(
      "python3 -c \"import struct\nd=bytearray(open('small.bmp','rb').read())\n"
      "d[18:26]=struct.pack('<II',50000,50000)\nopen('huge.bmp','wb').write(d)\"");
  EXPECT_THAT(refusal("kind = 'image'\nfile = 'huge.bmp'\ncell = 1", folder_.path()),
              AllOf(HasSubstr("50000 x 50000"), HasSubstr("BMP cannot hold")));
  shell("gdal_translate -q -of GTiff -co COMPRESS=LZW small.png real.tif");
  EXPECT_EQ(refusal("kind = 'image'\nfile = 'real.tif'\ncell = 1", folder_.path()), "");
}

TEST_F(Readers, MemoryThatTheUserKeepsIsRefused) {
  ::setenv("SCREE_MEMORY_GB", "0.001", 1);
  const std::string refused = refusal("kind = 'fbm'\nsize = [10, 10]\ncells = [1024, 1024]", folder_.path());
  ::setenv("SCREE_MEMORY_GB", "much", 1);
  const std::string nonsense = refusal("kind = 'fbm'\nsize = [10, 10]\ncells = [1024, 1024]", folder_.path());
  ::unsetenv("SCREE_MEMORY_GB");
  EXPECT_THAT(refused, HasSubstr("0.0 GB are free"));
  EXPECT_THAT(nonsense, HasSubstr("SCREE_MEMORY_GB = 'much'"));
}

TEST_F(Readers, WhatPythonWrites) {
  if (!need("python3")) GTEST_SKIP() << "python3 is not installed";
  folder_.write("write.py", R"(
import csv, struct
h = lambda c, r: 100 + 3 * c - 2 * r + 0.25 * c * r
cols, rows = 9, 7
with open('m.csv', 'w', newline='') as f:           # csv module: commas, CRLF
    csv.writer(f).writerows([[h(c, r) for c in range(cols)] for r in range(rows)])
pts = [(1001 + 2 * c, 501 + 2 * (rows - 1 - r), h(c, r)) for r in range(rows) for c in range(cols)]
with open('p.csv', 'w', newline='') as f:
    w = csv.writer(f); w.writerow(['x', 'y', 'z']); w.writerows(pts)
for name, mark, fmt in (('le.ply', 'binary_little_endian', '<'), ('be.ply', 'binary_big_endian', '>')):
    with open(name, 'wb') as f:
        f.write(('ply\nformat %s 1.0\nelement vertex %d\nproperty uchar red\nproperty double x\nproperty float y\n'
                 'property double z\nend_header\n' % (mark, len(pts))).encode())
        for p in pts: f.write(struct.pack(fmt + 'Bdfd', 7, *p))
with open('t.mesh', 'w') as f:
    f.write('%d %d\n' % (cols, rows))
    for p in pts: f.write('%r %r %r\n' % p)
with open('q.obj', 'w') as f:
    for p in pts: f.write('v %r %r %r\n' % p)
    for r in range(rows - 1):
        for c in range(cols - 1):
            a = r * cols + c + 1
            f.write('f %d %d %d %d\n' % (a, a + 1, a + cols + 1, a + cols))
)");
  shell("python3 write.py");
  expect_same("kind = 'grid'\nfile = 'm.csv'\norder = 'image'\ncell = 2\ncentre = [1009, 507]", 1e-5);
  expect_same("kind = 'points'\nfile = 'p.csv'\ncell = 2", 1e-5);
  expect_same("kind = 'points'\nfile = 'le.ply'\ncell = 2", 1e-5);
  expect_same("kind = 'points'\nfile = 'be.ply'\ncell = 2", 1e-5);
  expect_same("kind = 'mesh'\nfile = 't.mesh'", 1e-5);
  expect_same("kind = 'mesh'\nfile = 'q.obj'\ncell = 2", 1e-5);
}

}  // namespace
}  // namespace scree
#endif
