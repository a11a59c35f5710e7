#pragma once
/// Ground that is the same at every y: a chain of level, straight, round and S-shaped pieces along x.
/// Ramps, steps, trenches and stairs are profiles; slopes and slope bounds are exact.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "scree/terrain/terrain.hpp"

namespace scree {

class Profile final : public Terrain {
 public:
  enum class Shape { line, arc, ease };
  struct Point {
    double z, slope;
  };
  struct Piece {
    double x, z;  ///< where it starts
    Shape shape;
    double a, b;      ///< line: slope; arc: signed curvature, sine of the first angle; ease: length, rise
    double steepest;  ///< largest |slope|
    Point at(double x) const;
  };

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

  /// Which piece holds x; the first and the last go on for ever.
  std::size_t piece_at(double x) const;
  const Piece& piece(std::size_t k) const { return pieces_[k]; }
  double end_of(std::size_t k) const {
    return k + 1 < pieces_.size() ? pieces_[k + 1].x : std::numeric_limits<double>::infinity();
  }

  void sample(const TerrainRow& row) const override;
  Rectangle raised() const override;
  double slope_bound(const Rectangle& area) const override;
  double slope_bound_along(const Rectangle& area, const Vec2& way) const override {
    return std::abs(way.x()) * slope_bound(area);
  }
  std::optional<PlacedProfile> placed_profile(const Rectangle& area) const override;
  HeightRange height_range(const Rectangle& area) const override;
  double finest_feature(const Rectangle& area) const override;
  std::string summary() const override;

 private:
  void add(Piece piece, double length, double rise);

  std::string name_;
  std::vector<Piece> pieces_;
  double end_x_, end_z_;
};

inline Profile::Point Profile::Piece::at(double at) const {
  if (steepest == 0) return {z, 0};
  const double s = at - x;
  if (shape == Shape::line) return {z + a * s, a};
  if (shape == Shape::arc) {
    const double sine = b + a * s, cosine = std::sqrt(1 - sine * sine);
    return {z + (std::sqrt(1 - b * b) - cosine) / a, sine / cosine};
  }
  const double t = s / a;
  return {z + b * t * t * (3 - 2 * t), b * 6 * t * (1 - t) / a};
}

}  // namespace scree
