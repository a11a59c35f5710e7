#pragma once
/// Six-vectors in registers (four lanes and two) and the few 3 x 3 pieces of the recursion: this is where the
/// step's time goes. Eigen's fixed sizes of three and six leave registers half empty.
#include <cstring>

#include "scree/core/lanes.hpp"
#include "scree/core/types.hpp"

namespace scree::block6 {

using Pair = double __attribute__((vector_size(16)));

/// A spatial vector in registers: elements 0-3 and 4-5.
struct Six {
  Lanes head;
  Pair tail;
};

inline Six load6(const double* p) {
  Six out;
  std::memcpy(&out.head, p, sizeof out.head);
  std::memcpy(&out.tail, p + 4, sizeof out.tail);
  return out;
}

inline void store6(const Six& x, double* p) {
  std::memcpy(p, &x.head, sizeof x.head);
  std::memcpy(p + 4, &x.tail, sizeof x.tail);
}

inline Six operator+(const Six& a, const Six& b) { return {a.head + b.head, a.tail + b.tail}; }
inline Six operator-(const Six& a, const Six& b) { return {a.head - b.head, a.tail - b.tail}; }
inline Six operator*(const Six& a, double s) { return {a.head * lane::lanes(s), a.tail * Pair{s, s}}; }

inline double dot(const Six& a, const Six& b) {
  const Lanes p = a.head * b.head;
  const Pair q = a.tail * b.tail + Pair{p[0], p[1]} + Pair{p[2], p[3]};
  return q[0] + q[1];
}

/// (0; a): a pure moment or turn.
inline Six angular(double x, double y, double z) { return {Lanes{0, 0, 0, x}, Pair{y, z}}; }

/// (linear; angular). Eigen's comma initialiser goes through blocks of unknown size, which is slow.
inline Vec6 join(const Vec3& linear, const Vec3& angular) {
  Vec6 out;
  for (int i = 0; i < 3; ++i) out[i] = linear[i], out[3 + i] = angular[i];
  return out;
}

/// A -= column row^T / pivot.
inline void eliminate(const Vec6& column, const Vec6& row, double inverse, Mat6& A) {
  const Six c = load6(column.data()) * inverse;
  double* a = A.data();
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) store6(load6(a + 6 * j) - c * row[j], a + 6 * j);
}

/// The first three of four neighbours in memory are a 3-vector; the fourth lane is carried along unread.
inline Lanes load4(const double* p) {
  Lanes out;
  std::memcpy(&out, p, sizeof out);
  return out;
}

/// Rows of the transposed cofactors of the matrix with columns a, b, c: the inverse up to the determinant,
/// which is returned.
inline double cofactor_rows(Lanes a, Lanes b, Lanes c, double rows[3][4]) {
  const Lanes a1 = __builtin_shufflevector(a, a, 1, 2, 0, 3), a2 = __builtin_shufflevector(a, a, 2, 0, 1, 3);
  const Lanes b1 = __builtin_shufflevector(b, b, 1, 2, 0, 3), b2 = __builtin_shufflevector(b, b, 2, 0, 1, 3);
  const Lanes c1 = __builtin_shufflevector(c, c, 1, 2, 0, 3), c2 = __builtin_shufflevector(c, c, 2, 0, 1, 3);
  const Lanes r0 = b1 * c2 - b2 * c1, r1 = c1 * a2 - c2 * a1, r2 = a1 * b2 - a2 * b1;
  std::memcpy(rows[0], &r0, sizeof r0);
  std::memcpy(rows[1], &r1, sizeof r1);
  std::memcpy(rows[2], &r2, sizeof r2);
  const Lanes d = a * r0;
  return d[0] + d[1] + d[2];
}

inline double dot3(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace scree::block6
