/// The language of expressions: values against the C library, slopes against differences, ranges against
/// points, refusals by their words.
#include "scree/terrain/expression.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

#include "scree/core/types.hpp"
#include "support/errors.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

using NamedNumbers = std::vector<std::pair<std::string, double>>;

Expression expression_of(const std::string& text, const NamedNumbers& parameters = {}) {
  return Expression({text, parameters}, "test");
}
TerrainPoint point_of(const Expression& e, double x, double y) {
  TerrainPoint p;
  e.gradients({1, &x, &y, &p.z, &p.slope_x, &p.slope_y});
  return p;
}
double value_at(const std::string& text, double x = 2, double y = 3, const NamedNumbers& parameters = {}) {
  double z = 0;
  expression_of(text, parameters).values(1, &x, &y, &z);
  return z;
}
std::string complaint(const std::string& text, const NamedNumbers& parameters = {}) {
  return testing::message_of([&] { expression_of(text, parameters); });
}

/// An expression, the same by the C library, and where to try it.
struct Same {
  std::string text;
  std::function<double(double, double)> f;
  double low, high;
  double tolerance = 4e-15;  // relative, and absolute below one: core/maths.hpp promises four units of 2^-53
};

const std::vector<Same>& everything() {
  static const std::vector<Same> all{
      {"sin(x)", [](double x, double) { return std::sin(x); }, -30, 30},
      {"cos(x)", [](double x, double) { return std::cos(x); }, -30, 30},
      {"tan(x)", [](double x, double) { return std::tan(x); }, -30, 30},
      {"asin(x)", [](double x, double) { return std::asin(x); }, -1, 1},
      {"acos(x)", [](double x, double) { return std::acos(x); }, -1, 1},
      {"atan(x)", [](double x, double) { return std::atan(x); }, -30, 30},
      {"atan2(y,x)", [](double x, double y) { return std::atan2(y, x); }, -5, 5},
      {"sinh(x)", [](double x, double) { return std::sinh(x); }, -30, 30},
      {"cosh(x)", [](double x, double) { return std::cosh(x); }, -30, 30},
      {"tanh(x)", [](double x, double) { return std::tanh(x); }, -30, 30},
      {"asinh(x)", [](double x, double) { return std::asinh(x); }, -30, 30},
      {"acosh(x)", [](double x, double) { return std::acosh(x); }, 1, 30},
      {"atanh(x)", [](double x, double) { return std::atanh(x); }, -1, 1},
      {"exp(x)", [](double x, double) { return std::exp(x); }, -30, 30},
      {"ln(x)", [](double x, double) { return std::log(x); }, 0, 30},
      {"log(x)", [](double x, double) { return std::log(x); }, 0, 30},
      {"log2(x)", [](double x, double) { return std::log2(x); }, 0, 30},
      {"log10(x)", [](double x, double) { return std::log10(x); }, 0, 30},
      {"sqrt(x)", [](double x, double) { return std::sqrt(x); }, 0, 30, 0},
      {"abs(x)", [](double x, double) { return std::abs(x); }, -5, 5, 0},
      {"sign(x)", [](double x, double) { return x > 0 ? 1.0 : -1.0; }, -5, 5, 0},
      {"rint(x)", [](double x, double) { return std::floor(x + 0.5); }, -5, 5, 0},
      {"min(x,y,1)",
       [](double x, double y) {
         return std::min({x, y, 1.0});
       },
       -5, 5, 0},
      {"max(x,y,1,-x)",
       [](double x, double y) {
         return std::max({x, y, 1.0, -x});
       },
       -5, 5, 0},
      {"sum(x,y,3)", [](double x, double y) { return x + y + 3; }, -5, 5, 0},
      {"avg(x,y,x)", [](double x, double y) { return (x + y + x) / 3; }, -5, 5, 0},
      {"x+y*x-y/x", [](double x, double y) { return x + y * x - y / x; }, -5, 5, 0},
      {"3/x-x/7+(2-y)", [](double x, double y) { return 3 / x - x / 7 + (2 - y); }, -5, 5, 0},
      {"x^2", [](double x, double) { return x * x; }, -5, 5, 0},
      {"x^7", [](double x, double) { return std::pow(x, 7); }, -5, 5},
      {"x^-3", [](double x, double) { return std::pow(x, -3); }, -5, 5},
      {"x^0.5", [](double x, double) { return std::sqrt(x); }, 0, 5, 0},
      // To (2 + |y ln x|) units: 10 here.
      {"x^2.7", [](double x, double) { return std::pow(x, 2.7); }, 0, 5},
      {"x^y", [](double x, double y) { return std::pow(x, y); }, 0, 5},
      {"1.3^x", [](double x, double) { return std::pow(1.3, x); }, -5, 5},
      {"x<y", [](double x, double y) { return x < y ? 1.0 : 0.0; }, -5, 5, 0},
      {"x<=y", [](double x, double y) { return x <= y ? 1.0 : 0.0; }, -5, 5, 0},
      {"x>y", [](double x, double y) { return x > y ? 1.0 : 0.0; }, -5, 5, 0},
      {"x>=y", [](double x, double y) { return x >= y ? 1.0 : 0.0; }, -5, 5, 0},
      {"rint(x)==rint(y)", [](double x, double y) { return std::floor(x + .5) == std::floor(y + .5); }, -3, 3,
       0},
      {"rint(x)!=rint(y)", [](double x, double y) { return std::floor(x + .5) != std::floor(y + .5); }, -3, 3,
       0},
      {"x>1&&y>1", [](double x, double y) { return x > 1 && y > 1; }, -5, 5, 0},
      {"x>1||y>1", [](double x, double y) { return x > 1 || y > 1; }, -5, 5, 0},
      // What needs more places is computed first: the order of operands stays.
      {"x-(x*y-y/(x+y*y))", [](double x, double y) { return x - (x * y - y / (x + y * y)); }, 0.1, 5, 0},
      {"x/(y+x*y)", [](double x, double y) { return x / (y + x * y); }, 0.1, 5, 0},
      {"x<x*y-y*y", [](double x, double y) { return x < x * y - y * y; }, -5, 5, 0},
      {"atan2(x,x*y-y)", [](double x, double y) { return std::atan2(x, x * y - y); }, -5, 5},
      {"x^(x*y-y)", [](double x, double y) { return std::pow(x, x * y - y); }, 0.5, 2},
      {"x?y:(x*y-y)*(x-y*y)", [](double x, double y) { return x != 0 ? y : (x * y - y) * (x - y * y); }, -5,
       5, 0},
      {"x*y-y?(x-y)*(x+y*x):x", [](double x, double y) { return (x - y) * (x + y * x); }, 2, 5, 0},
      {"x>y?x*x:-y", [](double x, double y) { return x > y ? x * x : -y; }, -5, 5, 0},
  };
  return all;
}

TEST(Expression, EveryFunctionAndOperatorAgreesWithTheCLibrary) {
  RandomStream random(3, 0, "expressions");
  for (const Same& s : everything()) {
    const Expression e = expression_of(s.text);
    for (int k = 0; k < 2000; ++k) {
      const double x = random.uniform(s.low, s.high), y = random.uniform(s.low, s.high);
      const double expected = s.f(x, y);
      double z = 0;
      e.values(1, &x, &y, &z);
      EXPECT_NEAR(z, expected, s.tolerance * std::max(1.0, std::abs(expected)))
          << s.text << " at " << x << ", " << y;
    }
  }
}

/// Small results keep their digits, too: no function loses them by cancellation.
TEST(Expression, SmallResultsKeepTheirDigits) {
  for (const Same& s : everything()) {
    if (s.text.find("(x)") == std::string::npos || s.text.find('y') != std::string::npos || s.low >= 0 ||
        s.text == "cos(x)" || s.text == "acos(x)" || s.text == "rint(x)")
      continue;
    for (double x = 1e-12; x < 0.5; x *= 1.7) {
      const double expected = s.f(x, 0);
      EXPECT_NEAR(value_at(s.text, x), expected, 2e-15 * std::abs(expected)) << s.text << " at " << x;
    }
  }
  EXPECT_NEAR(value_at("sin(x)", kPi), std::sin(kPi), 1e-28);
  EXPECT_NEAR(value_at("ln(x)", 1 + 1e-9), std::log(1 + 1e-9), 1e-24);
}

TEST(Expression, FarArgumentsAreThoseOfTheCLibrary) {
  for (const double x : {1e5, -3e5, 1.1e6, 1e15, -1e22}) {
    EXPECT_NEAR(value_at("sin(x)", x), std::sin(x), 1e-15) << x;
    EXPECT_NEAR(value_at("cos(x)", x), std::cos(x), 1e-15) << x;
  }
  EXPECT_EQ(value_at("exp(x)", 800), kUnbounded);
  EXPECT_EQ(value_at("exp(x)", -800), 0);
  EXPECT_EQ(value_at("exp(-x)", kUnbounded), 0);
  EXPECT_NEAR(value_at("ln(x)", 1e-310), std::log(1e-310), 1e-12);
  EXPECT_EQ(value_at("ln(x)", 0), -kUnbounded);
  EXPECT_EQ(value_at("tanh(x)", -800), -1);
  EXPECT_NEAR(value_at("cosh(x)/1e300", 705), std::cosh(705.0) / 1e300, 1e-8);
  EXPECT_EQ(value_at("1/x", 0), kUnbounded);
  for (const char* nothing : {"sqrt(-x)", "ln(-x)", "asin(x)", "acosh(-x)", "atanh(x)", "(-x)^0.3"})
    EXPECT_TRUE(std::isnan(value_at(nothing, 2))) << nothing;
  EXPECT_TRUE(std::isnan(value_at("sin(x)+exp(x)+0*ln(x)", std::nan(""))));
}

/// As muParser 2.3.3 reads them, but for _pi, which has all of its digits here.
TEST(Expression, PrecedenceAndSpelling) {
  const std::vector<std::pair<const char*, double>> cases{{"-2^2", -4},
                                                          {"2^3^2", 512},
                                                          {"2^-1", 0.5},
                                                          {"-x^2", -4},
                                                          {"2*-3", -6},
                                                          {"2--3", 5},
                                                          {"+3", 3},
                                                          {"-x^-2", -0.25},
                                                          {"2^-2^2", 0.0625},
                                                          {"(-2)^2", 4},
                                                          {"4^0.5^2", std::sqrt(2.0)},
                                                          {"x^2*3", 12},
                                                          {"1.", 1},
                                                          {".5", 0.5},
                                                          {"1e-3", 0.001},
                                                          {"1.e3", 1000},
                                                          {"1E5", 1e5},
                                                          {"1e+5", 1e5},
                                                          {" 1 + \t2\n", 3},
                                                          {"1+2*3-4/2", 5},
                                                          {"8/4/2", 1},
                                                          {"10-4-3", 3},
                                                          {"-2*-2", 4},
                                                          {"2+-x", 0},
                                                          {"log(10)", std::log(10.0)},
                                                          {"log10(100)", 2},
                                                          {"log2(8)", 3},
                                                          {"rint(2.5)", 3},
                                                          {"rint(-1.5)", -1},
                                                          {"rint(0.5)", 1},
                                                          {"sign(0)", 0},
                                                          {"sign(-3)", -1},
                                                          {"min(3,1,2)", 1},
                                                          {"min(4)", 4},
                                                          {"sum(1,2,3)", 6},
                                                          {"avg(1,2)", 1.5},
                                                          {"atan2(1,2)", std::atan2(1, 2)},
                                                          {"1<2<3", 1},
                                                          {"3>2>1", 0},
                                                          {"1<2==1", 1},
                                                          {"1<=1", 1},
                                                          {"2>=3", 0},
                                                          {"1!=1", 0},
                                                          {"1+2<4", 1},
                                                          {"5&&3", 1},
                                                          {"1||0&&0", 1},
                                                          {"2||0", 1},
                                                          {"x==2||y==9&&0", 1},
                                                          {"1<-2", 0},
                                                          {"1?2:3", 2},
                                                          {"0?1:1?2:3", 2},
                                                          {"1?0?4:5:6", 5},
                                                          {"1+1?2:3", 2},
                                                          {"1-1?5:6", 6},
                                                          {"x>1?2:3+4", 2},
                                                          {"x<1?2:3+4", 7},
                                                          {"1?-2:3", -2},
                                                          {"0/0?1:2", 1},
                                                          {"_e", 2.718281828459045},
                                                          {"_pi-pi", 0},
                                                          {"sin (0)", 0},
                                                          {"--3", 3},
                                                          {"0^0", 1},
                                                          {"((((x))))", 2},
                                                          {"a*x+b_1", 3}};
  for (const auto& [text, expected] : cases)
    EXPECT_NEAR(value_at(text, 2, 3, {{"a", 0.5}, {"b_1", 2}}), expected, 4e-16 * std::abs(expected)) << text;
}

TEST(Expression, RefusalsSayWhereAndWhat) {
  const std::vector<std::pair<std::string, std::vector<const char*>>> cases{
      {"", {"test: the expression is empty"}},
      {"  ", {"empty"}},
      {"0.1 * sin(", {"'0.1 * sin(' does not parse", "at character 11", "but it ends"}},
      {"1 + ", {"at character 5", "expected a number, a name or '('"}},
      {"* 2", {"at character 1", "found '*'"}},
      {"()", {"at character 2", "found ')'"}},
      {"2*(x+1", {"at character 7", "')' for the '(' at character 3"}},
      {"x+1)", {"at character 4", "')' without '('"}},
      {"2x", {"at character 2", "expected an operator, found 'x'", "a * is missing"}},
      {"(x)(y)", {"at character 4", "a * is missing"}},
      {"1.5.5", {"at character 4", "expected an operator"}},
      {"1e", {"at character 2", "found 'e'"}},
      {".", {"at character 1"}},
      {"1e400", {"the number 1e400 is too large"}},
      {"0,1 * x", {"at character 2", "one is wanted (a decimal comma?)"}},
      {"1,2", {"one is wanted"}},
      {"(1,2)", {"at character 3", "decimal comma"}},
      {"sin(0,5*x)", {"at character 1", "sin takes 1 argument, not 2", "decimal comma"}},
      {"atan2(x)", {"atan2 takes 2 arguments, not 1"}},
      {"min()", {"min of nothing"}},
      {"sin", {"needs its argument in parentheses: sin(..)"}},
      {"sin x", {"needs its argument in parentheses"}},
      {"sin(x", {"at character 6", "')' or ','"}},
      {"3 + sine(x)", {"at character 5", "unknown function 'sine'; did you mean 'sin'?"}},
      {"hight * x", {"at character 1", "unknown name 'hight'; did you mean 'height'?"}},
      {"q * x", {"unknown name 'q'"}},
      {"X", {"unknown name 'X'"}},
      {"x = 3", {"at character 3", "== compares"}},
      {"x & y", {"write && for and"}},
      {"x | y", {"write || for or"}},
      {"x ! y", {"!="}},
      {"1 ? 2", {"at character 6", "':'"}},
      {"1 : 2", {"':' without '?'"}},
      {"x $ y", {"found '$'"}},
      {"x + \xc3\xa9", {"a character that no expression has"}},
      {"x; y", {"found ';'"}},
      {"5 % 3", {"found '%'"}},
  };
  for (const auto& [text, words] : cases)
    for (const char* word : words) EXPECT_THAT(complaint(text, {{"height", 1}}), HasSubstr(word)) << text;
  EXPECT_THAT(complaint("x", {{"y", 1}}), HasSubstr("parameter 'y' hides a coordinate"));
  EXPECT_THAT(complaint("x", {{"pi", 3}}), HasSubstr("is a constant already"));
  EXPECT_THAT(complaint("x", {{"sin", 3}}), HasSubstr("is a function already"));
  EXPECT_THAT(complaint("x", {{"2a", 3}}), HasSubstr("parameter '2a' is no name"));
  EXPECT_THAT(complaint("x", {{"", 3}}), HasSubstr("is no name"));
  EXPECT_THAT(complaint("x", {{"a", std::nan("")}}), HasSubstr("parameter a = nan must be finite"));
  EXPECT_THAT(complaint("x", {{"a", kUnbounded}}), HasSubstr("must be finite"));
}

TEST(Expression, DeepAndLongTextsAreRefusedInOneShortLine) {
  const auto repeated = [](const std::string& part, int n) {
    std::string text;
    for (int k = 0; k < n; ++k) text += part;
    return text;
  };
  for (const char* part : {"(", "-", "sin(", "2^", "1?", "x?1:", "max(1,"}) {
    const std::string many = complaint(repeated(part, 1000000));
    EXPECT_THAT(many, HasSubstr("characters: at most 10000")) << part;
    const std::string deep = complaint(repeated(part, 1500) + "x");
    EXPECT_THAT(deep, HasSubstr("nested deeper than 256 levels")) << part;
    EXPECT_LT(deep.size(), 400u);
  }
  EXPECT_EQ(value_at(repeated("(", 100) + "x" + repeated(")", 100)), 2);
  // Long chains need few places, whichever way they lean.
  EXPECT_EQ(value_at(repeated("x+", 4000) + "x"), 8002);
  EXPECT_EQ(value_at(repeated("(x+", 120) + "x" + repeated(")", 120)), 242);
  EXPECT_EQ(value_at("max(" + repeated("x*y,", 2000) + "7)"), 7);
  std::string full = "x";
  while (full.size() < 1500) full = "(" + full + "<y?" + full + ":" + full + ")";
  EXPECT_EQ(value_at(full), value_at(full, 2, 3));
}

/// A random expression in x and y: any operation on smaller ones.
std::string random_expression(RandomStream& random, int size, bool smooth) {
  const auto pick = [&](int n) { return static_cast<int>(random.uniform(0, n - 1e-9)); };
  const auto number = [&] { return fmt::format("{:.3g}", random.uniform(-3, 3)); };
  if (size <= 1) {
    switch (pick(5)) {
      case 0:
        return "(" + number() + ")";
      case 1:
      case 2:
        return "x";
      default:
        return "y";
    }
  }
  const auto part = [&](int share) { return random_expression(random, std::max(1, size / share), smooth); };
  static const char* const kSmooth[] = {"sin",  "cos",  "tan",  "asin",  "acos",  "atan",
                                        "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
                                        "exp",  "ln",   "log2", "log10", "sqrt"};
  static const char* const kRough[] = {"abs", "sign", "rint"};
  static const char* const kCompare[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"};
  switch (pick(smooth ? 10 : 14)) {
    case 0:
    case 1:
      return "(" + part(2) + "+" + part(2) + ")";
    case 2:
      return "(" + part(2) + "-" + part(2) + ")";
    case 3:
    case 4:
      return "(" + part(2) + "*" + part(2) + ")";
    case 5:
      return "(" + part(2) + "/" + part(2) + ")";
    case 6:
      return "(" + part(1).append("^") +
             std::vector<std::string>{"2", "3", "-1", "-2", "1.5", "0.5", "5"}[pick(7)] + ")";
    case 7:
    case 8:
      return std::string(kSmooth[pick(17)]) + "(" + random_expression(random, size - 1, smooth) + ")";
    case 9:
      return pick(2) == 0 ? "atan2(" + part(2) + "," + part(2) + ")"
                          : "(abs(" + part(2) + ")+0.1)^(" + part(2) + ")";
    case 10:
      return std::string(kRough[pick(3)]) + "(" + random_expression(random, size - 1, smooth) + ")";
    case 11:
      return std::string(pick(2) == 0 ? "min(" : "max(") + part(2) + "," + part(2) + ")";
    case 12:
      return "(" + part(2) + kCompare[pick(8)] + part(2) + ")";
    default:
      return "(" + part(3) + (pick(2) == 0 ? ">" : "<=") + part(3) + "?" + part(3) + ":" + part(3) + ")";
  }
}

/// No point of random rectangles lies outside what is said of them, by value or slope.
TEST(Expression, RangesHoldAllPointsOfRandomExpressions) {
  RandomStream random(11, 0, "ranges");
  int known = 0, tried = 0, points = 0;
  for (int n = 0; n < 20000; ++n) {
    const std::string text = random_expression(random, 2 + n % 12, false);
    const Expression e = expression_of(text);
    const double size = std::pow(10.0, random.uniform(-3, 1));
    const double x0 = random.uniform(-4, 4), y0 = random.uniform(-4, 4);
    const Rectangle area{x0, x0 + size * random.uniform(0, 1), y0, y0 + size * random.uniform(0, 1)};
    const ExpressionBounds bounds = e.over(area);
    const HeightRange range = e.range(area);
    const double quick = e.slope_bound(area);
    ++tried, known += std::isfinite(bounds.slope);
    constexpr int kPoints = 24;
    double x[kPoints], y[kPoints], z[kPoints], sx[kPoints], sy[kPoints];
    for (int k = 0; k < kPoints; ++k) {
      // Corners and edges, too.
      x[k] = k < 4 ? (k % 2 ? area.x_max : area.x_min) : random.uniform(area.x_min, area.x_max);
      y[k] = k < 4 ? (k / 2 ? area.y_max : area.y_min) : random.uniform(area.y_min, area.y_max);
    }
    e.gradients({kPoints, x, y, z, sx, sy});
    for (int k = 0; k < kPoints; ++k) {
      if (!std::isfinite(z[k]) || !std::isfinite(sx[k]) || !std::isfinite(sy[k])) {
        EXPECT_EQ(bounds.slope, kUnbounded) << text << ": no number at " << x[k] << ", " << y[k];
        continue;
      }
      ++points;
      EXPECT_GE(z[k], bounds.value.low) << text << " at " << x[k] << ", " << y[k];
      EXPECT_LE(z[k], bounds.value.high) << text << " at " << x[k] << ", " << y[k];
      EXPECT_GE(z[k], range.low) << text;
      EXPECT_LE(z[k], range.high) << text;
      EXPECT_LE(std::hypot(sx[k], sy[k]), bounds.slope * (1 + 1e-13))
          << text << " at " << x[k] << ", " << y[k];
      EXPECT_LE(std::hypot(sx[k], sy[k]), quick * (1 + 1e-13)) << text << " at " << x[k] << ", " << y[k];
      // No jump either: two points differ by no more than the slope allows.
      const double apart = std::hypot(x[k] - x[0], y[k] - y[0]);
      if (std::isfinite(z[0]) && std::isfinite(bounds.slope)) {
        EXPECT_LE(std::abs(z[k] - z[0]), bounds.slope * apart * (1 + 1e-9) + 1e-11 * (1 + std::abs(z[0])))
            << text;
      }
    }
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(points, 100000);
  // They say something, and not only of trivial ones.
  EXPECT_GT(known, tried / 3);
}

/// The same close to corners, where one side's slope is not the other's.
TEST(Expression, RangesHoldBothSidesOfCorners) {
  RandomStream random(14, 0, "corners");
  for (const char* text :
       {"abs(x)+x", "abs(x)-x", "max(x,y)+x", "max(x,y)-y", "min(x,y)-x", "min(x,y)+y", "max(x,-x,y)+y",
        "abs(x-y)+x", "x>0?x:-x", "(x>y)*0.1+x", "sign(x)+x", "rint(x+0.5)"}) {
    const Expression e = expression_of(text);
    for (int n = 0; n < 400; ++n) {
      const double x0 = random.uniform(-0.2, 0.05), y0 = random.uniform(-0.2, 0.05);
      const Rectangle area{x0, x0 + random.uniform(0, 0.3), y0, y0 + random.uniform(0, 0.3)};
      const double bound = e.over(area).slope, quick = e.slope_bound(area);
      const TerrainPoint from = point_of(e, area.x_min, area.y_min);
      for (int k = 0; k < 20; ++k) {
        const double x = random.uniform(area.x_min, area.x_max), y = random.uniform(area.y_min, area.y_max);
        const TerrainPoint p = point_of(e, x, y);
        EXPECT_LE(std::hypot(p.slope_x, p.slope_y), std::min(bound, quick) * (1 + 1e-13)) << text;
        EXPECT_LE(std::abs(p.z - from.z), bound * std::hypot(x - x0, y - y0) * (1 + 1e-9) + 1e-15) << text;
      }
    }
  }
}

/// Slopes of random smooth expressions against differences, where these are good for it.
TEST(Expression, SlopesAgreeWithDifferences) {
  RandomStream random(12, 0, "slopes");
  int compared = 0;
  const auto check = [&](const std::string& text, double x, double y) {
    const Expression e = expression_of(text);
    const auto difference = [&](double h, bool along_x) {
      const auto f = [&](double d) {
        const double px = along_x ? x + d : x, py = along_x ? y : y + d;
        double z = 0;
        e.values(1, &px, &py, &z);
        return z;
      };
      return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
    };
    const TerrainPoint p = point_of(e, x, y);
    if (!std::isfinite(p.z) || std::abs(p.z) > 1e4) return;
    for (const bool along_x : {true, false}) {
      const double fine = difference(1e-4, along_x), coarse = difference(2e-4, along_x);
      const double slope = along_x ? p.slope_x : p.slope_y, scale = 1 + std::abs(slope) + std::abs(p.z);
      // Where two differences disagree, neither is the judge.
      if (!(std::abs(fine - coarse) < 1e-8 * scale)) continue;
      ++compared;
      EXPECT_NEAR(slope, fine, 1e-7 * scale) << text << " at " << x << ", " << y;
    }
  };
  for (const Same& s : everything())
    for (int k = 0; k < 20; ++k) check(s.text, random.uniform(s.low, s.high), random.uniform(s.low, s.high));
  for (int n = 0; n < 6000; ++n)
    check(random_expression(random, 2 + n % 10, n % 2 == 0), random.uniform(-3, 3), random.uniform(-3, 3));
  EXPECT_GT(compared, 5000);
}

TEST(Expression, CornersHaveOneSidesSlope) {
  EXPECT_EQ(point_of(expression_of("abs(x)"), 0, 0).slope_x, 1);
  EXPECT_EQ(point_of(expression_of("max(x,y)"), 1, 1).slope_y, 1);
  EXPECT_EQ(point_of(expression_of("min(x,y)"), 1, 1).slope_y, 1);
  EXPECT_EQ(point_of(expression_of("x>0?3*x:0"), 0, 0).slope_x, 0);
  EXPECT_EQ(point_of(expression_of("sign(x)+rint(x)+(x>0)"), 0, 0).slope_x, 0);
  // The tip of a cone is no reason to stop.
  const TerrainPoint tip = point_of(expression_of("0.2*sqrt(x^2+y^2)"), 0, 0);
  EXPECT_EQ(tip.slope_x, 0);
  EXPECT_EQ(tip.slope_y, 0);
  EXPECT_EQ(point_of(expression_of("(x^2+y^2)^0.7"), 0, 0).slope_x, 0);
}

TEST(Expression, TheSameBitsAloneAndAmongOthers) {
  RandomStream random(13, 0, "rows");
  for (int n = 0; n < 300; ++n) {
    const Expression e = expression_of(random_expression(random, 2 + n % 12, false));
    constexpr int kCount = 7;
    double x[kCount], y[kCount], z[kCount], sx[kCount], sy[kCount], v[kCount];
    for (int k = 0; k < kCount; ++k) x[k] = random.uniform(-4, 4), y[k] = random.uniform(-4, 4);
    x[2] *= 1e9;  // one lane far out
    e.gradients({kCount, x, y, z, sx, sy});
    e.values(kCount, x, y, v);
    for (int k = 0; k < kCount; ++k) {
      const TerrainPoint alone = point_of(e, x[k], y[k]);
      const double a[4] = {alone.z, alone.slope_x, alone.slope_y, alone.z}, b[4] = {z[k], sx[k], sy[k], v[k]};
      for (int i = 0; i < 4; ++i)
        EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << k << i;
    }
  }
}

TEST(Expression, ConstantsAreComputedAsTheyWouldBeLater) {
  // b is a variable that is not: the same operations run at every point.
  for (const Same& s : everything()) {
    if (s.text.find('y') != std::string::npos) continue;
    std::string inner = s.text;
    for (std::size_t k = 0; k < inner.size(); ++k)
      if (inner[k] == 'x' && inner.compare(k ? k - 1 : 0, 3, "exp") != 0) inner[k] = 'c';
    const double c = 0.5 * (s.low + s.high) + 0.17 * (s.high - s.low);
    EXPECT_EQ(value_at(inner, 0, 0, {{"c", c}}), value_at(s.text, c)) << inner;
  }
}

TEST(Expression, ManyThreadsAskOneExpression) {
  const Expression e = expression_of("0.03*sin(7*x)*cos(5*y)+0.02*sin(13*x+2*y)+exp(-x^2)");
  const auto total = [&](double from) {
    double sum = 0;
    for (int k = 0; k < 5000; ++k) sum += point_of(e, from + 0.01 * k, 1).slope_x;
    return sum;
  };
  const double expected[4] = {total(0), total(5), total(11), total(12)};
  double found[4] = {};
  std::thread threads[4];
  for (int t = 0; t < 4; ++t)
    threads[t] = std::thread([&, t] { found[t] = total(t == 0 ? 0 : t == 1 ? 5 : t == 2 ? 11 : 12); });
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 4; ++t) EXPECT_EQ(found[t], expected[t]);
}

TEST(Expression, BoundsAreTightEnoughToUse) {
  const auto slope = [](const char* text, const Rectangle& area) {
    return expression_of(text).over(area).slope;
  };
  // True: 0.47 along x and 0.19 along y at most.
  const char* waves = "0.03*sin(7*x)*cos(5*y)+0.02*sin(13*x+2*y)";
  EXPECT_LT(slope(waves, {}), 0.508);
  EXPECT_LT(slope(waves, {-0.5, 0.5, -0.5, 0.5}), 0.508);
  EXPECT_LT(slope("0.3*x-0.4*y+2", {}), 0.5 + 1e-12);
  EXPECT_LT(slope("0*x", {}), 1e-200);
  EXPECT_LT(slope("0.1*exp(-(x^2+y^2))", {-1, 1, -1, 1}), 0.2);  // true: 0.086 sqrt(2)
  EXPECT_LT(slope("max(0,0.2*x)", {}), 0.2 + 1e-12);
  EXPECT_LT(slope("0.2*abs(x)", {}), 0.2 + 1e-12);
  EXPECT_LT(slope("0.2*sqrt(x^2+y^2)", {1, 2, 0, 1}), 0.27);  // true: 0.2
  EXPECT_EQ(slope("0.2*sqrt(x^2+y^2)", {-1, 2, -1, 1}), kUnbounded);
  EXPECT_EQ(slope("x>1?0.1:0", {0, 2, 0, 1}), kUnbounded);
  EXPECT_EQ(slope("x>1?0.1:0", {1.1, 2, 0, 1}), 0);
  EXPECT_EQ(slope("0.1*rint(x)", {0, 2, 0, 1}), kUnbounded);
  EXPECT_LT(slope("0.1*rint(x)", {0.6, 1.4, 0, 1}), 1e-200);
  EXPECT_EQ(slope("0.1*sign(x)", {-1, 2, 0, 1}), kUnbounded);
  EXPECT_EQ(slope("1/x", {-1, 2, 0, 1}), kUnbounded);
  EXPECT_EQ(slope("sqrt(x)", {-1, 2, 0, 1}), kUnbounded);
  EXPECT_EQ(slope("tan(x)", {1, 2, 0, 1}), kUnbounded);
  EXPECT_EQ(slope("atan2(y,x)", {-2, -1, -1, 1}), kUnbounded);
  // A root that is not a number somewhere does not hide behind a function that is bounded.
  EXPECT_EQ(slope("atan(sqrt(x))>-2?0:1", {-1, 2, 0, 1}), kUnbounded);
  EXPECT_EQ(slope("x>0?sqrt(x):0", {-2, -1, 0, 1}), 0) << "the other side does not matter";
  const HeightRange range = expression_of(waves).range({-0.5, 0.5, -0.5, 0.5});
  EXPECT_GT(range.low, -0.0501);
  EXPECT_LT(range.high, 0.0501);
}

TEST(Expression, FeaturesAreHalfWavesAndRises) {
  const auto feature = [](const char* text, const Rectangle& area = {-1, 1, -1, 1}) {
    return expression_of(text).feature(area);
  };
  EXPECT_EQ(feature("0.3*x+y^2"), 0);
  EXPECT_NEAR(feature("sin(3*x+4*y)"), kPi / 5, 1e-12);
  EXPECT_NEAR(feature("sin(x)+0.001*cos(500*y)"), kPi / 500, 1e-12);
  EXPECT_NEAR(feature("sin(x^2)", {2, 2.1, 0, 1}), kPi / 4.2, 0.01);
  // A bump of 5 mm is seen where it is, and nowhere else.
  const char* bump = "0.002*exp(-((x-1)/0.005)^2)";
  EXPECT_LT(feature(bump, {0.95, 1.05, 0, 0.1}), 0.006);
  EXPECT_GT(feature(bump, {0.95, 1.05, 0, 0.1}), 1e-4);
  EXPECT_EQ(feature(bump, {1.2, 1.4, 0, 0.1}), 0);
  EXPECT_LT(feature("0.1*tanh(50*x)"), 0.05);
}

}  // namespace
}  // namespace scree
