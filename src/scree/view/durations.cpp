#include "scree/view/durations.hpp"

#include <algorithm>
#include <cmath>

namespace scree::view {
namespace {
constexpr double kSmallest = 1e-6, kPerDecade = 30;  ///< s
}  // namespace

void Durations::add(double seconds) {
  const double place = std::ceil(kPerDecade * std::log10(std::max(std::abs(seconds), kSmallest) / kSmallest));
  ++classes_[std::min(static_cast<std::size_t>(place), classes_.size() - 1)];
  ++count_;
}

double Durations::quantile(double part) const {
  if (count_ == 0) return 0;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(count_)));
  std::uint64_t count = 0;
  std::size_t k = 0;
  while (k + 1 < classes_.size() && (count += classes_[k]) < wanted) ++k;
  return kSmallest * std::pow(10.0, static_cast<double>(k) / kPerDecade);
}

}  // namespace scree::view
