#include "scree/robot/motion.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"

namespace scree {
namespace {

/// Second derivatives M of the cubic spline through (t, q) with zero slope at both ends: with steps h and
/// secants s,  h_i-1 M_i-1 + 2 (h_i-1 + h_i) M_i + h_i M_i+1 = 6 (s_i - s_i-1), and s = 0 beyond the ends.
/// Tridiagonal and diagonally dominant: eliminated in order.
std::vector<double> spline_curvature(const std::vector<double>& t, const std::vector<double>& q) {
  const std::size_t n = t.size();
  std::vector<double> upper(n, 0.0), m(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double before = i > 0 ? t[i] - t[i - 1] : 0, after = i + 1 < n ? t[i + 1] - t[i] : 0;
    const double slope_before = i > 0 ? (q[i] - q[i - 1]) / before : 0;
    const double slope_after = i + 1 < n ? (q[i + 1] - q[i]) / after : 0;
    const double pivot = 2 * (before + after) - (i > 0 ? before * upper[i - 1] : 0);
    upper[i] = after / pivot;
    m[i] = (6 * (slope_after - slope_before) - (i > 0 ? before * m[i - 1] : 0)) / pivot;
  }
  for (std::size_t i = n - 1; i > 0; --i) m[i - 1] -= upper[i - 1] * m[i];
  return m;
}

}  // namespace

void describe(Section& s, MotionSettings& x) {
  s.choice("kind", x.kind, {"none", "ramp", "sine", "table"},
           {.doc = "the joint moves freely, at constant speed, to and fro, or through the rows"});
  s.number("offset", x.offset, {.unit = "rad, m", .doc = "ramp: position at time zero; sine: its middle"});
  s.number("speed", x.speed, {.unit = "rad/s, m/s", .doc = "ramp"});
  s.number("amplitude", x.amplitude, {.unit = "rad, m", .doc = "sine"});
  s.number("frequency", x.frequency, {.unit = "Hz", .doc = "sine", .range = positive()});
  s.angle("phase", x.phase, {.doc = "sine: at time zero"});
  s.rows(
      "rows", x.rows, 2,
      {.unit = "s, rad or m", .doc = "table: pairs [time, position], times ascending; at rest at both ends"});
}

Motion::Motion(const MotionSettings& settings, const std::string& who) : x_(settings) {
  if (x_.kind != "table") return;
  if (x_.rows.size() < 2)
    input_error("{}: a table of {} rows moves nothing: at least 2", who, x_.rows.size());
  for (const auto& row : x_.rows) {
    if (row.size() != 2 || !std::isfinite(row[0]) || !std::isfinite(row[1])) {
      input_error("{}: a row must be [time, position], both finite", who);
    }
    if (!times_.empty() && !(row[0] > times_.back())) {
      input_error("{}: time {} s follows {} s: times must ascend", who, row[0], times_.back());
    }
    times_.push_back(row[0]);
    positions_.push_back(row[1]);
  }
  curvature_ = spline_curvature(times_, positions_);
}

MotionNow Motion::of_table(double time) const {
  if (time <= times_.front()) return {positions_.front(), 0, 0};
  if (time >= times_.back()) return {positions_.back(), 0, 0};
  const std::size_t k = std::upper_bound(times_.begin(), times_.end(), time) - times_.begin();
  const double h = times_[k] - times_[k - 1], a = times_[k] - time, b = time - times_[k - 1];
  const double left = curvature_[k - 1], right = curvature_[k];
  const double from = positions_[k - 1] / h - left * h / 6, to = positions_[k] / h - right * h / 6;
  return {(left * a * a * a + right * b * b * b) / (6 * h) + from * a + to * b,
          (right * b * b - left * a * a) / (2 * h) + to - from, (left * a + right * b) / h};
}

MotionNow Motion::operator()(double time) const {
  if (x_.kind == "table") return of_table(time);
  if (x_.kind == "ramp") return {x_.offset + x_.speed * time, x_.speed, 0};
  const double w = 2 * kPi * x_.frequency, angle = w * time + x_.phase;
  const double s = x_.amplitude * maths::sin(angle);
  return {x_.offset + s, w * x_.amplitude * maths::cos(angle), -w * w * s};
}

}  // namespace scree
