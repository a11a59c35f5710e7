#include "scree/terrain/map.hpp"

#include <cmath>

#include "scree/terrain/raster.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

ScalarMapPtr friction(const std::string& toml, const std::filesystem::path& folder = ".") {
  const Document document = Document::from_text(toml, "test.toml", folder);
  Section root = document.root();
  return make_friction_map(root);
}
std::unique_ptr<const LabelMap> soil(const std::string& toml, const std::filesystem::path& folder = ".") {
  const Document document = Document::from_text(toml, "test.toml", folder);
  Section root = document.root();
  return make_soil_map(root);
}
template <class Make>
std::string map_refusal(Make make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Map, AbsentMeansNone) {
  EXPECT_EQ(friction("kind = 'flat'"), nullptr);
  EXPECT_EQ(soil("kind = 'flat'"), nullptr);
}

TEST(Map, PolygonsLieOverTheBaseTheLaterOnTop) {
  const ScalarMapPtr map = friction(
      "[friction]\nvalue = 0.9\n"
      "[[friction.polygon]]\nvalue = 0.2\ncorners = [[0, 0], [4, 0], [4, 4], [0, 4]]\n"
      "[[friction.polygon]]\nvalue = 0.5\ncorners = [[2, 2], [6, 2], [4, 6]]\n");
  EXPECT_EQ(map->at(-1, 0), 0.9);
  EXPECT_EQ(map->at(1, 1), 0.2);
  EXPECT_EQ(map->at(3.5, 3), 0.5);
  EXPECT_EQ(map->at(4.5, 3), 0.5);
}

TEST(Map, PolygonsMayBeConcave) {
  const Polygon u({{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}});
  EXPECT_TRUE(u.contains(0.5, 2));
  EXPECT_TRUE(u.contains(2.5, 2));
  EXPECT_FALSE(u.contains(1.5, 2));
  EXPECT_TRUE(u.contains(1.5, 0.5));
  EXPECT_FALSE(u.contains(std::nan(""), 1));
}

TEST(Map, FunctionsAreHeldToTheRange) {
  const ScalarMapPtr map =
      friction("[friction]\nkind = 'function'\nexpression = '1 + k * x'\nparameters = { k = 0.1 }");
  EXPECT_NEAR(map->at(5, 0), 1.5, 1e-15);
  EXPECT_EQ(map->at(-500, 0), 0);
  EXPECT_EQ(map->at(500, 0), 10);
  const ScalarMapPtr bad = friction("[friction]\nkind = 'function'\nexpression = 'sqrt(x)'");
  EXPECT_EQ(bad->at(-1, 0), 0);
}

#ifdef SCREE_HAVE_GDAL
TEST(Map, ImagesOfFrictionAndSoil) {
  const TemporaryFolder folder;
  HeightField field = make_field({4, 2, 0, 0, 1, 1}, "test");
  for (int i = 0; i < 4; ++i) field.at(i, 0) = 0, field.at(i, 1) = 1;
  field.at(2, 0) = 0.5;
  write_png16(folder.path() / "m.png", field);
  const ScalarMapPtr map =
      friction("[friction]\nkind = 'image'\nfile = 'm.png'\ncell = 1\nlow = 0.4\nhigh = 0.8", folder.path());
  EXPECT_NEAR(map->at(-1.4, -0.5), 0.4, 1e-6);
  EXPECT_NEAR(map->at(-1.4, 0.4), 0.8, 1e-6);
  EXPECT_NEAR(map->at(0.5, -0.4), 0.6, 1e-5);
  EXPECT_NEAR(map->at(1e6, 1e6), 0.8, 1e-6);
  const auto soils = soil(
      "[soil]\nnames = ['sand', 'clay', 'rock']\nlevels = [0, 0.5, 1]\nkind = 'image'\nfile = 'm.png'\ncell "
      "= 1\n"
      "[[soil.polygon]]\nsoil = 'clay'\ncorners = [[9, 9], [10, 9], [10, 10]]",
      folder.path());
  EXPECT_EQ(soils->at(-1.4, -0.5), 0);
  EXPECT_EQ(soils->at(0.6, -0.5), 1);
  EXPECT_EQ(soils->at(0.6, 0.5), 2);
  EXPECT_EQ(soils->names().at(soils->at(9.9, 9.5)), "clay");
  EXPECT_THAT(map_refusal([&] {
                soil("[soil]\nnames = ['a', 'b']\nkind = 'image'\nfile = 'm.png'\ncell = 1", folder.path());
              }),
              HasSubstr("levels"));
  EXPECT_THAT(map_refusal([&] { friction("[friction]\nkind = 'image'\nfile = 'm.png'", folder.path()); }),
              HasSubstr("size"));
  // The legend misses the grey 0.5 of column 2, in the image's last row.
  EXPECT_THAT(
      map_refusal([&] {
        soil("[soil]\nnames = ['sand', 'rock']\nlevels = [0, 1]\nkind = 'image'\nfile = 'm.png'\ncell = 1",
             folder.path());
      }),
      AllOf(HasSubstr("levels"), HasSubstr("grey 0.5"), HasSubstr("column 2, row 1")));
}
#endif

TEST(Map, SoilsByFunctionAndPolygon) {
  const auto map = soil(
      "[soil]\nnames = ['sand', 'clay']\nkind = 'function'\nexpression = 'x > 0 ? 1 : 0'\n"
      "[[soil.polygon]]\nsoil = 'sand'\ncorners = [[5, 5], [6, 5], [6, 6], [5, 6]]");
  EXPECT_EQ(map->at(-1, 0), 0);
  EXPECT_EQ(map->at(1, 0), 1);
  EXPECT_EQ(map->at(5.5, 5.5), 0);
  std::vector<double> x(100, 1.0), y(100, 0.0);
  std::vector<int> labels(100, -1);
  map->sample(100, x.data(), y.data(), labels.data());
  EXPECT_EQ(labels[99], 1);
}

TEST(Map, RefusesBadMaps) {
  EXPECT_THAT(map_refusal([] { friction("[friction]\nvalue = -1"); }), HasSubstr("value"));
  EXPECT_THAT(map_refusal([] { friction("[friction]\nvalu = 1"); }), HasSubstr("value"));
  EXPECT_THAT(map_refusal([] {
                friction("[friction]\n[[friction.polygon]]\nvalue = 1\ncorners = [[0, 0], [1, 1]]");
              }),
              HasSubstr("at least three"));
  EXPECT_THAT(map_refusal([] { friction("[friction]\nkind = 'function'\nexpression = 'x +'"); }),
              HasSubstr("does not parse"));
  EXPECT_THAT(map_refusal([] { friction("[friction]\nkind = 'image'"); }), HasSubstr("file"));
  EXPECT_THAT(
      map_refusal([] {
        soil(
            "[soil]\nnames = ['sand']\n[[soil.polygon]]\nsoil = 'sandd'\ncorners = [[0, 0], [1, 1], [0, 1]]");
      }),
      HasSubstr("sand"));
  EXPECT_THAT(map_refusal([] { soil("[soil]\nnames = []"); }), HasSubstr("names"));
}

}  // namespace
}  // namespace scree
