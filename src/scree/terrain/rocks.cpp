#include "scree/terrain/rocks.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/terrain/extent.hpp"
#include "scree/terrain/kinds.hpp"
#include "scree/terrain/scatter.hpp"
#include "scree/terrain/strewn_ground.hpp"

namespace scree {
namespace {

double rate(double cover) { return 1.79 + 0.152 / cover; }

/// n(D) = -dF/dD / (pi D^2 / 4): rocks per square metre and metre of diameter.
double number_density(double cover, double d) {
  return rate(cover) * rock_cover(cover, d) / (0.25 * kPi * d * d);
}

/// Cumulative number over diameters spaced evenly in the logarithm: N[k] = rocks above d[k].
struct SizeTable {
  std::vector<double> diameter, above;
  SizeTable(const RockSettings& s, double from) {
    constexpr int n = 400;
    for (int k = 0; k <= n; ++k)
      diameter.push_back(from * maths::pow(s.largest / from, static_cast<double>(k) / n));
    above.assign(n + 1, 0.0);
    for (int k = n - 1; k >= 0; --k) {
      const double a = diameter[k], b = diameter[k + 1];
      if (s.law == RockLaw::power) {
        above[k] = above[k + 1] + s.density * (maths::pow(a, -s.exponent) - maths::pow(b, -s.exponent));
      } else {
        // Simpson's rule; the intervals are a fraction of a per cent wide.
        above[k] =
            above[k + 1] + (b - a) / 6 *
                               (number_density(s.cover, a) + 4 * number_density(s.cover, 0.5 * (a + b)) +
                                number_density(s.cover, b));
      }
    }
  }
  /// The diameter above which `number` rocks lie.
  double at(double number) const {
    const auto after = std::lower_bound(above.begin(), above.end(), number, std::greater<double>());
    const auto k =
        std::clamp<std::ptrdiff_t>(after - above.begin(), 1, static_cast<std::ptrdiff_t>(above.size()) - 1);
    const double t = (above[k - 1] - number) / std::max(above[k - 1] - above[k], 1e-300);
    return diameter[k - 1] + std::clamp(t, 0.0, 1.0) * (diameter[k] - diameter[k - 1]);
  }
};

/// Planes that cut flat faces off a unit dome, at 60 ... 95 % of its radius, leaning outward and up.
Vec3 draw_face(RandomStream& random) {
  const double yaw = random.uniform(0, 2 * kPi), lean = random.uniform(0.2, 1.2),
               distance = random.uniform(0.6, 0.95);
  return Vec3(maths::sin(lean) * maths::cos(yaw), maths::sin(lean) * maths::sin(yaw), maths::cos(lean)) /
         distance;
}

}  // namespace

double rock_cover(double cover, double diameter) { return cover * maths::exp(-rate(cover) * diameter); }

double rock_number(const RockSettings& s, double diameter) {
  return diameter >= s.largest ? 0 : SizeTable(s, diameter).above.front();
}

std::vector<Rock> draw_rocks(const Rectangle& area, const RockSettings& s) {
  if (!(s.smallest > 0 && s.largest > s.smallest)) {
    input_error("rocks: diameters from {} m to {} m: positive and growing", s.smallest, s.largest);
  }
  if (!(s.cover > 0 && s.cover < 1)) input_error("rocks: cover {} is outside (0, 1)", s.cover);
  RandomStream random(s.seed, 0, "rocks");
  const SizeTable table(s, s.smallest);
  std::vector<Rock> rocks;
  scatter(random, area, s.largest, table.above.front(), "rocks", [&](const Vec2& centre) {
    Rock& rock = rocks.emplace_back();
    rock.centre = centre;
    rock.diameter = table.at(random.uniform() * table.above.front());
    rock.elongation = random.uniform(1, 1.6);
    rock.yaw = random.uniform(0, kPi);
    rock.height = s.height_ratio * rock.diameter * random.uniform(0.8, 1.2);
    for (Vec3& face : rock.faces) {
      face = draw_face(random);
      // A round rock's faces lie outside of it and cut nothing.
      face *= 1 - s.roundness;
    }
  });
  return rocks;
}

TerrainPoint Rock::at(double dx, double dy) const { return Shape(*this).at(dx, dy); }

Rock::Shape::Shape(const Rock& rock) : height_(rock.height) {
  const maths::SineCosine turn = maths::sine_cosine(rock.yaw);
  cosine_ = turn.cosine, sine_ = turn.sine;
  const double stretch = std::sqrt(rock.elongation);
  per_long_ = 2 / (rock.diameter * stretch), per_short_ = 2 * stretch / rock.diameter;
  for (const Vec3& n : rock.faces)
    if (n.z() > 1e-6) faces_[cuts_++] = {n, -n.x() / n.z(), -n.y() / n.z()};
}

TerrainPoint Rock::Shape::at(double dx, double dy) const {
  const double c = cosine_, s = sine_;
  const double x = (c * dx + s * dy) * per_long_, y = (-s * dx + c * dy) * per_short_, r2 = x * x + y * y;
  if (!(r2 < 1)) return {};
  // d/dx of (1 - r^2)(1 + r^2/2) is -x (1 + 2 r^2).
  double z = (1 - r2) * (1 + 0.5 * r2), gx = -x * (1 + 2 * r2), gy = -y * (1 + 2 * r2);
  for (int i = 0; i < cuts_; ++i) {
    const Face& f = faces_[i];
    const double face = (1 - f.n.x() * x - f.n.y() * y) / f.n.z();
    if (face < z) z = face, gx = f.slope_x, gy = f.slope_y;
  }
  if (!(z > 0)) return {};
  gx *= height_ * per_long_, gy *= height_ * per_short_;
  return {height_ * z, c * gx - s * gy, s * gx + c * gy};
}

namespace {

struct RockKind {
  RockSettings rocks;
  Extent extent{.size = {20, 20}, .cell = 0.02};
  StrewnOptions ground{.grid = {.name = "rocks"}};
};

void describe(Section& s, RockKind& x) {
  RockSettings& r = x.rocks;
  std::string law = "mars";
  s.choice("law", law, {"mars", "power"},
           {.unit = "-", .doc = "Sizes: Golombek & Rapp 1997 from `cover`, or N(>D) = density D^-exponent"});
  r.law = law == "mars" ? RockLaw::mars : RockLaw::power;
  s.number("cover", r.cover,
           {.unit = "-",
            .doc = "mars: fraction of the ground under rocks of all sizes",
            .range = {.low = 0, .high = 1, .open_low = true, .open_high = true}});
  s.number("density", r.density,
           {.unit = "1/m^2", .doc = "power: rocks above 1 m per square metre", .range = not_negative()});
  s.number("exponent", r.exponent,
           {.unit = "-", .doc = "power: of the cumulative number", .range = positive()});
  s.number("smallest", r.smallest, {.unit = "m", .doc = "Smallest diameter", .range = positive()});
  s.number("largest", r.largest, {.unit = "m", .doc = "Largest diameter", .range = positive()});
  s.number("height_ratio", r.height_ratio,
           {.unit = "-", .doc = "Height above the ground over diameter", .range = positive()});
  s.number("roundness", r.roundness,
           {.unit = "-", .doc = "1: smooth domes; 0: cut by flat faces", .range = between(0, 1)});
  describe_seed(s, r.seed);
  describe(s, x.extent);
  describe(s, x.ground);
}

}  // namespace

TerrainPtr make_rocks(Section& s, const MakeContext& context) {
  RockKind x;
  x.rocks.seed = context.seed;
  if (!s.documenting() && s.has("cells")) x.extent.cell = 0;
  describe(s, x);
  if (s.documenting()) return nullptr;
  const GridGeometry geometry = geometry_of(x.extent, "rocks");
  return strewn_ground(draw_rocks(geometry.bounds(), x.rocks), geometry, x.ground, context.threads);
}

}  // namespace scree
