#include "scree/terrain/map.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/terrain/expression.hpp"
#include "scree/terrain/extent.hpp"
#include "scree/terrain/raster.hpp"

namespace scree {
namespace {

class Uniform final : public ScalarMap {
 public:
  explicit Uniform(double value) : value_(value) {}
  void sample(int count, const double*, const double*, double* value) const override {
    std::fill_n(value, count, value_);
  }

 private:
  double value_;
};

/// Nearest pixel: names of soils must not be mixed, and edges of patches stay sharp.
class ImageMap final : public ScalarMap {
 public:
  ImageMap(GreyImage image, const GridGeometry& geometry, double black, double white)
      : image_(std::move(image)), geometry_(geometry), black_(black), span_(white - black) {}
  void sample(int count, const double* x, const double* y, double* value) const override {
    const GridGeometry& g = geometry_;
    const auto nearest = [](double at, int n) {
      return static_cast<int>(std::clamp(at + 0.5, 0.0, n - 1.0));
    };
    for (int k = 0; k < count; ++k) {
      const int i = nearest((x[k] - g.x_min) / g.step_x, g.nx),
                j = nearest((y[k] - g.y_min) / g.step_y, g.ny);
      value[k] = black_ + span_ * image_.at(i, j);
    }
  }

 private:
  GreyImage image_;
  GridGeometry geometry_;
  double black_, span_;
};

class FunctionMap final : public ScalarMap {
 public:
  FunctionMap(Expression expression, const Range& range, std::string where)
      : expression_(std::move(expression)), range_(range), where_(std::move(where)) {}
  void meet(int count, const double* x, const double* y, double* value) const override {
    expression_.values(count, x, y, value);
    for (int k = 0; k < count; ++k) {
      if (range_.contains(value[k])) continue;
      throw GroundError(fmt::format("{}: the expression gives {} at x = {:.6g} m, y = {:.6g} m: outside {}",
                                    where_, value[k], x[k], y[k], range_.text()));
    }
  }
  void sample(int count, const double* x, const double* y, double* value) const override {
    expression_.values(count, x, y, value);
    // Written so that NaN becomes the low end.
    for (int k = 0; k < count; ++k)
      value[k] = value[k] > range_.low ? std::min(value[k], range_.high) : range_.low;
  }

 private:
  Expression expression_;
  Range range_;
  std::string where_;
};

struct MapPatch {
  Polygon polygon;
  double value;
};

class PatchedMap final : public ScalarMap {
 public:
  PatchedMap(ScalarMapPtr base, std::vector<MapPatch> patches)
      : base_(std::move(base)), patches_(std::move(patches)), around_{1e300, -1e300, 1e300, -1e300} {
    for (const MapPatch& patch : patches_) {
      const Rectangle& box = patch.polygon.box();
      around_ = {std::min(around_.x_min, box.x_min), std::max(around_.x_max, box.x_max),
                 std::min(around_.y_min, box.y_min), std::max(around_.y_max, box.y_max)};
    }
  }
  void sample(int count, const double* x, const double* y, double* value) const override {
    base_->sample(count, x, y, value);
    if (apart(count, x, y)) return;
    for (const MapPatch& patch : patches_) {
      for (int k = 0; k < count; ++k) {
        if (patch.polygon.contains(x[k], y[k])) value[k] = patch.value;
      }
    }
  }
  void meet(int count, const double* x, const double* y, double* value) const override {
    if (apart(count, x, y)) return base_->meet(count, x, y, value);
    for (int k = 0; k < count; ++k) {
      // The base is asked only where no patch hides it.
      const auto top = std::find_if(patches_.rbegin(), patches_.rend(),
                                    [&](const MapPatch& p) { return p.polygon.contains(x[k], y[k]); });
      if (top != patches_.rend()) {
        value[k] = top->value;
      } else {
        base_->meet(1, x + k, y + k, value + k);
      }
    }
  }

 private:
  /// No point is on any patch, nor near one.
  bool apart(int count, const double* x, const double* y) const {
    bool near = false;
    for (int k = 0; k < count; ++k) near |= around_.contains(x[k], y[k]);
    return !near;
  }
  ScalarMapPtr base_;
  std::vector<MapPatch> patches_;
  Rectangle around_;  ///< all patches
};

/// Turns grey levels into the number of the nearest named level.
class NearestLevel final : public ScalarMap {
 public:
  NearestLevel(ScalarMapPtr grey, std::vector<double> levels)
      : grey_(std::move(grey)), levels_(std::move(levels)) {}
  void sample(int count, const double* x, const double* y, double* value) const override {
    grey_->sample(count, x, y, value);
    for (int k = 0; k < count; ++k) {
      std::size_t best = 0;
      for (std::size_t n = 1; n < levels_.size(); ++n) {
        if (std::abs(levels_[n] - value[k]) < std::abs(levels_[best] - value[k])) best = n;
      }
      value[k] = static_cast<double>(best);
    }
  }

 private:
  ScalarMapPtr grey_;
  std::vector<double> levels_;
};

/// Refuses an image with a grey that no level of the legend is near: half a step of an 8-bit image.
void check_legend(const Section& s, const GreyImage& image, const std::vector<double>& levels,
                  const std::vector<std::string>& names) {
  constexpr double kNear = 0.5 / 255 + 1e-9;
  for (int j = 0; j < image.ny; ++j) {
    for (int i = 0; i < image.nx; ++i) {
      const double grey = image.at(i, j);
      std::size_t best = 0;
      for (std::size_t n = 1; n < levels.size(); ++n) {
        if (std::abs(levels[n] - grey) < std::abs(levels[best] - grey)) best = n;
      }
      if (std::abs(levels[best] - grey) <= kNear) continue;
      s.fail("levels",
             fmt::format(
                 "the image has grey {:.4g} (column {}, row {}), which no level names; nearest: {} = {:.4g}",
                 grey, i, image.ny - 1 - j, names[best], levels[best]));
    }
  }
}

struct MapSettings {
  std::string kind = "uniform";
  double value = 1;
  ImageSettings image;
  ExpressionSettings expression;
  Extent extent;
};

void describe(Section& s, MapSettings& x, const Range& range) {
  s.choice("kind", x.kind, {"uniform", "image", "function"},
           {.unit = "-", .doc = "What lies below the polygons"});
  s.number("value", x.value, {.unit = "-", .doc = "uniform: the value everywhere", .range = range});
  s.file("file", x.image.file, {.unit = "-", .doc = "image: grey image, the first row at the largest y"});
  s.number("low", x.image.low, {.unit = "-", .doc = "image: value of black", .range = range});
  s.number("high", x.image.high, {.unit = "-", .doc = "image: value of white", .range = range});
  s.text("expression", x.expression.text, {.unit = "-", .doc = "function: the value in x and y"});
  s.named_numbers("parameters", x.expression.parameters, {.unit = "-", .doc = "function: named constants"});
  describe(s, x.extent);
}

std::vector<Vec2> read_corners(Section& s) {
  std::vector<std::vector<double>> rows;
  s.rows("corners", rows, 2, {.unit = "m", .doc = "Corners of the polygon: [[x, y], ...]", .required = true});
  std::vector<Vec2> corners;
  for (const auto& row : rows) corners.emplace_back(row[0], row[1]);
  return corners;
}

Polygon polygon_of(Section& s, std::vector<Vec2> corners) {
  try {
    return Polygon(std::move(corners));
  } catch (const InputError& error) {
    s.fail("corners", error.what());
  }
}

ScalarMapPtr make_base(Section& s, const MapSettings& x, const Range& range) {
  if (x.kind == "uniform") return std::make_unique<Uniform>(x.value);
  if (x.kind == "function") {
    return std::make_unique<FunctionMap>(Expression(x.expression, s.where()), range, s.where());
  }
  if (!s.has("file")) s.fail("file", "an image map needs a file");
  if (!((x.extent.size.array() != 0).any() || x.extent.cell > 0))
    s.fail("size", "give size = [length, width] or cell");
  GreyImage image = read_grey(x.image.file);
  const GridGeometry geometry = geometry_of(x.extent, {image.nx, image.ny, 0, 0, 1, 1}, true, "map");
  return std::make_unique<ImageMap>(std::move(image), geometry, x.image.low, x.image.high);
}

}  // namespace

Polygon::Polygon(std::vector<Vec2> corners)
    : corners_(std::move(corners)), box_{1e300, -1e300, 1e300, -1e300} {
  if (corners_.size() < 3) input_error("polygon: {} corners: at least three", corners_.size());
  for (const Vec2& c : corners_) {
    if (!c.allFinite()) input_error("polygon: corner ({}, {}) is not finite", c.x(), c.y());
    box_ = {std::min(box_.x_min, c.x()), std::max(box_.x_max, c.x()), std::min(box_.y_min, c.y()),
            std::max(box_.y_max, c.y())};
  }
}

bool Polygon::contains(double x, double y) const {
  if (!box_.contains(x, y)) return false;
  bool inside = false;
  for (std::size_t k = 0, last = corners_.size() - 1; k < corners_.size(); last = k++) {
    const Vec2 &a = corners_[k], &b = corners_[last];
    // Half-open in y: a corner is counted with one of its edges.
    if ((a.y() > y) != (b.y() > y) && x < a.x() + (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x()))
      inside = !inside;
  }
  return inside;
}

ScalarMapPtr make_scalar_map(Section& s, const Range& range) {
  MapSettings x;
  describe(s, x, range);
  std::vector<MapPatch> patches;
  s.each("polygon", "A patch that lies over the rest", [&](Section& p) {
    double value = 1;
    p.number("value", value,
             {.unit = "-", .doc = "Value inside the polygon", .range = range, .required = true});
    std::vector<Vec2> corners = read_corners(p);
    p.finish();
    if (!p.documenting()) patches.push_back({polygon_of(p, std::move(corners)), value});
  });
  if (s.documenting()) return nullptr;
  s.finish();
  ScalarMapPtr base = make_base(s, x, range);
  if (patches.empty()) return base;
  return std::make_unique<PatchedMap>(std::move(base), std::move(patches));
}

ScalarMapPtr make_friction_map(Section& terrain) {
  if (!terrain.documenting() && !terrain.has("friction")) return nullptr;
  Section s = terrain.child("friction", "Scale of the friction coefficient from place to place");
  try {
    return make_scalar_map(s, between(0, 10));
  } catch (const InputError& error) {
    s.rethrow(error);
  }
}

void LabelMap::sample(int count, const double* x, const double* y, int* label) const {
  constexpr int kChunk = 64;
  double index[kChunk];
  for (int k = 0; k < count; k += kChunk) {
    const int n = std::min(kChunk, count - k);
    index_->sample(n, x + k, y + k, index);
    for (int i = 0; i < n; ++i) {
      label[k + i] =
          static_cast<int>(std::clamp(std::round(index[i]), 0.0, static_cast<double>(names_.size()) - 1));
    }
  }
}

namespace {

std::unique_ptr<const LabelMap> read_soil_map(Section& s) {
  std::vector<std::string> names;
  std::vector<double> levels;
  s.entries(
      "names", names,
      {.unit = "-",
       .doc = "Soils: names of files of soils/, or paths beside this file; a function gives their number, "
              "from 0",
       .required = true});
  std::vector<std::string> labels;
  for (const std::string& name : names) labels.push_back(entry_label(name));
  s.numbers("levels", levels,
            {.unit = "-", .doc = "image: grey level of each soil, black 0, white 1", .range = between(0, 1)});
  MapSettings x;
  x.value = 0;
  const Range range = between(0, std::max(0.0, static_cast<double>(names.size()) - 1));
  describe(s, x, {});
  std::vector<MapPatch> patches;
  s.each("polygon", "A patch of one soil that lies over the rest", [&](Section& p) {
    std::string soil;
    p.text("soil", soil, {.unit = "-", .doc = "Name of the soil inside the polygon", .required = true});
    std::vector<Vec2> corners = read_corners(p);
    p.finish();
    if (p.documenting()) return;
    const auto found = std::find(labels.begin(), labels.end(), entry_label(soil));
    if (found == labels.end())
      p.fail("soil", fmt::format("'{}' is not among `names`{}", soil, name_hint(soil, labels)));
    patches.push_back({polygon_of(p, std::move(corners)), static_cast<double>(found - labels.begin())});
  });
  if (s.documenting()) return nullptr;
  s.ignore("grid");  // soil/soil_tiles.hpp
  s.ignore("set");   // with `variation`: numbers of the soils (soil/ground_soils.hpp)
  s.ignore("variation");
  s.finish();
  if (names.empty()) s.fail("names", "at least one soil");
  for (auto label = labels.begin(); label != labels.end(); ++label)
    if (std::find(labels.begin(), label, *label) != label)
      s.fail("names", fmt::format("soil '{}' is named twice", *label));
  if (x.kind == "uniform" && !range.contains(x.value)) s.fail("value", "the number of a soil, from 0");
  if (x.kind == "image" && levels.size() != names.size()) s.fail("levels", "one grey level for each name");
  // Read a first time for the check alone, so that large images are never held twice.
  if (x.kind == "image" && s.has("file")) check_legend(s, read_grey(x.image.file), levels, labels);
  ScalarMapPtr map = make_base(s, x, range);
  if (x.kind == "image") map = std::make_unique<NearestLevel>(std::move(map), std::move(levels));
  if (!patches.empty()) map = std::make_unique<PatchedMap>(std::move(map), std::move(patches));
  return std::make_unique<LabelMap>(std::move(names), std::move(map));
}

}  // namespace

std::unique_ptr<const LabelMap> make_soil_map(Section& terrain) {
  if (!terrain.documenting() && !terrain.has("soil")) return nullptr;
  Section s = terrain.child("soil", "Which soil lies where");
  try {
    return read_soil_map(s);
  } catch (const InputError& error) {
    s.rethrow(error);
  }
}

}  // namespace scree
