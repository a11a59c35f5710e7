#pragma once
/// Ground from scans: clouds of points, gridded.
#include <filesystem>
#include <functional>

#include "scree/terrain/gaps.hpp"
#include "scree/terrain/text_scanner.hpp"

namespace scree {

/// Receives one point of a cloud [m].
using PointVisitor = std::function<void(const Vec3&)>;

/// Points of a text file: x y z and any further columns, separated by blanks, commas or semicolons; one first
/// line of column names is skipped.
void read_xyz(TextScanner& scanner, const PointVisitor& visit);
/// Points of a PLY file, text or binary (either byte order): properties x, y, z of element vertex.
void read_ply(const std::filesystem::path& file, const PointVisitor& visit);
/// By the file's extension.
void read_points(const std::filesystem::path& file, const PointVisitor& visit);

enum class PointRule { mean, highest, lowest };

/// Gathers points into the samples of a grid: a sample takes the points within half a cell of it along each
/// axis. Samples without a point are NaN (gaps.hpp).
class PointGridder {
 public:
  PointGridder(const GridGeometry& geometry, PointRule rule);
  void add(const Vec3& point);
  std::size_t points_used() const { return used_; }
  HeightField finish() &&;

 private:
  HeightField field_;
  PointRule rule_;
  std::vector<float> count_;
  std::size_t used_ = 0;
};

}  // namespace scree
