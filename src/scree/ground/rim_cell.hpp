#pragma once
/// What one cell asks of a rim, whatever the cell is like: twisted, steep, cut by the rim's ends or by the
/// line of walls. (The law is in rim_search.hpp; four cells in which nothing of this happens are in
/// rim_four.hpp.)
#include <utility>

#include "scree/ground/rim_profile.hpp"

namespace scree {

inline constexpr double kLevelPiece = 1e-9;  ///< dh/du this small is a top
inline constexpr double kNoPiece = 1e-12;    ///< of a cell: a bracket this short is a point
inline constexpr int kPieceSteps = 40;       ///< of a bracketed root inside a cell; it ends much earlier

class RimCell {
 public:
  /// `best` is replaced by what is better.
  RimCell(const RimFrame& frame, RimBest& best) : f_(frame), best_(best) {}

  /// No ground of the cell, bearing or not, asks for more than this, with RimHull for the rim.
  double visit(int m, int k);
  using Point = ProfilePoint<double>;
  /// The same of a cell that bears throughout, cut in one piece on the rim and below the line of walls, from
  /// x[0] to x[1], whose ends were considered: for a top between them.
  double climb(int m, int k, const CellProfile<double>& cell, const Point (&x)[2], bool follow_p);

 private:
  /// A part of the profile, between two points of it.
  struct Piece {
    Point x[2];
    bool end[2];    ///< a crossing of an edge, where the next cell goes on
    bool follow_p;  ///< by p, else by q

    double at(int i) const { return follow_p ? x[i].p : x[i].q; }
    double ahead() const { return at(1) - at(0) >= 0 ? 1 : -1; }
    /// From x[0] to a point between the two, and on from there.
    std::pair<Piece, Piece> parted(const Point& middle) const {
      return {{{x[0], middle}, {end[0], false}, follow_p}, {{middle, x[1]}, {false, end[1]}, follow_p}};
    }
  };
  /// Where the profile enters or leaves the cell. Without values at first.
  struct Crossing {
    double p, q;
  };

  Point at(double x, bool follow_p) const { return cell_.at(f_, x, follow_p); }
  double displacement(const Point& x) const { return x.t + f_.rim(x.u); }
  // Of one point, or of four side by side (T: Lanes):
  template <class T>
  auto beyond_wall(const ProfilePoint<T>& x) const {
    return x.t > f_.wheel.wall_line(x.u);
  }
  template <class T>
  auto on_rim(const ProfilePoint<T>& x) const {
    return lane::abs(x.u) <= lane::constant<T>(f_.end);
  }
  template <class T>
  auto bears(const ProfilePoint<T>& x) const {
    const T along_m = cell_.z.p + cell_.z.pq * x.q, along_k = cell_.z.q + cell_.z.pq * x.p;
    const double per_x = f_.grid.per_x, per_y = f_.grid.per_y;
    return f_.by_x ? f_.wheel.bears<T>(along_m * per_x, along_k * per_y)
                   : f_.wheel.bears<T>(along_k * per_x, along_m * per_y);
  }
  Vec2 slopes_at(const Point& x) const {
    return f_.slopes(cell_.z.p + cell_.z.pq * x.q, cell_.z.q + cell_.z.pq * x.p);
  }
  /// dh from x[0] towards x[1], per coordinate followed.
  double rise(const Piece& piece, const Point& x) const {
    return rise_of(x, f_.rim(x.u), piece.ahead(), f_.wheel.radius);
  }
  void reached(double h) { reach_ = std::max(reach_, h); }

  double most(double highest, double lowest) const;
  void visit_piece(const Crossing& from, const Crossing& to);
  void visit_part(const Piece& piece);
  bool is_walled(const Piece& piece) const;
  void visit_cut(Piece piece);
  void visit_steep(Piece piece);
  void visit_ground(const Piece& piece);
  void climb(const Piece& piece, int halves);
  double bend(const Piece& piece, int end) const;
  double highest(const Piece& piece) const;
  Point most_bearing(const Piece& piece) const;
  template <class Inside>
  bool keep(Piece& piece, const Inside& inside) const;
  template <class Inside>
  Point border(const Point& in, const Point& out, bool follow_p, const Inside& inside) const;
  void consider(const Point& x, bool end);
  void consider_tip(const Point& x);
  void take(const Point& x, bool end);

  const RimFrame& f_;
  RimBest& best_;
  int m_ = 0, k_ = 0;
  CellProfile<double> cell_{};
  bool all_bears_ = false;
  double most_ = 0;   // bounds the cell's h, from its corners
  double reach_ = 0;  // of what was looked at
};

/// The gradient in a cell, and in the one beyond the edge on which a point of it lies.
Vec2 slopes_in(const RimFrame& frame, int m, int k, double p, double q);
Vec2 slopes_beyond(const RimFrame& frame, int m, int k, double p, double q);

}  // namespace scree
