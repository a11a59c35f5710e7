#include "scree/study/trial_message.hpp"

#include <cstring>
#include <stdexcept>

namespace scree {

namespace {

/// Writes and reads plain numbers and texts one after the other.
struct Packer {
  std::string bytes;
  template <class T>
  void plain(const T& x) {
    bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  void text(const std::string& x) {
    plain(x.size());
    bytes += x;
  }
};
struct Unpacker {
  const std::string& bytes;
  std::size_t at = 0;
  void need(std::size_t size) const {
    if (size > bytes.size() - at) throw std::runtime_error("a message between ranks is cut short");
  }
  template <class T>
  void plain(T& x) {
    need(sizeof x);
    std::memcpy(&x, bytes.data() + at, sizeof x);
    at += sizeof x;
  }
  void text(std::string& x) {
    std::size_t size = 0;
    plain(size);
    need(size);
    x.assign(bytes, at, size);
    at += size;
  }
};

/// One list of members serves both ways.
template <class Pass, class Row>
void visit_row(Pass& p, Row& r) {
  p.plain(r.cell), p.plain(r.trial), p.plain(r.seed), p.plain(r.done), p.text(r.outcome), p.text(r.error);
  p.plain(r.verdict), p.plain(r.simulated_s), p.plain(r.cpu_s), p.plain(r.state_hash);
}

}  // namespace

std::string pack_row(const TrialRow& row) {
  Packer p;
  visit_row(p, row);
  p.plain(row.numbers.size());
  for (const TrialNumber& n : row.numbers) p.text(n.name), p.text(n.unit), p.plain(n.value);
  return std::move(p.bytes);
}

TrialRow unpack_row(const std::string& bytes) {
  TrialRow row;
  Unpacker p{bytes};
  visit_row(p, row);
  std::size_t count = 0;
  p.plain(count);
  p.need(count);  // each number takes more than a byte
  row.numbers.resize(count);
  for (TrialNumber& n : row.numbers) p.text(n.name), p.text(n.unit), p.plain(n.value);
  return row;
}

}  // namespace scree
