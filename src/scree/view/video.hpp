#pragma once
/// Films pictures into a video file through the `ffmpeg` program.
///
/// The container follows from the file's ending: mp4, mkv, mov (H.264), avi (MPEG-4), webm (VP9), gif. What
/// was filmed before something failed stays in the file: containers that need a proper end are written in
/// fragments.
#include <filesystem>
#include <memory>
#include <string>

#include "scree/core/program.hpp"
#include "scree/view/image.hpp"

namespace scree::view {

struct VideoSettings {
  int width = 1280, height = 720;  ///< px; odd sizes are cut by one for codecs that need even ones
  double fps = 30;                 ///< pictures per second
  std::string codec = {};          ///< ffmpeg's name of the encoder; empty: the usual one of the container
  int quality = 20;                ///< CRF of H.264/VP9: 0 lossless .. 51 poor
  std::string program = "ffmpeg";
};

class Video {
 public:
  /// Starts ffmpeg. Throws InputError for an unknown ending or a codec that ffmpeg does not have, RunError
  /// when ffmpeg is not installed or the file cannot be made.
  Video(std::filesystem::path file, const VideoSettings& settings);
  /// Ends the file; never throws.
  ~Video();
  Video(const Video&) = delete;

  /// Appends one picture of the settings' size. False when ffmpeg has stopped (disk full, killed): `error()`
  /// then says why, what was filmed so far is kept, and further pictures are ignored.
  bool add(const Image& image);
  /// Waits until the file is complete; true when all went well.
  bool finish();
  const std::string& error() const { return error_; }
  int frames() const { return frames_; }
  const std::filesystem::path& file() const { return file_; }

 private:
  void fail(const std::string& reason);
  std::string messages() const;

  std::filesystem::path file_;
  VideoSettings settings_;
  std::unique_ptr<Program> encoder_;
  int frames_ = 0;
  std::string error_;
};

/// True when the ending is one that Video knows.
bool is_video_file(const std::filesystem::path& file);

}  // namespace scree::view
