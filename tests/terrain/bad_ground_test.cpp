/// Ground that is no ground: refused with its place, never read wrongly without a word.
#include <gmock/gmock.h>

#include <cmath>

#include "scree/terrain/export.hpp"
#include "scree/terrain/gaps.hpp"
#include "scree/terrain/grid.hpp"
#include "scree/terrain/identify.hpp"
#include "scree/terrain/map.hpp"
#include "scree/terrain/mesh.hpp"
#include "scree/terrain/sample_lanes.hpp"
#include "scree/terrain/survey.hpp"
#include "scree/terrain/taps.hpp"
#include "scree/terrain/text_scanner.hpp"
#include "support/errors.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using scree::testing::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(BadGround, MatrixLineWithoutANumber) {
  const TemporaryFolder folder;
  folder.write("a.txt", ",,,\n1 2 3\n");
  EXPECT_THAT(refusal("kind = 'grid'\nfile = 'a.txt'\ncell = 1", folder.path()),
              AllOf(HasSubstr("a.txt', line 1"), HasSubstr("no number")));
  folder.write("a.txt", "1 2 3\n,,\n1 2 3\n");
  EXPECT_THAT(refusal("kind = 'grid'\nfile = 'a.txt'\ncell = 1", folder.path()), HasSubstr("line 2"));
}

TEST(BadGround, HeightsBeyondSinglePrecisionAreRefusedNotFilled) {
  // Means of such heights are no numbers, and a membrane between them has no end.
  const TemporaryFolder folder;
  folder.write("p.xyz", "x,y,z\n0,0,1e300\n1,0,-1e300\n1,1,3\n0,1,2\n");
  EXPECT_THAT(refusal("kind = 'points'\nfile = 'p.xyz'\ncells = [8, 8]", folder.path()),
              AllOf(HasSubstr("the height at x ="), HasSubstr("beyond 1e+15 m")));
}

TEST(BadGround, DecimalCommasAreNotTwiceAsManyNumbers) {
  const TemporaryFolder folder;
  for (const char* text : {"0,67;1,2\n0,5;0,1\n", "0,67 1,2\n0,5 0,1\n", "0,67\t1,2\n3,5\t1\n"}) {
    folder.write("de.csv", text);
    EXPECT_THAT(refusal("kind = 'grid'\nfile = 'de.csv'\ncell = 1", folder.path()),
                AllOf(HasSubstr("de.csv"), HasSubstr("decimal points")))
        << text;
  }
  folder.write("p.xyz", "0,5 1,5 2,5\n1,5 1,5 2\n");
  EXPECT_THAT(refusal("kind = 'points'\nfile = 'p.xyz'\ncell = 1", folder.path()),
              HasSubstr("decimal points"));
  // Blanks around commas and after the last one are no second separator.
  folder.write("ok.csv", " 0.5 , 1,2 ,\n3,4,5,\n");
  EXPECT_EQ(refusal("kind = 'grid'\nfile = 'ok.csv'\ncell = 1", folder.path()), "");
  EXPECT_FALSE(has_decimal_commas("1, 2, 3"));
  EXPECT_FALSE(has_decimal_commas("1 2;3"));
  EXPECT_TRUE(has_decimal_commas("1,5;3"));
}

TEST(BadGround, NumbersTooSmallAreZeroAndTooLargeAreNone) {
  const auto read = [](std::string_view text) {
    double value = -1;
    return scan_number(text, value) ? value : std::nan("");
  };
  EXPECT_EQ(read("1e-400"), 0);
  EXPECT_EQ(read("-1e-400"), 0);
  EXPECT_EQ(read("0." + std::string(400, '0') + "1"), 0);
  EXPECT_TRUE(std::isnan(read("1e400")));
  EXPECT_TRUE(std::isnan(read(std::string(400, '9'))));
}

TEST(BadGround, CellsThatNoNumberCanHoldAreRefused) {
  const TemporaryFolder folder;
  std::string text;
  for (int j = 0; j < 16; ++j, text += "\n")
    for (int i = 0; i < 16; ++i) text += std::to_string((i * 7 + j * 13) % 11) + " ";
  folder.write("g.txt", text);
  for (const char* size : {"1e-200", "1e200", "1e-12"}) {
    const std::string table = fmt::format("kind = 'grid'\nfile = 'g.txt'\nsize = [{0}, {0}]", size);
    EXPECT_THAT(refusal(table, folder.path()), HasSubstr("is outside [1e-9, 1e9] m")) << size;
  }
  EXPECT_THAT(refusal("kind = 'grid'\nfile = 'g.txt'\nsize = [1, 1]\ncentre = [1e15, 0]", folder.path()),
              HasSubstr("too far out"));
  // Heights at the end of float32: a spectrum of them is none.
  HeightField field;
  field.geometry = {16, 16, 0, 0, 1, 1};
  for (int k = 0; k < 256; ++k) field.z.push_back((k * 7) % 5 == 0 ? 3e38f : -3e38f);
  EXPECT_THAT(message_of([&] { identify_fbm(field, {}); }), HasSubstr("too large for a spectrum"));
}

TEST(BadGround, NoNumberWhereARobotStandsSaysWhere) {
  const TerrainPtr pole = terrain_from("kind = 'function'\nexpression = '1/x'");
  const RowSampler sample{*pole};
  EXPECT_NO_THROW(sample(lane::lanes(1), lane::lanes(0)));
  const std::string message = message_of<GroundError>([&] { sample(Lanes{1, 2, 0, 3}, Lanes{0, 0, 5, 0}); });
  EXPECT_THAT(message, AllOf(HasSubstr("x = 0 m, y = 5 m"), HasSubstr("1/x")));
  // A sum that overflows, of numbers that are finite, is no fault.
  struct Steep : Terrain {
    void sample(const TerrainRow& row) const override {
      for (int k = 0; k < row.count; ++k) row.z[k] = 0, row.slope_x[k] = row.slope_y[k] = 1.7e308;
    }
    std::string summary() const override { return "steep"; }
  };
  EXPECT_NO_THROW(RowSampler{Steep()}(lane::lanes(0), lane::lanes(0)));
}

TEST(BadGround, FrictionOutsideItsRangeIsRefusedWhereARobotStands) {
  const auto map = [](const std::string& expression) {
    const Document document =
        Document::from_text("[friction]\nkind = 'function'\nexpression = '" + expression + "'\n", "f.toml");
    Section root = document.root();
    return make_friction_map(root);
  };
  for (const auto& [expression, value] :
       {std::pair{"1/x", "inf"}, {"0*y/x", "nan"}, {"-5", "-5"}, {"11", "11"}}) {
    const ScalarMapPtr friction = map(expression);
    const double x = 0, y = 2;
    double out = 0;
    EXPECT_THAT(message_of<GroundError>([&] { friction->meet(1, &x, &y, &out); }),
                AllOf(HasSubstr(value), HasSubstr("x = 0 m, y = 2 m"), HasSubstr("f.toml")))
        << expression;
    friction->sample(1, &x, &y, &out);
    EXPECT_TRUE(out >= 0 && out <= 10) << "pictures get a number all the same";
  }
}

TEST(BadGround, ExportsAndSurveysRefuseWhatIsNoNumber) {
  EXPECT_THAT(message_of([] {
                sample_terrain(terrain_from("kind = 'function'\nexpression = '1/x'"), {{-1, 1, -1, 1}, 0.5});
              }),
              HasSubstr("is not a finite number"));
  EXPECT_THAT(message_of([] { survey_terrain(*terrain_from("kind = 'function'\nexpression = 'sqrt(x)'")); }),
              HasSubstr("not finite numbers"));
  EXPECT_THAT(message_of([] { map_terrain(*terrain_from("kind = 'function'\nexpression = 'sqrt(x)'")); }),
              HasSubstr("not finite numbers"));
}

TEST(BadGround, SurveysSeeEverySample) {
  const TemporaryFolder folder;
  std::string text;
  for (int j = 0; j < 21; ++j, text += "\n")
    for (int i = 0; i < 21; ++i) text += i == 7 && j == 12 ? "10 " : "0 ";
  folder.write("spike.txt", text);
  const Survey s =
      survey_terrain(*terrain_from("kind = 'grid'\nfile = 'spike.txt'\ncell = 1", folder.path()));
  EXPECT_EQ(s.highest, 10);
  EXPECT_EQ(s.lowest, 0);
  // Only what lies in the area counts.
  const TerrainPtr grid = terrain_from("kind = 'grid'\nfile = 'spike.txt'\ncell = 1", folder.path());
  EXPECT_EQ(survey_terrain(*grid, {.area = {5, 9, 5, 9}}).highest, 0);
}

TEST(BadGround, TabsInObj) {
  TextScanner scanner = TextScanner::from_text("v\t0\t0\t1\nv\t4\t0\t2\nv\t0\t4\t3\nf\t1/1\t2\t3\n", "mesh");
  const TriangleMesh mesh = read_obj(scanner, false);
  EXPECT_EQ(mesh.points.size(), 3u);
  EXPECT_EQ(mesh.triangles.size(), 1u);
}

TEST(BadGround, EveryMessageNamesTheFileAndTheTable) {
  const TemporaryFolder folder;
  folder.write("hole.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n");
  folder.write("far.xyz", "0 0 0\n5 5 1\n");
  for (const char* table : {
           "kind = 'mesh'\nfile = 'hole.obj'",
           "kind = 'points'\nfile = 'far.xyz'",
           "kind = 'points'\nfile = 'far.xyz'\ncell = 1\nsize = [1, 1]\ncentre = [90, 90]",
           "kind = 'fbm'\nsize = [1, 1]\ncells = [0.5, 2]",
           "kind = 'rocks'\nsize = [4, 4]\ncell = 0.1\nsmallest = 2\nlargest = 1",
           "kind = 'compose'\n[base]\nkind = 'bump'\nlength = 0",
       }) {
    const std::string message = refusal(table, folder.path());
    EXPECT_NE(message, "") << table;
    EXPECT_EQ(message.rfind("test.toml", 0), 0u) << message;
  }
}

double worst_on_plane(HeightField& field, double (*z)(double, double)) {
  double worst = 0;
  for (int j = 0; j < field.geometry.ny; ++j)
    for (int i = 0; i < field.geometry.nx; ++i)
      worst = std::max(worst, std::abs(field.height(i, j) - z(field.geometry.x(i), field.geometry.y(j))));
  return worst;
}

/// A membrane over a hole in a harmonic surface is that surface: five-point differences are exact on
/// quadratics. What is left is float32 and the solver's tolerance, 1e-6 of the range.
TEST(Membrane, ReproducesHarmonicGroundOverWideGaps) {
  const auto saddle = [](double x, double y) { return 0.01 * (x * x - y * y) + 0.3 * x - 0.1 * y; };
  for (const double ratio : {1.0, 2.0}) {
    HeightField field = make_field({161, 141, -8, -7 * ratio, 0.1, 0.1 * ratio}, "test");
    const GridGeometry& g = field.geometry;
    for (int j = 0; j < g.ny; ++j) {
      for (int i = 0; i < g.nx; ++i) {
        const bool hole = std::hypot(i - 80, j - 70) < 50;  // 100 samples wide
        field.at(i, j) = hole ? std::nanf("") : static_cast<float>(saddle(g.x(i), g.y(j)));
      }
    }
    const GapReport report = close_gaps(field, Gaps::fill, "test");
    EXPECT_GT(report.samples, 7000u);
    EXPECT_NEAR(report.widest, 50, 16) << "counted along rows, columns and diagonals";
    EXPECT_THAT(report.text(), HasSubstr(std::to_string(report.samples)));
    EXPECT_LT(worst_on_plane(field, +saddle), 2e-5) << ratio;  // of 9 m
  }
}

TEST(Membrane, ThousandsOfSamplesWideAndOpenAtTheEdge) {
  HeightField field = make_field({1200, 40, 0, 0, 1, 1}, "test");
  // A channel without data between two ends: free at its long sides, so the membrane is a line.
  for (int j = 0; j < 40; ++j)
    for (int i = 0; i < 1200; ++i)
      field.at(i, j) = i < 10 || i >= 1190 ? static_cast<float>(0.01 * i) : std::nanf("");
  close_gaps(field, Gaps::fill, "test");
  double worst = 0;
  for (int i = 0; i < 1200; ++i) worst = std::max(worst, std::abs(field.at(i, 17) - 0.01 * i));
  EXPECT_LT(worst, 1e-3);  // of 12 m
}

TEST(Membrane, TheRemedyNamesTheKeyThatExists) {
  HeightField field = make_field({3, 3, 0, 0, 1, 1}, "test");
  field.at(1, 1) = std::nanf("");
  EXPECT_THAT(message_of([&] { close_gaps(field, Gaps::refuse, "dem 'x'", "nodata"); }),
              HasSubstr("nodata = \"fill\""));
  EXPECT_THAT(message_of([&] { close_gaps(field, Gaps::refuse, "points"); }), HasSubstr("gaps = \"fill\""));
}

/// Weights sum to one and keep a line a line, anywhere, at the edges too.
TEST(Taps, KeepALineALine) {
  RandomStream random(3, 0, "taps");
  for (const Resampling how : {Resampling::bilinear, Resampling::cubic, Resampling::average}) {
    for (int k = 0; k < 500; ++k) {
      const int count = 2 + static_cast<int>(random.below(30));
      const double width = random.uniform(0.05, std::min(7.0, 1.0 * count));
      const double at = random.uniform(-0.5 + width / 2, count - 0.5 - width / 2);
      const Taps taps = taps_at(how, at, width, count);
      ASSERT_GE(taps.first, 0);
      ASSERT_LT(taps.last(), count);
      double sum = 0, line = 0;
      for (std::size_t n = 0; n < taps.weight.size(); ++n) {
        sum += taps.weight[n];
        line += taps.weight[n] * (taps.first + static_cast<double>(n));
      }
      EXPECT_NEAR(sum, 1, 1e-12);
      EXPECT_NEAR(line, at, 1e-11);
    }
  }
  EXPECT_EQ(taps_at(Resampling::nearest, 2.4, 1, 10).first, 2);
  EXPECT_EQ(taps_at(Resampling::nearest, -0.5, 1, 10).first, 0);
}

/// The mean of a quadratic over a cell, from the line between samples: exact cell mean of z = x² plus 1/6.
TEST(Taps, AverageIsTheMeanOfTheLineOverTheCell) {
  const Taps taps = taps_at(Resampling::average, 10, 4, 21);
  double mean = 0;
  for (std::size_t n = 0; n < taps.weight.size(); ++n) {
    const double x = taps.first + static_cast<double>(n);
    mean += taps.weight[n] * x * x;
  }
  EXPECT_NEAR(mean, 100 + 4 * 4 / 12.0 + 1 / 6.0, 1e-12);
}

}  // namespace
}  // namespace scree
