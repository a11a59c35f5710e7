#include "scree/core/png.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "scree/core/random.hpp"
#include "support/errors.hpp"
#include "support/limits.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

using scree::testing::FileSizeLimit;
using scree::testing::message_of;
using scree::testing::TemporaryFolder;
using ::testing::HasSubstr;

std::vector<std::uint8_t> gradient_with_noise(int width, int height, int channels) {
  RandomStream random(1, 0, "picture");
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c) {
        pixels.push_back(
            static_cast<std::uint8_t>(3 * x + 2 * y + 60 * c + static_cast<int>(random.below(4))));
      }
    }
  }
  return pixels;
}

std::uint32_t u32_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes.at(at + i));
  return value;
}

/// CRC-32 bit by bit: a second way beside the table.
std::uint32_t slow_crc(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      const bool odd = ((crc ^ (static_cast<std::uint8_t>(c) >> bit)) & 1u) != 0;
      crc = crc >> 1 ^ (odd ? 0xedb88320u : 0u);
    }
  }
  return ~crc;
}

TEST(Png, ChunksAreWellFormed) {
  EXPECT_EQ(slow_crc("123456789"), 0xcbf43926u) << "the published check value of CRC-32";
  const auto pixels = gradient_with_noise(37, 11, 3);
  const std::string bytes = png_bytes({37, 11, 3, pixels});
  EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string order;
  for (std::size_t at = 8; at < bytes.size();) {
    const std::uint32_t size = u32_at(bytes, at);
    order += bytes.substr(at + 4, 4) + " ";
    EXPECT_EQ(u32_at(bytes, at + 8 + size), slow_crc(bytes.substr(at + 4, 4 + size)));
    at += 12 + size;
  }
  EXPECT_EQ(order, "IHDR IDAT IEND ");
  EXPECT_EQ(u32_at(bytes, 16), 37u);
  EXPECT_EQ(u32_at(bytes, 20), 11u);
}

/// Another program must find the same pixels.
void expect_read_back(int width, int height, int channels) {
  if (!scree::testing::have_program("convert")) GTEST_SKIP() << "ImageMagick is not installed";
  TemporaryFolder folder;
  const auto pixels = gradient_with_noise(width, height, channels);
  write_png(folder.path() / "a.png", {width, height, channels, pixels});
  const std::string format = channels == 1 ? "gray" : channels == 3 ? "rgb" : "rgba";
  const auto result = scree::testing::run_program("convert " + (folder.path() / "a.png").string() +
                                                  " -depth 8 " + format + ":-");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(result.output == std::string(pixels.begin(), pixels.end())) << channels << " channels";
}

TEST(Png, AnotherProgramReadsTheSameGreyPixels) { expect_read_back(301, 257, 1); }
TEST(Png, AnotherProgramReadsTheSameColourPixels) { expect_read_back(301, 257, 3); }
TEST(Png, AnotherProgramReadsTheSameTransparentPixels) { expect_read_back(1, 1, 4); }

TEST(Png, RefusesPicturesThatDoNotAddUp) {
  const std::vector<std::uint8_t> pixels(12);
  EXPECT_THAT(message_of([&] { png_bytes({0, 2, 3, pixels}); }), HasSubstr("0 x 2 pixels"));
  EXPECT_THAT(message_of([&] { png_bytes({2, 2, 2, pixels}); }), HasSubstr("2 channels"));
  EXPECT_THAT(message_of([&] {
                png_bytes({2, 2, 4, pixels});
              }),
              HasSubstr("12 bytes given, 2 x 2 x 4 needs 16"));
}

TEST(Png, FullDiskIsARunErrorAndLeavesNothing) {
  TemporaryFolder folder;
  const auto pixels = gradient_with_noise(200, 200, 3);
  {
    const FileSizeLimit limit(1000);
    EXPECT_THAT(message_of<RunError>([&] {
                  write_png(folder.path() / "a.png", {200, 200, 3, pixels});
                }),
                HasSubstr("a.png: cannot be written: File too large"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_THAT(message_of<RunError>([&] {
                write_png("/nowhere/a.png", {200, 200, 3, pixels});
              }),
              HasSubstr("No such file or directory"));
}

TEST(Png, AnOldPictureSurvivesAFailedNewOne) {
  TemporaryFolder folder;
  const auto small = gradient_with_noise(2, 2, 1);
  const auto large = gradient_with_noise(200, 200, 3);
  write_png(folder.path() / "a.png", {2, 2, 1, small});
  const std::string before = folder.read("a.png");
  {
    const FileSizeLimit limit(1000);
    EXPECT_THROW(write_png(folder.path() / "a.png", {200, 200, 3, large}), RunError);
  }
  EXPECT_EQ(folder.read("a.png"), before);
}

}  // namespace
}  // namespace scree
