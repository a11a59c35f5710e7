#pragma once
/// A fuzzer: files are damaged at random and read by the real readers. Whatever they hold, a file is read or
/// refused with one line; it must not crash, hang or eat the memory.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace scree::fuzz {

/// A kind of file that the program reads.
struct Kind {
  std::string name;
  std::string file;  ///< name under which it is read; the ending tells the format
  /// Whole examples: contents of files, the kept corpus among them.
  std::vector<std::string> seeds;
  /// Reads the file. What it throws from std::exception is a refusal; anything else is a fault.
  std::function<void(const std::filesystem::path&)> read;
};

/// Every kind, with seeds from the repository and from `corpus`/KIND.
std::vector<Kind> all_kinds(const std::filesystem::path& corpus);

/// Those that only the window and pictures read; appended.
void add_view_kinds(std::vector<Kind>& kinds, const std::filesystem::path& corpus);

/// Bytes of a file, and files below `folder` that end so; none larger than a megabyte.
std::string contents(const std::filesystem::path& file);
void add_files(std::vector<std::string>& seeds, const std::filesystem::path& folder,
               const std::string& ending);

struct Settings {
  std::uint64_t seed = 1;
  std::uint64_t inputs = 1000;      ///< of each kind
  int seconds = 10;                 ///< that one input may take
  std::uint64_t memory_mb = 2048;   ///< that the process may hold while it reads one
  std::filesystem::path keep = {};  ///< folder for inputs that were faults; empty: none
};

struct Result {
  std::uint64_t inputs = 0, read = 0, refused = 0, faults = 0;
  std::vector<std::string> complaints;  ///< one line each fault
};

/// Damages and reads `inputs` files in child processes, so that a fault costs one of them. Inputs depend on
/// the seed and their number alone.
Result run(const Kind& kind, const Settings& settings);

/// Input `number` of a kind: the seeds as they are first, then damaged ones.
std::string input(const Kind& kind, std::uint64_t seed, std::uint64_t number);

}  // namespace scree::fuzz
