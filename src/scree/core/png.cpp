#include "scree/core/png.hpp"

#include <array>
#include <cstdlib>

#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"

#ifdef SCREE_HAVE_ZLIB
#include <zlib.h>
#endif

namespace scree {
namespace {

/// CRC-32 of the PNG specification, annex D, by a table of the 256 bytes.
constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    std::uint32_t c = n;
    for (int k = 0; k < 8; ++k) c = (c & 1u) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[n] = c;
  }
  return table;
}

std::uint32_t crc32_of(std::string_view bytes) {
  static constexpr auto table = crc_table();
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) crc = table[(crc ^ static_cast<std::uint8_t>(c)) & 0xffu] ^ (crc >> 8);
  return crc ^ 0xffffffffu;
}

void put_u32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xffu);
}

void put_chunk(std::string& out, std::string_view type, std::string_view data) {
  put_u32(out, static_cast<std::uint32_t>(data.size()));
  std::string body(type);
  body += data;
  out += body;
  put_u32(out, crc32_of(body));
}

int paeth(int left, int up, int corner) {
  const int guess = left + up - corner;
  const int to_left = std::abs(guess - left), to_up = std::abs(guess - up),
            to_corner = std::abs(guess - corner);
  if (to_left <= to_up && to_left <= to_corner) return left;
  return to_up <= to_corner ? up : corner;
}

/// The rows, each with its filter byte. Paeth's predictor suits smooth shading, and one filter for all rows
/// costs a few per cent of size against a search.
std::string filtered_rows(const Picture& picture) {
  const std::size_t stride =
      static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.channels);
  const auto step = static_cast<std::size_t>(picture.channels);
  std::string rows;
  rows.reserve((stride + 1) * static_cast<std::size_t>(picture.height));
  for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y) {
    rows += '\4';
    const std::uint8_t* row = picture.pixels.data() + y * stride;
    for (std::size_t i = 0; i < stride; ++i) {
      const int left = i >= step ? row[i - step] : 0;
      const int up = y > 0 ? *(row + i - stride) : 0;
      const int corner = y > 0 && i >= step ? *(row + i - stride - step) : 0;
      rows += static_cast<char>(row[i] - paeth(left, up, corner));
    }
  }
  return rows;
}

#ifdef SCREE_HAVE_ZLIB
std::string deflated(const std::string& raw) {
  uLongf size = compressBound(raw.size());
  std::string out(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(raw.data()), raw.size(), 6);
  if (status != Z_OK) run_error("picture: zlib failed with status {}", status);
  out.resize(size);
  return out;
}
#else
/// A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4).
std::string deflated(const std::string& raw) {
  constexpr std::size_t kBlock = 65535;
  std::string out = "\x78\x01";
  for (std::size_t begin = 0; begin < raw.size(); begin += kBlock) {
    const std::size_t size = std::min(kBlock, raw.size() - begin);
    out += begin + size == raw.size() ? '\1' : '\0';
    for (const std::size_t word : {size, ~size}) {
      out += static_cast<char>(word & 0xffu);
      out += static_cast<char>((word >> 8) & 0xffu);
    }
    out.append(raw, begin, size);
  }
  std::uint32_t a = 1, b = 0;
  for (const char c : raw) {
    a = (a + static_cast<std::uint8_t>(c)) % 65521;
    b = (b + a) % 65521;
  }
  put_u32(out, b << 16 | a);
  return out;
}
#endif

void check(const Picture& picture) {
  if (picture.width < 1 || picture.height < 1) {
    input_error("picture: {} x {} pixels; each side must be at least 1", picture.width, picture.height);
  }
  if (picture.channels != 1 && picture.channels != 3 && picture.channels != 4) {
    input_error("picture: {} channels; 1 (grey), 3 (RGB) or 4 (RGBA) can be written", picture.channels);
  }
  const auto wanted = static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) *
                      static_cast<std::size_t>(picture.channels);
  if (picture.pixels.size() != wanted) {
    input_error("picture: {} bytes given, {} x {} x {} needs {}", picture.pixels.size(), picture.width,
                picture.height, picture.channels, wanted);
  }
}

}  // namespace

std::string png_bytes(const Picture& picture) {
  check(picture);
  std::string header;
  put_u32(header, static_cast<std::uint32_t>(picture.width));
  put_u32(header, static_cast<std::uint32_t>(picture.height));
  header += '\x08';  // bits a channel
  header += picture.channels == 1 ? '\0' : picture.channels == 3 ? '\2' : '\6';
  header += std::string(3, '\0');  // deflate, adaptive filters, not interlaced
  std::string out = "\x89PNG\r\n\x1a\n";
  put_chunk(out, "IHDR", header);
  put_chunk(out, "IDAT", deflated(filtered_rows(picture)));
  put_chunk(out, "IEND", "");
  return out;
}

void write_png(const std::filesystem::path& file, const Picture& picture) {
  write_whole_file(file, png_bytes(picture));
}

}  // namespace scree
