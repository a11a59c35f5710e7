#include "scree/core/dense.hpp"

#include <gtest/gtest.h>

#include "scree/core/random.hpp"

namespace scree {
namespace {

MatX random_matrix(RandomStream& random, int rows, int columns) {
  MatX m(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) m(i, j) = random.uniform(-1, 1);
  return m;
}

TEST(Dense, SolutionsSatisfyTheirEquations) {
  RandomStream random(7, 0, "dense");
  for (int n = 1; n < 12; ++n) {
    const MatX A = random_matrix(random, n, n) + 2 * MatX::Identity(n, n), S = A * A.transpose();
    const VecX b = random_matrix(random, n, 1);
    EXPECT_LT((A * solve_dense(A, b) - b).norm(), 1e-11) << n;
    EXPECT_LT((S * solve_symmetric(S, b) - b).norm(), 1e-9) << n;
  }
}

TEST(Dense, LeastSquaresLeaveARestAcrossEveryColumn) {
  RandomStream random(8, 0, "dense");
  const MatX A = random_matrix(random, 9, 3);
  const VecX b = random_matrix(random, 9, 1), rest = A * least_squares(A, b) - b;
  EXPECT_GT(rest.norm(), 0.1);
  EXPECT_LT((A.transpose() * rest).norm(), 1e-13);
}

TEST(Dense, EigenvaluesGrowAndTheirVectorsAreUnitOnes) {
  RandomStream random(9, 0, "dense");
  const MatX half = random_matrix(random, 5, 5), S = half + half.transpose();
  const SymmetricEigen e = symmetric_eigen(S);
  EXPECT_LT((S * e.vectors - e.vectors * e.values.asDiagonal()).norm(), 1e-13);
  EXPECT_LT((e.vectors.transpose() * e.vectors - MatX::Identity(5, 5)).norm(), 1e-13);
  for (int i = 0; i < 4; ++i) EXPECT_LE(e.values[i], e.values[i + 1]);
}

TEST(Types, ATurnFromOneDirectionToAnotherIsTheShortest) {
  RandomStream random(10, 0, "dense");
  for (int i = 0; i < 200; ++i) {
    const Vec3 from = random_matrix(random, 3, 1);
    const Vec3 to = i % 10 == 0 ? Vec3(-2 * from) : Vec3(random_matrix(random, 3, 1));
    const Mat3 R = rotation_between(from, to);
    EXPECT_LT((R * from.normalized() - to.normalized()).norm(), 1e-12);
    EXPECT_LT((R * R.transpose() - Mat3::Identity()).norm(), 1e-12);
    // 1 + 2 cos of its angle
    EXPECT_NEAR(R.trace(), 1 + 2 * from.normalized().dot(to.normalized()), 1e-12);
  }
}

}  // namespace
}  // namespace scree
