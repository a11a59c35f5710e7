#include "scree/terrain/gaps.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

constexpr double kMembraneTolerance = 1e-6;  ///< of the range of heights

/// One level of the pyramid: every second sample of the finer one.
struct GapLevel {
  int nx = 0, ny = 0;
  std::vector<float> z;                ///< NaN where missing
  std::vector<std::uint32_t> missing;  ///< places of those, before they were filled
};

void find_missing(GapLevel& level) {
  level.missing.clear();
  for (std::size_t k = 0; k < level.z.size(); ++k) {
    if (std::isnan(level.z[k])) level.missing.push_back(static_cast<std::uint32_t>(k));
  }
}

/// Means of the known samples of 2 x 2.
GapLevel coarser(const float* z, int nx, int ny) {
  GapLevel c;
  c.nx = (nx + 1) / 2, c.ny = (ny + 1) / 2;
  c.z.resize(static_cast<std::size_t>(c.nx) * c.ny);
  for (int j = 0; j < c.ny; ++j) {
    for (int i = 0; i < c.nx; ++i) {
      double sum = 0;
      int count = 0;
      for (int b = 2 * j; b < std::min(2 * j + 2, ny); ++b) {
        for (int a = 2 * i; a < std::min(2 * i + 2, nx); ++a) {
          const float value = z[static_cast<std::size_t>(b) * nx + a];
          if (!std::isnan(value)) sum += value, ++count;
        }
      }
      c.z[static_cast<std::size_t>(j) * c.nx + i] =
          count > 0 ? static_cast<float>(sum / count) : std::nanf("");
    }
  }
  find_missing(c);
  return c;
}

/// The discrete membrane over the missing samples of one level.
class Membrane {
 public:
  /// `weight_x`, `weight_y`: of neighbours along x and y.
  Membrane(float* z, int nx, int ny, const std::vector<std::uint32_t>& missing, double weight_x,
           double weight_y)
      : z_(z), nx_(nx), ny_(ny), missing_(missing), wx_(weight_x), wy_(weight_y) {
    // Four neighbours of each: the number of an unknown, or what is known there.
    std::vector<std::int32_t> number(static_cast<std::size_t>(nx) * ny, -1);
    for (std::size_t n = 0; n < missing.size(); ++n) number[missing[n]] = static_cast<std::int32_t>(n);
    neighbour_.resize(4 * missing.size(), -1);
    diagonal_.resize(missing.size());
    fixed_.resize(missing.size());
    for (std::size_t n = 0; n < missing.size(); ++n) {
      const int i = static_cast<int>(missing[n] % static_cast<std::uint32_t>(nx)),
                j = static_cast<int>(missing[n] / static_cast<std::uint32_t>(nx));
      const int di[4] = {-1, 1, 0, 0}, dj[4] = {0, 0, -1, 1};
      for (int k = 0; k < 4; ++k) {
        const int a = i + di[k], b = j + dj[k];
        if (a < 0 || b < 0 || a >= nx || b >= ny) continue;  // free at the end of the field
        const std::size_t at = static_cast<std::size_t>(b) * nx + a;
        const double w = k < 2 ? wx_ : wy_;
        diagonal_[n] += w;
        if (number[at] >= 0) {
          neighbour_[4 * n + k] = number[at];
        } else {
          fixed_[n] += w * z[at];
        }
      }
    }
  }

  /// Conjugate gradients with Jacobi's preconditioner from what stands in z, to the tolerance [m].
  void solve(double tolerance) {
    const std::size_t count = missing_.size();
    std::vector<double> x(count), r(count), p(count), q(count);
    for (std::size_t n = 0; n < count; ++n) x[n] = z_[missing_[n]];
    apply(x, q);
    double rho = 0;
    for (std::size_t n = 0; n < count; ++n) {
      r[n] = fixed_[n] - q[n];
      p[n] = r[n] / diagonal_[n];
      rho += r[n] * p[n];
    }
    // The error of a smooth residual spread over a gap of width n is about n² times the residual: demanded of
    // each sample is that much less.
    const double width =
        std::max(4.0, std::min<double>(std::max(nx_, ny_), std::sqrt(static_cast<double>(count))));
    const double enough = tolerance / (width * width);
    const int most = 100 + 20 * static_cast<int>(width);
    for (int pass = 0; pass < most && largest(r) > enough; ++pass) {
      apply(p, q);
      double pq = 0;
      for (std::size_t n = 0; n < count; ++n) pq += p[n] * q[n];
      if (!(pq > 0)) break;
      const double alpha = rho / pq;
      double next = 0;
      for (std::size_t n = 0; n < count; ++n) {
        x[n] += alpha * p[n];
        r[n] -= alpha * q[n];
        next += r[n] * r[n] / diagonal_[n];
      }
      const double beta = next / rho;
      rho = next;
      for (std::size_t n = 0; n < count; ++n) p[n] = r[n] / diagonal_[n] + beta * p[n];
    }
    for (std::size_t n = 0; n < count; ++n) z_[missing_[n]] = static_cast<float>(x[n]);
  }

 private:
  void apply(const std::vector<double>& x, std::vector<double>& out) const {
    for (std::size_t n = 0; n < x.size(); ++n) {
      double sum = diagonal_[n] * x[n];
      for (int k = 0; k < 4; ++k) {
        const std::int32_t m = neighbour_[4 * n + k];
        if (m >= 0) sum -= (k < 2 ? wx_ : wy_) * x[m];
      }
      out[n] = sum;
    }
  }
  double largest(const std::vector<double>& r) const {
    double most = 0;
    for (std::size_t n = 0; n < r.size(); ++n) most = std::max(most, std::abs(r[n]) / diagonal_[n]);
    return most;
  }

  float* z_;
  int nx_, ny_;
  const std::vector<std::uint32_t>& missing_;
  double wx_, wy_;
  std::vector<std::int32_t> neighbour_;
  std::vector<double> diagonal_, fixed_;
};

/// Beyond, sums and squares leave what single precision can hold.
constexpr float kLargestHeight = 1e15f;  // m

struct Spacing {
  double weight_x, weight_y, tolerance;
};

/// Fills the missing samples: first guess from the next coarser level, then the membrane.
void fill_level(float* z, int nx, int ny, const std::vector<std::uint32_t>& missing, const Spacing& s) {
  GapLevel c = coarser(z, nx, ny);
  if (!c.missing.empty()) fill_level(c.z.data(), c.nx, c.ny, c.missing, s);
  const auto at = [&](int i, int j) {
    return c.z[static_cast<std::size_t>(std::clamp(j, 0, c.ny - 1)) * c.nx + std::clamp(i, 0, c.nx - 1)];
  };
  for (const std::uint32_t k : missing) {
    // A coarse sample lies in the middle of four fine ones: the nearest has 3/4 of the weight along each
    // axis.
    const int i = static_cast<int>(k % static_cast<std::uint32_t>(nx)),
              j = static_cast<int>(k / static_cast<std::uint32_t>(nx));
    const int a = i / 2, b = j / 2, da = i % 2 ? 1 : -1, db = j % 2 ? 1 : -1;
    z[k] = 0.75f * (0.75f * at(a, b) + 0.25f * at(a + da, b)) +
           0.25f * (0.75f * at(a, b + db) + 0.25f * at(a + da, b + db));
  }
  Membrane(z, nx, ny, missing, s.weight_x, s.weight_y).solve(s.tolerance);
}

/// Samples from the nearest known one to the middle of the widest gap, counted along rows, columns and
/// diagonals: two passes over the field.
int depth_of_gaps(const HeightField& f, const std::vector<std::uint32_t>& missing) {
  const GridGeometry& g = f.geometry;
  std::vector<std::uint16_t> depth(g.samples(), 0);
  constexpr int kDeepest = 65535;
  const auto at = [&](int i, int j) -> int {
    return i < 0 || j < 0 || i >= g.nx || j >= g.ny ? kDeepest
                                                    : depth[static_cast<std::size_t>(j) * g.nx + i];
  };
  int deepest = 0;
  const auto relax = [&](std::uint32_t k, int side) {
    const int i = static_cast<int>(k % static_cast<std::uint32_t>(g.nx)),
              j = static_cast<int>(k / static_cast<std::uint32_t>(g.nx));
    const int near = std::min({at(i + side, j), at(i - 1, j + side), at(i, j + side), at(i + 1, j + side)});
    depth[k] = static_cast<std::uint16_t>(std::min({static_cast<int>(depth[k]), near + 1, kDeepest}));
  };
  for (const std::uint32_t k : missing) depth[k] = kDeepest;
  for (auto k = missing.begin(); k != missing.end(); ++k) relax(*k, -1);
  for (auto k = missing.rbegin(); k != missing.rend(); ++k) relax(*k, 1);
  for (const std::uint32_t k : missing) deepest = std::max<int>(deepest, depth[k]);
  return deepest;
}

}  // namespace

std::string GapReport::text() const {
  if (samples == 0) return "";
  return fmt::format("{} samples without a height ({:.2g} %, up to {} from one with) filled", samples,
                     100 * fraction, widest);
}

GapReport close_gaps(HeightField& f, Gaps how, const std::string& what, const std::string& key) {
  const GridGeometry& g = f.geometry;
  std::vector<std::uint32_t> missing;
  float low = std::numeric_limits<float>::max(), high = -low;
  for (std::size_t k = 0; k < g.samples(); ++k) {
    if (std::isnan(f.z[k])) {
      missing.push_back(static_cast<std::uint32_t>(k));
    } else if (!(std::abs(f.z[k]) < kLargestHeight)) {
      const int i = static_cast<int>(k % static_cast<std::size_t>(g.nx)),
                j = static_cast<int>(k / static_cast<std::size_t>(g.nx));
      input_error("{}: the height at x = {:.6g} m, y = {:.6g} m is {} m: beyond {:g} m", what, g.x(i), g.y(j),
                  f.z[k], kLargestHeight);
    } else {
      low = std::min(low, f.z[k]), high = std::max(high, f.z[k]);
    }
  }
  GapReport report{missing.size(), static_cast<double>(missing.size()) / static_cast<double>(g.samples()), 0};
  if (missing.empty()) return report;
  if (missing.size() == g.samples()) input_error("{}: no sample has a height: nodata everywhere", what);
  if (how == Gaps::refuse) {
    const int i = static_cast<int>(missing[0] % static_cast<std::uint32_t>(g.nx)),
              j = static_cast<int>(missing[0] / static_cast<std::uint32_t>(g.nx));
    input_error(
        "{}: {} of {} samples have no height, the first at x = {:.6g} m, y = {:.6g} m: {} = \"fill\" "
        "closes them",
        what, missing.size(), g.samples(), g.x(i), g.y(j), key);
  }
  // Per missing sample: neighbours, diagonal, known part, four vectors; per sample: its number, its depth.
  check_memory(64 * missing.size() + 8 * g.samples(), what + ": closing gaps");
  report.widest = depth_of_gaps(f, missing);
  const double ratio = g.step_x / g.step_y;
  fill_level(f.z.data(), g.nx, g.ny, missing,
             {1, ratio * ratio, kMembraneTolerance * std::max(static_cast<double>(high) - low, 1e-6)});
  return report;
}

}  // namespace scree
