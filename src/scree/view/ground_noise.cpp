#include "scree/view/ground_noise.hpp"

#include <algorithm>
#include <cmath>

namespace scree::view {
namespace {

/// A fixed number in [0, 1) for a lattice point (integer hash).
float lattice(std::uint32_t x, std::uint32_t y, std::uint32_t seed) {
  std::uint32_t h = x * 374761393u + y * 668265263u + seed * 2246822519u;
  h = (h ^ (h >> 13)) * 1274126177u;
  h ^= h >> 16;
  return static_cast<float>(h & 0xffffff) / 16777216.f;
}

/// Value noise with period `period` lattice cells over the unit square.
float value_noise(float u, float v, int period, std::uint32_t seed) {
  const float x = u * period, y = v * period;
  const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
  const float fx = x - i, fy = y - j;
  const float sx = fx * fx * (3 - 2 * fx), sy = fy * fy * (3 - 2 * fy);
  const auto at = [&](int a, int b) {
    return lattice((a % period + period) % period, (b % period + period) % period, seed);
  };
  const float low = at(i, j) + sx * (at(i + 1, j) - at(i, j));
  const float high = at(i, j + 1) + sx * (at(i + 1, j + 1) - at(i, j + 1));
  return low + sy * (high - low);
}

float fractal(float u, float v, int period, int octaves, float gain, std::uint32_t seed) {
  float sum = 0, weight = 1, total = 0;
  for (int k = 0; k < octaves; ++k, period *= 2, weight *= gain) {
    sum += weight * value_noise(u, v, period, seed + k);
    total += weight;
  }
  return sum / total;
}

std::uint8_t byte(float x) { return static_cast<std::uint8_t>(std::lround(255 * std::clamp(x, 0.f, 1.f))); }

}  // namespace

Image ground_noise(int size) {
  std::vector<float> relief(static_cast<std::size_t>(size) * size);
  const auto at = [&](int x, int y) -> float& {
    return relief[static_cast<std::size_t>((y + size) % size) * size + (x + size) % size];
  };
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const float u = static_cast<float>(x) / size, v = static_cast<float>(y) / size;
      const float pebble = value_noise(u, v, 48, 91);
      at(x, y) = fractal(u, v, 12, 5, 0.78f, 7) + 0.34f * std::max(0.f, pebble - 0.62f) / 0.38f;
    }
  Image image(size, size, 4);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const float u = static_cast<float>(x) / size, v = static_cast<float>(y) / size;
      const float scale = size / 110.f;
      std::uint8_t* p = image.at(x, y);
      p[0] = byte(0.5f + scale * (at(x - 1, y) - at(x + 1, y)));
      p[1] = byte(0.5f + scale * (at(x, y - 1) - at(x, y + 1)));
      p[2] = byte(0.5f + 1.35f * (at(x, y) - 0.52f) + 0.26f * (lattice(x, y, 5) - 0.5f));
      p[3] = byte(0.5f + 1.9f * (fractal(u, v, 4, 5, 0.55f, 33) - 0.5f));
    }
  return image;
}

}  // namespace scree::view
