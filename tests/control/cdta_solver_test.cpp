#include "scree/control/cdta_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "scree/core/random.hpp"

namespace scree {
namespace {

using Status = CdtaSolution::Status;

/// VIVI on level ground.
CdtaProblem level() {
  CdtaProblem q;
  q.mass = 45, q.gravity = 9.81;
  for (int i = 0; i < 2; ++i) {
    q.axles[i].p = {i == 0 ? -0.3 : 0.3, -0.22};
    q.axles[i].friction = 0.97, q.axles[i].force_limit = 400, q.axles[i].normal_least = 10;
  }
  return q;
}

// --- an independent method ----------------------------------------------------------------------------
// Solves the 3 x 3 equations for given tractions by Eigen's LU (no elimination by hand), and searches all
// corners of the limits' arrangement instead of cutting a polygon.

struct State {
  double n1, n2, a;
};
std::optional<State> loads(const CdtaProblem& q, const Vec2& f) {
  Mat3 m;
  Vec3 b(0, q.mass * q.gravity, 0);
  const double tractions[2] = {f.x(), f.y()};
  for (int i = 0; i < 2; ++i) {
    const double c = std::cos(q.axles[i].tangent), s = std::sin(q.axles[i].tangent);
    const Vec2 p = q.axles[i].p;
    m.col(i) << -s, c, p.x() * c + p.y() * s;
    b -= tractions[i] * Vec3(c, s, p.x() * s - p.y() * c);
  }
  m.col(2) << -q.mass * std::cos(q.pitch), -q.mass * std::sin(q.pitch), 0;
  const Eigen::FullPivLU<Mat3> lu(m);
  if (!lu.isInvertible()) return std::nullopt;
  const Vec3 x = lu.solve(b);
  return State{x[0], x[1], x[2]};
}

/// How much a pair of tractions breaks the limits [N]; <= 0 when it keeps them.
double breach(const CdtaProblem& q, const Vec2& f, const State& s, bool box) {
  const double n[2] = {s.n1, s.n2};
  double worst = -1e300;
  for (int i = 0; i < 2; ++i) {
    const CdtaAxle& x = q.axles[i];
    worst = std::max({worst, x.normal_least - n[i], std::abs(f[i]) - x.friction_base - x.friction * n[i]});
    if (box) worst = std::max(worst, std::abs(f[i]) - x.force_limit);
  }
  return worst;
}

struct Line {  // c + x F1 + y F2 = 0
  double c, x, y;
};
std::vector<Line> lines_of(const CdtaProblem& q) {
  // Every limit is linear in (F1, F2): found by differences of the solved state.
  const State o = *loads(q, {0, 0}), x = *loads(q, {1, 0}), y = *loads(q, {0, 1});
  const Line n[2] = {{o.n1, x.n1 - o.n1, y.n1 - o.n1}, {o.n2, x.n2 - o.n2, y.n2 - o.n2}};
  std::vector<Line> out;
  for (int i = 0; i < 2; ++i) {
    const CdtaAxle& axle = q.axles[i];
    out.push_back({n[i].c - axle.normal_least, n[i].x, n[i].y});
    for (double sign : {-1.0, 1.0}) {
      Line l{axle.friction_base + axle.friction * n[i].c, axle.friction * n[i].x, axle.friction * n[i].y};
      (i == 0 ? l.x : l.y) += sign;
      out.push_back(l);
      out.push_back(i == 0 ? Line{axle.force_limit, sign, 0} : Line{axle.force_limit, 0, sign});
    }
  }
  return out;
}
std::optional<Vec2> meet(const Line& a, const Line& b) {
  const double det = a.x * b.y - a.y * b.x;
  if (std::abs(det) < 1e-11) return std::nullopt;
  return Vec2((-a.c * b.y + b.c * a.y) / det, (-b.c * a.x + a.c * b.x) / det);
}

struct Brute {
  bool feasible = false;
  double a = 0, l1 = 0, l2 = 0;
  Vec2 f = Vec2::Zero();
};
Brute brute_force(const CdtaProblem& q, double tol) {
  Brute out;
  const std::vector<Line> lines = lines_of(q);
  const State o = *loads(q, {0, 0}), x = *loads(q, {1, 0}), y = *loads(q, {0, 1});
  double low = 1e300, high = -1e300;
  auto inside = [&](const Vec2& f) { return breach(q, f, *loads(q, f), true) <= tol; };
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t j = i + 1; j < lines.size(); ++j)
      if (const auto f = meet(lines[i], lines[j]); f && inside(*f)) {
        out.feasible = true;
        const double a = loads(q, *f)->a;
        low = std::min(low, a), high = std::max(high, a);
      }
  if (!out.feasible) return out;
  out.a = std::clamp(q.desired, low, high);
  // Candidates on the line a = const: where it meets a limit or an axis, and its point nearest the origin;
  // then, since |F1| + |F2| is linear between neighbours, the nearest-origin point of the tied stretch.
  const Line aim{o.a - out.a, x.a - o.a, y.a - o.a};
  std::vector<Vec2> points;
  for (const Line& l : lines)
    if (const auto f = meet(aim, l); f && inside(*f)) points.push_back(*f);
  for (const Line& l : {Line{0, 1, 0}, Line{0, 0, 1}})
    if (const auto f = meet(aim, l); f && inside(*f)) points.push_back(*f);
  for (std::size_t i = 0; i < lines.size(); ++i)  // a corner that the line only touches
    for (std::size_t j = i + 1; j < lines.size(); ++j)
      if (const auto f = meet(lines[i], lines[j]);
          f && inside(*f) && std::abs(loads(q, *f)->a - out.a) < 1e-9)
        points.push_back(*f);
  out.l1 = 1e300;
  for (const Vec2& f : points) out.l1 = std::min(out.l1, std::abs(f.x()) + std::abs(f.y()));
  std::vector<Vec2> tied;
  for (const Vec2& f : points)
    if (std::abs(f.x()) + std::abs(f.y()) < out.l1 + 1e-7) tied.push_back(f);
  out.l2 = 1e300;
  for (const Vec2& u : tied)
    for (const Vec2& v : tied)
      for (int k = 0; k <= 1; ++k) {
        const Vec2 d = v - u;
        const double t =
            k == 0 || d.squaredNorm() == 0 ? 0 : std::clamp(-u.dot(d) / d.squaredNorm(), 0.0, 1.0);
        const Vec2 f = u + t * d;
        if (f.squaredNorm() < out.l2) out.l2 = f.squaredNorm(), out.f = f;
      }
  return out;
}

CdtaProblem random_problem(RandomStream& r, int kind) {
  CdtaProblem q;
  q.mass = r.uniform(5, 200), q.gravity = r.uniform(1.6, 9.81);
  q.pitch = r.uniform(-0.9, 0.9);
  q.desired = r.uniform(-20, 20);
  for (int i = 0; i < 2; ++i) {
    CdtaAxle& a = q.axles[i];
    a.p = {(i == 0 ? -1 : 1) * r.uniform(0.1, 0.6), -r.uniform(0.1, 0.6)};
    a.tangent = q.pitch + r.uniform(-1.0, 1.0);
    a.friction = r.uniform(0.1, 1.2), a.friction_base = r.uniform() < 0.3 ? r.uniform(0, 30) : 0;
    a.force_limit = r.uniform(0.05, 1.5) * q.mass * q.gravity;
    a.normal_least = r.uniform() < 0.7 ? 0 : r.uniform(0, 0.3) * q.mass * q.gravity;
  }
  if (kind == 1) {  // level ground: |F1| + |F2| ties along a whole segment
    q.pitch = q.axles[0].tangent = q.axles[1].tangent = 0;
    q.axles[1].p = {-q.axles[0].p.x(), q.axles[0].p.y()};
  } else if (kind == 2) {  // one common slope, equal axles
    q.axles[0].tangent = q.axles[1].tangent = q.pitch;
    q.axles[1] = q.axles[0], q.axles[1].p.x() = -q.axles[0].p.x();
  } else if (kind == 3) {  // no friction on one axle
    q.axles[r.below(2)].friction = 0, q.axles[0].friction_base = q.axles[1].friction_base = 0;
  } else if (kind == 4) {  // no motor at all on one axle
    q.axles[r.below(2)].force_limit = 0;
  } else if (kind == 5) {  // desired exactly what level ground needs: nothing
    q.pitch = q.axles[0].tangent = q.axles[1].tangent = 0, q.desired = 0;
  }
  return q;
}

TEST(Cdta, AgreesWithBruteForceInTenThousandCases) {
  RandomStream r(1, 0, "cdta");
  int solved = 0, infeasible = 0, singular = 0, at_limit = 0;
  for (int trial = 0; trial < 10000; ++trial) {
    const CdtaProblem q = random_problem(r, trial % 8);
    const CdtaSolution s = solve_cdta(q);
    const double size = q.mass * q.gravity, tol = 1e-9 * size;
    if (s.status == Status::singular) {
      ++singular;
      continue;
    }
    const Brute b = brute_force(q, 1e-10 * size);
    if (s.status == Status::infeasible) {
      ++infeasible;
      EXPECT_FALSE(b.feasible && s.violation > tol) << trial;
      continue;
    }
    ++solved;
    ASSERT_TRUE(b.feasible) << trial;
    const Vec2 f(s.traction[0], s.traction[1]);
    const State at = *loads(q, f);
    EXPECT_NEAR(at.n1, s.normal[0], tol) << trial;
    EXPECT_NEAR(at.n2, s.normal[1], tol) << trial;
    EXPECT_NEAR(at.a, s.acceleration, 1e-9 * (1 + q.gravity)) << trial;
    EXPECT_LE(breach(q, f, at, true), tol) << trial;
    at_limit += std::abs(s.acceleration - q.desired) > 1e-6;
    EXPECT_NEAR(s.acceleration, b.a, 1e-7 * (1 + std::abs(q.desired))) << "first aim, trial " << trial;
    EXPECT_NEAR(std::abs(f.x()) + std::abs(f.y()), b.l1, 1e-6 * size) << "second aim, trial " << trial;
    EXPECT_NEAR((f - b.f).norm(), 0, 2e-5 * size) << "the split, trial " << trial;
  }
  EXPECT_GT(solved, 6000);
  EXPECT_GT(infeasible, 200);
  EXPECT_GT(at_limit, 1000);
  EXPECT_LT(singular, 100);
}

TEST(Cdta, LeastViolationIsNotBeatenByAnyOtherTraction) {
  RandomStream r(2, 0, "cdta");
  int seen = 0;
  for (int trial = 0; trial < 3000 && seen < 60; ++trial) {
    const CdtaProblem q = random_problem(r, trial % 8);
    const CdtaSolution s = solve_cdta(q);
    if (s.status != Status::infeasible) continue;
    ++seen;
    const double size = q.mass * q.gravity;
    const Vec2 f(s.traction[0], s.traction[1]);
    EXPECT_NEAR(breach(q, f, *loads(q, f), false), s.violation, 1e-6 * size) << trial;
    for (int k = 0; k < 2000; ++k) {
      const Vec2 g(r.uniform(-1, 1) * q.axles[0].force_limit, r.uniform(-1, 1) * q.axles[1].force_limit);
      EXPECT_GE(breach(q, g, *loads(q, g), false), s.violation - 1e-9 * size) << trial;
    }
  }
  EXPECT_GT(seen, 40);
}

TEST(Cdta, OnLevelGroundItSharesEqually) {
  CdtaProblem q = level();
  q.desired = 2;
  const CdtaSolution s = solve_cdta(q);
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_NEAR(s.traction[0], 45, 1e-9);
  EXPECT_NEAR(s.traction[1], 45, 1e-9);
  // Load transfer m a h / wheelbase.
  EXPECT_NEAR(s.normal[0] - s.normal[1], 2 * 45 * 2 * 0.22 / 0.6, 1e-9);
}

TEST(Cdta, StopsShortOfLiftingTheFront) {
  // High centre of mass: the front axle unloads at a = (g l/2 - N_min l / m) / h.
  CdtaProblem q = level();
  for (auto& a : q.axles) a.p.y() = -0.5, a.friction = 1.5, a.force_limit = 1000;
  q.desired = 100;
  const CdtaSolution s = solve_cdta(q);
  EXPECT_NEAR(s.normal[1], 10, 1e-7);  // the solver leaves 1e-12 of the forces as slack
  EXPECT_NEAR(s.acceleration, (9.81 * 0.3 - 10 * 0.6 / 45) / 0.5, 1e-9);
}

TEST(Cdta, SaysWhenTheContactsAreSingular) {
  CdtaProblem q = level();
  q.axles[1].p = q.axles[0].p;
  EXPECT_EQ(solve_cdta(q).status, Status::singular);
  q = level();
  q.mass = NAN;
  EXPECT_NE(solve_cdta(q).status, Status::solved);
}

}  // namespace
}  // namespace scree
