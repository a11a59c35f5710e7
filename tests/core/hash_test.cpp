#include "scree/core/hash.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace scree {
namespace {

TEST(Hash, EmptyInputIsTheStartingValue) {
  EXPECT_EQ(hash_bytes(nullptr, 0), 0xcbf29ce484222325ULL);
  EXPECT_EQ(hash_text(0xcbf29ce484222325ULL), "cbf29ce484222325");
  EXPECT_EQ(hash_text(1), "0000000000000001");
}

TEST(Hash, EverySingleBitOfAStateChangesIt) {
  std::array<double, 13> state{};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = 0.1 * static_cast<double>(i + 1);
  std::set<std::uint64_t> seen{hash_bytes(state.data(), sizeof state)};
  auto* bytes = reinterpret_cast<unsigned char*>(state.data());
  for (std::size_t bit = 0; bit < 8 * sizeof state; ++bit) {
    bytes[bit / 8] ^= static_cast<unsigned char>(1u << (bit % 8));
    seen.insert(hash_bytes(state.data(), sizeof state));
    bytes[bit / 8] ^= static_cast<unsigned char>(1u << (bit % 8));
  }
  EXPECT_EQ(seen.size(), 8 * sizeof state + 1);
}

TEST(Hash, ContinuesFromAnEarlierHash) {
  const std::vector<double> state = {1, 2, 3, 4, 5, 6};
  const auto whole = hash_bytes(state.data(), 48);
  EXPECT_EQ(hash_bytes(state.data() + 2, 32, hash_bytes(state.data(), 16)), whole);
}

TEST(Hash, OrderAndSignOfZeroCount) {
  const std::array<double, 2> ab = {1, 2}, ba = {2, 1}, zero = {0.0, 0}, minus = {-0.0, 0};
  EXPECT_NE(hash_bytes(ab.data(), 16), hash_bytes(ba.data(), 16));
  EXPECT_NE(hash_bytes(zero.data(), 16), hash_bytes(minus.data(), 16));
}

TEST(Hash, TailBytesCount) {
  const char text[] = "0123456789a";
  std::set<std::uint64_t> seen;
  for (std::size_t length = 0; length < sizeof text; ++length) seen.insert(hash_bytes(text, length));
  EXPECT_EQ(seen.size(), sizeof text);
}

}  // namespace
}  // namespace scree
