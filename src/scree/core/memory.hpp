#pragma once
/// All numbers that a resume needs, visited in a fixed order. One function a class serves counting, saving
/// and restoring, so the three cannot differ:
///
///     void memory(Memory& m) { m(integral_), m(last_), m(samples_); }
///
/// Header only: controllers in plug-ins use it too.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace scree {

class Memory {
 public:
  /// Counts only.
  Memory() = default;
  /// Writes into `out`, which has the room that counting found.
  static Memory save(std::span<double> out) { return Memory(Mode::save, out.data(), nullptr, out.size()); }
  /// Reads from `in`.
  static Memory restore(std::span<const double> in) {
    return Memory(Mode::restore, nullptr, in.data(), in.size());
  }

  std::size_t count() const { return at_; }
  bool restoring() const { return mode_ == Mode::restore; }

  void operator()(double& x) {
    if (mode_ != Mode::count && at_ >= size_)
      throw std::out_of_range("a state is shorter than what it describes");
    if (mode_ == Mode::save) out_[at_] = x;
    if (mode_ == Mode::restore) x = in_[at_];
    ++at_;
  }
  void operator()(bool& x) {
    double value = x ? 1 : 0;
    (*this)(value);
    x = value != 0;
  }
  void operator()(int& x) {
    double value = x;
    (*this)(value);
    x = static_cast<int>(value);
  }
  /// As two halves, which doubles hold exactly.
  void operator()(std::uint64_t& x) {
    double low = static_cast<double>(x & 0xffffffffu), high = static_cast<double>(x >> 32);
    (*this)(low);
    (*this)(high);
    x = static_cast<std::uint64_t>(low) | (static_cast<std::uint64_t>(high) << 32);
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(Enum& x) {
    int value = static_cast<int>(x);
    (*this)(value);
    x = static_cast<Enum>(value);
  }
  void operator()(std::span<double> x) {
    if (mode_ != Mode::count && size_ - at_ < x.size())
      throw std::out_of_range("a state is shorter than what it describes");
    if (mode_ == Mode::save) std::copy(x.begin(), x.end(), out_ + at_);
    if (mode_ == Mode::restore) std::copy_n(in_ + at_, x.size(), x.begin());
    at_ += x.size();
  }
  void operator()(std::vector<double>& x) { (*this)(std::span<double>(x)); }

 private:
  enum class Mode { count, save, restore };
  Memory(Mode mode, double* out, const double* in, std::size_t size)
      : mode_(mode), out_(out), in_(in), size_(size) {}
  Mode mode_ = Mode::count;
  double* out_ = nullptr;
  const double* in_ = nullptr;
  std::size_t at_ = 0, size_ = 0;
};

}  // namespace scree
