#pragma once
/// Elevation matrices in text files: the paper's own kind of terrain file.
///
/// One line of the file is one line of the matrix; numbers are separated by blanks, tabs, commas or
/// semicolons; `#` starts a comment. Comments of the form `# x: MIN MAX`, `# y: MIN MAX`, `# order: WORD`
/// (written by write_grid_text) say where the grid lies, unless the scenario does.
#include <filesystem>
#include <optional>

#include "scree/terrain/height_field.hpp"
#include "scree/terrain/text_scanner.hpp"

namespace scree {

/// What a line of the file is.
enum class MatrixOrder {
  x_lines,  ///< Morrot 2011: line i is x_i, column j is y_j (n_x lines, n_y columns)
  y_lines,  ///< line j is y_j, from y_min up; column i is x_i
  image,    ///< as y_lines with the first line at y_max: the file looks like a map with y up
};
MatrixOrder matrix_order(const std::string& word);

struct GridText {
  HeightField field;    ///< geometry from the header, or unit cells from (0, 0)
  bool placed = false;  ///< the header said where the grid lies
};

/// Reads a matrix. `order` decides; the file's own header does when it is empty; then x_lines.
GridText read_grid_text(TextScanner& scanner, std::optional<MatrixOrder> order = {});
GridText read_grid_text(const std::filesystem::path& file, std::optional<MatrixOrder> order = {});

/// Writes the field in y_lines order with its header; heights with 9 digits, so that they read back exactly.
void write_grid_text(const std::filesystem::path& file, const HeightField& field);

}  // namespace scree
