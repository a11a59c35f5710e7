#pragma once
/// 6 x 6 pieces of the recursion, unrolled on plain column-major arrays: this is where the step's time goes.
#include "scree/core/types.hpp"

namespace scree::block6 {

/// (linear; angular). Eigen's comma initialiser goes through blocks of unknown size, which is slow.
inline Vec6 join(const Vec3& linear, const Vec3& angular) {
  Vec6 out;
  for (int i = 0; i < 3; ++i) out[i] = linear[i], out[3 + i] = angular[i];
  return out;
}

/// A -= column row^T / pivot.
inline void eliminate(const Vec6& column, const Vec6& row, double inverse, Mat6& A) {
  double* a = A.data();
  const double* c = column.data();
  for (int j = 0; j < 6; ++j) {
    const double f = row[j] * inverse;
    for (int i = 0; i < 6; ++i) a[6 * j + i] -= c[i] * f;
  }
}

/// Inverse by cofactors; returns the determinant (the caller decides whether it is safe).
inline double invert3(const double* m, int stride, Mat3& inverse) {
  const double a = m[0], b = m[stride], c = m[2 * stride];
  const double d = m[1], e = m[stride + 1], f = m[2 * stride + 1];
  const double g = m[2], h = m[stride + 2], i = m[2 * stride + 2];
  const double A = e * i - f * h, B = f * g - d * i, C = d * h - e * g;
  const double determinant = a * A + b * B + c * C;
  const double s = 1 / determinant;
  double* o = inverse.data();
  o[0] = A * s, o[1] = B * s, o[2] = C * s;
  o[3] = (c * h - b * i) * s, o[4] = (a * i - c * g) * s, o[5] = (b * g - a * h) * s;
  o[6] = (b * f - c * e) * s, o[7] = (c * d - a * f) * s, o[8] = (a * e - b * d) * s;
  return determinant;
}

}  // namespace scree::block6
