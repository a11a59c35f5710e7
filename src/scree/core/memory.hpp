#pragma once
/// All numbers that a resume needs, visited in a fixed order. One function a class serves counting, saving
/// and restoring, so the three cannot differ:
///
///     void memory(Memory& m) { m(integral_), m(last_), m(samples_); }
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree {

class Memory {
 public:
  /// Counts only.
  Memory() = default;
  /// Writes into `out`, which has the room that counting found.
  static Memory save(std::span<double> out);
  /// Reads from `in`.
  static Memory restore(std::span<const double> in);

  std::size_t count() const { return at_; }
  bool restoring() const { return mode_ == Mode::restore; }

  void operator()(double& x);
  void operator()(bool& x);
  void operator()(int& x);
  /// As two halves, which doubles hold exactly.
  void operator()(std::uint64_t& x);
  void operator()(std::span<double> x);
  void operator()(std::vector<double>& x) { (*this)(std::span<double>(x)); }

 private:
  enum class Mode { count, save, restore };
  Mode mode_ = Mode::count;
  double* out_ = nullptr;
  const double* in_ = nullptr;
  std::size_t at_ = 0, size_ = 0;
};

}  // namespace scree
