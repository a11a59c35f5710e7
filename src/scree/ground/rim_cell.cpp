#include "scree/ground/rim_cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "scree/ground/rim_search.hpp"

namespace scree {
namespace {

constexpr int kBorderHalves = 40;   // of the piece of a profile in which it leaves something
constexpr int kBendHalves = 4;      // of a piece that bends up in one part and down in another
constexpr int kLedgeLooks = 8;      // along a piece whose ends do not bear,
constexpr int kLedgeSections = 24;  // and then beside the best of them: golden

}  // namespace

double RimCell::visit(int m, int k) {
  m_ = m, k_ = k;
  reach_ = -std::numeric_limits<double>::infinity();
  const double zs[4] = {f_.sample(m, k), f_.sample(m + 1, k), f_.sample(m, k + 1), f_.sample(m + 1, k + 1)};
  const double here = f_.F.c + f_.F.m * m, next = here + f_.F.m;
  const double F[4] = {here + f_.F.k * k + f_.F.z * zs[0], next + f_.F.k * k + f_.F.z * zs[1],
                       here + f_.F.k * (k + 1) + f_.F.z * zs[2], next + f_.F.k * (k + 1) + f_.F.z * zs[3]};
  // Where the profile crosses the cell's edges; a corner that lies on it belongs to the upper side.
  Crossing ends[4];
  int count = 0;
  const auto crossed = [](double a, double b) { return (a >= 0) != (b >= 0); };
  if (crossed(F[0], F[2])) ends[count++] = {0, F[0] / (F[0] - F[2])};
  if (crossed(F[1], F[3])) ends[count++] = {1, F[1] / (F[1] - F[3])};
  if (crossed(F[0], F[1])) ends[count++] = {F[0] / (F[0] - F[1]), 0};
  if (crossed(F[2], F[3])) ends[count++] = {F[2] / (F[2] - F[3]), 1};
  if (count < 2) return reach_;

  most_ = most(std::max({zs[0], zs[1], zs[2], zs[3]}), std::min({zs[0], zs[1], zs[2], zs[3]}));
  if (!best_.can_beat(most_)) return most_;
  cell_ = {static_cast<double>(m), static_cast<double>(k), Bilinear<double>::of(F), Bilinear<double>::of(zs)};
  all_bears_ = cell_.bears(f_);
  if (!all_bears_) reached(most_);  // what does not bear now may later
  if (count == 2) {
    const bool ahead = ends[0].p < ends[1].p;
    visit_piece(ends[ahead ? 0 : 1], ends[ahead ? 1 : 0]);
    return reach_;
  }
  // Of a saddle the two branches lie on either side of the asymptote: neighbours along p belong together.
  std::sort(ends, ends + count, [](const Crossing& a, const Crossing& b) { return a.p < b.p; });
  visit_piece(ends[0], ends[1]);
  if (count == 4) visit_piece(ends[2], ends[3]);
  return reach_;
}

double RimCell::climb(int m, int k, const CellProfile<double>& cell, const Point (&x)[2], bool follow_p) {
  m_ = m, k_ = k, cell_ = cell, all_bears_ = true;
  reach_ = std::max(displacement(x[0]), displacement(x[1]));
  climb({{x[0], x[1]}, {true, true}, follow_p}, kBendHalves);
  return reach_;
}

/// What ground between two heights above the datum can reach at most, put where the rim is lowest: t = (z -
/// c_z - u n_z)/b_z is exact in the wheel's plane.
double RimCell::most(double highest, double lowest) const {
  const RimFrame::Linear& U = f_.U;
  const double middle = U.at(m_ + 0.5, k_ + 0.5, 0.5 * (highest + lowest));
  const double half = 0.5 * (std::abs(U.m) + std::abs(U.k) + std::abs(U.z) * (highest - lowest));
  const double u = std::clamp(f_.lowest_u, middle - half, middle + half);
  return (f_.grid.datum + highest - f_.wheel.centre.z() - u * f_.wheel.n.z()) * f_.per_b +
         RimHull::at(u, f_.wheel.radius).height;
}

/// Where the profile leaves what is `inside`, between a point that is and one that is not: by halves, two at
/// a time, for the middle and those of both halves are looked at side by side.
template <class Inside>
RimCell::Point RimCell::border(const Point& in, const Point& out, bool follow_p, const Inside& inside) const {
  const CellProfile<Lanes> cell = cell_.four_times();
  const Mask follow = Mask{} - static_cast<std::int64_t>(follow_p);
  double last = follow_p ? in.p : in.q, beyond = follow_p ? out.p : out.q;
  bool moved = false;
  for (int i = 0; i < kBorderHalves; i += 2) {
    const double middle = 0.5 * (last + beyond), near = 0.5 * (last + middle), far = 0.5 * (middle + beyond);
    const int on = lane::sign_bits(inside(cell.at(f_, Lanes{near, middle, far, far}, follow)));
    const bool second = (on & 2) != 0, third = (on & (second ? 4 : 1)) != 0;
    const double quarter = second ? far : near;
    (second ? last : beyond) = middle;
    (third ? last : beyond) = quarter;
    moved = moved || second || third;
  }
  return moved ? at(last, follow_p) : in;
}

/// What of a piece is `inside`, if an end of it is.
template <class Inside>
bool RimCell::keep(Piece& piece, const Inside& inside) const {
  Point(&x)[2] = piece.x;
  const bool in[2] = {inside(x[0]), inside(x[1])};
  for (int i : {0, 1}) {
    if (in[1 - i] && !in[i]) x[i] = border(x[1 - i], x[i], piece.follow_p, inside), piece.end[i] = false;
  }
  return in[0] || in[1];
}

/// Along a piece p and q, and with them u and t, are alpha + beta x + gamma/(x - pole) of the coordinate x
/// that is followed: each bends to one side throughout, so that its slope passes zero once at most.
void RimCell::visit_piece(const Crossing& from, const Crossing& to) {
  const bool follow_p = std::abs(to.p - from.p) >= std::abs(to.q - from.q);
  const Piece piece{{at(follow_p ? from.p : from.q, follow_p), at(follow_p ? to.p : to.q, follow_p)},
                    {true, true},
                    follow_p};
  const Point(&x)[2] = piece.x;
  if (!(x[0].du * x[1].du < 0)) return visit_part(piece);
  const double sign = x[0].du;
  const auto [first, rest] =
      piece.parted(border(x[0], x[1], follow_p, [sign](const auto& y) { return y.du * sign > 0.0; }));
  visit_part(first);
  visit_part(rest);
}

/// A piece along which u goes one way. Most lie on the rim and below the line of walls.
void RimCell::visit_part(const Piece& piece) {
  const double outer = std::max(std::abs(piece.x[0].u), std::abs(piece.x[1].u));
  if (outer > RimHull::kWidest * f_.wheel.radius) reached(most_);  // what is beyond the rim may not be later
  if (!on_rim(piece.x[0]) || !on_rim(piece.x[1]) || is_walled(piece)) return visit_cut(piece);
  all_bears_ ? visit_ground(piece) : visit_steep(piece);
}

/// Whether some of a piece may lie beyond the line of walls.
bool RimCell::is_walled(const Piece& piece) const {
  const Point(&x)[2] = piece.x;
  return beyond_wall(x[0]) || beyond_wall(x[1]) ||
         highest(piece) > f_.wheel.wall_line(std::max(std::abs(x[0].u), std::abs(x[1].u)));
}

/// What of a piece lies on the rim and below the line of walls.
void RimCell::visit_cut(Piece piece) {
  const Point(&x)[2] = piece.x;
  const bool follow_p = piece.follow_p;
  const auto visit_parts = [this, &piece](const Point& middle) {
    const auto [first, rest] = piece.parted(middle);
    visit_part(first);
    visit_part(rest);
  };
  const auto same_side = [side = x[0].u](const auto& y) { return y.u * side > 0.0; };
  if (!on_rim(x[0]) && !on_rim(x[1])) {  // all of the rim, or nothing
    if (!same_side(x[1])) visit_parts(border(x[0], x[1], follow_p, same_side));
    return;
  }
  keep(piece, [this](const auto& y) { return on_rim(y); });
  // Between two ends beyond the line of walls the ground may dip below it, and rise above it between two
  // others.
  const bool beyond = beyond_wall(x[0]);
  const bool walled = is_walled(piece);
  if (walled) reached(most_);  // what is a wall now may be ground later
  if (beyond == beyond_wall(x[1]) && walled) {
    if (x[0].u * x[1].u < 0) {
      Point middle = border(x[0], x[1], follow_p, same_side);
      middle.u = 0;
      return visit_parts(middle);
    }
    const double rise = x[0].u + x[1].u > 0 ? kWallRise : -kWallRise;
    const double ahead = (piece.at(1) - piece.at(0)) * (beyond ? -1 : 1);
    const auto towards = [=](const auto& y) { return (y.dt + rise * y.du) * ahead > 0.0; };
    if (towards(x[0]) && !towards(x[1])) {
      const Point turn = border(x[0], x[1], follow_p, towards);
      if (beyond_wall(turn) != beyond) return visit_parts(turn);
    }
    if (beyond) return;
  }
  keep(piece, [this](const auto& y) { return y.t <= f_.wheel.wall_line(y.u); });
  all_bears_ ? visit_ground(piece) : visit_steep(piece);
}

void RimCell::visit_ground(const Piece& piece) {
  for (int i : {0, 1}) consider(piece.x[i], piece.end[i]);
  climb(piece, kBendHalves);
}

/// In a cell that may not bear: a tip, what bears of the piece, or what does between two ends that do not.
void RimCell::visit_steep(Piece piece) {
  const Point(&x)[2] = piece.x;
  if (piece.end[0] && rise(piece, x[0]) < 0) consider_tip(x[0]);
  if (piece.end[1] && rise(piece, x[1]) > 0) consider_tip(x[1]);
  const auto bearing = [this](const auto& y) { return bears(y); };
  if (keep(piece, bearing)) return visit_ground(piece);
  const Point ledge = most_bearing(piece);
  if (!bears(ledge)) return;
  auto [first, rest] = piece.parted(ledge);
  keep(first, bearing), keep(rest, bearing);
  visit_ground(first);
  visit_ground(rest);
}

/// The place along a piece where the ground faces the suspension most.
RimCell::Point RimCell::most_bearing(const Piece& piece) const {
  const double from = piece.at(0), step = (piece.at(1) - from) / kLedgeLooks;
  const auto cosine = [this](const Point& y) {
    const Vec2 slope = slopes_at(y);
    return Vec3(-slope.x(), -slope.y(), 1).dot(f_.wheel.b) / std::sqrt(1 + slope.squaredNorm());
  };
  double best = 0, most = -2;
  for (int i = 1; i < kLedgeLooks; ++i) {
    const double x = from + i * step, here = cosine(at(x, piece.follow_p));
    if (here > most) most = here, best = x;
  }
  constexpr double kGolden = 0.6180339887498949;
  double a = best - step, b = best + step;
  for (int i = 0; i < kLedgeSections; ++i) {
    const Point left = at(b - kGolden * (b - a), piece.follow_p),
                right = at(a + kGolden * (b - a), piece.follow_p);
    if (bears(left)) return left;
    if (bears(right)) return right;
    if (cosine(left) > cosine(right)) {
      b = a + kGolden * (b - a);
    } else {
      a = b - kGolden * (b - a);
    }
  }
  return at(0.5 * (a + b), piece.follow_p);
}

/// Second derivative of h along the coordinate followed, at an end. That of u and t is as 1/(x - pole)³.
double RimCell::bend(const Piece& piece, int end) const {
  const Point(&x)[2] = piece.x;
  const Bilinear<double>& F = cell_.F;
  const double w0 = piece.follow_p ? F.q + F.pq * x[0].p : F.p + F.pq * x[0].q,
               w1 = piece.follow_p ? F.q + F.pq * x[1].p : F.p + F.pq * x[1].q, w = end == 0 ? w0 : w1;
  const double here = 2 * w0 * w0 * w1 * w1 / ((w0 + w1) * w * w * w) / (piece.at(1) - piece.at(0));
  const double ddt = (x[1].dt - x[0].dt) * here, ddu = (x[1].du - x[0].du) * here;
  const Point& y = x[end];
  const double height = std::max(f_.rim(y.u), 1e-3 * f_.wheel.radius);
  return ddt - (y.u * ddu + y.du * y.du * f_.r2 / (height * height)) / height;
}

/// The highest that t can be on a piece: where it bends down, below both of its tangents.
double RimCell::highest(const Piece& piece) const {
  const Point(&x)[2] = piece.x;
  const double length = piece.at(1) - piece.at(0), s0 = x[0].dt * length, s1 = x[1].dt * length;
  const double ends = std::max(x[0].t, x[1].t);
  return s0 > 0 && s1 < 0 ? std::max(ends, x[0].t + s0 * (x[1].t - x[0].t - s1) / (s0 - s1)) : ends;
}

/// To a top inside a piece. Where h bends down throughout there is one at most, and where it bends up none;
/// else it is sought in halves.
void RimCell::climb(const Piece& piece, int halves) {
  const Point(&x)[2] = piece.x;
  const bool follow_p = piece.follow_p;
  const double s0 = rise(piece, x[0]), s1 = rise(piece, x[1]);
  const bool hill = s0 > 0 && s1 < 0;
  // h' is t' less that of the rim. Both rise, if t bends up, by so much: enough to hide a hill between the
  // ends?
  const double ground = (x[1].dt - x[0].dt) * piece.ahead(), below = ground - (s1 - s0);
  const bool hidden = s0 > 0 ? below > s0 && ground > s1 : ground > -s0 && below > -s1;
  if (!hill && !(ground > 0 && hidden)) return;
  bool up[2] = {false, false};
  if (ground > 0) up[0] = bend(piece, 0) > 0, up[1] = bend(piece, 1) > 0;
  if (up[0] != up[1] && halves > 0) {
    const double nearest = x[0].u * x[1].u > 0 ? std::min(std::abs(x[0].u), std::abs(x[1].u)) : 0.0;
    const double bound = highest(piece) + f_.rim(nearest);
    if (!best_.can_beat(bound)) return reached(bound);
    const auto [first, rest] = piece.parted(at(0.5 * (piece.at(0) + piece.at(1)), follow_p));
    climb(first, halves - 1);
    return climb(rest, halves - 1);
  }
  if (!hill) return;
  double a = piece.at(0), b = piece.at(1);
  const double h0 = displacement(x[0]), h1 = displacement(x[1]);
  if (!up[0] && !up[1]) {  // below both tangents
    const double bound = h0 + s0 * (h1 - h0 - s1 * std::abs(b - a)) / (s0 - s1);
    if (!best_.can_beat(bound)) return reached(bound);
  }
  // The root of a slope that is nearly straight: secants, and by halves where they leave the bracket.
  double last = a, last_s = s0, here = b, here_s = s1;
  Point top;
  for (int i = 0; i < kPieceSteps; ++i) {
    double next = here - here_s * (here - last) / (here_s - last_s);
    if (!((next - a) * (next - b) < 0) || i % 5 == 4) next = 0.5 * (a + b);
    top = at(next, follow_p);
    last = here, last_s = here_s;
    here = next, here_s = rise(piece, top);
    (here_s > 0 ? a : b) = next;
    if (std::abs(here_s) < kLevelPiece * std::abs(top.du) || std::abs(b - a) < kNoPiece) break;
  }
  const auto bearing = [this](const auto& y) { return bears(y); };
  if (all_bears_ || bears(top)) return consider(top, false);
  for (int i : {0, 1})
    if (bears(x[i])) consider(border(x[i], top, follow_p, bearing), false);
}

/// A point of the ground.
void RimCell::consider(const Point& x, bool end) {
  const double h = displacement(x);
  reached(h);
  if (best_.is_better(h, m_, k_)) take(x, end);
}

/// An end that the profile rises to, where this cell does not bear: with the next it may be a tip that does.
void RimCell::consider_tip(const Point& x) {
  if (!best_.is_better(displacement(x), m_, k_)) return;
  const std::optional<Vec2> edge =
      plane_on_edge(f_.tangent(x.u), slopes_in(f_, m_, k_, x.p, x.q), slopes_beyond(f_, m_, k_, x.p, x.q));
  if (edge && f_.wheel.bears(edge->x(), edge->y())) take(x, true);
}

void RimCell::take(const Point& x, bool end) { best_ = {displacement(x), true, end, m_, k_, x.p, x.q, x.u}; }

Vec2 slopes_in(const RimFrame& f, int m, int k, double p, double q) {
  double z00, z10, z01, z11;
  if (static_cast<unsigned>(m) < static_cast<unsigned>(f.count_m - 1) &&
      static_cast<unsigned>(k) < static_cast<unsigned>(f.count_k - 1)) {
    const float* z = f.grid.z + (m * f.stride_m + k * f.stride_k);
    z00 = z[0], z10 = z[f.stride_m], z01 = z[f.stride_k], z11 = z[f.stride_m + f.stride_k];
  } else {
    z00 = f.sample(m, k), z10 = f.sample(m + 1, k), z01 = f.sample(m, k + 1), z11 = f.sample(m + 1, k + 1);
  }
  const double twist = z11 - z10 - z01 + z00;
  return f.slopes(z10 - z00 + twist * q, z01 - z00 + twist * p);
}

Vec2 slopes_beyond(const RimFrame& f, int m, int k, double p, double q) {
  const double gaps[4] = {p, 1 - p, q, 1 - q};
  switch (std::min_element(gaps, gaps + 4) - gaps) {
    case 0:
      return slopes_in(f, m - 1, k, 1, q);
    case 1:
      return slopes_in(f, m + 1, k, 0, q);
    case 2:
      return slopes_in(f, m, k - 1, p, 1);
    default:
      return slopes_in(f, m, k + 1, p, 0);
  }
}

}  // namespace scree
