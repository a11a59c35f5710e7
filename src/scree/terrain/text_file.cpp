#include "scree/terrain/text_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "scree/core/errors.hpp"

namespace scree {

TextFile::TextFile(const std::filesystem::path& file)
    : file_(file), temporary_(file.string() + ".part" + std::to_string(::getpid())) {
  out_ = std::fopen(temporary_.c_str(), "wb");
  if (!out_) run_error("cannot write '{}': {}", file.string(), std::strerror(errno));
}

TextFile::~TextFile() {
  if (!out_) return;
  std::fclose(out_);
  std::remove(temporary_.c_str());
}

void TextFile::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), out_) != buffer_.size()) {
    run_error("cannot write '{}': {}", file_.string(), std::strerror(errno));
  }
  buffer_.clear();
}

void TextFile::close() {
  flush();
  const bool closed = std::fclose(out_) == 0;
  out_ = nullptr;
  if (!closed || std::rename(temporary_.c_str(), file_.c_str()) != 0) {
    const int error = errno;
    std::remove(temporary_.c_str());
    run_error("cannot write '{}': {}", file_.string(), std::strerror(error));
  }
}

}  // namespace scree
