#include "scree/control/cdta_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/lanes.hpp"
#include "scree/core/maths.hpp"

namespace scree {
namespace {

/// c + x F1 + y F2.
struct Linear {
  double c = 0, x = 0, y = 0;
  double at(const Vec2& f) const { return c + x * f.x() + y * f.y(); }
};

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// A convex polygon with room for every cut.
struct Region {
  std::array<Vec2, 16> v;
  int n = 0;
  void add(const Vec2& p) { v[n++] = p; }
};

/// The part of a polygon where g >= -slack.
void cut(Region& p, const Linear& g, double slack) {
  Region out;
  double side[16];
  bool all = true;
  for (int i = 0; i < p.n; ++i) side[i] = g.at(p.v[i]) + slack, all = all && side[i] >= 0;
  if (all) return;
  for (int i = 0; i < p.n; ++i) {
    const int j = i + 1 == p.n ? 0 : i + 1;
    if (side[i] >= 0) out.add(p.v[i]);
    if ((side[i] >= 0) != (side[j] >= 0))
      out.add(p.v[i] + (p.v[j] - p.v[i]) * (side[i] / (side[i] - side[j])));
  }
  std::copy_n(out.v.begin(), out.n, p.v.begin());
  p.n = out.n;
}

/// (cos, sin) of an angle; within a turn without the library's detours for large ones.
Vec2 direction(double angle) {
  if (!(std::abs(angle) <= kPi)) return {maths::cos(angle), maths::sin(angle)};
  const lane::SineCosine<double> d = lane::sine_cosine(angle);
  return {d.cosine, d.sine};
}

/// The loads and the acceleration as functions of the tractions, and the limits as half-planes g >= 0.
struct Plane {
  Linear n[2], a;
  std::array<Linear, 6> limits;
  double box[2];
  double size = 0;  ///< scale of the forces [N]
  double pull = 0;  ///< scale of the accelerations [m/s^2]
};

bool reduce(const CdtaProblem& q, Plane& out) {
  Vec2 t[2], n[2];
  for (int i = 0; i < 2; ++i) {
    t[i] = direction(q.axles[i].tangent);
    n[i] = {-t[i].y(), t[i].x()};
  }
  const Vec2 ahead = direction(q.pitch), up(-ahead.y(), ahead.x());
  // Normal to the body there is no acceleration, and there is no moment: two equations in N1, N2.
  const double a11 = n[0].dot(up), a12 = n[1].dot(up);
  const double a21 = cross(q.axles[0].p, n[0]), a22 = cross(q.axles[1].p, n[1]);
  const double det = a11 * a22 - a12 * a21;
  const double arm = q.axles[0].p.norm() + q.axles[1].p.norm();
  if (!(std::abs(det) > 1e-9 * arm)) return false;
  const double b1[3] = {q.mass * q.gravity * up.y(), -t[0].dot(up), -t[1].dot(up)};
  const double b2[3] = {0, -cross(q.axles[0].p, t[0]), -cross(q.axles[1].p, t[1])};
  auto solve = [&](int which) {
    double r[3];
    for (int k = 0; k < 3; ++k)
      r[k] = which == 0 ? (b1[k] * a22 - b2[k] * a12) / det : (a11 * b2[k] - a21 * b1[k]) / det;
    return Linear{r[0], r[1], r[2]};
  };
  out.n[0] = solve(0), out.n[1] = solve(1);
  const double m0 = n[0].dot(ahead) / q.mass, m1 = n[1].dot(ahead) / q.mass;
  out.a = {-q.gravity * ahead.y() + m0 * out.n[0].c + m1 * out.n[1].c,
           t[0].dot(ahead) / q.mass + m0 * out.n[0].x + m1 * out.n[1].x,
           t[1].dot(ahead) / q.mass + m0 * out.n[0].y + m1 * out.n[1].y};
  for (int i = 0; i < 2; ++i) {
    const CdtaAxle& axle = q.axles[i];
    const Linear& load = out.n[i];
    const double x = i == 0 ? 1 : 0, y = 1 - x;
    out.limits[3 * i] = {load.c - axle.normal_least, load.x, load.y};
    const Linear peak{axle.friction_base + axle.friction * load.c, axle.friction * load.x,
                      axle.friction * load.y};
    out.limits[3 * i + 1] = {peak.c, peak.x - x, peak.y - y};
    out.limits[3 * i + 2] = {peak.c, peak.x + x, peak.y + y};
    out.box[i] = axle.force_limit;
  }
  out.pull = q.gravity + std::abs(q.desired);
  out.size = q.mass * out.pull;
  return true;
}

Region allowed(const Plane& plane, double slack) {
  Region p;
  const double x = plane.box[0], y = plane.box[1];
  p.add({-x, -y}), p.add({x, -y}), p.add({x, y}), p.add({-x, y});
  for (const Linear& g : plane.limits) {
    cut(p, g, slack);
    if (p.n == 0) break;
  }
  return p;
}

double sum_abs(const Vec2& f) { return std::abs(f.x()) + std::abs(f.y()); }

/// Point of the segment a-b nearest to the origin.
Vec2 nearest_origin(const Vec2& a, const Vec2& b) {
  const Vec2 d = b - a;
  const double length = d.squaredNorm();
  if (!(length > 0)) return a;
  return a + d * std::clamp(-a.dot(d) / length, 0.0, 1.0);
}

/// |F1| + |F2| least, then F1^2 + F2^2 least, on the segment a-b. The first is convex and bends where a
/// component vanishes, so its least value is at an end or a bend; where several of these tie, all between
/// them tie too, and the second picks among them.
Vec2 best_on_segment(const Vec2& a, const Vec2& b, double tie) {
  Vec2 point[4] = {a, b};
  int count = 2;
  const Vec2 d = b - a;
  for (int k = 0; k < 2; ++k)
    if (a[k] * b[k] < 0) {
      Vec2 bend = a - d * (a[k] / d[k]);
      bend[k] = 0;
      point[count++] = bend;
    }
  double least = sum_abs(point[0]);
  for (int i = 1; i < count; ++i) least = std::min(least, sum_abs(point[i]));
  // Ends of the part that ties, by their place along the segment.
  Vec2 first = a, last = b;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int i = 0; i < count; ++i) {
    if (sum_abs(point[i]) > least + tie) continue;
    const double place = (point[i] - a).dot(d);
    if (place < low) low = place, first = point[i];
    if (place > high) high = place, last = point[i];
  }
  return nearest_origin(first, last);
}

/// The same over a whole polygon, for the degenerate case that the tractions do not change a.
Vec2 best_in_polygon(const Region& p, double tie) {
  bool inside = true;
  for (int i = 0; i < p.n; ++i) inside = inside && cross(p.v[i], p.v[(i + 1) % p.n]) >= 0;
  if (inside && p.n > 2) return Vec2::Zero();
  Vec2 best = p.v[0];
  for (int i = 0; i < p.n; ++i) {
    const Vec2 f = best_on_segment(p.v[i], p.v[(i + 1) % p.n], tie);
    const double gain = sum_abs(best) - sum_abs(f);
    if (gain > tie || (gain >= -tie && f.squaredNorm() < best.squaredNorm())) best = f;
  }
  return best;
}

/// The three aims in their order, within a polygon that is not empty.
Vec2 best_traction(const Plane& plane, const Region& p, double desired) {
  const double tie = 1e-12 * plane.size;
  double at[16], low = std::numeric_limits<double>::infinity(), high = -low;
  for (int i = 0; i < p.n; ++i)
    at[i] = plane.a.at(p.v[i]), low = std::min(low, at[i]), high = std::max(high, at[i]);
  if ((high - low) * (std::abs(plane.a.x) + std::abs(plane.a.y)) <= 0 ||
      high - low < 1e-12 * (std::abs(low) + std::abs(high)))
    return best_in_polygon(p, tie);
  const double aim = std::clamp(desired, low, high), near = 1e-11 * plane.pull;
  Vec2 ends[2];
  int found = 0;
  double reach = -1;
  auto take = [&](const Vec2& f) {
    if (found == 0) {
      ends[0] = ends[1] = f, found = 1;
      return;
    }
    // Keep the two points that lie farthest apart: on a convex polygon they are the ends.
    for (int k = 0; k < 2; ++k) {
      const double apart = (f - ends[k]).squaredNorm();
      if (apart > reach) reach = apart, ends[1 - k] = f;
    }
  };
  for (int i = 0; i < p.n; ++i) {
    const int j = i + 1 == p.n ? 0 : i + 1;
    // An edge along which a is constant (level ground has them) belongs to the optimum as a whole.
    if (std::abs(at[i] - aim) <= near)
      take(p.v[i]);
    else if (std::abs(at[j] - aim) > near && (at[i] - aim) * (at[j] - aim) < 0)

      take(p.v[i] + (p.v[j] - p.v[i]) * ((aim - at[i]) / (at[j] - at[i])));
  }
  return best_on_segment(ends[0], ends[1], tie);
}

/// Smallest slack that leaves something of the rectangle: a linear programme in (F1, F2, slack). Its optimum
/// is a corner where three of the ten limits meet; few enough to try all.
double least_slack(const Plane& plane) {
  struct Row {
    double c, x, y, s;  // c + x F1 + y F2 + s slack >= 0
  };
  std::array<Row, 10> row;
  for (int i = 0; i < 6; ++i) row[i] = {plane.limits[i].c, plane.limits[i].x, plane.limits[i].y, 1};
  row[6] = {plane.box[0], 1, 0, 0}, row[7] = {plane.box[0], -1, 0, 0};
  row[8] = {plane.box[1], 0, 1, 0}, row[9] = {plane.box[1], 0, -1, 0};
  double best = std::numeric_limits<double>::infinity();
  const double keep = 1e-10 * plane.size;
  for (int i = 0; i < 10; ++i)
    for (int j = i + 1; j < 10; ++j)
      for (int k = j + 1; k < 10; ++k) {
        Mat3 m;
        m << row[i].x, row[i].y, row[i].s, row[j].x, row[j].y, row[j].s, row[k].x, row[k].y, row[k].s;
        const double det = m.determinant();
        if (!(std::abs(det) > 1e-12)) continue;
        const Vec3 f = m.inverse() * Vec3(-row[i].c, -row[j].c, -row[k].c);
        if (!(f.z() < best && f.z() >= 0)) continue;
        bool holds = true;
        for (const Row& r : row) holds = holds && r.c + r.x * f.x() + r.y * f.y() + r.s * f.z() >= -keep;
        if (holds) best = f.z();
      }
  return best;
}

}  // namespace

CdtaSolution solve_cdta(const CdtaProblem& problem) {
  CdtaSolution result;
  Plane plane;
  if (!reduce(problem, plane)) return result;
  result.status = CdtaSolution::Status::solved;
  Region p = allowed(plane, 1e-12 * plane.size);
  if (p.n == 0) {
    result.status = CdtaSolution::Status::infeasible;
    result.violation = least_slack(plane);
    p = allowed(plane, result.violation + 1e-9 * plane.size);
    if (p.n == 0) return result.status = CdtaSolution::Status::singular, result;
  }
  const Vec2 f = best_traction(plane, p, problem.desired);
  result.traction = {f.x(), f.y()};
  result.normal = {plane.n[0].at(f), plane.n[1].at(f)};
  result.acceleration = plane.a.at(f);
  return result;
}

}  // namespace scree
