#pragma once
/// A hash of raw bytes: the determinism check compares it between runs (FNV-1a, 64 bit, 8 bytes a round).
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace scree {

inline std::uint64_t hash_bytes(const void* data, std::size_t size,
                                std::uint64_t hash = 0xcbf29ce484222325ULL) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  const auto add = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3ULL;
    hash ^= hash >> 32;
  };
  while (size >= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    add(word);
    bytes += 8;
    size -= 8;
  }
  for (; size > 0; --size) add(*bytes++);
  return hash;
}

/// Sixteen hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace scree
