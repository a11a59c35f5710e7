#pragma once
/// Ground as a matrix of elevations (Morrot 2011, Sec. 2.1): the usual kind, and the fastest.
#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "scree/terrain/grid_view.hpp"
#include "scree/terrain/height_field.hpp"
#include "scree/terrain/height_table.hpp"
#include "scree/terrain/peak_table.hpp"
#include "scree/terrain/slope_table.hpp"

namespace scree {

enum class Interpolation {
  bilinear,  ///< the paper's: C0, slopes jump at cell edges
  smooth,    ///< biquadratic B-spline through the same samples: C1
};

struct GridOptions {
  Interpolation interpolation = Interpolation::bilinear;
  bool extend = false;  ///< the edge goes on for ever: bounds() is infinite
  std::string name = "grid";
};

class Grid final : public Terrain {
 public:
  /// Takes the field over (no copy) and checks it: geometry, finite heights; 3 x 3 samples when smooth.
  explicit Grid(HeightField field, GridOptions options = {});
  /// Its view and tables read its own samples: it stays where it is.
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  void sample(const TerrainRow& row) const override;
  Rectangle bounds() const override { return options_.extend ? Rectangle{} : field_.geometry.bounds(); }
  double cell() const override { return std::min(field_.geometry.step_x, field_.geometry.step_y); }
  double slope_bound(const Rectangle& area) const override { return slopes_.bound(area); }
  std::optional<SlopeRange> slope_range(const Rectangle& area) const override;
  HeightRange height_range(const Rectangle& area) const override { return heights_.of(area); }
  const GridView* bilinear_view() const override {
    return options_.interpolation == Interpolation::bilinear ? &view_ : nullptr;
  }
  const GridView* smooth_view() const override {
    return options_.interpolation == Interpolation::smooth ? &view_ : nullptr;
  }
  std::string summary() const override;

  const GridGeometry& geometry() const { return field_.geometry; }
  const GridOptions& options() const { return options_; }
  /// What the hot loop reads; valid as long as the grid.
  const GridView& view() const { return view_; }
  /// The height at a sample [m]; what was given, to float32 rounding, under either interpolation.
  double sample_height(int i, int j) const;

  /// The samples back, by move: the grid is spent.
  HeightField release() &&;

 private:
  std::optional<double> meet(const Vec3& origin, const Vec3& unit, double begin, double end) const override;

  HeightField field_;
  GridOptions options_;
  GridView view_;
  SlopeTable slopes_;
  HeightTable heights_;
  PeakTable peaks_;  ///< for rays
};

/// Ground from an array: nx x ny heights [m] with x fastest, heights[j nx + i], which is how a row-major
/// array of shape (ny, nx) lies in memory. Copied as float32 above a datum in the middle of their range.
/// Throws InputError when there are more or fewer of them, or one is not a finite number.
std::unique_ptr<const Grid> grid_from_heights(std::span<const double> heights, const GridGeometry& geometry,
                                              GridOptions options = {});
std::unique_ptr<const Grid> grid_from_heights(std::span<const float> heights, const GridGeometry& geometry,
                                              GridOptions options = {});

}  // namespace scree
