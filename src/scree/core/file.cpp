#include "scree/core/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

/// Names of part files, for the handler of signals; more than these are removed by their owners only.
constexpr std::size_t kMostParts = 16;
std::atomic<const char*> part_names[kMostParts];

void remove_parts(int signal) {
  for (const auto& name : part_names) {
    if (const char* part = name.load()) ::unlink(part);
  }
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Returns 0, or the error number. A short write is continued; the disk then says why.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

PartFile::PartFile(std::filesystem::path file, const std::string& ending)
    : file_(std::move(file)), part_(file_.string() + ".part." + std::to_string(::getpid()) + ending) {
  for (std::size_t i = 0; i < kMostParts && place_ < 0; ++i) {
    const char* expected = nullptr;
    if (part_names[i].compare_exchange_strong(expected, part_.c_str())) place_ = static_cast<int>(i);
  }
}

PartFile::~PartFile() {
  if (!part_.empty()) ::unlink(part_.c_str());
  if (place_ >= 0) part_names[static_cast<std::size_t>(place_)] = nullptr;
}

void PartFile::commit() {
  if (std::rename(part_.c_str(), file_.c_str()) != 0) {
    run_error("{}: cannot be written: {}", file_.string(), std::strerror(errno));
  }
}

void remove_parts_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, remove_parts) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

void write_whole_file(const std::filesystem::path& file, std::string_view bytes) {
  PartFile part(file);
  const int descriptor = ::open(part.path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) run_error("{}: cannot be written: {}", file.string(), std::strerror(errno));
  int error = write_all(descriptor, bytes);
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) run_error("{}: cannot be written: {}", file.string(), std::strerror(error));
  part.commit();
}

}  // namespace scree
