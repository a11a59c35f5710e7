#include "scree/core/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace scree {

VecX solve_dense(const MatrixView& A, const MatrixView& b) {
  return Eigen::FullPivLU<MatX>(A).solve(VecX(b.col(0)));
}

VecX solve_symmetric(const MatrixView& A, const MatrixView& b) {
  return Eigen::LDLT<MatX>(A).solve(VecX(b.col(0)));
}

VecX least_squares(const MatrixView& A, const MatrixView& b) {
  return Eigen::ColPivHouseholderQR<MatX>(A).solve(VecX(b.col(0)));
}

SymmetricEigen symmetric_eigen(const MatrixView& A) {
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace scree
