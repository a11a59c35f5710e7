#pragma once
/// Settings that every gridded kind of ground shares: where its samples lie and how they are joined.
#include "scree/config/section.hpp"
#include "scree/terrain/grid.hpp"

namespace scree {

/// Where a grid lies. Give `cell`, or `cells` together with `size`.
struct Extent {
  Vec2 size = Vec2::Zero();    ///< length along x and y [m]; 0: as the source says
  Vec2 centre = Vec2::Zero();  ///< where the middle of the grid lies in the parent's frame [m]
  double cell = 0;             ///< distance between samples [m]; 0: as the source says
  Vec2 cells = Vec2::Zero();   ///< number of cells along x and y (samples - 1); 0: from size and cell
};
void describe(Section& section, Extent& extent);

/// The geometry of new samples (makers, sampled functions): needs size, and cell or cells. A size that is not
/// a whole number of cells is rounded up to one.
GridGeometry geometry_of(const Extent& extent, const std::string& what);
/// The geometry of nx x ny samples that exist already (importers): `size` or `cell` scale them; with neither,
/// `natural` holds (its corner moves only when `centre` is given).
GridGeometry geometry_of(const Extent& extent, const GridGeometry& natural, bool has_centre,
                         const std::string& what);

/// How samples are joined and what lies beyond the edge.
void describe(Section& section, GridOptions& options);

}  // namespace scree
