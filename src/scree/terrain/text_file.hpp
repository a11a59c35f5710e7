#pragma once
/// Writes a large text file piece by piece; it appears under its name only when it is whole.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>

#include "scree/core/file.hpp"

namespace scree {

class TextFile {
 public:
  /// Throws RunError when the file cannot be made.
  explicit TextFile(const std::filesystem::path& file);
  /// Removes what was written when close() was not reached.
  ~TextFile();
  TextFile(const TextFile&) = delete;

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() > (1u << 20)) flush();
  }
  /// Throws RunError when not everything reached the disk.
  void close();

 private:
  void flush();
  std::filesystem::path file_;
  PartFile part_;
  std::FILE* out_ = nullptr;
  std::string buffer_;
};

}  // namespace scree
