#pragma once
/// Resampling of a row of samples: each new one as a weighted sum of old ones. A plane stays the same plane,
/// at the edges too: what lies up to half a pixel beyond the outermost sample goes on along the line through
/// the last two.
#include <string>
#include <vector>

namespace scree {

/// How a new sample is made.
enum class Resampling {
  nearest,   ///< the sample whose pixel it lies in
  bilinear,  ///< on the line between its two neighbours
  cubic,     ///< on the Catmull-Rom spline through its four neighbours
  average,   ///< mean of the bilinear surface over its cell
};
Resampling resampling_of(const std::string& word);

/// New sample = sum of weight[k] * old[first + k].
struct Taps {
  int first = 0;
  std::vector<double> weight;
  int last() const { return first + static_cast<int>(weight.size()) - 1; }
};

/// `at`: place of the new sample, in old samples from the first one; `width`: of its cell, in old samples;
/// `count`: old samples, at least 2.
Taps taps_at(Resampling how, double at, double width, int count);

}  // namespace scree
