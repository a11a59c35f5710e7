#include "scree/terrain/profile.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/maths.hpp"

namespace scree {
namespace {

constexpr std::size_t kFewPieces = 12;  // are looked through one by one

}  // namespace

Profile::Profile(std::string name, double x, double z) : name_(std::move(name)), end_x_(x), end_z_(z) {
  pieces_.push_back({-std::numeric_limits<double>::infinity(), z, Shape::line, 0, 0, 0});
  pieces_.push_back({x, z, Shape::line, 0, 0, 0});
}

/// The last piece is always the level (or endless) one; a new piece goes before it.
void Profile::add(Piece piece, double length, double rise) {
  pieces_.back() = piece;
  end_x_ += length;
  end_z_ += rise;
  pieces_.push_back({end_x_, end_z_, Shape::line, 0, 0, 0});
}

Profile& Profile::level(double length) { return line(length, 0); }

Profile& Profile::line(double length, double slope) {
  if (length > 0) add({end_x_, end_z_, Shape::line, slope, 0, std::abs(slope)}, length, slope * length);
  return *this;
}

/// Along an arc of signed curvature k: sin(angle) = sin(from) + k s, z = (cos(from) - cos(angle)) / k.
Profile& Profile::arc(double radius, double from, double to) {
  if (!(radius > 0) || from == to) return *this;
  const double k = (to > from ? 1 : -1) / radius;
  const double length = (maths::sin(to) - maths::sin(from)) / k;
  const double steepest = std::max(std::abs(maths::tan(from)), std::abs(maths::tan(to)));
  add({end_x_, end_z_, Shape::arc, k, maths::sin(from), steepest}, length,
      (maths::cos(from) - maths::cos(to)) / k);
  return *this;
}

Profile& Profile::ease(double length, double rise) {
  add({end_x_, end_z_, Shape::ease, length, rise, 1.5 * std::abs(rise) / length}, length, rise);
  return *this;
}

std::size_t Profile::piece_at(double x) const {
  // The first piece starts at minus infinity and NaN compares false: the answer is always a piece.
  if (pieces_.size() <= kFewPieces) {
    std::size_t at = 0;
    for (std::size_t k = 1; k < pieces_.size() && !(x < pieces_[k].x); ++k) at = k;
    return at;
  }
  const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), x,
                                      [](double at, const Piece& p) { return at < p.x; });
  return static_cast<std::size_t>(after - pieces_.begin()) - 1;
}

void Profile::sample(const TerrainRow& row) const {
  // Points of a row follow each other: most lie in the piece of the one before.
  std::size_t at = 0;
  double from = 0, to = 0;
  for (int k = 0; k < row.count; ++k) {
    if (!(row.x[k] >= from && row.x[k] < to)) {
      at = piece_at(row.x[k]);
      from = pieces_[at].x;
      to = end_of(at);
    }
    const Point p = pieces_[at].at(row.x[k]);
    row.z[k] = p.z, row.slope_x[k] = p.slope, row.slope_y[k] = 0;
  }
}

Rectangle Profile::raised() const {
  Rectangle r;
  if (pieces_.front().z == 0) r.x_min = pieces_[1].x;
  if (pieces_.back().z == 0 && pieces_.back().steepest == 0) r.x_max = pieces_.back().x;
  return r;
}

double Profile::slope_bound(const Rectangle& area) const {
  double steepest = 0;
  const std::size_t last = piece_at(area.x_max);
  for (std::size_t k = piece_at(area.x_min); k <= last; ++k)
    steepest = std::max(steepest, pieces_[k].steepest);
  return steepest;
}

std::optional<PlacedProfile> Profile::placed_profile(const Rectangle& area) const {
  PlacedProfile whole;
  if (slope_bound(area) > 0) {
    whole.profile = this;
  } else {
    whole.z = pieces_[piece_at(area.x_min)].z;
  }
  return whole;
}

/// Every piece is monotone but an arc through the level, which bulges by less than its own rise and fall: its
/// circle's lowest or highest point counts.
HeightRange Profile::height_range(const Rectangle& area) const {
  const auto z_at = [this](double x) {
    double z, sx, sy;
    const double y = 0;
    sample({1, &x, &y, &z, &sx, &sy});
    return z;
  };
  const std::size_t first = piece_at(area.x_min), last = piece_at(area.x_max);
  if (!std::isfinite(area.x_min) || !std::isfinite(area.x_max)) return {};
  const double z_min = z_at(area.x_min);
  HeightRange range{z_min, z_min};
  const auto include = [&](double z) { range = {std::min(range.low, z), std::max(range.high, z)}; };
  include(z_at(area.x_max));
  for (std::size_t k = first; k <= last; ++k) {
    const Piece& p = pieces_[k];
    if (k > first) include(p.z);
    if (p.shape == Shape::arc) include(p.z + (std::sqrt(1 - p.b * p.b) - 1) / p.a);
  }
  return range;
}

/// The shortest piece that is not level.
double Profile::finest_feature(const Rectangle& area) const {
  double shortest = std::numeric_limits<double>::infinity();
  const std::size_t last = std::min(piece_at(area.x_max), pieces_.size() - 2);
  for (std::size_t k = std::max<std::size_t>(piece_at(area.x_min), 1); k <= last; ++k) {
    if (pieces_[k].steepest > 0) shortest = std::min(shortest, pieces_[k + 1].x - pieces_[k].x);
  }
  return std::isfinite(shortest) ? shortest : 0;
}

std::string Profile::summary() const {
  return fmt::format("{}, {} pieces from x = {:.4g} m to {:.4g} m, rise {:.4g} m", name_, pieces_.size() - 2,
                     pieces_[1].x, end_x_, end_z_ - pieces_[0].z);
}

}  // namespace scree
