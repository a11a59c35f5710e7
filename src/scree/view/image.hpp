#pragma once
/// Pictures in memory: 8 bits a channel, rows from the top.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace scree::view {

struct Image {
  int width = 0, height = 0;
  int channels = 3;  ///< 3 = RGB, 4 = RGBA
  std::vector<std::uint8_t> pixels;

  Image() = default;
  Image(int width, int height, int channels = 3)
      : width(width),
        height(height),
        channels(channels),
        pixels(static_cast<std::size_t>(width) * height * channels) {}
  const std::uint8_t* at(int x, int y) const {
    return pixels.data() + (static_cast<std::size_t>(y) * width + x) * channels;
  }
  std::uint8_t* at(int x, int y) {
    return pixels.data() + (static_cast<std::size_t>(y) * width + x) * channels;
  }
};

/// Reads PNG, JPEG, BMP, TGA (what stb_image knows) as RGBA. Throws InputError with the file and the reason.
Image read_image(const std::filesystem::path& file);

/// Writes a PNG; throws RunError when the disk does not take it.
void write_png(const std::filesystem::path& file, const Image& image);

/// How different two pictures of one size look, in [0, 1]: both are blurred by `radius` pixels, then the mean
/// absolute difference of luma and of the two colour differences is taken. Anti-aliasing and driver
/// differences of a pixel's width vanish; a thing that moved or is missing stays.
double perceptual_difference(const Image& a, const Image& b, int radius = 2);

/// The same for the square of `side` pixels that differs most: finds small things that are missing, which the
/// mean over a whole picture drowns.
double local_difference(const Image& a, const Image& b, int side = 40, int radius = 2);

}  // namespace scree::view
