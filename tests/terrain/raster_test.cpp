/// Images and elevation models; the files are made here, through GDAL.
#ifdef SCREE_HAVE_GDAL
#include "scree/terrain/raster.hpp"
#include <fmt/format.h>

#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <cmath>

#include "scree/terrain/grid.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

struct RasterPlan {
  int width = 4, height = 3, bands = 1;
  GDALDataType type = GDT_Byte;
  std::vector<double> transform = {};  ///< GDAL's six numbers; empty: none
  std::string srs = "";
  double nodata = std::nan("");
  bool palette = false;
};

/// Writes value(column, row) through a memory dataset, so that drivers without Create (PNG, JPEG) work too.
void write_raster(const std::filesystem::path& file, const char* driver, const RasterPlan& plan,
                  double (*value)(int, int)) {
  GDALAllRegister();
  auto* manager = GetGDALDriverManager();
  GDALDataset* memory =
      manager->GetDriverByName("MEM")->Create("", plan.width, plan.height, plan.bands, plan.type, nullptr);
  if (!plan.transform.empty()) memory->SetGeoTransform(const_cast<double*>(plan.transform.data()));
  if (!plan.srs.empty()) {
    OGRSpatialReference srs;
    ASSERT_EQ(srs.SetFromUserInput(plan.srs.c_str()), OGRERR_NONE);
    memory->SetSpatialRef(&srs);
  }
  for (int b = 1; b <= plan.bands; ++b) {
    GDALRasterBand* band = memory->GetRasterBand(b);
    if (plan.bands > 1) band->SetColorInterpretation(static_cast<GDALColorInterp>(GCI_RedBand + b - 1));
    if (!std::isnan(plan.nodata)) band->SetNoDataValue(plan.nodata);
    if (plan.palette) {
      GDALColorTable table;
      for (int k = 0; k < 256; ++k) {
        const GDALColorEntry entry{static_cast<short>(k), static_cast<short>(255 - k), 0, 255};
        table.SetColorEntry(k, &entry);
      }
      band->SetColorTable(&table);
    }
    for (int r = 0; r < plan.height; ++r) {
      for (int c = 0; c < plan.width; ++c) {
        double v = value(c, r);
        ASSERT_EQ(band->RasterIO(GF_Write, c, r, 1, 1, &v, 1, 1, GDT_Float64, 0, 0, nullptr), CE_None);
      }
    }
  }
  GDALDataset* out =
      manager->GetDriverByName(driver)->CreateCopy(file.c_str(), memory, false, nullptr, nullptr, nullptr);
  ASSERT_NE(out, nullptr) << file;
  GDALClose(out);
  GDALClose(memory);
}

double ramp8(int c, int r) { return 60 * c + 10 * r; }
double ramp16(int c, int r) { return 20000 * c + 1 + r; }
double hills(int c, int r) { return 100.25 + 0.5 * c - 0.25 * r; }

TEST(Image, EightAndSixteenBitsInFull) {
  const TemporaryFolder folder;
  for (const auto& [driver, name] : {std::pair{"PNG", "i.png"}, {"BMP", "i.bmp"}, {"GTiff", "i.tif"}}) {
    write_raster(folder.path() / name, driver, {}, ramp8);
    const TerrainPtr t =
        terrain_from(fmt::format("kind = 'image'\nfile = '{}'\nsize = [3, 2]\nlow = -1\nhigh = 1.55", name),
                     folder.path());
    // The first row is at the largest y; black is low, 255 is high: 0.01 m a level.
    EXPECT_NEAR(t->height(-1.5, 1), -1, 1e-6) << name;
    EXPECT_NEAR(t->height(1.5, 1), -1 + 0.01 * 180, 1e-6) << name;
    EXPECT_NEAR(t->height(-1.5, -1), -1 + 0.01 * 20, 1e-6) << name;
  }
  write_raster(folder.path() / "w.png", "PNG", {.type = GDT_UInt16}, ramp16);
  const TerrainPtr t =
      terrain_from("kind = 'image'\nfile = 'w.png'\ncell = 1\nlow = 0\nhigh = 655.35", folder.path());
  EXPECT_NEAR(t->height(-1.5, 1), 0.01, 1e-5);
  EXPECT_NEAR(t->height(-1.5, 0), 0.02, 1e-5);  // one level of 65,535
  EXPECT_NEAR(t->height(1.5, -1), 600.03, 1e-4);
}

TEST(Image, JpegIsReadAsGrey) {
  const TemporaryFolder folder;
  write_raster(folder.path() / "i.jpg", "JPEG", {.width = 64, .height = 64},
               [](int c, int) { return 2.0 * c; });
  const TerrainPtr t = terrain_from("kind = 'image'\nfile = 'i.jpg'\ncell = 1\nhigh = 255", folder.path());
  EXPECT_NEAR(t->height(0, 0), 63, 3);  // a lossy format
}

TEST(Image, RefusesWhatIsNoHeightImage) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& more = "cell = 1") {
    return refusal("kind = 'image'\nfile = 'i.png'\n" + more, folder.path());
  };
  write_raster(folder.path() / "i.png", "PNG", {.palette = true}, ramp8);
  EXPECT_THAT(message(), HasSubstr("colour palette"));
  write_raster(folder.path() / "i.png", "PNG", {.bands = 3}, ramp8);
  EXPECT_THAT(message(), HasSubstr("3 colour bands"));
  write_raster(folder.path() / "i.png", "GTiff", {.type = GDT_Float32}, hills);
  EXPECT_THAT(message(), HasSubstr("Float32"));
  write_raster(folder.path() / "i.png", "PNG", {}, ramp8);
  EXPECT_EQ(message(), "");
  EXPECT_THAT(message(""), HasSubstr("how large"));
  EXPECT_THAT(message("size = [-1, 2]"), HasSubstr("size"));
  // Truncated, empty, not an image, not there.
  std::ifstream in(folder.path() / "i.png", std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  folder.write("i.png", whole.substr(0, 40));
  EXPECT_THAT(message(), HasSubstr("image"));
  EXPECT_NE(message(), "");
  folder.write("i.png", "");
  EXPECT_THAT(message(), HasSubstr("is empty"));
  folder.write("i.png", "hello");
  EXPECT_THAT(message(), HasSubstr("cannot read"));
  std::filesystem::remove(folder.path() / "i.png");
  EXPECT_THAT(message(), HasSubstr("no such file"));
}

TEST(Dem, GeoreferenceToMetresAndWindow) {
  const TemporaryFolder folder;
  // Pixels of 2 x 1 US survey feet, north up.
  write_raster(folder.path() / "d.tif", "GTiff",
               {.width = 8,
                .height = 6,
                .type = GDT_Float32,
                .transform = {500, 2, 0, 900, 0, -1},
                .srs = "EPSG:2263"},
               hills);
  const TerrainPtr t = terrain_from("kind = 'dem'\nfile = 'd.tif'", folder.path());
  const Grid& grid = dynamic_cast<const Grid&>(*t);
  const double foot = 1200.0 / 3937;
  EXPECT_NEAR(grid.geometry().step_x, 2 * foot, 1e-9);
  EXPECT_NEAR(grid.geometry().step_y, foot, 1e-9);
  EXPECT_NEAR(grid.bounds().x_max, -grid.bounds().x_min, 1e-9);
  EXPECT_NEAR(grid.sample_height(0, 5), hills(0, 0), 1e-5);
  EXPECT_NEAR(grid.sample_height(7, 0), hills(7, 5), 1e-5);
  const TerrainPtr w = terrain_from(
      "kind = 'dem'\nfile = 'd.tif'\nwindow = [2, 1, 3, 4]\nvertical_scale = 2\nvertical_offset = -7",
      folder.path());
  const Grid& window = dynamic_cast<const Grid&>(*w);
  EXPECT_EQ(window.geometry().nx, 3);
  EXPECT_EQ(window.geometry().ny, 4);
  EXPECT_NEAR(window.sample_height(0, 3), 2 * hills(2, 1) - 7, 1e-4);
  const TerrainPtr k = terrain_from("kind = 'dem'\nfile = 'd.tif'\nkeep_origin = true", folder.path());
  EXPECT_NEAR(k->bounds().x_min, 501 * foot, 1e-9);
  EXPECT_NEAR(k->bounds().y_max, 899.5 * foot, 1e-9);
}

TEST(Dem, LongitudesAndLatitudesBecomeMetres) {
  const TemporaryFolder folder;
  write_raster(folder.path() / "g.tif", "GTiff",
               {.width = 10,
                .height = 10,
                .type = GDT_Float32,
                .transform = {10, 1e-4, 0, 45.0005, 0, -1e-4},
                .srs = "EPSG:4326"},
               hills);
  const TerrainPtr t = terrain_from("kind = 'dem'\nfile = 'g.tif'", folder.path());
  const Grid& grid = dynamic_cast<const Grid&>(*t);
  // One degree at 45 deg on WGS 84: 78,847 m of longitude, 111,132 m of latitude.
  EXPECT_NEAR(grid.geometry().step_x, 7.8847, 2e-4);
  EXPECT_NEAR(grid.geometry().step_y, 11.1132, 2e-4);
}

TEST(Dem, ResamplesToACell) {
  const TemporaryFolder folder;
  write_raster(folder.path() / "d.asc", "AAIGrid",
               {.width = 20, .height = 10, .type = GDT_Float32, .transform = {0, 1, 0, 10, 0, -1}}, hills);
  for (const char* how : {"bilinear", "cubic", "average"}) {
    const TerrainPtr t = terrain_from(
        fmt::format("kind = 'dem'\nfile = 'd.asc'\ncell = 2\nresampling = '{}'", how), folder.path());
    const Grid& grid = dynamic_cast<const Grid&>(*t);
    EXPECT_EQ(grid.geometry().nx, 10);
    EXPECT_EQ(grid.geometry().ny, 5);
    // A plane stays a plane: pixel (c, r) has its middle at c + 0.5 - 10, 4.5 - r.
    EXPECT_NEAR(t->height(0, 0), 100.25 + 0.5 * 9.5 - 0.25 * 4.5, 1e-3) << how;
  }
}

TEST(Dem, NodataIsRefusedOrFilled) {
  const TemporaryFolder folder;
  const auto holes = [](int c, int r) { return c == 3 && r == 2 ? -9999.0 : hills(c, r); };
  write_raster(
      folder.path() / "n.asc", "AAIGrid",
      {.width = 8, .height = 6, .type = GDT_Float32, .transform = {0, 1, 0, 6, 0, -1}, .nodata = -9999},
      holes);
  EXPECT_THAT(refusal("kind = 'dem'\nfile = 'n.asc'", folder.path()),
              HasSubstr("1 of 48 samples have no height"));
  const TerrainPtr t = terrain_from("kind = 'dem'\nfile = 'n.asc'\nnodata = 'fill'", folder.path());
  EXPECT_NEAR(dynamic_cast<const Grid&>(*t).sample_height(3, 3), hills(3, 2), 1e-3);
  write_raster(folder.path() / "n.asc", "AAIGrid",
               {.type = GDT_Float32, .transform = {0, 1, 0, 6, 0, -1}, .nodata = -9999},
               [](int, int) { return -9999.0; });
  EXPECT_THAT(refusal("kind = 'dem'\nfile = 'n.asc'\nnodata = 'fill'", folder.path()),
              HasSubstr("nodata everywhere"));
}

TEST(Dem, PlanetaryAndImagineFiles) {
  const TemporaryFolder folder;
  // A PDS3 label of 20 records of 64 bytes, then the image: 3 lines of 4 little-endian floats.
  std::string label =
      "PDS_VERSION_ID = PDS3\r\nRECORD_TYPE = FIXED_LENGTH\r\nRECORD_BYTES = 64\r\nFILE_RECORDS = 21\r\n"
      "LABEL_RECORDS = 20\r\n^IMAGE = 21\r\nOBJECT = IMAGE\r\n  LINES = 3\r\n  LINE_SAMPLES = 4\r\n"
      "  SAMPLE_TYPE = PC_REAL\r\n  SAMPLE_BITS = 32\r\n  BANDS = 1\r\nEND_OBJECT = IMAGE\r\nEND\r\n";
  label.resize(20 * 64, ' ');
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      const float z = static_cast<float>(hills(c, r));
      label.append(reinterpret_cast<const char*>(&z), sizeof z);
    }
  }
  label.resize(21 * 64, ' ');
  folder.write("moon.img", label);
  write_raster(folder.path() / "earth.img", "HFA", {.type = GDT_Float32, .transform = {0, 2, 0, 0, 0, -2}},
               hills);
  for (const char* table :
       {"kind = 'dem'\nfile = 'moon.img'\ncell = 2", "kind = 'dem'\nfile = 'earth.img'"}) {
    const TerrainPtr t = terrain_from(table, folder.path());
    const Grid& grid = dynamic_cast<const Grid&>(*t);
    ASSERT_EQ(grid.geometry().nx, 4) << table;
    EXPECT_EQ(grid.geometry().step_x, 2) << table;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 4; ++c) EXPECT_NEAR(grid.sample_height(c, 2 - r), hills(c, r), 1e-5) << table;
    }
  }
}

TEST(Dem, TruncatedEmptyAndNonFiniteFilesAreRefused) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "t.tif";
  const auto message = [&] { return refusal("kind = 'dem'\nfile = 't.tif'", folder.path()); };
  const RasterPlan plan{.width = 50, .height = 40, .type = GDT_Float32, .transform = {0, 1, 0, 0, 0, -1}};
  write_raster(file, "GTiff", plan, hills);
  EXPECT_EQ(message(), "");
  const auto size = std::filesystem::file_size(file);
  for (const double part : {0.9, 0.5, 0.1, 0.01}) {
    std::filesystem::resize_file(file, static_cast<std::uintmax_t>(part * static_cast<double>(size)));
    EXPECT_THAT(message(), HasSubstr("t.tif")) << part;
  }
  std::filesystem::resize_file(file, 0);
  EXPECT_THAT(message(), HasSubstr("is empty"));
  std::filesystem::remove(file);
  write_raster(file, "GTiff", plan, [](int c, int r) { return c == 4 && r == 5 ? std::nan("") : 1.0; });
  EXPECT_THAT(message(), HasSubstr("1 of 2000 samples have no height"));
  write_raster(file, "GTiff", plan, [](int c, int) { return c == 4 ? 1.0 / 0.0 : 1.0; });
  EXPECT_THAT(message(), HasSubstr("not usable"));
}

TEST(Dem, HighGroundKeepsItsMillimetres) {
  const TemporaryFolder folder;
  write_raster(folder.path() / "h.tif", "GTiff", {.type = GDT_Float64, .transform = {0, 1, 0, 3, 0, -1}},
               [](int c, int r) { return 1737400.0 + 0.001 * (c + 4 * r); });
  const TerrainPtr t = terrain_from("kind = 'dem'\nfile = 'h.tif'", folder.path());
  const Grid& grid = dynamic_cast<const Grid&>(*t);
  EXPECT_NEAR(grid.sample_height(3, 0) - grid.sample_height(0, 2), 0.011, 1e-9);
}

TEST(Dem, RefusesWhatItCannotPlace) {
  const TemporaryFolder folder;
  const auto message = [&](const RasterPlan& plan, const std::string& more = "") {
    write_raster(folder.path() / "d.tif", "GTiff", plan, hills);
    return refusal("kind = 'dem'\nfile = 'd.tif'\n" + more, folder.path());
  };
  EXPECT_THAT(message({.type = GDT_Float32}), HasSubstr("how large a pixel"));
  EXPECT_EQ(message({.type = GDT_Float32}, "cell = 0.5"), "");
  EXPECT_THAT(message({.type = GDT_Float32, .transform = {0, 1, 0.5, 0, 0.5, -1}}), HasSubstr("rotated"));
  // A local system says itself how long its unit is.
  EXPECT_EQ(message({.type = GDT_Float32,
                     .transform = {0, 1, 0, 0, 0, -1},
                     .srs = "LOCAL_CS[\"mine\",UNIT[\"stone's throw\",30]]"}),
            "");
  EXPECT_THAT(message({.type = GDT_Float32, .transform = {0, 1, 0, 95, 0, -1}, .srs = "EPSG:4326"}),
              HasSubstr("pole"));
  EXPECT_THAT(message({.type = GDT_Float32, .transform = {0, 1, 0, 0, 0, -1}}, "band = 2"),
              HasSubstr("band 2 of 1"));
  EXPECT_THAT(message({.type = GDT_Float32, .transform = {0, 1, 0, 0, 0, -1}}, "window = [2, 2, 5, 5]"),
              HasSubstr("does not lie within"));
  EXPECT_THAT(message({.type = GDT_Float32, .transform = {0, 1, 0, 0, 0, -1}}, "window = [1, 2]"),
              HasSubstr("four numbers"));
  EXPECT_THAT(message({.transform = {0, 1, 0, 0, 0, -1}, .palette = true}), HasSubstr("palette"));
  EXPECT_THAT(message({.type = GDT_CFloat32, .transform = {0, 1, 0, 0, 0, -1}}), HasSubstr("complex"));
  EXPECT_THAT(message({.type = GDT_Float32, .transform = {0, 1, 0, 0, 0, -1}}, "cell = 1e-9"),
              HasSubstr("larger cell"));
}

TEST(Dem, AHugeModelIsUsedByWindow) {
  // 100,000 x 100,000 virtual pixels: refused as a whole with the number, read by window at once.
  const TemporaryFolder folder;
  write_raster(folder.path() / "small.tif", "GTiff", {.width = 100, .height = 100, .type = GDT_Float32},
               hills);
  folder.write(
      "huge.vrt",
      "<VRTDataset rasterXSize=\"100000\" rasterYSize=\"100000\"><GeoTransform>0,1,0,0,0,-1</GeoTransform>"
      "<VRTRasterBand dataType=\"Float32\" band=\"1\"><SimpleSource><SourceFilename "
      "relativeToVRT=\"1\">small.tif"
      "</SourceFilename><SourceBand>1</SourceBand><SrcRect xOff=\"0\" yOff=\"0\" xSize=\"100\" "
      "ySize=\"100\"/>"
      "<DstRect xOff=\"50000\" yOff=\"50000\" xSize=\"100\" "
      "ySize=\"100\"/></SimpleSource></VRTRasterBand></VRTDataset>");
  EXPECT_THAT(refusal("kind = 'dem'\nfile = 'huge.vrt'", folder.path()), HasSubstr("use a window"));
  const TerrainPtr t =
      terrain_from("kind = 'dem'\nfile = 'huge.vrt'\nwindow = [50000, 50000, 100, 100]", folder.path());
  EXPECT_NEAR(dynamic_cast<const Grid&>(*t).sample_height(10, 99), hills(10, 0), 1e-5);
}

TEST(Raster, WrittenFilesReadBack) {
  const TemporaryFolder folder;
  HeightField field = make_field({9, 6, -2, 3, 0.5, 0.5}, "test");
  RandomStream random(1, 0, "write");
  for (float& z : field.z) z = static_cast<float>(random.normal());
  write_geotiff(folder.path() / "w.tif", field);
  const TerrainPtr t = terrain_from("kind = 'dem'\nfile = 'w.tif'\nkeep_origin = true", folder.path());
  const auto [low, high] = write_png16(folder.path() / "w.png", field);
  const TerrainPtr p = terrain_from(
      fmt::format("kind = 'image'\nfile = 'w.png'\ncell = 0.5\ncentre = [0, 4.25]\nlow = {}\nhigh = {}", low,
                  high),
      folder.path());
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 9; ++i) {
      const double x = field.geometry.x(i), y = field.geometry.y(j);
      EXPECT_NEAR(t->height(x, y), field.height(i, j), 3e-7);
      EXPECT_NEAR(p->height(x, y), field.height(i, j), (high - low) / 65535);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "w.png.aux.xml"));
  EXPECT_THROW(write_geotiff(folder.path() / "no" / "w.tif", field), RunError);
  EXPECT_THROW(write_png16(folder.path() / "no" / "w.png", field), RunError);
}

}  // namespace
}  // namespace scree
#endif
