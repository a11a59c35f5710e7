#include "scree/terrain/points.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/terrain/extent.hpp"
#include "scree/terrain/kinds.hpp"

namespace scree {

void read_xyz(TextScanner& scanner, const PointVisitor& visit) {
  std::string_view line;
  bool first = true;
  std::size_t count = 0;
  while (scanner.next_data_line(line)) {
    std::string_view rest = line;
    Vec3 p;
    if (!(scan_number(rest, p.x()) && scan_number(rest, p.y()) && scan_number(rest, p.z()))) {
      if (!first) scanner.fail(fmt::format("'{}' does not start with x y z", line.substr(0, 40)));
    } else {
      if (!p.allFinite()) scanner.fail("a point that is not finite");
      const std::string_view used = line.substr(0, line.size() - rest.size());
      if (has_decimal_commas(used)) {
        scanner.fail(
            fmt::format("'{}' has commas and other separators: write decimal points, not commas", used));
      }
      visit(p);
      ++count;
    }
    first = false;
  }
  if (count == 0) scanner.fail("no point in the file");
}

void read_points(const std::filesystem::path& file, const PointVisitor& visit) {
  const std::string extension = file.extension().string();
  if (extension == ".ply" || extension == ".PLY") return read_ply(file, visit);
  TextScanner scanner(file, "points");
  read_xyz(scanner, visit);
}

PointGridder::PointGridder(const GridGeometry& geometry, PointRule rule)
    : field_(make_field(geometry, "points")), rule_(rule), count_(geometry.samples(), 0.0f) {}

void PointGridder::add(const Vec3& p) {
  const GridGeometry& g = field_.geometry;
  const double u = std::round((p.x() - g.x_min) / g.step_x), v = std::round((p.y() - g.y_min) / g.step_y);
  if (!(u >= 0 && v >= 0 && u < g.nx && v < g.ny)) return;
  if (used_ == 0) field_.datum = std::round(p.z());
  ++used_;
  const std::size_t k = static_cast<std::size_t>(v) * g.nx + static_cast<std::size_t>(u);
  const float z = static_cast<float>(p.z() - field_.datum);
  float& cell = field_.z[k];
  const float n = count_[k] += 1;
  if (n == 1) {
    cell = z;
  } else if (rule_ == PointRule::mean) {
    cell += (z - cell) / n;  // a running mean needs no second field
  } else {
    cell = rule_ == PointRule::highest ? std::max(cell, z) : std::min(cell, z);
  }
}

HeightField PointGridder::finish() && {
  if (used_ == 0) input_error("points: no point lies on the grid");
  for (std::size_t k = 0; k < count_.size(); ++k) {
    if (count_[k] == 0) field_.z[k] = std::nanf("");
  }
  return std::move(field_);
}

namespace {

struct PointsSettings {
  std::filesystem::path file;
  std::string rule = "mean", gaps = "fill";
  double most_gaps = 0.5;  ///< refuse to invent more than this fraction of the ground
  Extent extent;
  GridOptions options{.name = "points"};
};

void describe(Section& s, PointsSettings& x) {
  s.file("file", x.file, {.unit = "-", .doc = "Scan as XYZ or CSV text, or PLY", .required = true});
  s.choice("rule", x.rule, {"mean", "highest", "lowest"},
           {.unit = "-", .doc = "Height of a sample from the points around it"});
  s.choice("gaps", x.gaps, {"fill", "refuse"}, {.unit = "-", .doc = "Samples without a point"});
  s.number("most_gaps", x.most_gaps,
           {.unit = "-", .doc = "Largest fraction of samples that may be filled", .range = between(0, 1)});
  describe(s, x.extent);
  describe(s, x.options);
}

GridGeometry geometry_of_points(const PointsSettings& x, bool has_centre) {
  Extent extent = x.extent;
  if ((extent.size.array() == 0).all() || !has_centre) {
    Rectangle box{1e300, -1e300, 1e300, -1e300};
    read_points(x.file, [&](const Vec3& p) {
      box = {std::min(box.x_min, p.x()), std::max(box.x_max, p.x()), std::min(box.y_min, p.y()),
             std::max(box.y_max, p.y())};
    });
    if ((extent.size.array() == 0).all()) extent.size = {box.x_max - box.x_min, box.y_max - box.y_min};
    if (!has_centre) extent.centre = {0.5 * (box.x_min + box.x_max), 0.5 * (box.y_min + box.y_max)};
  }
  if (extent.cell == 0 && (extent.cells.array() == 0).all())
    input_error("points: give cell, the distance between samples in metres");
  return geometry_of(extent, "points");
}

}  // namespace

TerrainPtr make_points(Section& s, const MakeContext&) {
  auto x = read_keys<PointsSettings>(s);
  if (s.documenting()) return nullptr;
  const PointRule rule = x.rule == "mean"      ? PointRule::mean
                         : x.rule == "highest" ? PointRule::highest
                                               : PointRule::lowest;
  PointGridder gridder(geometry_of_points(x, s.has("centre")), rule);
  read_points(x.file, [&](const Vec3& p) { gridder.add(p); });
  HeightField field = std::move(gridder).finish();
  const GapReport gaps = close_gaps(field, x.gaps == "fill" ? Gaps::fill : Gaps::refuse, "points");
  if (!(gaps.fraction <= x.most_gaps)) {
    s.fail("most_gaps",
           fmt::format("{:.1f} % of the samples have no point: use a coarser cell", 100 * gaps.fraction));
  }
  if (gaps.samples > 0) {
    x.options.name = fmt::format("points ({})", gaps.text());
  }
  return std::make_unique<Grid>(std::move(field), x.options);
}

}  // namespace scree
