#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reference.hpp"

namespace reference {
namespace {

/// Gaussian elimination with row pivoting.
std::vector<double> solve(std::vector<std::vector<double>> A, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    }
    std::swap(A[k], A[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double f = A[i][k] / A[k][k];
      for (std::size_t j = k; j < n; ++j) A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return b;
}

double size(const std::vector<double>& v) {
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  return largest;
}

}  // namespace

std::vector<double> newton(const std::function<std::vector<double>(const std::vector<double>&)>& F,
                           std::vector<double> x) {
  const std::size_t n = x.size();
  std::vector<double> f = F(x);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<double>> J(n, std::vector<double>(n));
    for (std::size_t j = 0; j < n; ++j) {
      const double h = 1e-7 * std::max(1e-2, std::abs(x[j]));
      std::vector<double> up = x, down = x;
      up[j] += h;
      down[j] -= h;
      const std::vector<double> fu = F(up), fd = F(down);
      for (std::size_t i = 0; i < n; ++i) J[i][j] = (fu[i] - fd[i]) / (2 * h);
    }
    const std::vector<double> dx = solve(J, f);
    double share = 1;
    std::vector<double> next = x, f_next;
    for (; share > 1e-6; share *= 0.5) {
      for (std::size_t i = 0; i < n; ++i) next[i] = x[i] - share * dx[i];
      f_next = F(next);
      if (size(f_next) < size(f) || size(f) < 1e-9) break;
    }
    x = next;
    f = f_next;
    if (size(f) < 1e-10 && size(dx) < 1e-11) return x;
  }
  if (size(f) < 1e-8) return x;
  throw std::runtime_error("the reference's equations have no solution here");
}

}  // namespace reference
