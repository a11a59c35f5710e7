#include "scree/terrain/extent.hpp"

#include <cmath>

#include "scree/core/errors.hpp"

namespace scree {

void describe(Section& s, Extent& x) {
  s.vector("size", x.size, {.unit = "m", .doc = "Length along x and along y", .range = not_negative()});
  s.vector("centre", x.centre, {.unit = "m", .doc = "Where the middle of the grid lies"});
  s.number("cell", x.cell,
           {.unit = "m",
            .doc = "Distance between samples; 0: from `cells`, or as the source says",
            .range = not_negative()});
  s.vector(
      "cells", x.cells,
      {.unit = "-", .doc = "Cells along x and y (samples - 1), in place of `cell`", .range = not_negative()});
}

void describe(Section& s, GridOptions& x) {
  std::string word = x.interpolation == Interpolation::smooth ? "smooth" : "bilinear";
  s.choice("interpolation", word, {"bilinear", "smooth"},
           {.unit = "-", .doc = "Between samples: bilinear (slopes jump at cell edges) or a C1 spline"});
  x.interpolation = word == "smooth" ? Interpolation::smooth : Interpolation::bilinear;
  s.boolean("extend", x.extend,
            {.unit = "-", .doc = "The edge goes on for ever; otherwise leaving is an event"});
}

GridGeometry geometry_of(const Extent& e, const std::string& what) {
  if (!(e.size.x() > 0 && e.size.y() > 0)) {
    input_error("{}: size {} m x {} m must be positive: give size = [length, width]", what, e.size.x(),
                e.size.y());
  }
  Vec2 cells = e.cells;
  if ((cells.array() == 0).all()) {
    if (!(e.cell > 0)) input_error("{}: give cell (in metres) or cells = [nx, ny]", what);
    // A size of 0.3 in cells of 0.1 must not become four cells by rounding.
    cells = (e.size / e.cell * (1 - 1e-12)).array().ceil();
  } else if (e.cell > 0) {
    input_error("{}: give cell or cells, not both", what);
  }
  if (!((cells.array() >= 1).all() && (cells.array() == cells.array().floor()).all())) {
    input_error("{}: cells [{}, {}] must be whole numbers of at least 1", what, cells.x(), cells.y());
  }
  if (!((cells.array() < 2e9).all())) {
    input_error("{}: {:.4g} x {:.4g} cells are more than a grid can hold: use a larger cell", what, cells.x(),
                cells.y());
  }
  const Vec2 size = e.cell > 0 ? Vec2(cells * e.cell) : e.size;
  const Vec2 corner = e.centre - 0.5 * size;
  GridGeometry g{static_cast<int>(cells.x()) + 1,
                 static_cast<int>(cells.y()) + 1,
                 corner.x(),
                 corner.y(),
                 size.x() / cells.x(),
                 size.y() / cells.y()};
  check_geometry(g, what);
  return g;
}

GridGeometry geometry_of(const Extent& e, const GridGeometry& natural, bool has_centre,
                         const std::string& what) {
  GridGeometry g = natural;
  if ((e.cells.array() != 0).any() && !(e.cells.x() == natural.nx - 1 && e.cells.y() == natural.ny - 1)) {
    input_error("{}: cells [{}, {}] but the source has {} x {} samples, one more than cells each way", what,
                e.cells.x(), e.cells.y(), natural.nx, natural.ny);
  }
  const bool sized = (e.size.array() != 0).any();
  if (sized && e.cell > 0) input_error("{}: give size or cell, not both", what);
  if (sized && natural.nx > 1 && natural.ny > 1) {
    g.step_x = e.size.x() / (natural.nx - 1);
    g.step_y = e.size.y() / (natural.ny - 1);
  } else if (e.cell > 0) {
    g.step_x = g.step_y = e.cell;
  }
  if (has_centre || sized || e.cell > 0) {
    g.x_min = e.centre.x() - 0.5 * (g.nx - 1) * g.step_x;
    g.y_min = e.centre.y() - 0.5 * (g.ny - 1) * g.step_y;
  }
  check_geometry(g, what);
  return g;
}

}  // namespace scree
