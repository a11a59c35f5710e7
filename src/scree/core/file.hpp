#pragma once
/// Files that are either whole or absent.
#include <filesystem>
#include <string>
#include <string_view>

namespace scree {

/// A file under a temporary name beside its own, until it is whole. Removed when it goes out of scope before
/// that, and when a signal ends the program (remove_parts_on_signals).
class PartFile {
 public:
  /// Does not make the file. `ending` is kept at the end of the temporary name, for writers that go by it.
  explicit PartFile(std::filesystem::path file, const std::string& ending = "");
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// The temporary name.
  const std::filesystem::path& path() const { return part_; }
  /// Gives it its own name. Throws RunError.
  void commit();

 private:
  std::filesystem::path file_, part_;
  int place_ = -1;  ///< among the names that a signal removes
};

/// From here on, a signal that ends the program (Ctrl-C, hang-up, request to end) first removes part files.
void remove_parts_on_signals();

/// Writes `bytes` beside `file` under a temporary name and renames, so that a reader never sees half of it.
/// Throws RunError naming the file when the disk is full or refuses; nothing is left behind then.
void write_whole_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace scree
