#include "scree/view/image.hpp"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_HDR
#define STBI_NO_PSD
#define STBI_NO_PIC
#define STBI_NO_PNM
#include <stb_image.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>

#include "scree/core/errors.hpp"
#include "scree/core/png.hpp"

namespace scree::view {

namespace {

using Bytes = std::vector<unsigned char>;

/// No picture file that anybody drapes over a ground is larger; a device that never ends is not read.
constexpr std::size_t kLargestPicture = std::size_t{1} << 30;

Bytes bytes_of(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) input_error("image '{}' does not exist", file.string());
  std::ifstream in(file, std::ios::binary);
  Bytes bytes;
  char block[65536];
  while (in.read(block, sizeof block), in.gcount() > 0) {
    bytes.insert(bytes.end(), block, block + in.gcount());
    if (bytes.size() > kLargestPicture) input_error("image '{}' is larger than 1 GB", file.string());
  }
  return bytes;
}

/// A PNG may hold data chunks of no bytes; stb_image copies the first of them to a null pointer. A chunk is
/// its length (4 bytes, the highest first), its name, its data and a check sum of 4 bytes.
Bytes without_empty_data(Bytes png) {
  constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
  if (png.size() < signature.size() ||
      !std::equal(signature.begin(), signature.end(), png.begin(),
                  [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; }))
    return png;
  for (std::size_t at = signature.size(); at + 8 <= png.size();) {
    const std::size_t length = std::size_t{png[at]} << 24 | std::size_t{png[at + 1]} << 16 |
                               std::size_t{png[at + 2]} << 8 | png[at + 3];
    if (length == 0 && std::memcmp(&png[at + 4], "IDAT", 4) == 0) {
      const auto first = png.begin() + static_cast<std::ptrdiff_t>(at);
      png.erase(first, first + std::min<std::ptrdiff_t>(12, png.end() - first));
    } else {
      at += 12 + length;
    }
  }
  return png;
}

}  // namespace

Image read_image(const std::filesystem::path& file) {
  const Bytes bytes = without_empty_data(bytes_of(file));
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> data(
      stbi_load_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels, 4),
      &stbi_image_free);
  if (!data) {
    std::string reason = stbi_failure_reason();  // may quote bytes of the file
    for (char& c : reason)
      if (c < ' ' || c > '~') c = '?';
    input_error("image '{}' cannot be read: {}", file.string(), reason);
  }
  Image image(width, height, 4);
  std::copy_n(data.get(), image.pixels.size(), image.pixels.begin());
  return image;
}

void write_png(const std::filesystem::path& file, const Image& image) {
  scree::write_png(file, Picture{image.width, image.height, image.channels, image.pixels});
}

namespace {

using Plane = std::vector<float>;

/// One running-sum box blur along rows, transposed on the way out: two calls blur both directions.
Plane blur_and_transpose(const Plane& in, int width, int height, int radius) {
  Plane out(in.size());
  for (int y = 0; y < height; ++y) {
    const float* row = in.data() + static_cast<std::size_t>(y) * width;
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      for (int k = -radius; k <= radius; ++k) sum += row[std::clamp(x + k, 0, width - 1)];
      out[static_cast<std::size_t>(x) * height + y] = static_cast<float>(sum / (2 * radius + 1));
    }
  }
  return out;
}

/// Luma and two colour differences, each in [0, 1].
std::array<Plane, 3> luma_chroma(const Image& image) {
  const std::size_t count = static_cast<std::size_t>(image.width) * image.height;
  std::array<Plane, 3> planes{Plane(count), Plane(count), Plane(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* p = image.pixels.data() + i * image.channels;
    const float r = p[0] / 255.f, g = p[1] / 255.f, b = p[2] / 255.f;
    const float luma = 0.299f * r + 0.587f * g + 0.114f * b;
    planes[0][i] = luma;
    planes[1][i] = 0.5f * (b - luma);
    planes[2][i] = 0.5f * (r - luma);
  }
  return planes;
}

/// Sum over luma and colours of the blurred absolute difference, a third each.
Plane difference_of(const Image& a, const Image& b, int radius) {
  if (a.width != b.width || a.height != b.height)
    input_error("pictures of different size: {} x {} and {} x {}", a.width, a.height, b.width, b.height);
  const auto left = luma_chroma(a), right = luma_chroma(b);
  Plane total(left[0].size());
  for (int c = 0; c < 3; ++c) {
    Plane difference(total.size());
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] = left[c][i] - right[c][i];
    difference = blur_and_transpose(difference, a.width, a.height, radius);
    difference = blur_and_transpose(difference, a.height, a.width, radius);
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += std::abs(difference[i]) / 3;
  }
  return total;
}

}  // namespace

double perceptual_difference(const Image& a, const Image& b, int radius) {
  const Plane difference = difference_of(a, b, radius);
  double sum = 0;
  for (float d : difference) sum += d;
  return sum / static_cast<double>(difference.size());
}

double local_difference(const Image& a, const Image& b, int side, int radius) {
  const Plane difference = difference_of(a, b, radius);
  const int width = std::min(side, a.width), height = std::min(side, a.height);
  double worst = 0;
  // Squares overlap by half, so that a thing is not split between them.
  for (int y = 0; y + height <= a.height; y += std::max(height / 2, 1))
    for (int x = 0; x + width <= a.width; x += std::max(width / 2, 1)) {
      double sum = 0;
      for (int j = y; j < y + height; ++j)
        for (int i = x; i < x + width; ++i) sum += difference[static_cast<std::size_t>(j) * a.width + i];
      worst = std::max(worst, sum / (width * height));
    }
  return worst;
}

}  // namespace scree::view
