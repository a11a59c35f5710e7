/// Films: what ffprobe says of them, and what is left when something goes wrong.
#include "scree/view/video.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <fstream>

#include "scree/core/errors.hpp"
#include "view/support.hpp"

namespace scree::view {
namespace {

using ::testing::HasSubstr;

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 256> part;
  while (fgets(part.data(), part.size(), pipe)) text += part.data();
  pclose(pipe);
  return text;
}

/// "codec,width,height,frames"
std::string probe(const std::filesystem::path& file) {
  std::string text = output_of(
      "ffprobe -v error -count_frames -select_streams v -show_entries "
      "stream=codec_name,width,height,nb_read_frames -of csv=p=0 '" +
      file.string() + "' 2>&1");
  while (!text.empty() && (text.back() == '\n' || text.back() == ',')) text.pop_back();
  return text;
}

Image frame(int width, int height, int k) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::uint8_t* p = image.at(x, y);
      p[0] = static_cast<std::uint8_t>(4 * k), p[1] = static_cast<std::uint8_t>(x),
      p[2] = static_cast<std::uint8_t>((x * 7919u + y * 104729u + k * 15485863u) >> 3);
    }
  return image;
}

TEST(Video, EveryContainerHoldsItsFramesAndCodec) {
  Folder folder;
  const std::pair<const char*, const char*> cases[] = {
      {"a.mp4", "h264"}, {"a.mkv", "h264"}, {"a.avi", "mpeg4"}, {"a.gif", "gif"}};
  for (const auto& [name, codec] : cases) {
    Video video(folder / name, {.width = 64, .height = 48, .fps = 20});
    for (int k = 0; k < 15; ++k) ASSERT_TRUE(video.add(frame(64, 48, k)));
    ASSERT_TRUE(video.finish()) << video.error();
    EXPECT_EQ(probe(folder / name), std::string(codec) + ",64,48,15") << name;
  }
}

TEST(Video, DurationFollowsFromFrameRate) {
  Folder folder;
  Video video(folder / "a.mp4", {.width = 64, .height = 48, .fps = 12.5});
  for (int k = 0; k < 25; ++k) video.add(frame(64, 48, k));
  ASSERT_TRUE(video.finish());
  const double seconds = std::stod(output_of("ffprobe -v error -show_entries format=duration -of csv=p=0 '" +
                                             (folder / "a.mp4").string() + "'"));
  EXPECT_NEAR(seconds, 2.0, 0.5 / 12.5);
}

TEST(Video, CodecIsAChoiceAndOddSizesAreCut) {
  Folder folder;
  Video video(folder / "a.mp4", {.width = 65, .height = 49, .fps = 10, .codec = "mpeg4"});
  for (int k = 0; k < 5; ++k) video.add(frame(65, 49, k));
  ASSERT_TRUE(video.finish()) << video.error();
  EXPECT_EQ(probe(folder / "a.mp4"), "mpeg4,64,48,5");
}

TEST(Video, SaysWhatIsWrongWithWhatWasAsked) {
  Folder folder;
  EXPECT_THROW(Video(folder / "a.txt", {}), InputError);
  EXPECT_THROW(Video(folder / "nowhere/a.mp4", {}), InputError);
  EXPECT_THROW(Video(folder / "a.mp4", {.fps = 0}), InputError);
  try {
    Video(folder / "a.mp4", {.program = "no-such-ffmpeg"});
    FAIL();
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("install ffmpeg"));
  }
  Video video(folder / "b.mp4", {.width = 64, .height = 48, .codec = "no_such_codec"});
  for (int k = 0; k < 200 && video.add(frame(64, 48, k)); ++k) {
  }
  video.finish();
  EXPECT_THAT(video.error(), HasSubstr("no_such_codec"));
}

TEST(Video, FullDiskEndsTheFilmAndKeepsWhatWasFilmed) {
  Folder folder;
  // An encoder whose files may not grow beyond 200 kB.
  const auto program = folder / "small-disk-ffmpeg";
  std::ofstream(program) << "#!/bin/sh\nulimit -f 400\nexec ffmpeg \"$@\"\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  Video video(folder / "a.mkv",
              {.width = 320, .height = 240, .fps = 30, .quality = 2, .program = program.string()});
  int added = 0;
  for (int k = 0; k < 400 && video.add(frame(320, 240, k)); ++k) ++added;
  EXPECT_FALSE(video.finish());
  EXPECT_LT(added, 400);
  EXPECT_THAT(video.error(), HasSubstr("kept"));
  EXPECT_FALSE(video.add(frame(320, 240, 0)));  // further pictures are ignored, nothing throws
  const std::string kept = probe(folder / "a.mkv");
  EXPECT_THAT(kept, HasSubstr("h264,320,240,"));
  EXPECT_GT(std::stoi(kept.substr(kept.rfind(',') + 1)), 1);
}

TEST(Video, DiskThatFillsAtTheVeryEndIsSaid) {
  Folder folder;
  // ffmpeg ends well when only the last pictures found no room; it says so, and nothing more.
  const auto program = folder / "full-at-the-end";
  std::ofstream(program) << "#!/bin/sh\ncat > /dev/null\necho 'a.mp4: No space left on device' >&2\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  Video video(folder / "a.mp4", {.width = 64, .height = 48, .fps = 30, .program = program.string()});
  EXPECT_TRUE(video.add(frame(64, 48, 0)));
  EXPECT_FALSE(video.finish());
  EXPECT_THAT(video.error(), HasSubstr("No space left"));
}

}  // namespace
}  // namespace scree::view
