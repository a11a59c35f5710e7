/// Meshes, scans and gaps; the readers under random damage.
#include <fmt/format.h>
#include <cmath>
#include <cstring>

#include "scree/terrain/gaps.hpp"
#include "scree/terrain/grid.hpp"
#include "scree/terrain/grid_text.hpp"
#include "scree/terrain/mesh.hpp"
#include "scree/terrain/points.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

double plane(double x, double y) { return 1 + 0.25 * x - 0.5 * y; }

HeightField plane_field(const GridGeometry& g) {
  HeightField field = make_field(g, "plane");
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) field.at(i, j) = static_cast<float>(plane(g.x(i), g.y(j)));
  }
  return field;
}

TEST(TextMesh, ReadsEitherOrderAndDirection) {
  const TemporaryFolder folder;
  const auto mesh = [](bool x_first, double dx, double dy) {
    std::string text = "3 2\n";
    for (int b = 0; b < (x_first ? 2 : 3); ++b) {
      for (int a = 0; a < (x_first ? 3 : 2); ++a) {
        const double x = 5 + dx * (x_first ? a : b), y = -1 + dy * (x_first ? b : a);
        text += fmt::format("{} {} {}\n", x, y, plane(x, y));
      }
    }
    return text;
  };
  for (const bool x_first : {true, false}) {
    for (const double dx : {0.5, -0.5}) {
      for (const double dy : {0.25, -0.25}) {
        folder.write("m.mesh", mesh(x_first, dx, dy));
        const TerrainPtr t = terrain_from("kind = 'mesh'\nfile = 'm.mesh'", folder.path());
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 2; ++j) {
            EXPECT_NEAR(t->height(5 + i * dx, -1 + j * dy), plane(5 + i * dx, -1 + j * dy), 1e-6);
          }
        }
      }
    }
  }
}

TEST(TextMesh, RefusesWithTheLine) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    folder.write("m.mesh", text);
    return refusal("kind = 'mesh'\nfile = 'm.mesh'", folder.path());
  };
  EXPECT_THAT(message(""), HasSubstr("empty"));
  EXPECT_THAT(message("2\n"), HasSubstr("nx ny"));
  EXPECT_THAT(message("2 2.5\n"), HasSubstr("nx ny"));
  EXPECT_THAT(message("2 2\n0 0 0\n1 0 0\n0 1 0\n"), HasSubstr("ends after 3 of 4"));
  EXPECT_THAT(message("2 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n5 5 5\n"), HasSubstr("more than the 2 x 2"));
  EXPECT_THAT(message("2 2\n0 0 0\n1 0 0\n0 1 0\n1.1 1 0\n"), HasSubstr("node (1, 1)"));
  EXPECT_THAT(message("2 2\n0 0 0\n1 0 0\n0 1 nan\n1 1 0\n"), HasSubstr("line 4"));
  EXPECT_THAT(message("2 2\n0 0 0\n1 0\n0 1 0\n1 1 0\n"), HasSubstr("three: x y z"));
  EXPECT_THAT(message("2 2\n0 0 0\n1 0 0\n0 0 0\n1 0 0\n"), HasSubstr("second row"));
  EXPECT_THAT(message("2000000000 2000000000\n0 0 0\n"), HasSubstr("do not fit in a file"));
}

TEST(Obj, ResamplesAndFindsHolesAndOverhangs) {
  const TemporaryFolder folder;
  const std::string quad = "v 0 0 1\nv 4 0 2\nv 4 4 0\nv 0 4 -1\n";
  folder.write("q.obj", quad + "vt 0 0\nusemtl ground\nf 1/1 2/1 3/1 4/1\n");
  const TerrainPtr t = terrain_from("kind = 'mesh'\nfile = 'q.obj'\ncell = 0.5", folder.path());
  for (double x = 0; x <= 4; x += 0.5) {
    for (double y = 0; y <= 4; y += 0.5) EXPECT_NEAR(t->height(x, y), plane(x, y), 1e-6);
  }
  const auto message = [&](const std::string& text, const std::string& more = "cell = 0.5") {
    folder.write("bad.obj", text);
    return refusal("kind = 'mesh'\nfile = 'bad.obj'\n" + more, folder.path());
  };
  EXPECT_THAT(message(quad + "f 1 2 3\n"), HasSubstr("a hole at x = 0 m, y = 0.5 m"));
  EXPECT_THAT(message(quad + "v 1 1 3\nv 3 1 3\nv 3 3 3\nf 1 2 3 4\nf 5 6 7\n"),
              HasSubstr("an overhang at x = "));
  EXPECT_THAT(message(quad + "f 1 2 9\n"), HasSubstr("vertex 9 of 4"));
  EXPECT_THAT(message(quad + "f 1 2 0\n"), HasSubstr("vertex 0"));
  EXPECT_THAT(message(quad + "f 1 2\n"), HasSubstr("a face of 2"));
  EXPECT_THAT(message(quad), HasSubstr("no face"));
  EXPECT_THAT(message("v 0 0\nf 1 1 1\n"), HasSubstr("x y z"));
  EXPECT_THAT(message("v 0 0 0\nv 0 1 0\nv 0 2 5\nf 1 2 3\n"), HasSubstr("seen from above"));
  EXPECT_EQ(message(quad + "f -4 -3 -2 -1\n"), "");
  // Height along y, as 3-D modellers write it.
  folder.write("y.obj", "v 0 1 0\nv 4 2 0\nv 4 0 -4\nv 0 -1 -4\nf 1 2 3 4\n");
  EXPECT_NEAR(
      terrain_from("kind = 'mesh'\nfile = 'y.obj'\nup = 'y'\ncell = 0.5", folder.path())->height(2, 1),
      plane(2, 1), 1e-6);
}

TEST(Mesh, WrittenFilesReadBack) {
  const TemporaryFolder folder;
  const HeightField field = plane_field({7, 5, -1, 2, 0.5, 0.25});
  write_obj(folder.path() / "w.obj", field);
  write_text_mesh(folder.path() / "w.mesh", field);
  for (const char* toml :
       {"kind = 'mesh'\nfile = 'w.obj'\ncells = [6, 4]", "kind = 'mesh'\nfile = 'w.mesh'"}) {
    const TerrainPtr t = terrain_from(toml, folder.path());
    EXPECT_NEAR(t->bounds().x_max, 2, 1e-12);
    for (int j = 0; j < 5; ++j) {
      for (int i = 0; i < 7; ++i)
        EXPECT_NEAR(t->height(field.geometry.x(i), field.geometry.y(j)), field.height(i, j), 1e-6);
    }
  }
}

TEST(Points, GridsAScanAndReportsGaps) {
  const TemporaryFolder folder;
  std::string csv = "x,y,z,intensity\n";
  RandomStream random(3, 0, "scan");
  for (int k = 0; k < 20000; ++k) {
    const double x = random.uniform(0, 4), y = random.uniform(0, 3);
    if (std::hypot(x - 2, y - 1.5) < 0.3) continue;  // a shadow
    csv += fmt::format("{:.4f},{:.4f},{:.5f},17\n", x, y, plane(x, y));
  }
  folder.write("scan.csv", csv);
  const std::string toml = "kind = 'points'\nfile = 'scan.csv'\ncell = 0.1\n";
  const TerrainPtr t = terrain_from(toml, folder.path());
  EXPECT_THAT(t->summary(), HasSubstr("samples without a height"));
  // A sample is the mean of some 15 points within half a cell: its place is known to 0.03 / sqrt(15) m.
  EXPECT_NEAR(t->height(1, 1), plane(1, 1), 0.02);
  // A plane is its own membrane: the shadow is filled with it.
  EXPECT_NEAR(t->height(2, 1.5), plane(2, 1.5), 0.03);
  EXPECT_THAT(refusal(toml + "gaps = 'refuse'", folder.path()), HasSubstr("samples have no height"));
  EXPECT_THAT(refusal("kind = 'points'\nfile = 'scan.csv'\ncell = 0.005", folder.path()),
              HasSubstr("coarser cell"));
  EXPECT_THAT(refusal("kind = 'points'\nfile = 'scan.csv'", folder.path()), HasSubstr("cell"));
  EXPECT_THAT(refusal(toml + "size = [1, 1]\ncentre = [50, 50]", folder.path()),
              HasSubstr("no point lies on the grid"));
}

TEST(Points, HighestAndLowest) {
  const TemporaryFolder folder;
  folder.write("p.xyz", "0 0 1\n0 0 3\n1 0 0\n0 1 0\n1 1 0\n");
  const auto height = [&](const std::string& rule) {
    return terrain_from("kind = 'points'\nfile = 'p.xyz'\ncell = 1\nrule = '" + rule + "'", folder.path())
        ->height(0, 0);
  };
  EXPECT_NEAR(height("highest"), 3, 1e-6);
  EXPECT_NEAR(height("lowest"), 1, 1e-6);
  EXPECT_NEAR(height("mean"), 2, 1e-6);
  EXPECT_THAT(refusal("kind = 'points'\nfile = 'p.xyz'\ncell = 1\nrule = 'median'", folder.path()),
              HasSubstr("mean"));
}

/// A PLY of four corners and a colour, in the given format.
std::string ply(const std::string& format) {
  std::string text = "ply\nformat " + format +
                     " 1.0\ncomment made by hand\nelement vertex 4\nproperty uchar red\n"
                     "property float x\nproperty double y\nproperty float z\nelement face 0\n"
                     "property list uchar int vertex_indices\nend_header\n";
  for (int k = 0; k < 4; ++k) {
    const float x = static_cast<float>(k % 2);
    const double y = k / 2;
    const float z = static_cast<float>(plane(x, y));
    if (format == "ascii") {
      text += fmt::format("255 {} {} {}\n", x, y, z);
      continue;
    }
    const auto put = [&](const void* value, int size) {
      std::string bytes(static_cast<const char*>(value), size);
      if (format == "binary_big_endian") std::reverse(bytes.begin(), bytes.end());
      text += bytes;
    };
    const unsigned char red = 255;
    put(&red, 1), put(&x, 4), put(&y, 8), put(&z, 4);
  }
  return text;
}

TEST(Points, PlyInThreeFormats) {
  const TemporaryFolder folder;
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    folder.write("p.ply", ply(format));
    const TerrainPtr t = terrain_from("kind = 'points'\nfile = 'p.ply'\ncell = 1", folder.path());
    EXPECT_NEAR(t->height(1, 1), plane(1, 1), 1e-6) << format;
    EXPECT_NEAR(t->height(0, 1), plane(0, 1), 1e-6) << format;
    // Truncated anywhere, it is refused.
    const std::string whole = ply(format);
    for (std::size_t cut = 0; cut + 3 < whole.size(); cut += 7) {
      folder.write("cut.ply", whole.substr(0, cut));
      EXPECT_NE(refusal("kind = 'points'\nfile = 'cut.ply'\ncell = 1", folder.path()), "")
          << format << " " << cut;
    }
  }
}

TEST(Points, RefusesBadFiles) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    folder.write("p.xyz", text);
    return refusal("kind = 'points'\nfile = 'p.xyz'\ncell = 1", folder.path());
  };
  EXPECT_THAT(message(""), HasSubstr("no point"));
  EXPECT_THAT(message("x y z\n"), HasSubstr("no point"));
  EXPECT_THAT(message("0 0 0\n1 1\n"), HasSubstr("line 2"));
  EXPECT_THAT(message("0 0 inf\n"), HasSubstr("not finite"));
  EXPECT_THAT(message("0 0 0\n0 5 1\n"), HasSubstr("size"));
}

TEST(Gaps, AreFilledWithAMembraneOrRefused) {
  HeightField field = plane_field({21, 21, 0, 0, 0.1, 0.1});
  for (int j = 5; j < 15; ++j) {
    for (int i = 6; i < 14; ++i) field.at(i, j) = std::nanf("");
  }
  HeightField copy = field;
  EXPECT_THROW(close_gaps(copy, Gaps::refuse, "test"), InputError);
  const GapReport report = close_gaps(field, Gaps::fill, "test");
  EXPECT_EQ(report.samples, 80u);
  EXPECT_EQ(report.widest, 4);
  for (int j = 0; j < 21; ++j) {
    for (int i = 0; i < 21; ++i)
      EXPECT_NEAR(field.height(i, j), plane(field.geometry.x(i), field.geometry.y(j)), 0.02);
  }
  std::fill(field.z.begin(), field.z.end(), std::nanf(""));
  try {
    close_gaps(field, Gaps::fill, "dem 'x'");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("nodata everywhere"));
  }
}

/// Random damage: bytes changed, cut, doubled, numbers swapped for strange ones.
std::string damaged(std::string text, RandomStream& random) {
  static const char* const strange[] = {"nan", "inf", "-1e308", "1e400", "0",      "-",   "99999999999",
                                        "\n",  "\t",  "#",      "/",     "1e-320", "\xff"};
  for (std::uint64_t n = 1 + random.below(4); n > 0 && !text.empty(); --n) {
    const std::size_t at = random.below(text.size());
    switch (random.below(5)) {
      case 0:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        text.erase(at, random.below(20));
        break;
      case 2:
        text.insert(at, strange[random.below(std::size(strange))]);
        break;
      case 3:
        text.insert(at, text.substr(random.below(text.size()), random.below(30)));
        break;
      case 4:
        text.resize(at);
        break;
    }
  }
  return text;
}

/// Any text is either read or refused; nothing else may happen (the debug build watches memory).
template <class Read>
void fuzz(const std::string& good, Read read, int rounds = 1500) {
  RandomStream random(13, 0, "fuzz");
  int refused = 0;
  for (int k = 0; k < rounds; ++k) {
    TextScanner scanner = TextScanner::from_text(damaged(good, random), "fuzz");
    try {
      read(scanner);
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      ++refused;
    }
  }
  EXPECT_GT(refused, rounds / 20);
  EXPECT_LT(refused, rounds);
}

TEST(Fuzz, GridText) {
  fuzz("# x: 0 2\n# y: 0 1\n# order: y_lines\n0 1.5 2\n3e-1 4 -5\n", [](TextScanner& s) {
    GridText text = read_grid_text(s);
    const Grid grid(std::move(text.field));
    EXPECT_TRUE(std::isfinite(grid.height(0.5, 0.5)));
  });
}
TEST(Fuzz, TextMesh) {
  fuzz("3 2\n0 0 1\n1 0 2\n2 0 3\n0 1 4\n1 1 5\n2 1 6\n",
       [](TextScanner& s) { const Grid grid(read_text_mesh(s)); });
}
TEST(Fuzz, Obj) {
  fuzz("v 0 0 1\nv 4 0 2\nv 4 4 0\nv 0 4 -1\nvn 0 0 1\nf 1//1 2 3\nf 1 3 4\n", [](TextScanner& s) {
    resample_mesh(read_obj(s, false), {5, 5, 0, 0, 1, 1});
  });
}
TEST(Fuzz, Xyz) {
  fuzz("x y z\n0 0 1\n1 0 2\n0 1 3\n1, 1, 4\n", [](TextScanner& s) {
    PointGridder gridder({3, 3, 0, 0, 0.5, 0.5}, PointRule::mean);
    read_xyz(s, [&](const Vec3& p) { gridder.add(p); });
    HeightField field = std::move(gridder).finish();
    close_gaps(field, Gaps::fill, "fuzz");
  });
}
TEST(Fuzz, Ply) {
  const TemporaryFolder folder;
  RandomStream random(14, 0, "fuzz");
  int refused = 0;
  for (int k = 0; k < 150; ++k) {
    folder.write("f.ply", damaged(ply(k % 2 ? "ascii" : "binary_little_endian"), random));
    try {
      read_ply(folder.path() / "f.ply", [](const Vec3& p) { EXPECT_TRUE(p.allFinite()); });
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace scree
