#pragma once
/// Laws of drives are templates on their scalar: one drive (double), or four side by side (Lanes). A law
/// shows its parameters by numbers(), a tie of references; this lays the law of one drive into a lane.
#include <tuple>
#include <utility>

#include "scree/core/lanes.hpp"

namespace scree {

template <template <class> class Law>
void put_lane(Law<Lanes>& to, int lane, Law<double> from) {
  const auto all = to.numbers();
  const auto one = from.numbers();
  [&]<std::size_t... i>(std::index_sequence<i...>) { ((std::get<i>(all)[lane] = std::get<i>(one)), ...); }
  (std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(one)>>>());
}

/// x within [low, high]; NaN stays NaN.
template <class T>
T within(const T& x, const T& low, const T& high) {
  return lane::select(x < low, low, lane::select(high < x, high, x));
}

}  // namespace scree
