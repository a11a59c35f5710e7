/// Every camera, overlay, painting of the ground and robot against a stored picture (tests/view/references).
///
/// Pictures are compared by perceptual_difference: blurred, so that drivers may smooth edges in their own
/// way. Each one is also drawn with something missing (the robot, its shadow, the overlay), which must be
/// seen: a tolerance that would let it pass proves nothing. After a wanted change, `scripts/references` draws
/// them anew; look at each before you keep it.
#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "scree/view/film.hpp"
#include "scree/view/painter.hpp"
#include "support/paths.hpp"
#include "view/support.hpp"

namespace scree::view {
namespace {

constexpr int kWidth = 320, kHeight = 180;
constexpr double kTime = 1.4;  ///< s, of every picture
/// Pictures without any smoothing lie up to 0.0078 from their references, which is more than two drivers
/// should differ in; the smallest thing that is left out (the path, an arrow) makes 0.0118.
constexpr double kTolerance = 0.008;

enum class Lacks { nothing, robot, shadow, overlays, shading };

struct Shot {
  std::string name;
  Lacks lacks;  ///< in the second picture, which must differ
  std::string camera = "chase", model = "vivi", shading = "natural";
  OverlayChoice overlays = {.path = PathStyle::none};
  HudChoice hud = {.panel = false, .legend = false};
  std::string inset = {};

  Shot from(const std::string& name) const {
    return with([&](Shot& s) { s.camera = name; });
  }
  template <class Change>
  Shot with(const Change& change) const {
    Shot copy = *this;
    change(copy);
    return copy;
  }
};
void PrintTo(const Shot& shot, std::ostream* out) { *out << shot.name; }

std::vector<Shot> shots() {
  std::vector<Shot> list;
  for (const char* camera : {"chase", "top", "onboard", "wheel", "orbit"})
    list.push_back(Shot{std::string("camera_") + camera, Lacks::robot}.from(camera));
  list.push_back(Shot{"shadow", Lacks::shadow}.from("top"));
  const auto overlay = [&](const std::string& name, const std::string& camera, const auto& choose) {
    list.push_back(Shot{name, Lacks::overlays}.from(camera).with(choose));
  };
  overlay("path_line", "orbit", [](Shot& s) { s.overlays.path = PathStyle::line; });
  overlay("path_z", "orbit", [](Shot& s) { s.overlays.path = PathStyle::z_vectors; });
  overlay("path_xyz", "orbit", [](Shot& s) { s.overlays.path = PathStyle::xyz_vectors; });
  overlay("forces", "orbit", [](Shot& s) { s.overlays.forces = true; });
  overlay("contacts", "wheel", [](Shot& s) { s.overlays.contacts = true; });
  overlay("support", "top", [](Shot& s) { s.overlays.support = true; });
  overlay("ghosts", "top", [](Shot& s) { s.overlays.ghosts = true; });
  overlay("stability", "chase", [](Shot& s) { s.hud.stability = true; });
  overlay("plots", "chase", [](Shot& s) { s.hud.plots = true; });
  overlay("panel", "chase", [](Shot& s) { s.hud.panel = true; });
  overlay("inset", "chase", [](Shot& s) { s.inset = "top"; });
  for (const char* shading : {"texture", "height", "slope", "contour", "soil"})
    list.push_back(
        Shot{std::string("ground_") + shading, Lacks::shading}.with([&](Shot& s) { s.shading = shading; }));
  for (const char* model : {"vivi", "her", "hexa", "skid4"})
    list.push_back(Shot{std::string("robot_") + model, Lacks::robot}.with(
        [&](Shot& s) { s.model = model, s.camera = "portrait"; }));
  return list;
}

/// A run of one model over waves, with a slippery patch and a chequered ground at hand.
struct Play {
  Scenario scenario;
  Recording recording;
};

Play play(const std::string& model, const std::filesystem::path& folder) {
  Image checks(2, 2, 3);
  const std::uint8_t pixels[] = {180, 90, 60, 230, 210, 170, 230, 210, 170, 180, 90, 60};
  std::copy(std::begin(pixels), std::end(pixels), checks.pixels.begin());
  write_png(folder / "checks.png", checks);
  const auto file = folder / (model + ".toml");
  std::ofstream(file) << "duration = 1.5\n[terrain]\nkind = \"sines\"\namplitude = 0.15\n"
                         "wavelength_x = 4.0\nwavelength_y = 6.0\n"
                         "[[terrain.friction.polygon]]\nvalue = 0.2\n"
                         "corners = [[1.5, -4], [9, -4], [9, 1.5], [1.5, 1.5]]\n"
                         "[[robot]]\nmodel = \""
                      << model
                      << "\"\nstart = { position = [0.0, 0.7], clearance = 0.01, speed = 1.0 }\n"
                         "[robot.control]\nkind = \"speed\"\nspeed = 1.0\n"
                         "[view]\nplots = [\"speed\", \"pitch\"]\ntexture = \"checks.png\"\n"
                         "[[view.cameras]]\nname = \"portrait\"\nkind = \"orbit\"\nazimuth_deg = 320\n"
                         "elevation_deg = 18\n";
  Play out{load_scenario(file), {}};
  std::vector<std::string> warnings;
  out.recording = simulate(out.scenario, 30, -1, {}, warnings);
  EXPECT_THAT(warnings, ::testing::IsEmpty());
  return out;
}

class References : public ::testing::TestWithParam<Shot> {
 protected:
  static void SetUpTestSuite() { folder_ = std::make_unique<Folder>(); }
  static void TearDownTestSuite() {
    plays().clear();
    folder_.reset();
  }

  const Play& play_of(const std::string& model) {
    auto it = plays().find(model);
    if (it == plays().end()) it = plays().emplace(model, play(model, folder_->path())).first;
    return it->second;
  }

  /// Settings are those of software rendering everywhere: the same pictures on every machine.
  Image draw(Shot shot, Lacks lacks, Detail detail = Detail::high) {
    if (lacks == Lacks::overlays)
      shot.overlays = {.path = PathStyle::none}, shot.hud = {.panel = false, .legend = false},
      shot.inset = "";
    if (lacks == Lacks::shading) shot.shading = "natural";
    const Play& p = play_of(shot.model);
    const auto context = make_offscreen_context();
    std::vector<std::string> warnings;
    Stage stage(p.scenario, warnings);
    EXPECT_THAT(warnings, ::testing::IsEmpty());
    set_shading(stage.ground(), shot.shading);
    stage.extend_trails(p.recording);
    Painter painter({.width = kWidth, .height = kHeight, .software = true, .detail = detail});
    painter.camera = stage.find_camera(shot.camera);
    stage.cameras()[painter.camera].zoom(0.6);  // small pictures: nearer
    if (!shot.inset.empty()) painter.inset = stage.find_camera(shot.inset);
    painter.overlays = shot.overlays;
    painter.hud = shot.hud;
    painter.plots = stage.settings().plots;
    painter.change_scene = [&](Scene& scene) {
      if (lacks == Lacks::robot) scene.instances.clear();
      if (lacks == Lacks::shadow)
        for (Instance& instance : scene.instances) instance.casts_shadow = false;
    };
    painter.draw(stage, p.recording, kTime, {.duration = 1.5});
    EXPECT_THAT(painter.take_warnings(), ::testing::IsEmpty());
    return painter.picture();
  }

  static std::filesystem::path file_of(const Shot& shot) {
    return std::filesystem::path(source_tree()) / "tests/view/references" / (shot.name + ".png");
  }

 private:
  static std::map<std::string, Play>& plays() {
    static std::map<std::string, Play> all;
    return all;
  }
  static inline std::unique_ptr<Folder> folder_;
};

TEST_P(References, LooksLikeItsReferenceAndNotWithoutWhatItShows) {
  const Shot& shot = GetParam();
  const Image picture = draw(shot, Lacks::nothing);
  if (std::getenv("SCREE_WRITE_REFERENCES")) {
    write_png(file_of(shot), picture);
    GTEST_SKIP() << "drawn anew";
  }
  const Image reference = read_image(file_of(shot));
  const double difference = local_difference(picture, reference);
  RecordProperty("difference", std::to_string(difference));
  EXPECT_LT(difference, kTolerance);
  const double lacking = local_difference(draw(shot, shot.lacks), reference);
  RecordProperty("lacking", std::to_string(lacking));
  EXPECT_GT(lacking, 1.25 * kTolerance) << "nobody would see that something is missing";
  if (difference >= kTolerance) {
    const auto seen = std::filesystem::temp_directory_path() / ("scree-" + shot.name + "-seen.png");
    write_png(seen, picture);
    ADD_FAILURE() << "see " << seen.string() << " beside " << file_of(shot).string();
  }
}

/// Where two pictures differ by more than `least` of 255 levels.
using Mask = std::vector<bool>;
Mask differs(const Image& a, const Image& b, int least) {
  Mask mask;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      int most = 0;
      for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(int{a.at(x, y)[c]} - int{b.at(x, y)[c]}));
      mask.push_back(most > least);
    }
  return mask;
}

/// Part of the marked pixels that have a marked one of the other mask beside them, when that one is moved to
/// the right.
double share_near(const Mask& of, const Mask& other, int moved = 0) {
  int all = 0, near = 0;
  for (int y = 2; y < kHeight - 2; ++y)
    for (int x = 2 + moved; x < kWidth - 2; ++x) {
      if (!of[y * kWidth + x]) continue;
      ++all;
      bool found = false;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) found = found || other[(y + dy) * kWidth + x + dx - moved];
      near += found;
    }
  return all > 0 ? static_cast<double>(near) / all : 0;
}

/// Jagged edges, shadows read once, a quarter of the ground's triangles: still the same picture.
TEST_P(References, LowDetailShowsTheSame) {
  const Shot& shot = GetParam();
  if (std::getenv("SCREE_WRITE_REFERENCES")) GTEST_SKIP();
  const Image reference = read_image(file_of(shot)), low = draw(shot, Lacks::nothing, Detail::low);
  if (shot.name != "ground_contour" && shot.name != "support") {
    const double difference = local_difference(low, reference);
    RecordProperty("low", std::to_string(difference));
    EXPECT_LT(difference, kTolerance);
    return;
  }
  // Lines of a constant number of pixels become wider where edges are not smoothed: not how wide they are is
  // compared but where they lie, against the same picture without them.
  Shot bare = shot;
  bare.overlays = {.path = PathStyle::none};
  if (shot.shading == "contour") bare.shading = "height";  // the same colours
  const Image without = draw(bare, Lacks::nothing), low_without = draw(bare, Lacks::nothing, Detail::low);
  // Lines fade where they crowd, and sooner where pixels are larger: what is clearly there in one picture
  // must be there at least faintly in the other.
  constexpr int kClear = 40, kFaint = 10;
  const Mask clear = differs(reference, without, kClear), low_clear = differs(low, low_without, kClear),
             faint = differs(reference, without, kFaint), low_faint = differs(low, low_without, kFaint);
  EXPECT_GT(share_near(clear, low_faint), 0.95) << "lines are missing";
  EXPECT_GT(share_near(low_clear, faint), 0.98) << "there are lines that the reference does not have";
  EXPECT_LT(share_near(low_clear, faint, 8), 0.85) << "lines anywhere would pass";
}

INSTANTIATE_TEST_SUITE_P(Pictures, References, ::testing::ValuesIn(shots()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace scree::view
