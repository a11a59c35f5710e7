#pragma once
/// Which search finds a wheel's contact: the one that misses nothing on the ground under that wheel.
///
/// - Gentle ground (slopes below kGentle) without a feature smaller than half a radius: `slice_search`, four
///   wheels at once.
/// - A bilinear grid: `rim_search`, cell by cell.
/// - Ground that is one profile under the wheel: `profile_search`, in closed form.
/// - Anything else: `look_search`, as close as its finest feature.
///
/// Where all ground near the robot is gentle nothing more is asked; else every wheel asks for its own place.
#include "scree/ground/near_places.hpp"
#include "scree/ground/near_slopes.hpp"
#include "scree/ground/rim_search.hpp"

namespace scree {

struct RimGround {
  const Terrain* terrain = nullptr;
  const SliceTable* slices = nullptr;
  double slope_bound = 0;        ///< no slope near the wheels is larger (infinity: unknown)
  double feature = 0;            ///< finest feature near the wheels [m]; 0: smooth or unknown
  bool slices_only = false;      ///< the paper's search everywhere
  RimMemo* memo = nullptr;       ///< of each of the wheels; null: nothing is kept
  NearSlopes* slopes = nullptr;  ///< of these wheels; null: slope_bound serves
  NearPlaces* places = nullptr;  ///< of these wheels; null: the terrain is asked every time
};

/// `standing`: displacement with which each wheel stood, for walls (rim_search.hpp); `count` lanes are
/// wheels.
WheelContacts find_contacts(const RimGround& ground, const WheelPlanes& wheels, Lanes standing, int count);

}  // namespace scree
