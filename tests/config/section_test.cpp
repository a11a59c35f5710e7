#include "scree/config/section.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "support/errors.hpp"

namespace scree {
namespace {

using scree::testing::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Spring {
  double stiffness = 100;
  double tilt = 0;
  int coils = 5;
  std::uint64_t seed = 1;
  bool damped = false;
  std::string name = "spring";
  std::string law = "linear";
  Vec3 place = {0, 0, 1};
  std::vector<double> gains = {1, 2};
  std::vector<std::string> labels;
  std::vector<std::vector<double>> curve;
  std::filesystem::path mesh;
  std::vector<std::pair<std::string, double>> parameters;
};

void describe(Section& s, Spring& x) {
  s.number("stiffness", x.stiffness, {.unit = "N/m", .doc = "Spring rate", .range = positive()});
  s.angle("tilt", x.tilt, {.doc = "Lean", .range = between(-kPi / 2, kPi / 2)});
  s.integer("coils", x.coils, {.unit = "-", .doc = "Turns", .range = between(1, 50)});
  s.unsigned_integer("seed", x.seed, {.unit = "-", .doc = "Seed"});
  s.boolean("damped", x.damped, {.doc = "With damper"});
  s.text("name", x.name, {.doc = "Name"});
  s.choice("law", x.law, {"linear", "cubic"}, {.doc = "Force law"});
  s.vector("place", x.place, {.unit = "m", .doc = "Place"});
  s.numbers("gains", x.gains, {.unit = "-", .doc = "Gains", .range = not_negative()});
  s.texts("labels", x.labels, {.doc = "Labels"});
  s.rows("curve", x.curve, 2, {.unit = "m, N", .doc = "Force curve"});
  s.file("mesh", x.mesh, {.doc = "Shape"});
  s.named_numbers("parameters", x.parameters, {.unit = "-", .doc = "Free parameters"});
}

Spring read_spring(const std::string& text) {
  return read<Spring>(Document::from_text(text, "a.toml").root());
}
std::string error_in(const std::string& text) {
  return message_of([&] { read_spring(text); });
}

TEST(Section, ReadsEveryTypeAndKeepsDefaultsOfAbsentKeys) {
  const auto x = read_spring(R"(
    stiffness = 250          # an integer serves as a number
    tilt_deg = 45.0
    coils = 7
    seed = 9223372036854775807
    damped = true
    law = "cubic"
    place = [1, 2.5, -3]
    gains = []
    labels = ["a", "b"]
    curve = [[0, 1], [2, 3.5]]
    mesh = "shapes/../spring.obj"
    parameters = { b = 2, a = 1.5 }
  )");
  EXPECT_EQ(x.stiffness, 250);
  EXPECT_DOUBLE_EQ(x.tilt, kPi / 4);
  EXPECT_EQ(x.coils, 7);
  EXPECT_EQ(x.seed, 9223372036854775807u);
  EXPECT_TRUE(x.damped);
  EXPECT_EQ(x.name, "spring");
  EXPECT_EQ(x.law, "cubic");
  EXPECT_EQ(x.place, Vec3(1, 2.5, -3));
  EXPECT_TRUE(x.gains.empty());
  EXPECT_THAT(x.labels, ElementsAre("a", "b"));
  EXPECT_THAT(x.curve, ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3.5)));
  EXPECT_EQ(x.mesh, "spring.obj");
  using Pair = std::pair<std::string, double>;
  EXPECT_THAT(x.parameters, ElementsAre(Pair("b", 2), Pair("a", 1.5))) << "in file order";
}

TEST(Section, UnknownKeyNamesFileLineAndNearestKey) {
  EXPECT_EQ(error_in("damped = true\nstifness = 3\n"),
            "a.toml:2: stifness: unknown key; did you mean 'stiffness'?");
  EXPECT_THAT(error_in("tilt_dg = 3\n"), HasSubstr("did you mean 'tilt_deg'?"));
  EXPECT_THAT(error_in("[zebra]\nx = 1\n"), HasSubstr("a.toml:1: zebra: unknown key; known: stiffness"));
}

TEST(Section, FirstUnknownKeyOfTheFileIsReported) {
  EXPECT_THAT(error_in("zz = 1\naa = 2\n"), HasSubstr("a.toml:1: zz"));
}

TEST(Section, WrongTypeSaysWhatWasExpectedAndWhatWasFound) {
  EXPECT_EQ(error_in("\nstiffness = \"hard\""),
            "a.toml:2: stiffness: expected a number [N/m], found the text \"hard\"");
  EXPECT_THAT(error_in("stiffness = true"), HasSubstr("found true"));
  EXPECT_THAT(error_in("coils = 3.5"), HasSubstr("expected an integer, found the number 3.5"));
  EXPECT_THAT(error_in("seed = 1.0"), HasSubstr("expected an integer"));
  EXPECT_THAT(error_in("damped = 1"), HasSubstr("expected true or false, found the integer 1"));
  EXPECT_THAT(error_in("name = 2020-01-01"), HasSubstr("expected text, found a date or time"));
  EXPECT_THAT(error_in("law = 3"), HasSubstr("expected one of \"linear\", \"cubic\""));
  EXPECT_THAT(error_in("place = [1, 2]"),
              HasSubstr("expected an array of 3 numbers [m], found an array of 2"));
  EXPECT_THAT(error_in("place = [1, 2, \"x\"]"), HasSubstr("found the text \"x\""));
  EXPECT_THAT(error_in("gains = 1"), HasSubstr("expected an array of numbers"));
  EXPECT_THAT(error_in("labels = [1]"), HasSubstr("expected texts in the array, found the integer 1"));
  EXPECT_THAT(error_in("curve = [[0, 1], [2]]"),
              HasSubstr("rows of 2 numbers in row 1, found an array of 1"));
  EXPECT_THAT(error_in("mesh = \"\""), HasSubstr("empty"));
  EXPECT_THAT(error_in("parameters = { a = \"x\" }"), HasSubstr("parameters.a: expected a number"));
  EXPECT_THAT(error_in("stiffness = { a = 1 }"), HasSubstr("found a table"));
}

TEST(Section, OutOfRangeGivesValueUnitAndRange) {
  EXPECT_EQ(error_in("stiffness = -2.5"), "a.toml:1: stiffness: -2.5 N/m is outside (0, inf) N/m");
  EXPECT_THAT(error_in("stiffness = 0"), HasSubstr("0 N/m is outside (0, inf) N/m"));
  EXPECT_THAT(error_in("coils = 51"), HasSubstr("51 is outside [1, 50]"));
  EXPECT_THAT(error_in("seed = -1"), HasSubstr("-1 is outside [0, inf)"));
  EXPECT_THAT(error_in("gains = [1, -1]"), HasSubstr("-1 is outside [0, inf)"));
  EXPECT_THAT(error_in("law = \"cubik\""), HasSubstr("unknown word \"cubik\"; did you mean 'cubic'?"));
}

TEST(Section, NanAndInfinityAreRefusedEverywhere) {
  for (const std::string bad : {"nan", "-nan", "inf", "-inf"}) {
    EXPECT_THAT(error_in("stiffness = " + bad), HasSubstr("is outside"));
    EXPECT_THAT(error_in("tilt = " + bad), HasSubstr("is outside"));
    EXPECT_THAT(error_in("tilt_deg = " + bad), HasSubstr("is outside"));
    EXPECT_THAT(error_in("place = [0, " + bad + ", 0]"), HasSubstr("is outside"));
    EXPECT_THAT(error_in("gains = [" + bad + "]"), HasSubstr("is outside"));
    EXPECT_THAT(error_in("curve = [[0, " + bad + "]]"), HasSubstr("is outside"));
    EXPECT_THAT(error_in("parameters = { a = " + bad + " }"), HasSubstr("is outside"));
  }
}

TEST(Section, AnglesAreTakenInBothUnitsButNotAtOnce) {
  EXPECT_EQ(read_spring("tilt = 0.25").tilt, 0.25);
  EXPECT_EQ(read_spring("tilt_deg = 90").tilt, kPi / 2) << "the closed end of the range";
  EXPECT_EQ(error_in("tilt = 0.1\ntilt_deg = 5"),
            "a.toml:2: tilt_deg: 'tilt' is given too; give one of the two");
  EXPECT_EQ(error_in("tilt = 30"),
            "a.toml:1: tilt: 30 rad is outside [-1.5708, 1.5708] rad: given in degrees? use tilt_deg");
  EXPECT_EQ(error_in("tilt = 300"), "a.toml:1: tilt: 300 rad is outside [-1.5708, 1.5708] rad")
      << "no hint where degrees would be wrong as well";
  EXPECT_EQ(error_in("tilt_deg = 91"), "a.toml:1: tilt_deg: 91 deg is outside [-90, 90] deg");
  EXPECT_THAT(error_in("tilt_deg = \"steep\""), HasSubstr("expected an angle [deg]"));
}

TEST(Section, RequiredKeysAndAbsentTables) {
  const auto document = Document::from_text("[wheel]\nwidth = 1\n", "b.toml");
  auto root = document.root();
  auto wheel = root.child("wheel");
  double radius = 0;
  EXPECT_EQ(message_of([&] { wheel.number("radius", radius, {.unit = "m", .required = true}); }),
            "b.toml:1: wheel.radius: missing; it must be given: number [m]");
  EXPECT_EQ(message_of([&] { wheel.angle("camber", radius, {.required = true}); }),
            "b.toml:1: wheel.camber: missing; it must be given: angle [rad]");
  auto absent = root.child("track");
  EXPECT_EQ(message_of([&] { absent.number("length", radius, {.required = true}); }),
            "b.toml: track.length: missing; it must be given: number");
  absent.number("width", radius, {});
  absent.finish();
  EXPECT_EQ(wheel.where(), "b.toml:1: wheel");
  EXPECT_EQ(root.where(), "b.toml");
}

TEST(Section, RequiredAngleIsSatisfiedByDegrees) {
  const auto document = Document::from_text("camber_deg = 180");
  auto root = document.root();
  double camber = 0;
  root.angle("camber", camber, {.range = between(-kPi, kPi), .required = true});
  EXPECT_EQ(camber, kPi);
  root.finish();
}

TEST(Section, VisitsArraysOfTablesInOrderWithTheirPaths) {
  const auto document = Document::from_text("[[robot]]\nx = 1\n[[robot]]\nx = 2\ny = 3\n", "c.toml");
  auto root = document.root();
  std::vector<double> seen;
  const auto visit = [&](Section& robot) {
    robot.number("x", seen.emplace_back(), {});
    robot.finish();
  };
  EXPECT_EQ(message_of([&] { root.each("robot", "", visit); }),
            "c.toml:5: robot.1.y: unknown key; did you mean 'x'?");
  EXPECT_THAT(seen, ElementsAre(1, 2));
  root.each("event", "", visit);  // absent: no visit
  EXPECT_EQ(seen.size(), 2u);
  const auto single = Document::from_text("[robot]\nx = 1\n", "c.toml");
  auto section = single.root();
  EXPECT_THAT(message_of([&] { section.each("robot", "", visit); }), HasSubstr("each headed [[robot]]"));
}

TEST(Section, TableWhereAValueStandsIsAnError) {
  const auto document = Document::from_text("wheel = 3\n", "c.toml");
  auto root = document.root();
  EXPECT_EQ(message_of([&] { root.child("wheel"); }),
            "c.toml:1: wheel: expected a table [wheel], found the integer 3");
}

TEST(Section, IgnoredKeysAreKnownAndFreeNamesKeepFileOrder) {
  const auto document = Document::from_text("z = 1\na = 2\n[m]\n");
  auto root = document.root();
  EXPECT_THAT(root.keys(), ElementsAre("z", "a", "m"));
  EXPECT_TRUE(root.has("z"));
  EXPECT_FALSE(root.has("q"));
  for (const auto* key : {"z", "a", "m"}) root.ignore(key);
  root.finish();
}

TEST(Section, RecordsEveryKeyForTheReference) {
  Reference reference;
  auto section = Section::for_reference(reference, "spring");
  EXPECT_TRUE(section.documenting());
  Spring defaults;
  describe(section, defaults);
  ASSERT_EQ(reference.size(), 13u);
  EXPECT_EQ(reference[0].path, "spring.stiffness");
  EXPECT_EQ(reference[0].type, "number");
  EXPECT_EQ(reference[0].unit, "N/m");
  EXPECT_EQ(reference[0].fallback, "100");
  EXPECT_EQ(reference[0].range, "(0, inf)");
  EXPECT_EQ(reference[0].doc, "Spring rate");
  EXPECT_EQ(reference[1].type, "angle");
  EXPECT_EQ(reference[1].unit, "rad");
  EXPECT_EQ(reference[6].range, "\"linear\", \"cubic\"");
  EXPECT_EQ(reference[7].fallback, "[0, 0, 1]");
  section.each("leg", "A leg", [](Section& leg) {
    double x = 0;
    leg.number("length", x, {.required = true});
  });
  EXPECT_EQ(reference.back().path, "spring.leg.N.length");
  EXPECT_EQ(reference.back().fallback, "required");
}

TEST(Range, NeverContainsNanAndRespectsOpenEnds) {
  const double nan = std::nan("");
  for (const Range& range : {positive(), not_negative(), finite(), between(0, 1), Range{}}) {
    EXPECT_FALSE(range.contains(nan)) << range.text();
  }
  EXPECT_FALSE(positive().contains(0));
  EXPECT_TRUE(not_negative().contains(0));
  EXPECT_FALSE(finite().contains(INFINITY));
  EXPECT_TRUE(between(0, 1).contains(1));
  EXPECT_EQ(between(0, 1).text(), "[0, 1]");
  EXPECT_EQ((Range{.low = 0, .high = 1.5, .open_high = true}).text(), "[0, 1.5)");
  EXPECT_EQ(finite().text(), "(-inf, inf)");
}

}  // namespace
}  // namespace scree
