#include "scree/view/video.hpp"

#include <map>
#include <sstream>
#include <vector>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree::view {
namespace {

/// What ffmpeg is told for each ending.
struct Container {
  std::string codec;
  std::vector<std::string> options;  ///< keep what was written when the end never comes
  bool even = true;                  ///< sizes must be even
};

const std::map<std::string, Container>& containers() {
  static const std::vector<std::string> fragments{"-movflags", "+frag_keyframe+empty_moov+default_base_moof"};
  static const std::map<std::string, Container> known{
      {".mp4", {"libx264", fragments}}, {".mov", {"libx264", fragments}}, {".mkv", {"libx264", {}}},
      {".avi", {"mpeg4", {}}},          {".webm", {"libvpx-vp9", {}}},    {".gif", {"gif", {}, false}}};
  return known;
}

std::string ending(const std::filesystem::path& file) {
  std::string e = file.extension().string();
  for (char& c : e) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return e;
}

std::vector<std::string> arguments(const std::filesystem::path& file, const VideoSettings& s) {
  const Container& container = containers().at(ending(file));
  const std::string codec = s.codec.empty() ? container.codec : s.codec;
  std::vector<std::string> a{s.program,
                             "-hide_banner",
                             "-loglevel",
                             "error",
                             "-y",
                             "-f",
                             "rawvideo",
                             "-pix_fmt",
                             "rgb24",
                             "-video_size",
                             fmt::format("{}x{}", s.width, s.height),
                             "-framerate",
                             number_text(s.fps),
                             "-i",
                             "-"};
  if (ending(file) == ".gif") {
    // One palette for the whole film would need all frames first: a fresh one for each.
    a.insert(a.end(),
             {"-filter_complex", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1"});
  } else {
    std::string filter = "format=yuv420p";
    if (container.even && (s.width % 2 || s.height % 2))
      filter = "crop=trunc(iw/2)*2:trunc(ih/2)*2," + filter;
    a.insert(a.end(), {"-vf", filter, "-c:v", codec});
    if (codec == "mpeg4") a.insert(a.end(), {"-q:v", std::to_string(std::max(1, s.quality / 6))});
    if (codec.find("x264") != std::string::npos) a.insert(a.end(), {"-preset", "veryfast"});
    if (codec.find("26") != std::string::npos || codec.find("vp9") != std::string::npos)
      a.insert(a.end(), {"-crf", std::to_string(s.quality)});
    if (codec.find("vp9") != std::string::npos)
      a.insert(a.end(), {"-b:v", "0", "-deadline", "realtime", "-cpu-used", "6"});
  }
  a.insert(a.end(), container.options.begin(), container.options.end());
  // A name that begins with a dash would be read as an option.
  a.push_back("file:" + file.string());
  return a;
}

}  // namespace

bool is_video_file(const std::filesystem::path& file) { return containers().count(ending(file)) > 0; }

Video::Video(std::filesystem::path file, const VideoSettings& settings)
    : file_(std::move(file)), settings_(settings) {
  if (!is_video_file(file_))
    input_error("video '{}': ending '{}' is not known; use .mp4, .mkv, .mov, .avi, .webm or .gif",
                file_.string(), ending(file_));
  if (!(settings.fps > 0 && settings.fps <= 1000))
    input_error("video: {} frames a second is outside (0, 1000]", settings.fps);
  const std::filesystem::path folder = file_.has_parent_path() ? file_.parent_path() : ".";
  if (!std::filesystem::is_directory(folder))
    input_error("video '{}': folder '{}' not found", file_.string(), folder.string());

  try {
    encoder_ =
        std::make_unique<Program>(arguments(file_, settings), fmt::format("video '{}'", file_.string()));
  } catch (const RunError& error) {
    run_error("{}: install ffmpeg, or write pictures (.png)", error.what());
  }
}

Video::~Video() { finish(); }

std::string Video::messages() const {
  std::istringstream in(encoder_->complaints());
  std::string line, last;
  while (std::getline(in, line))
    if (!trim(line).empty() && last.size() + line.size() < 300)
      last += (last.empty() ? "" : "; ") + trim(line);
  return last.empty() ? "no message" : last;
}

void Video::fail(const std::string& reason) {
  encoder_->finish();
  error_ = fmt::format("video '{}' stopped after {} pictures: {} ({}); what was filmed is kept",
                       file_.string(), frames_, reason, messages());
  encoder_.reset();
}

bool Video::add(const Image& image) {
  if (!encoder_) return false;
  if (image.width != settings_.width || image.height != settings_.height || image.channels != 3)
    input_error("video '{}': a picture of {} x {} does not fit {} x {}", file_.string(), image.width,
                image.height, settings_.width, settings_.height);
  const auto* bytes = reinterpret_cast<const char*>(image.pixels.data());
  if (!encoder_->write({bytes, image.pixels.size()})) {
    fail("ffmpeg ended");
    return false;
  }
  ++frames_;
  return true;
}

bool Video::finish() {
  if (encoder_) {
    const int status = encoder_->finish();
    // A disk that fills up with the last pictures is no failure to ffmpeg: it only says so.
    const std::string said = messages();
    if (status != 0 || said.find("No space left") != std::string::npos)
      error_ = fmt::format("video '{}' did not end well: {}; what was filmed is kept", file_.string(), said);
    encoder_.reset();
  }
  return error_.empty();
}

}  // namespace scree::view
