#include "scree/terrain/taps.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// Collects weights of samples that may lie beyond the ends: those are lines through the last two.
class Collector {
 public:
  explicit Collector(int count) : count_(count) {}
  void add(int i, double w) {
    if (w == 0) return;
    if (i < 0) {
      add(0, w * (1 - i));
      add(1, w * i);
    } else if (i >= count_) {
      const int beyond = i - (count_ - 1);
      add(count_ - 1, w * (1 + beyond));
      add(count_ - 2, -w * beyond);
    } else {
      if (taps_.weight.empty()) taps_.first = i;
      if (i < taps_.first) {
        taps_.weight.insert(taps_.weight.begin(), static_cast<std::size_t>(taps_.first - i), 0.0);
        taps_.first = i;
      }
      const auto k = static_cast<std::size_t>(i - taps_.first);
      if (k >= taps_.weight.size()) taps_.weight.resize(k + 1, 0.0);
      taps_.weight[k] += w;
    }
  }
  Taps take() && { return std::move(taps_); }

 private:
  int count_;
  Taps taps_;
};

/// The line between two neighbours, integrated from a to b (in [i, i + 1]) and times `scale`.
void add_segment(int i, double a, double b, double scale, Collector& out) {
  const double length = b - a, middle = 0.5 * (a + b) - i;
  out.add(i, scale * length * (1 - middle));
  out.add(i + 1, scale * length * middle);
}

}  // namespace

Resampling resampling_of(const std::string& word) {
  return word == "nearest"   ? Resampling::nearest
         : word == "cubic"   ? Resampling::cubic
         : word == "average" ? Resampling::average
                             : Resampling::bilinear;
}

Taps taps_at(Resampling how, double at, double width, int count) {
  Collector out(count);
  const int i = static_cast<int>(std::floor(std::clamp(at, -1.0, static_cast<double>(count))));
  const double f = at - i;
  switch (how) {
    case Resampling::nearest:
      out.add(std::clamp(static_cast<int>(std::lround(at)), 0, count - 1), 1);
      break;
    case Resampling::bilinear:
      out.add(i, 1 - f);
      out.add(i + 1, f);
      break;
    case Resampling::cubic:  // Catmull and Rom 1974, tension 1/2
      out.add(i - 1, 0.5 * f * (-1 + f * (2 - f)));
      out.add(i, 1 + 0.5 * f * f * (-5 + 3 * f));
      out.add(i + 1, 0.5 * f * (1 + f * (4 - 3 * f)));
      out.add(i + 2, 0.5 * f * f * (-1 + f));
      break;
    case Resampling::average: {
      const double low = at - 0.5 * width, high = at + 0.5 * width;
      for (double a = low; a < high;) {
        const double b = std::min(high, std::floor(a) + 1);
        add_segment(static_cast<int>(std::floor(a)), a, b, 1 / width, out);
        a = b;
      }
      break;
    }
  }
  return std::move(out).take();
}

}  // namespace scree
