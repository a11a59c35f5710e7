/// Bodies that are asked together how far they have moved: as if each were looked at anew in every step.
#include <gtest/gtest.h>

#include "ground/body_bench.hpp"
#include "scree/core/random.hpp"

namespace scree {
namespace {

/// Two boxes, one before the other, on one link or on two.
struct TwoBodies {
  TwoBodies(const std::string& contact, bool one_link) {
    std::vector<ContactElement> elements(2);
    for (int k = 0; k < 2; ++k) {
      const Document document = Document::from_text(contact);
      Section section = document.root();
      describe_contact(section, elements[k].contact, false);
      const Vec3 middle(k == 0 ? 0.5 : -0.6, 0, 0.02 * k), half(0.15, 0.2, 0.05);
      elements[k].faces = box_faces(middle - half, middle + half);
      elements[k].link = one_link ? 0 : k;
    }
    SeenPlaces seen;
    group = contact_kind(elements[0].contact.kind).make(elements, seen);
    kept = group->scratch();
    memory.assign(static_cast<std::size_t>(group->memory()), 0.0);
  }
  using Wrenches = Eigen::Matrix<double, 6, 2>;
  Wrenches touch(const Terrain& terrain, const LinkMotion (&links)[2], ContactScratch& scratch) {
    LinkLoad loads[2];
    for (LinkLoad& load : loads) load.apparent.setZero(), load.wrench.setZero();
    GroundView ground;
    ground.terrain = &terrain;
    ground.slope_bound = terrain.slope_bound({-6, 6, -6, 6});
    TouchReport report;
    const StageStep step;
    const ContactMotion motion{links, {}};
    Touch touch{ground, motion, step, {loads, {}}, {}, report};
    group->touch(touch, memory.data(), scratch);
    Wrenches out;
    out << loads[0].wrench, loads[1].wrench;
    return out;
  }
  std::unique_ptr<ContactGroup> group;
  std::unique_ptr<ContactScratch> kept;
  std::vector<double> memory;
};

TEST(HullTogether, BodiesThatWanderFindWhatANewLookFinds) {
  RandomStream random(12, 0, "wander");
  const char* grounds[] = {
      "kind = \"flat\"\n",
      "kind = \"rocks\"\ncover = 0.1\nsmallest = 0.1\nlargest = 0.3\nsize = [12.0, 12.0]\n",
      "kind = \"sines\"\namplitude = 0.1\nwavelength_x = 1.3\nwavelength_y = 1.1\n",
      "kind = \"fbm\"\nhurst = 0.36\nsigma = 0.04\nsize = [8.0, 8.0]\ncells = [200, 200]\n"};
  int touched = 0, clear = 0;
  for (const char* kind : {"kind = \"columns\"\n", "kind = \"axis_columns\"\n"}) {
    for (const char* text : grounds) {
      const auto terrain = testing::terrain_of(text);
      for (const bool one_link : {true, false}) {
        for (int run = 0; run < 20; ++run) {
          TwoBodies bodies(kind, one_link);
          const double turn = run % 4 < 2 ? 0.03 : 1e-4;
          LinkMotion links[2];
          double height[2] = {0.4, 0.4}, fall[2] = {0, 0}, x[2], y[2];
          Vec3 lean[2];
          for (int k = 0; k < 2; ++k)
            x[k] = random.uniform(-2, 2), y[k] = random.uniform(-2, 2), lean[k].setZero();
          for (int i = 0; i < 300; ++i) {
            // Every other time the first link stays where it is, clear of the ground.
            for (int k = one_link || run % 2 == 0 ? 0 : int(i > 0); k < 2; ++k) {
              // Up and down to the ground, and a little aside and round.
              fall[k] += random.uniform(-1e-3, 1e-3) - 2e-4 * (height[k] > 0.1 ? 1 : -3);
              fall[k] = std::clamp(fall[k], -8e-3, 8e-3);
              height[k] = std::max(height[k] + fall[k], 0.02);
              x[k] += random.uniform(-4e-3, 8e-3), y[k] += random.uniform(-6e-3, 6e-3);
              for (int axis = 0; axis < 3; ++axis)
                lean[k][axis] = std::clamp(lean[k][axis] + turn * random.uniform(-1, 1), -0.5, 0.5);
              const double ground = terrain->height(x[k], y[k]);
              links[k].X_WL = {rotation_from_rpy(lean[k].x(), lean[k].y(), lean[k].z()),
                               Vec3(x[k], y[k], ground + height[k])};
              links[k].V_WL_L.setZero();
            }
            const auto fresh = bodies.group->scratch();
            const auto kept = bodies.touch(*terrain, links, *bodies.kept);
            const auto anew = bodies.touch(*terrain, links, *fresh);
            ASSERT_EQ(kept, anew) << kind << text << one_link << ' ' << run << ' ' << i;
            (anew.isZero(0) ? clear : touched) += 1;
          }
        }
      }
    }
  }
  EXPECT_GT(touched, 1000);
  EXPECT_GT(clear, 1000);
}

}  // namespace
}  // namespace scree
