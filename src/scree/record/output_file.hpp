#pragma once
/// A file that grows while a run lasts. Records are gathered in a fixed buffer, so that writing one allocates
/// nothing; only whole records ever reach the disk together.
#include <filesystem>
#include <string_view>
#include <vector>

namespace scree {

class OutputFile {
 public:
  /// Creates or empties the file. Throws InputError: the user chose where it goes.
  explicit OutputFile(std::filesystem::path file);
  /// Flushes what it can; errors are lost here, so call flush() where they matter.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Adds bytes to the record under way.
  void append(std::string_view bytes);
  /// Room for so many bytes more, to be written there; `use` takes what was written, up to its end.
  char* room(std::size_t bytes);
  void use(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }
  /// Ends the record. Goes to disk when the buffer is half full.
  void end_record();
  /// To disk now. Throws RunError when the disk is full; what was written before stays.
  void flush();
  /// Replaces bytes that are on disk already. Throws RunError.
  void overwrite(std::size_t offset, std::string_view bytes);

 private:
  void write_out(std::size_t size);

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::vector<char> buffer_;
  std::size_t used_ = 0;   ///< bytes in the buffer
  std::size_t whole_ = 0;  ///< of which belong to ended records
};

}  // namespace scree
