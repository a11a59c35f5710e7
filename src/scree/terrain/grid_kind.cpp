/// `grid`: an elevation matrix in a text file.
#include "scree/core/errors.hpp"
#include "scree/terrain/extent.hpp"
#include "scree/terrain/grid_text.hpp"
#include "scree/terrain/kinds.hpp"

namespace scree {
namespace {

struct GridSettings {
  std::filesystem::path file;
  std::string order = "auto";
  Extent extent;
  double height_scale = 1;   ///< multiplies the heights of the file
  double height_offset = 0;  ///< then added [m]
  GridOptions options;
};

void describe(Section& s, GridSettings& x) {
  s.file("file", x.file, {.unit = "-", .doc = "Text file with the elevation matrix", .required = true});
  s.choice("order", x.order, {"auto", "x_lines", "y_lines", "image"},
           {.unit = "-",
            .doc = "What a line of the file is: one x (the paper's), one y from y_min up, or one y "
                   "from y_max down; auto: as the file's header says, else x_lines"});
  describe(s, x.extent);
  s.number("height_scale", x.height_scale, {.unit = "-", .doc = "Multiplies the heights of the file"});
  s.number("height_offset", x.height_offset, {.unit = "m", .doc = "Added to the heights after scaling"});
  describe(s, x.options);
}

}  // namespace

TerrainPtr make_grid(Section& s, const MakeContext&) {
  auto x = read_keys<GridSettings>(s);
  if (s.documenting()) return nullptr;
  const auto order = x.order == "auto" ? std::optional<MatrixOrder>{} : matrix_order(x.order);
  GridText text = read_grid_text(x.file, order);
  const bool unplaced = !text.placed && (x.extent.size.array() == 0).all() && x.extent.cell == 0;
  if (unplaced)
    s.fail("file", "the file does not say how large the grid is: give size = [length, width] or cell");
  text.field.geometry = geometry_of(x.extent, text.field.geometry, s.has("centre"), "grid");
  text.field.datum = text.field.datum * x.height_scale + x.height_offset;
  if (x.height_scale != 1) {
    for (float& z : text.field.z) z = static_cast<float>(z * x.height_scale);
  }
  return std::make_unique<Grid>(std::move(text.field), x.options);
}

}  // namespace scree
