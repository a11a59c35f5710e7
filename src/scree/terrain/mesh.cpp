#include "scree/terrain/mesh.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/terrain/kinds.hpp"
#include "scree/terrain/text_file.hpp"

namespace scree {
namespace {

/// A thousandth of a cell: what a file with six digits can promise.
constexpr double kRegularity = 1e-3;

struct Node {
  double x = 0, y = 0, z = 0;
};

Node read_node(TextScanner& scanner, std::vector<double>& numbers, std::size_t done, std::size_t wanted) {
  std::string_view line;
  if (!scanner.next_data_line(line)) {
    scanner.fail(fmt::format("the file ends after {} of {} nodes", done, wanted));
  }
  numbers.clear();
  scanner.numbers(line, numbers);
  if (numbers.size() != 3)
    scanner.fail(fmt::format("{} numbers where a node has three: x y z", numbers.size()));
  for (const double v : numbers) {
    if (!std::isfinite(v)) scanner.fail(fmt::format("{} is not a coordinate", v));
  }
  return {numbers[0], numbers[1], numbers[2]};
}

/// What the first nodes say about the grid: where it starts, its signed steps, and which axis runs first.
struct Lattice {
  Node first;
  double step_x = 0, step_y = 0;
  bool x_first = true;
};

std::pair<int, int> read_counts(TextScanner& scanner) {
  std::string_view line;
  std::vector<double> numbers;
  if (!scanner.next_data_line(line)) scanner.fail("the file is empty: nx ny is wanted first");
  scanner.numbers(line, numbers);
  const auto whole = [](double v) { return v >= 2 && v <= 2e9 && v == std::floor(v); };
  if (numbers.size() != 2 || !whole(numbers[0]) || !whole(numbers[1])) {
    scanner.fail("the first line must be nx ny: two whole numbers of at least 2");
  }
  return {static_cast<int>(numbers[0]), static_cast<int>(numbers[1])};
}

void check_regular(const TextScanner& scanner, const Lattice& l, const Node& n, int i, int j) {
  const double x = l.first.x + i * l.step_x, y = l.first.y + j * l.step_y;
  const double tolerance_x = kRegularity * std::abs(l.step_x), tolerance_y = kRegularity * std::abs(l.step_y);
  if (!(std::abs(n.x - x) <= tolerance_x && std::abs(n.y - y) <= tolerance_y)) {
    scanner.fail(
        fmt::format("node ({}, {}) lies at ({:.8g}, {:.8g}) where a regular grid has ({:.8g}, {:.8g}): "
                    "resample the mesh, or read it as points",
                    i, j, n.x, n.y, x, y));
  }
}

}  // namespace

HeightField read_text_mesh(TextScanner& scanner) {
  const auto [nx, ny] = read_counts(scanner);
  // A node needs at least six bytes of text: a header that promises more than the file holds is a lie.
  if (static_cast<double>(nx) * ny * 6 > static_cast<double>(scanner.size()) + 6) {
    scanner.fail(fmt::format("{} x {} nodes do not fit in a file of {} bytes", nx, ny, scanner.size()));
  }
  GridGeometry g{nx, ny, 0, 0, 1, 1};
  HeightField field = make_field(g, "mesh");
  std::vector<double> numbers;
  Lattice l;
  std::vector<Node> row;  // the first row, until the second tells the steps
  const std::size_t count = g.samples();
  int fast = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Node n = read_node(scanner, numbers, k, count);
    if (k == 0) l.first = n, field.datum = std::round(n.z);
    if (k == 1) l.x_first = std::abs(n.x - l.first.x) > std::abs(n.y - l.first.y), fast = l.x_first ? nx : ny;
    if (k == 1) (l.x_first ? l.step_x : l.step_y) = l.x_first ? n.x - l.first.x : n.y - l.first.y;
    const int a = fast > 0 ? static_cast<int>(k % fast) : static_cast<int>(k);
    const int b = fast > 0 ? static_cast<int>(k / fast) : 0;
    if (b == 1 && a == 0) {
      (l.x_first ? l.step_y : l.step_x) = l.x_first ? n.y - l.first.y : n.x - l.first.x;
      if (!(l.step_x != 0 && l.step_y != 0)) scanner.fail("the second row of nodes lies on the first");
      for (int c = 0; c < fast; ++c) check_regular(scanner, l, row[c], l.x_first ? c : 0, l.x_first ? 0 : c);
    }
    const int i = l.x_first ? a : b, j = l.x_first ? b : a;
    if (b == 0) row.push_back(n);
    if (b > 0) check_regular(scanner, l, n, i, j);
    const float z = static_cast<float>(n.z - field.datum);
    if (!std::isfinite(z)) scanner.fail(fmt::format("height {} is too large", n.z));
    field.at(i, j) = z;
  }
  // Rows and columns that run downwards are stored upwards.
  if (l.step_x < 0) {
    for (int j = 0; j < ny; ++j) std::reverse(&field.at(0, j), &field.at(0, j) + nx);
  }
  if (l.step_y < 0) {
    for (int j = 0; j < ny / 2; ++j)
      std::swap_ranges(&field.at(0, j), &field.at(0, j) + nx, &field.at(0, ny - 1 - j));
  }
  std::string_view line;
  if (scanner.next_data_line(line))
    scanner.fail(fmt::format("more than the {} x {} nodes that were announced", nx, ny));
  field.geometry.step_x = std::abs(l.step_x);
  field.geometry.step_y = std::abs(l.step_y);
  field.geometry.x_min = std::min(l.first.x, l.first.x + (nx - 1) * l.step_x);
  field.geometry.y_min = std::min(l.first.y, l.first.y + (ny - 1) * l.step_y);
  return field;
}

namespace {

/// One corner of a face: "7", "7/1", "7/1/3", "7//3"; negative counts from the end.
int read_corner(const TextScanner& scanner, std::string_view word, std::size_t points) {
  const std::string_view digits = word.substr(0, word.find('/'));
  std::string_view rest = digits;
  double value;
  if (!scan_number(rest, value) || value != std::floor(value)) {
    scanner.fail(fmt::format("'{}' is not a vertex of a face", word.substr(0, 40)));
  }
  const double index = value < 0 ? static_cast<double>(points) + value : value - 1;
  if (!(index >= 0 && index < static_cast<double>(points)) || value == 0) {
    scanner.fail(fmt::format("a face names vertex {} of {}", value, points));
  }
  return static_cast<int>(index);
}

void read_face(const TextScanner& scanner, std::string_view rest, TriangleMesh& mesh) {
  std::vector<int> corners;
  while (true) {
    while (!rest.empty() && is_separator(rest.front())) rest.remove_prefix(1);
    if (rest.empty()) break;
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r"));
    corners.push_back(read_corner(scanner, word, mesh.points.size()));
    rest.remove_prefix(word.size());
  }
  if (corners.size() < 3) scanner.fail(fmt::format("a face of {} vertices", corners.size()));
  for (std::size_t k = 2; k < corners.size(); ++k)
    mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
}

}  // namespace

TriangleMesh read_obj(TextScanner& scanner, bool y_up) {
  TriangleMesh mesh;
  std::string_view line;
  std::vector<double> numbers;
  while (scanner.next_data_line(line)) {
    while (!line.empty() && is_separator(line.front())) line.remove_prefix(1);
    const auto is = [&line](char letter) {
      return line.size() > 1 && line[0] == letter && (line[1] == ' ' || line[1] == '\t');
    };
    if (is('v')) {
      numbers.clear();
      scanner.numbers(line.substr(2), numbers);
      if (numbers.size() < 3) scanner.fail("a vertex needs x y z");
      const Vec3 p(numbers[0], numbers[1], numbers[2]);
      if (!p.allFinite()) scanner.fail("a vertex that is not finite");
      mesh.points.push_back(y_up ? Vec3(p.x(), -p.z(), p.y()) : p);
      if (mesh.points.size() > 500'000'000u) scanner.fail("more vertices than can be held");
    } else if (is('f')) {
      read_face(scanner, line.substr(2), mesh);
    }
  }
  if (mesh.triangles.empty()) scanner.fail("no face in the file: an OBJ with 'f' lines is wanted");
  return mesh;
}

HeightField resample_mesh(const TriangleMesh& mesh, const GridGeometry& g) {
  HeightField field = make_field(g, "mesh");
  std::fill(field.z.begin(), field.z.end(), std::nanf(""));
  double low = 1e300, high = -1e300;
  for (const Vec3& p : mesh.points) low = std::min(low, p.z()), high = std::max(high, p.z());
  field.datum = std::round(low);
  // Triangles that share an edge agree on it to rounding; a ten-thousandth of the range is another surface.
  const double apart = 1e-4 * std::max(high - low, g.step_x);
  const auto index = [](double at, int n) {
    return static_cast<int>(std::clamp(at, 0.0, static_cast<double>(n)));
  };
  for (const auto& t : mesh.triangles) {
    const Vec3 &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    const double area = (b.x() - a.x()) * (c.y() - a.y()) - (c.x() - a.x()) * (b.y() - a.y());
    if (std::abs(area) < 1e-12 * g.step_x * g.step_y) continue;  // stands on edge: its neighbours cover it
    const auto [x0, x1] = std::minmax({a.x(), b.x(), c.x()});
    const auto [y0, y1] = std::minmax({a.y(), b.y(), c.y()});
    const double e = 1e-7;  // samples on an edge belong to both sides
    const int i0 = index(std::ceil((x0 - g.x_min) / g.step_x - e), g.nx),
              i1 = index(std::floor((x1 - g.x_min) / g.step_x + e) + 1, g.nx);
    const int j0 = index(std::ceil((y0 - g.y_min) / g.step_y - e), g.ny),
              j1 = index(std::floor((y1 - g.y_min) / g.step_y + e) + 1, g.ny);
    for (int j = j0; j < j1; ++j) {
      for (int i = i0; i < i1; ++i) {
        const double x = g.x(i) - a.x(), y = g.y(j) - a.y();
        const double u = (x * (c.y() - a.y()) - (c.x() - a.x()) * y) / area;
        const double v = ((b.x() - a.x()) * y - x * (b.y() - a.y())) / area;
        if (u < -e || v < -e || u + v > 1 + e) continue;
        const double z = a.z() + u * (b.z() - a.z()) + v * (c.z() - a.z());
        float& cell = field.at(i, j);
        if (!std::isnan(cell) && std::abs(field.datum + cell - z) > apart) {
          input_error("mesh: an overhang at x = {:.6g} m, y = {:.6g} m: surfaces at {:.6g} m and {:.6g} m",
                      g.x(i), g.y(j), field.datum + cell, z);
        }
        cell = static_cast<float>(z - field.datum);
      }
    }
  }
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) {
      if (std::isnan(field.at(i, j))) {
        input_error(
            "mesh: a hole at x = {:.6g} m, y = {:.6g} m: no triangle covers it; cut the grid smaller by size "
            "and "
            "centre",
            g.x(i), g.y(j));
      }
    }
  }
  return field;
}

void write_text_mesh(const std::filesystem::path& file, const HeightField& f) {
  TextFile out(file);
  const GridGeometry& g = f.geometry;
  out.print("{} {}\n", g.nx, g.ny);
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) out.print("{:.12g} {:.12g} {:.9g}\n", g.x(i), g.y(j), f.height(i, j));
  }
  out.close();
}

void write_obj(const std::filesystem::path& file, const HeightField& f) {
  TextFile out(file);
  const GridGeometry& g = f.geometry;
  out.print("# ground of {} x {} samples, z up, metres\n", g.nx, g.ny);
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) out.print("v {:.12g} {:.12g} {:.9g}\n", g.x(i), g.y(j), f.height(i, j));
  }
  for (int j = 0; j + 1 < g.ny; ++j) {
    for (int i = 0; i + 1 < g.nx; ++i) {
      const std::size_t a = static_cast<std::size_t>(j) * g.nx + i + 1, b = a + 1, c = a + g.nx, d = c + 1;
      out.print("f {} {} {}\nf {} {} {}\n", a, b, d, a, d, c);
    }
  }
  out.close();
}

namespace {

struct MeshSettings {
  std::filesystem::path file;
  std::string up = "z";
  Extent extent;
  GridOptions options{.name = "mesh"};
};

void describe(Section& s, MeshSettings& x) {
  s.file("file", x.file,
         {.unit = "-", .doc = "Wavefront OBJ, or a text mesh: nx ny, then x y z per node", .required = true});
  s.choice("up", x.up, {"z", "y"}, {.unit = "-", .doc = "OBJ: the axis that points up in the file"});
  describe(s, x.extent);
  describe(s, x.options);
}

/// The grid that an OBJ is resampled to: as asked, or the mesh's own outline in 256 cells.
GridGeometry outline(const TriangleMesh& mesh, Extent extent, bool has_centre) {
  Rectangle box{1e300, -1e300, 1e300, -1e300};
  for (const auto& t : mesh.triangles) {
    for (const int k : t) {
      const Vec3& p = mesh.points[k];
      box = {std::min(box.x_min, p.x()), std::max(box.x_max, p.x()), std::min(box.y_min, p.y()),
             std::max(box.y_max, p.y())};
    }
  }
  const Vec2 size(box.x_max - box.x_min, box.y_max - box.y_min);
  if (!(size.x() > 0 && size.y() > 0))
    input_error("mesh: {} m x {} m seen from above: nothing to stand on", size.x(), size.y());
  if ((extent.size.array() == 0).all()) {
    extent.size = size;
    // Whole cells inside the outline: the last partial one would hang over its edge.
    if (extent.cell > 0)
      extent.size = (size / extent.cell * (1 + 1e-12)).array().floor().max(1) * extent.cell;
  }
  if (!has_centre) extent.centre = {0.5 * (box.x_min + box.x_max), 0.5 * (box.y_min + box.y_max)};
  if (extent.cell == 0 && (extent.cells.array() == 0).all()) {
    extent.cells = (256 * size / size.maxCoeff()).array().round().max(1);
  }
  return geometry_of(extent, "mesh");
}

}  // namespace

TerrainPtr make_mesh(Section& s, const MakeContext&) {
  const auto x = read_keys<MeshSettings>(s);
  if (s.documenting()) return nullptr;
  TextScanner scanner(x.file, "mesh");
  const std::string extension = x.file.extension().string();
  if (extension == ".obj" || extension == ".OBJ") {
    const TriangleMesh mesh = read_obj(scanner, x.up == "y");
    return std::make_unique<Grid>(resample_mesh(mesh, outline(mesh, x.extent, s.has("centre"))), x.options);
  }
  HeightField field = read_text_mesh(scanner);
  field.geometry = geometry_of(x.extent, field.geometry, s.has("centre"), "mesh");
  return std::make_unique<Grid>(std::move(field), x.options);
}

}  // namespace scree
