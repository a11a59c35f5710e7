#pragma once
/// From the highest point that a search found to the contact: its place on the rim and the ground's slopes,
/// for one wheel, and for four side by side with the same bits.
#include "scree/ground/rim_four.hpp"
#include "scree/ground/rim_search.hpp"

namespace scree {

/// The contact that a search found, and how high ground is that the rim can meet.
inline RimContact contact_of(const RimFrame& f, const RimBest& best, double highest) {
  RimContact out;
  out.found = best.found, out.h = best.h, out.highest = highest;
  if (!best.found) return out;
  out.sine = best.u / f.wheel.radius;
  const Vec2 own = slopes_in(f, best.m, best.k, best.p, best.q);
  out.slope_x = own.x(), out.slope_y = own.y();
  if (best.end)  // the next cell meets it there
    touch_edge(f.wheel, f.tangent(best.u), own, slopes_beyond(f, best.m, best.k, best.p, best.q), out);
  return out;
}

/// Four contacts side by side: the laws of contact_of().
class FourContacts {
 public:
  explicit FourContacts(const RimFrameOf<RimPlanes>& frame) : f_(frame) {}
  void put(int k, const RimBest& best, double highest) {
    out_.h[k] = best.h, out_.highest[k] = highest;
    if (!best.found) return;
    out_.found[k] = -1, end_[k] = best.end ? -1 : 0;
    m_[k] = best.m, k_[k] = best.k, p_[k] = best.p, q_[k] = best.q, u_[k] = best.u;
  }
  RimContacts contacts() {
    using namespace lane;
    const Lanes per_radius = u_ / f_.wheel.radius;
    out_.sine = select(out_.found, per_radius, Lanes{});
    Slopes own = slopes_in(m_, k_, p_, q_);
    if (any(end_)) touch_edges(slopes_beyond(), own);
    out_.slope_x = select(out_.found, own.x, Lanes{}), out_.slope_y = select(out_.found, own.y, Lanes{});
    return out_;
  }

 private:
  struct Slopes {
    Lanes x, y;
  };
  Slopes slopes_in(Lanes m, Lanes k, Lanes p, Lanes q) const {
    RimFour::Cells cells;
    for (int i = 0; i < kLanes; ++i) cells.m[i] = static_cast<int>(m[i]), cells.k[i] = static_cast<int>(k[i]);
    const auto [z] = RimFour::corners(f_, cells);
    const Lanes twist = z[3] - z[1] - z[2] + z[0];
    const Lanes along_m = z[1] - z[0] + twist * q, along_k = z[2] - z[0] + twist * p;
    const double per_x = f_.grid.per_x, per_y = f_.grid.per_y;
    return f_.by_x ? Slopes{along_m * per_x, along_k * per_y} : Slopes{along_k * per_x, along_m * per_y};
  }
  /// Beyond the nearest edge: of those that are equally near the first counts.
  Slopes slopes_beyond() const {
    using namespace lane;
    const Lanes one = lanes(1), low = p_, high = 1.0 - p_, left = q_, right = 1.0 - q_;
    const Lanes least = min(min(low, high), min(left, right));
    const Mask to_low = low == least, to_high = ~to_low & (high == least),
               to_left = ~(to_low | to_high) & (left == least), to_right = ~(to_low | to_high | to_left);
    const auto step = [&](Mask back, Mask on) { return select(on, one, select(back, -one, Lanes{})); };
    const auto place = [&](Mask back, Mask on, Lanes x) { return select(on, Lanes{}, select(back, one, x)); };
    return slopes_in(m_ + step(to_low, to_high), k_ + step(to_left, to_right), place(to_low, to_high, p_),
                     place(to_left, to_right, q_));
  }
  void touch_edges(const Slopes& other, Slopes& own) const {
    using namespace lane;
    const RimPlanes& w = f_.wheel;
    const Lanes ahead = sqrt(max(f_.r2 - u_ * u_, Lanes{})) / w.radius, up = u_ / w.radius;
    const auto tangent = [&](int i) { return ahead * w.n[i] + up * w.b[i]; };
    const Lanes x = tangent(0), y = tangent(1), z = tangent(2);
    const Lanes here = z - own.x * x - own.y * y, there = z - other.x * x - other.y * y;
    const Lanes share = here / (here - there);
    const Slopes edge{own.x + share * (other.x - own.x), own.y + share * (other.y - own.y)};
    const Mask faces = w.b[2] - edge.x * w.b[0] - edge.y * w.b[1] > Lanes{};
    const Mask use = end_ & ((here > Lanes{}) ^ (there > Lanes{})) & faces;
    own = {select(use, edge.x, own.x), select(use, edge.y, own.y)};
  }

  const RimFrameOf<RimPlanes>& f_;
  RimContacts out_{};
  Mask end_{};
  Lanes m_{}, k_{}, p_{}, q_{}, u_{};
};

}  // namespace scree
