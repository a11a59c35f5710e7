#include "scree/terrain/make.hpp"
#include <fmt/format.h>

#include <cmath>

#include "scree/terrain/grid.hpp"
#include "scree/terrain/grid_text.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

TEST(Make, EveryKindDocumentsItsKeys) {
  for (const TerrainKind& kind : terrain_kinds()) {
    EXPECT_FALSE(kind.doc.empty()) << kind.name;
    const Reference reference = terrain_reference(kind);
    EXPECT_FALSE(reference.empty()) << kind.name;
    for (const KeyDoc& key : reference) {
      EXPECT_FALSE(key.doc.empty()) << kind.name << " " << key.path;
      if (key.type.find("table") != std::string::npos) continue;
      EXPECT_FALSE(key.unit.empty()) << kind.name << " " << key.path;
    }
  }
}

TEST(Make, UnknownKindAndKeyNameTheNearest) {
  EXPECT_THAT(refusal("kind = 'gird'"), HasSubstr("grid"));
  EXPECT_THAT(refusal("kind = 'flat'\nhieght = 1"), HasSubstr("height"));
  EXPECT_THAT(refusal("height = 1"), HasSubstr("kind"));
  EXPECT_THAT(refusal("kind = 'flat'\nheight = 'high'"), HasSubstr("height"));
  EXPECT_THAT(refusal("kind = 'flat'\nslope = 30"), HasSubstr("slope"));
  EXPECT_THAT(refusal("kind = 'bump'\nlength = 0"), HasSubstr("length"));
  EXPECT_THAT(refusal("kind = 'sines'\namplitude = nan"), HasSubstr("amplitude"));
}

TEST(GridText, ThePapersOrderHasOneLinePerX) {
  const TemporaryFolder folder;
  folder.write("m.txt", "# three x, two y\n0 10\n1 11\n2 12\n");
  const TerrainPtr t =
      terrain_from("kind = 'grid'\nfile = 'm.txt'\ncell = 0.5\ncentre = [0.5, 0.25]", folder.path());
  EXPECT_NEAR(t->height(0, 0), 0, 1e-12);
  EXPECT_NEAR(t->height(1, 0), 2, 1e-12);
  EXPECT_NEAR(t->height(0, 0.5), 10, 1e-12);
  EXPECT_NEAR(t->height(0.25, 0.25), 5.5, 1e-12);
}

TEST(GridText, EverySizeIsTransposedAsItStands) {
  // Square ones in place, others through a copy; blocks of 64 with a rest.
  const TemporaryFolder folder;
  for (const auto& [lines, columns] : {std::pair{2, 2}, {64, 64}, {131, 131}, {130, 70}, {3, 200}}) {
    std::string text;
    for (int l = 0; l < lines; ++l) {
      for (int c = 0; c < columns; ++c) text += fmt::format("{} ", l * 1000 + c);
      text += "\n";
    }
    folder.write("m.txt", text);
    const TerrainPtr t = terrain_from("kind = 'grid'\nfile = 'm.txt'\ncell = 1", folder.path());
    const Grid& grid = dynamic_cast<const Grid&>(*t);
    ASSERT_EQ(grid.geometry().nx, lines);
    ASSERT_EQ(grid.geometry().ny, columns);
    for (int l = 0; l < lines; ++l) {
      for (int c = 0; c < columns; ++c) ASSERT_EQ(grid.sample_height(l, c), l * 1000 + c);
    }
  }
}

TEST(GridText, OtherOrdersAndSeparators) {
  const TemporaryFolder folder;
  folder.write("m.csv", "0, 1, 2\r\n\r\n10;11;+12\r\n// the end\r\n");
  const auto height = [&](const std::string& order, double x, double y) {
    return terrain_from(
               "kind = 'grid'\nfile = 'm.csv'\nsize = [2, 1]\ncentre = [1, 0.5]\norder = '" + order + "'",
               folder.path())
        ->height(x, y);
  };
  EXPECT_NEAR(height("y_lines", 2, 0), 2, 1e-12);
  EXPECT_NEAR(height("y_lines", 2, 1), 12, 1e-12);
  EXPECT_NEAR(height("image", 2, 0), 12, 1e-12);
  EXPECT_NEAR(height("image", 0, 1), 0, 1e-12);
}

TEST(GridText, WrittenGridsReadBack) {
  const TemporaryFolder folder;
  HeightField field = make_field({5, 4, -2, 3, 0.25, 0.5}, "test");
  RandomStream random(1, 0, "write");
  for (float& z : field.z) z = static_cast<float>(random.normal());
  write_grid_text(folder.path() / "w.txt", field);
  const GridText back = read_grid_text(folder.path() / "w.txt");
  EXPECT_TRUE(back.placed);
  EXPECT_EQ(back.field.geometry.nx, 5);
  EXPECT_NEAR(back.field.geometry.step_y, 0.5, 1e-15);
  for (int j = 0; j < 4; ++j) {
    // A datum of whole metres is subtracted on reading: exact to float32 of the difference.
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(back.field.height(i, j), field.height(i, j), 2e-7);
  }
  const TerrainPtr t =
      terrain_from("kind = 'grid'\nfile = 'w.txt'\nheight_scale = 2\nheight_offset = 1", folder.path());
  EXPECT_NEAR(t->height(-2, 3), 1 + 2 * field.height(0, 0), 1e-6);
  EXPECT_NEAR(t->bounds().x_max, -1, 1e-12);
}

TEST(GridText, RefusesBadFilesWithTheLine) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text, const std::string& more = "cell = 1") {
    folder.write("bad.txt", text);
    return refusal("kind = 'grid'\nfile = 'bad.txt'\n" + more, folder.path());
  };
  EXPECT_THAT(message(""), HasSubstr("0 x 0"));
  EXPECT_THAT(message("# nothing but words\n\n"), HasSubstr("0 x 0"));
  EXPECT_THAT(message("1 2 3\n4 5\n"), HasSubstr("line 2: 2 numbers where the first line has 3"));
  EXPECT_THAT(message("1 2\n3 nan\n"), HasSubstr("line 2: height nan in column 2"));
  EXPECT_THAT(message("1 2\n3 1e99\n"), HasSubstr("line 2"));
  EXPECT_THAT(message("1 2\n3 four\n"), HasSubstr("line 2: 'four' is not a number"));
  EXPECT_THAT(message("1 2\n3 4abc\n"), HasSubstr("'4abc' is not a number"));
  EXPECT_THAT(message("1 2 3\n"), HasSubstr("at least 2 x 2"));
  EXPECT_THAT(message(std::string("1 2\n\0 4\n", 8)), HasSubstr("not a text file"));
  EXPECT_THAT(message("1 2\n3 4\n", ""), HasSubstr("size"));
  EXPECT_THAT(message("1 2\n3 4\n", "cell = 1\nsize = [1, 1]"), HasSubstr("not both"));
  EXPECT_THAT(message("1 2\n3 4\n", "size = [1, 0]"), HasSubstr("is outside [1e-9, 1e9] m"));
  EXPECT_THAT(message("1 2\n3 4\n", "cells = [2, 2]\ncell = 1"), HasSubstr("2 x 2 samples"));
  EXPECT_THAT(message("1 2\n3 4\n", "cell = 1\ninterpolation = 'smooth'"), HasSubstr("3 x 3"));
  EXPECT_THAT(refusal("kind = 'grid'\nfile = 'none.txt'\ncell = 1", folder.path()), HasSubstr("cannot read"));
  EXPECT_THAT(refusal("kind = 'grid'\nfile = '.'\ncell = 1", folder.path()), HasSubstr("is a folder"));
}

}  // namespace
}  // namespace scree
