#include "scree/config/reference.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

struct Wheel {
  double radius = 0.25;
  double camber = 0;
  std::string tyre = "hard";
};
void describe(Section& s, Wheel& x) {
  s.number("radius", x.radius, {.unit = "m", .doc = "Rolling radius", .range = positive(), .required = true});
  s.angle("camber", x.camber, {.doc = "Tilt | lean"});
  s.choice("tyre", x.tyre, {"hard", "soft"}, {.doc = "Kind of tyre"});
}

TEST(ReferenceTable, HasOneRowAKeyWithUnitDefaultRangeAndMeaning) {
  const auto chapter = chapter_of<Wheel>("Wheel", "One wheel.", "robot.N.wheel");
  EXPECT_EQ(reference_text({&chapter, 1}),
            "## Wheel\n\nOne wheel.\n\n"
            "| key | type | unit | default | range | meaning |\n|---|---|---|---|---|---|\n"
            "| `robot.N.wheel.radius` | number | m | **required** | `(0, inf)` | Rolling radius |\n"
            "| `robot.N.wheel.camber`, `robot.N.wheel.camber_deg` | angle | rad, deg | `0` | `(-inf, inf)` | "
            "Tilt \\| lean |\n"
            "| `robot.N.wheel.tyre` | word |  | `\"hard\"` | `\"hard\", \"soft\"` | Kind of tyre |\n");
}

TEST(ReferenceTable, EveryRowHasSevenBars) {
  const auto chapter = chapter_of<Wheel>("Wheel", "", "");
  const std::string table = reference_table(record(chapter));
  std::size_t begin = 0;
  while (begin < table.size()) {
    const std::size_t end = table.find('\n', begin);
    int bars = 0;
    for (std::size_t i = begin; i < end; ++i) bars += table[i] == '|' && (i == begin || table[i - 1] != '\\');
    EXPECT_EQ(bars, 7) << table.substr(begin, end - begin);
    begin = end + 1;
  }
}

}  // namespace
}  // namespace scree
