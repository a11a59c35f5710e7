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

/// A 3-vector; nothing behind it is read.
inline Lanes load3(const double* p) { return Lanes{p[0], p[1], p[2], 0}; }
inline void store3(Lanes x, double* p) { p[0] = x[0], p[1] = x[1], p[2] = x[2]; }

/// The two 3-vectors of a spatial one, and back. Fourth lanes are anything.
inline Lanes linear(const Six& x) { return x.head; }
inline Lanes turning(const Six& x) {
  const Lanes tail = __builtin_shufflevector(x.tail, x.tail, 0, 1, 0, 1);
  return __builtin_shufflevector(x.head, tail, 3, 4, 5, 4);
}
inline Lanes turning(const Vec6& x) { return turning(load6(x.data())); }
inline Six join(Lanes linear, Lanes angular) {
  return {__builtin_shufflevector(linear, angular, 0, 1, 2, 4),
          __builtin_shufflevector(angular, angular, 1, 2)};
}

inline Lanes cross3(Lanes a, Lanes b) {
  const Lanes a1 = __builtin_shufflevector(a, a, 1, 2, 0, 3), a2 = __builtin_shufflevector(a, a, 2, 0, 1, 3);
  const Lanes b1 = __builtin_shufflevector(b, b, 1, 2, 0, 3), b2 = __builtin_shufflevector(b, b, 2, 0, 1, 3);
  return a1 * b2 - a2 * b1;
}

/// Columns of a 3 x 3 matrix.
struct Turn {
  Lanes x, y, z;
  Lanes operator*(Lanes v) const {
    return x * __builtin_shufflevector(v, v, 0, 0, 0, 0) +
           (y * __builtin_shufflevector(v, v, 1, 1, 1, 1) + z * __builtin_shufflevector(v, v, 2, 2, 2, 2));
  }
  Turn transposed() const {
    const Lanes xy = __builtin_shufflevector(x, y, 0, 4, 1, 5);
    return {__builtin_shufflevector(xy, z, 0, 1, 4, 4), __builtin_shufflevector(xy, z, 2, 3, 5, 5),
            Lanes{x[2], y[2], z[2], 0}};
  }
};
/// Of a matrix with something behind it, of which one number is read.
inline Turn load_turn(const double* R) { return {load4(R), load4(R + 3), load4(R + 6)}; }
inline void store_turn(const Turn& R, double* to) {
  std::memcpy(to, &R.x, sizeof R.x);
  std::memcpy(to + 3, &R.y, sizeof R.y);
  store3(R.z, to + 6);
}

/// a . b of 3-vectors, summed in the order that Eigen has.
inline double along(const double* a, const double* b) { return a[0] * b[0] + (a[1] * b[1] + a[2] * b[2]); }
/// Of six-vectors likewise.
inline double along6(const double* a, const Six& b) {
  const Six ab = {load4(a) * b.head, Pair{a[4], a[5]} * b.tail};
  return (ab.head[0] + (ab.head[1] + ab.head[2])) + (ab.head[3] + (ab.tail[0] + ab.tail[1]));
}

inline double dot3(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace scree::block6
