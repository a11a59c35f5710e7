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
  FourContacts(const RimFrameOf<RimPlanes>& frame, const RimBests& best) : f_(frame), best_(best) {}
  RimContacts contacts(Lanes highest) const {
    using namespace lane;
    const Lanes per_radius = best_.u / f_.wheel.radius;
    Slopes own = slopes_in(best_.m, best_.k, best_.p, best_.q);
    if (any(best_.end)) touch_edges(slopes_beyond(), own);
    const auto if_found = [this](Lanes x) { return select(best_.found, x, Lanes{}); };
    return {best_.found, best_.h, if_found(per_radius), if_found(own.x), if_found(own.y), highest};
  }

 private:
  struct Slopes {
    Lanes x, y;
  };
  Slopes slopes_in(Lanes m, Lanes k, Lanes p, Lanes q) const {
    const auto [z] = FourCorners(f_, {FourCells::whole(m), FourCells::whole(k)});
    const Lanes twist = z[3] - z[1] - z[2] + z[0];
    const Lanes along_m = z[1] - z[0] + twist * q, along_k = z[2] - z[0] + twist * p;
    const double per_x = f_.grid.per_x, per_y = f_.grid.per_y;
    return f_.by_x ? Slopes{along_m * per_x, along_k * per_y} : Slopes{along_k * per_x, along_m * per_y};
  }
  /// Beyond the nearest edge: of those that are equally near the first counts.
  Slopes slopes_beyond() const {
    using namespace lane;
    const Lanes one = lanes(1), low = best_.p, high = 1.0 - best_.p, left = best_.q, right = 1.0 - best_.q;
    const Lanes least = min(min(low, high), min(left, right));
    const Mask to_low = low == least, to_high = ~to_low & (high == least),
               to_left = ~(to_low | to_high) & (left == least), to_right = ~(to_low | to_high | to_left);
    const auto step = [&](Mask back, Mask on) { return select(on, one, select(back, -one, Lanes{})); };
    const auto place = [&](Mask back, Mask on, Lanes x) { return select(on, Lanes{}, select(back, one, x)); };
    return slopes_in(best_.m + step(to_low, to_high), best_.k + step(to_left, to_right),
                     place(to_low, to_high, best_.p), place(to_left, to_right, best_.q));
  }
  void touch_edges(const Slopes& other, Slopes& own) const {
    using namespace lane;
    const RimPlanes& w = f_.wheel;
    const Lanes u = best_.u, ahead = sqrt(max(f_.r2 - u * u, Lanes{})) / w.radius, up = u / w.radius;
    const auto tangent = [&](int i) { return ahead * w.n[i] + up * w.b[i]; };
    const Lanes x = tangent(0), y = tangent(1), z = tangent(2);
    const Lanes here = z - own.x * x - own.y * y, there = z - other.x * x - other.y * y;
    const Lanes share = here / (here - there);
    const Slopes edge{own.x + share * (other.x - own.x), own.y + share * (other.y - own.y)};
    const Mask faces = w.b[2] - edge.x * w.b[0] - edge.y * w.b[1] > Lanes{};
    const Mask use = best_.end & ((here > Lanes{}) ^ (there > Lanes{})) & faces;
    own = {select(use, edge.x, own.x), select(use, edge.y, own.y)};
  }

  const RimFrameOf<RimPlanes>& f_;
  const RimBests& best_;
};

}  // namespace scree
