// Dense linear algebra in its plainest form.
#ifndef SVM_TESTS_SOLVERS_DENSE_H_
#define SVM_TESTS_SOLVERS_DENSE_H_

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace svm::test {

using Vector = std::vector<double>;
using Dense = std::vector<Vector>;

// Gaussian elimination with row exchanges over the leading `size` rows and columns.
inline Vector direct_solve(Dense matrix, Vector x, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < size; ++i) {
      if (std::fabs(matrix[i][k]) > std::fabs(matrix[pivot][k])) pivot = i;
    }
    std::swap(matrix[k], matrix[pivot]);
    std::swap(x[k], x[pivot]);
    for (std::size_t i = k + 1; i < size; ++i) {
      const double factor = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k; j < size; ++j) matrix[i][j] -= factor * matrix[k][j];
      x[i] -= factor * x[k];
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    for (std::size_t j = k + 1; j < size; ++j) x[k] -= matrix[k][j] * x[j];
    x[k] /= matrix[k][k];
  }
  return x;
}

}  // namespace svm::test

#endif  // SVM_TESTS_SOLVERS_DENSE_H_
