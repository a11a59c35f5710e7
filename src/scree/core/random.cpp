#include "scree/core/random.hpp"

#include <cmath>

#include "scree/core/hash.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/types.hpp"

namespace scree {
namespace {
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}
}  // namespace

std::uint64_t trial_seed(std::uint64_t seed, std::uint64_t trial) {
  return trial == 0 ? seed : mix(seed ^ mix(trial * 0xd1342543de82ef95ULL + 1));
}

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t trial, std::string_view purpose)
    : state_(mix(seed + 0x9e3779b97f4a7c15ULL) ^ mix(trial * 0xd1342543de82ef95ULL + 1) ^
             mix(hash_bytes(purpose.data(), purpose.size()))) {}

std::uint64_t RandomStream::next_bits() {
  state_ += 0x9e3779b97f4a7c15ULL;
  return mix(state_);
}

double RandomStream::uniform() { return static_cast<double>(next_bits() >> 11) * 0x1.0p-53; }

double RandomStream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * maths::log1p(-uniform()));
  const double angle = 2.0 * kPi * uniform();
  spare_ = radius * maths::sin(angle);
  has_spare_ = true;
  return radius * maths::cos(angle);
}

std::uint64_t RandomStream::below(std::uint64_t count) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next_bits()) * count) >> 64);
}

}  // namespace scree
