#pragma once
/// Which search finds a wheel's contact: the one that misses nothing on the ground at hand.
///
/// | ground near the wheels | search |
/// |---|---|
/// | gentle (slopes below kGentle), no feature smaller than half a radius | `slice_search`, four wheels at
/// once | | a bilinear grid | `rim_search`, cell by cell | | anything else | `look_search`, as close as its
/// finest feature |
#include "scree/ground/slice_search.hpp"

namespace scree {

inline constexpr double kGentle = 0.6;

struct RimGround {
  const Terrain* terrain = nullptr;
  const SliceTable* slices = nullptr;
  double slope_bound = 0;    ///< no slope near the wheels is larger (infinity: unknown)
  int looks = 1;             ///< Newton steps of the slices
  bool slices_only = false;  ///< the paper's search everywhere
};

/// `standing`: displacement with which each wheel stood, for walls (rim_search.hpp); `count` lanes are
/// wheels.
WheelContacts find_contacts(const RimGround& ground, const WheelPlanes& wheels, Lanes standing, int count);

}  // namespace scree
