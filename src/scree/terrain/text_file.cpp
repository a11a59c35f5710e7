#include "scree/terrain/text_file.hpp"

#include <cerrno>
#include <cstring>

#include "scree/core/errors.hpp"

namespace scree {

TextFile::TextFile(const std::filesystem::path& file) : file_(file), part_(file) {
  out_ = std::fopen(part_.path().c_str(), "wb");
  if (!out_) run_error("cannot write '{}': {}", file.string(), std::strerror(errno));
}

TextFile::~TextFile() {
  if (out_) std::fclose(out_);
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
  if (!closed) run_error("cannot write '{}': {}", file_.string(), std::strerror(errno));
  part_.commit();
}

}  // namespace scree
