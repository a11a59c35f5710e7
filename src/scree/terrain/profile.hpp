#pragma once
/// Ground that is the same at every y: a chain of level, straight, round and S-shaped pieces along x.
/// Ramps, steps, trenches and stairs are profiles; slopes and slope bounds are exact.
#include <string>
#include <vector>

#include "scree/terrain/terrain.hpp"

namespace scree {

class Profile final : public Terrain {
 public:
  /// Starts level, at height `z` for every x up to `x`.
  Profile(std::string name, double x, double z);

  /// Each appends a piece that starts where the last one ended [m]; lengths are horizontal.
  Profile& level(double length);
  Profile& line(double length, double slope);
  /// A circular arc from slope angle `from` to slope angle `to` [rad]: concave when the angle grows.
  Profile& arc(double radius, double from, double to);
  /// An S of given rise, 3 t^2 - 2 t^3: level at both ends (C1), steepest in the middle, 1.5 rise / length.
  Profile& ease(double length, double rise);

  /// Where the last piece ended; beyond it the ground goes on level, or at the last line's slope.
  double end_x() const { return end_x_; }
  double end_z() const { return end_z_; }
  void endless_line(double slope) {
    pieces_.push_back({end_x_, end_z_, Shape::line, slope, 0, std::abs(slope)});
  }

  void sample(const TerrainRow& row) const override;
  Rectangle raised() const override;
  double slope_bound(const Rectangle& area) const override;
  double slope_bound_along(const Rectangle& area, const Vec2& way) const override {
    return std::abs(way.x()) * slope_bound(area);
  }
  HeightRange height_range(const Rectangle& area) const override;
  double finest_feature(const Rectangle& area) const override;
  std::string summary() const override;

 private:
  enum class Shape { line, arc, ease };
  struct Piece {
    double x, z;  ///< where it starts
    Shape shape;
    double a, b;      ///< line: slope; arc: signed curvature, sine of the first angle; ease: length, rise
    double steepest;  ///< largest |slope|
  };
  void add(Piece piece, double length, double rise);
  std::size_t piece_at(double x) const;

  std::string name_;
  std::vector<Piece> pieces_;
  double end_x_, end_z_;
};

}  // namespace scree
