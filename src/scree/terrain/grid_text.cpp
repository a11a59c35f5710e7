#include "scree/terrain/grid_text.hpp"

#include <fmt/core.h>

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/terrain/text_file.hpp"

namespace scree {
namespace {

struct Header {
  std::optional<std::pair<double, double>> x, y;
  std::optional<MatrixOrder> order;
};

/// Reads "key: rest" comments; other comments are for people.
Header read_header(const std::vector<std::string>& comments) {
  Header header;
  for (const std::string& comment : comments) {
    const auto colon = comment.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = trim(comment.substr(0, colon)), value = trim(comment.substr(colon + 1));
    if (key == "order") header.order = matrix_order(value);
    if (key != "x" && key != "y") continue;
    std::string_view rest = value;
    double low, high;
    if (!scan_number(rest, low) || !scan_number(rest, high)) continue;
    (key == "x" ? header.x : header.y) = {low, high};
  }
  return header;
}

/// Lines of numbers as they stand in the file.
struct Matrix {
  std::size_t lines = 0, columns = 0;
  double datum = 0;
  std::vector<float> values;
};

Matrix read_matrix(TextScanner& scanner) {
  Matrix m;
  std::string_view line;
  std::vector<double> row;
  while (scanner.next_data_line(line)) {
    row.clear();
    scanner.numbers(line, row);
    if (row.empty()) scanner.fail("no number on this line");
    if (m.lines == 0) {
      m.columns = row.size();
      // Whole metres, so that small heights keep all their digits and flat ground stays at zero.
      m.datum = std::isfinite(row[0]) ? std::round(row[0]) : 0;
      // A quarter more than the first line's length foretells: growing later would hold the matrix twice, and
      // what is reserved but never written takes no memory.
      const std::size_t lines = scanner.size() / std::max<std::size_t>(line.size(), 1) + 1;
      const std::size_t expected = lines + lines / 4;
      const std::size_t cells = expected * m.columns + kHeightSlack;
      check_memory(cells * sizeof(float), "elevation matrix");
      m.values.reserve(cells);
    }
    if (row.size() != m.columns) {
      scanner.fail(fmt::format("{} numbers where the first line has {}", row.size(), m.columns));
    }
    for (std::size_t k = 0; k < row.size(); ++k) {
      const float z = static_cast<float>(row[k] - m.datum);
      if (!std::isfinite(z)) scanner.fail(fmt::format("height {} in column {} is not usable", row[k], k + 1));
      m.values.push_back(z);
    }
    ++m.lines;
  }
  if (m.lines == 0) scanner.fail("the file holds no numbers: 0 x 0 grid");
  return m;
}

constexpr std::size_t kBlock = 64;  ///< samples along a side of what is transposed at once: stays in cache

/// Calls visit(line, column) over a matrix, block by block.
template <class Visit>
void by_blocks(std::size_t lines, std::size_t columns, Visit visit) {
  for (std::size_t l0 = 0; l0 < lines; l0 += kBlock) {
    for (std::size_t c0 = 0; c0 < columns; c0 += kBlock) {
      for (std::size_t l = l0; l < std::min(l0 + kBlock, lines); ++l) {
        for (std::size_t c = c0; c < std::min(c0 + kBlock, columns); ++c) visit(l, c);
      }
    }
  }
}

/// Files with one line per x lie transposed in memory: swapped in place where they are square, else through a
/// copy.
std::vector<float> transposed(Matrix m) {
  std::vector<float>& z = m.values;
  if (m.lines == m.columns) {
    by_blocks(m.lines, m.columns, [&](std::size_t l, std::size_t c) {
      if (c > l) std::swap(z[l * m.columns + c], z[c * m.columns + l]);
    });
    return std::move(z);
  }
  check_memory(z.size() * sizeof(float), "elevation matrix with one line per x");
  std::vector<float> out;
  out.reserve(z.size() + kHeightSlack);
  out.resize(z.size());
  by_blocks(m.lines, m.columns,
            [&](std::size_t l, std::size_t c) { out[c * m.lines + l] = z[l * m.columns + c]; });
  return out;
}

void flip_lines(std::vector<float>& z, std::size_t nx, std::size_t ny) {
  for (std::size_t j = 0; j < ny / 2; ++j) {
    std::swap_ranges(z.begin() + j * nx, z.begin() + (j + 1) * nx, z.begin() + (ny - 1 - j) * nx);
  }
}

}  // namespace

MatrixOrder matrix_order(const std::string& word) {
  if (word == "x_lines") return MatrixOrder::x_lines;
  if (word == "y_lines") return MatrixOrder::y_lines;
  if (word == "image") return MatrixOrder::image;
  const std::string known[] = {"x_lines", "y_lines", "image"};
  input_error("elevation matrix: order '{}' is unknown{}", word, name_hint(word, known));
}

GridText read_grid_text(TextScanner& scanner, std::optional<MatrixOrder> order) {
  Matrix m = read_matrix(scanner);
  const Header header = read_header(scanner.comments());
  const MatrixOrder o = order.value_or(header.order.value_or(MatrixOrder::x_lines));
  GridText text;
  text.field.datum = m.datum;
  GridGeometry& g = text.field.geometry;
  const bool by_x = o == MatrixOrder::x_lines;
  if (m.lines > 2'000'000'000u || m.columns > 2'000'000'000u)
    scanner.fail("more samples than a grid can hold");
  g.nx = static_cast<int>(by_x ? m.lines : m.columns);
  g.ny = static_cast<int>(by_x ? m.columns : m.lines);
  if (g.nx < 2 || g.ny < 2) {
    scanner.fail(fmt::format("{} x {} heights: a grid needs at least 2 x 2", m.lines, m.columns));
  }
  text.field.z = by_x ? transposed(std::move(m)) : std::move(m.values);
  if (o == MatrixOrder::image) flip_lines(text.field.z, g.nx, g.ny);
  if (header.x && header.y) {
    g = GridGeometry::spanning(g.nx, g.ny,
                               {header.x->first, header.x->second, header.y->first, header.y->second});
    text.placed = true;
  }
  return text;
}

GridText read_grid_text(const std::filesystem::path& file, std::optional<MatrixOrder> order) {
  TextScanner scanner(file, "grid");
  return read_grid_text(scanner, order);
}

void write_grid_text(const std::filesystem::path& file, const HeightField& field) {
  TextFile out(file);
  const GridGeometry& g = field.geometry;
  out.print("# elevation matrix, {} x {} samples, heights in m\n# order: y_lines\n", g.nx, g.ny);
  out.print("# x: {} {}\n# y: {} {}\n", g.x_min, g.x_max(), g.y_min, g.y_max());
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) {
      const char* end = i + 1 < g.nx ? " " : "\n";
      // Nine digits hold a float; a datum needs as many more as it has before the point.
      if (field.datum == 0) {
        out.print("{:.9g}{}", field.at(i, j), end);
      } else {
        out.print("{:.15g}{}", field.height(i, j), end);
      }
    }
  }
  out.close();
}

}  // namespace scree
