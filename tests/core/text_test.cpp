#include "scree/core/text.hpp"

#include <gmock/gmock.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "scree/core/random.hpp"

namespace scree {
namespace {

using ::testing::ElementsAre;

TEST(NearestName, FindsSlipsOfTheKeyboardAndRejectsStrangers) {
  const std::vector<std::string> names = {"stiffness", "damping", "radius"};
  EXPECT_EQ(nearest_name("stifness", names), "stiffness");  // lost letter
  EXPECT_EQ(nearest_name("dampning", names), "damping");    // extra letter
  EXPECT_EQ(nearest_name("radisu", names), "radius");       // swapped letters: two changes
  EXPECT_EQ(nearest_name("temperature", names), "");
  EXPECT_EQ(nearest_name("x", std::vector<std::string>{}), "");
  EXPECT_EQ(nearest_name("radius", names), "radius");
}

TEST(NameHint, ListsTheKnownNamesWhenNoneIsNear) {
  const std::vector<std::string> names = {"flat", "grid"};
  EXPECT_EQ(name_hint("gird", names), "; did you mean 'grid'?");
  EXPECT_EQ(name_hint("mountains", names), "; known: flat, grid");
  EXPECT_EQ(name_hint("a", std::vector<std::string>{}), "; no names are known here");
  std::vector<std::string> many;
  for (int i = 0; i < 98; ++i) many.push_back("signal" + std::to_string(i));
  EXPECT_THAT(name_hint("nonsense", many), ::testing::EndsWith("signal22, signal23 and 74 more"));
}

TEST(NumberText, IsShortestAndReadsBackToTheSameBits) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-3), "-3");
  EXPECT_EQ(number_text(1e-4), "1e-04") << "what the standard's shortest form gives";
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(NAN), "nan");
  EXPECT_EQ(number_text(-INFINITY), "-inf");
  RandomStream random(1, 0, "text");
  int checked = 0;
  while (checked < 20000) {
    const std::uint64_t bits = random.next_bits();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const std::string text = number_text(value);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(std::memcmp(&back, &value, sizeof value), 0) << text;
    ++checked;
  }
}

TEST(MatchesPattern, StarsAndQuestionMarks) {
  EXPECT_TRUE(matches_pattern("wheel.front_left.normal", "wheel.*.normal"));
  EXPECT_TRUE(matches_pattern("wheel.front_left.normal", "*"));
  EXPECT_TRUE(matches_pattern("abcabd", "*ab?"));
  EXPECT_TRUE(matches_pattern("", ""));
  EXPECT_TRUE(matches_pattern("", "**"));
  EXPECT_FALSE(matches_pattern("", "?"));
  EXPECT_FALSE(matches_pattern("speed", "speed?"));
  EXPECT_FALSE(matches_pattern("wheel.1.slip", "wheel.*.normal"));
  EXPECT_FALSE(matches_pattern("speed", "Speed"));
}

TEST(MatchesPattern, HardCaseStaysQuick) {
  // A recursive matcher would need about 2^30 trials here.
  EXPECT_FALSE(matches_pattern(std::string(3000, 'a'), "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"));
}

TEST(Json, TextIsEscapedAndNumbersThatJsonCannotHoldAreNull) {
  EXPECT_EQ(json_text("a\"b\\c\nd\te\x01"), "\"a\\\"b\\\\c\\nd\\te\\u0001\"");
  EXPECT_EQ(json_text(""), "\"\"");
  EXPECT_EQ(json_number(1.5), "1.5");
  EXPECT_EQ(json_number(NAN), "null");
  EXPECT_EQ(json_number(INFINITY), "null");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_THAT(split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Trim, TakesBlanksFromBothEnds) {
  EXPECT_EQ(trim(" \t a b \r\n"), "a b");
  EXPECT_EQ(trim("  "), "");
}

}  // namespace
}  // namespace scree
