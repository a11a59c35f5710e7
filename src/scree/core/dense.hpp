#pragma once
/// Small dense systems outside the step. Eigen's decompositions cost a compiler seconds wherever they are
/// named: what needs no type of its own is named here.
#include "scree/core/types.hpp"

namespace scree {

using MatrixView = Eigen::Ref<const MatX>;

/// x of A x = b, by full pivoting.
VecX solve_dense(const MatrixView& A, const MatrixView& b);

/// x of A x = b for a symmetric A, by L D L^T.
VecX solve_symmetric(const MatrixView& A, const MatrixView& b);

/// The x that makes |A x - b| least.
VecX least_squares(const MatrixView& A, const MatrixView& b);

/// Of a symmetric matrix: eigenvalues in growing order, eigenvectors in columns.
struct SymmetricEigen {
  VecX values;
  MatX vectors;
};
SymmetricEigen symmetric_eigen(const MatrixView& A);

}  // namespace scree
