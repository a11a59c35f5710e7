#pragma once
/// A log as one NumPy array of records, `numpy.load("log.npy")`: a field a signal, its title "name [unit]".
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scree/record/output_file.hpp"

namespace scree {

struct LogColumn;

/// The first bytes of a .npy file of `rows` records of doubles; the length does not depend on `rows`.
/// Format: NumPy Enhancement Proposal 1, versions 1.0 and (beyond 64 KiB of header) 2.0.
std::string npy_header(std::span<const std::string> names, std::span<const std::string> titles,
                       std::uint64_t rows);

/// Writes records as they come. At every flush the header says how many are there, after they are: a run
/// that is killed leaves a file that loads.
class NpyWriter {
 public:
  NpyWriter(const std::filesystem::path& file, std::vector<std::string> names,
            std::vector<std::string> titles);
  /// One record, of as many doubles as there are names.
  void append(std::span<const double> record);
  void flush();

 private:
  void count_rows();
  std::vector<std::string> names_, titles_;
  OutputFile file_;
  std::uint64_t rows_ = 0, counted_ = 0;
};

/// Reads what NpyWriter wrote; records beyond the last whole one are left out. Throws InputError.
std::vector<LogColumn> read_npy(const std::filesystem::path& file);

}  // namespace scree
