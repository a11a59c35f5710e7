#include "scree/record/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "scree/core/errors.hpp"

namespace scree {
namespace {
constexpr std::size_t kBuffer = std::size_t{1} << 16;
}  // namespace

OutputFile::OutputFile(std::filesystem::path file)
    : file_(std::move(file)),
      descriptor_(::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)),
      buffer_(kBuffer) {
  if (descriptor_ < 0) input_error("{}: cannot be written: {}", file_.string(), std::strerror(errno));
}

OutputFile::~OutputFile() {
  try {
    flush();
  } catch (const RunError&) {
    // A destructor has nobody to tell.
  }
  ::close(descriptor_);
}

char* OutputFile::room(std::size_t bytes) {
  // A record larger than the buffer makes it grow; this happens once, for the longest record.
  if (used_ + bytes > buffer_.size()) buffer_.resize(2 * (used_ + bytes));
  return buffer_.data() + used_;
}

void OutputFile::append(std::string_view bytes) {
  use(std::copy(bytes.begin(), bytes.end(), room(bytes.size())));
}

void OutputFile::end_record() {
  whole_ = used_;
  if (whole_ > buffer_.size() / 2) flush();
}

void OutputFile::overwrite(std::size_t offset, std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      run_error("{}: cannot be written: {}", file_.string(), std::strerror(written < 0 ? errno : ENOSPC));
    done += static_cast<std::size_t>(written);
  }
}

void OutputFile::flush() { write_out(whole_); }

void OutputFile::write_out(std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t written = ::write(descriptor_, buffer_.data() + done, size - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = written < 0 ? errno : ENOSPC;
      used_ = whole_ = 0;  // what did not fit is lost; the destructor must not try again
      run_error("{}: cannot be written: {}", file_.string(), std::strerror(error));
    }
    done += static_cast<std::size_t>(written);
  }
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(size),
            buffer_.begin() + static_cast<std::ptrdiff_t>(used_), buffer_.begin());
  used_ -= size;
  whole_ = 0;
}

}  // namespace scree
