#include "scree/core/memory.hpp"

#include "scree/core/errors.hpp"

namespace scree {

Memory Memory::save(std::span<double> out) {
  Memory m;
  m.mode_ = Mode::save;
  m.out_ = out.data();
  m.size_ = out.size();
  return m;
}

Memory Memory::restore(std::span<const double> in) {
  Memory m;
  m.mode_ = Mode::restore;
  m.in_ = in.data();
  m.size_ = in.size();
  return m;
}

void Memory::operator()(double& x) {
  if (mode_ != Mode::count && at_ >= size_)
    run_error("a state of {} numbers is too short to resume from", size_);
  if (mode_ == Mode::save) out_[at_] = x;
  if (mode_ == Mode::restore) x = in_[at_];
  ++at_;
}

void Memory::operator()(bool& x) {
  double value = x ? 1 : 0;
  (*this)(value);
  x = value != 0;
}

void Memory::operator()(int& x) {
  double value = x;
  (*this)(value);
  x = static_cast<int>(value);
}

void Memory::operator()(std::uint64_t& x) {
  double low = static_cast<double>(x & 0xffffffffu), high = static_cast<double>(x >> 32);
  (*this)(low);
  (*this)(high);
  x = static_cast<std::uint64_t>(low) | (static_cast<std::uint64_t>(high) << 32);
}

void Memory::operator()(std::span<double> x) {
  for (double& value : x) (*this)(value);
}

}  // namespace scree
