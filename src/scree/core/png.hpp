#pragma once
/// Pictures as PNG files (PNG specification, second edition), 8 bits a channel. Compressed where zlib is
/// present, stored otherwise.
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace scree {

/// Rows from top to bottom, pixels from left to right, channels side by side.
struct Picture {
  int width = 0, height = 0;
  int channels = 3;  ///< 1 grey, 3 RGB, 4 RGBA
  std::span<const std::uint8_t> pixels;
};

/// The bytes of the file. Throws InputError when size, channels and pixels do not agree.
std::string png_bytes(const Picture& picture);
/// Throws RunError when the file cannot be written in full; it is never left half-written.
void write_png(const std::filesystem::path& file, const Picture& picture);

}  // namespace scree
