// Cholesky factors that grow row by row.
#ifndef SVM_SOLVERS_MATH_CHOLESKY_H_
#define SVM_SOLVERS_MATH_CHOLESKY_H_

#include <cstddef>
#include <vector>

#include "simd/loops.h"
#include "threads/go_on.h"
#include "threads/pool.h"

namespace svm {

// Lower triangular factor L of a symmetric positive definite matrix A = LL', stored by rows without
// the upper triangle.  Elements are float for the large matrices of free variables, double for
// small ones; solves are in double.
template <typename Element>
class CholeskyFactor {
 public:
  using Value = Element;

  // append() takes a matrix for not positive definite where a pivot is no larger than this part of
  // its diagonal element.
  explicit CholeskyFactor(double least_pivot = 1e-9) : least_pivot_(least_pivot) {}

  std::size_t size() const { return size_; }
  void clear();

  // Factors `lower`: rows 0 ... size-1 of the lower triangle, one after another.  False, and empty,
  // where the matrix is not positive definite, or `go_on` said so, which is asked now and then on
  // the calling thread, and may be null.  Large factors of float use the threads of `pool`, if
  // there is one; the result does not depend on it.
  bool factor(std::vector<Element> lower, std::size_t size,
              [[maybe_unused]] ThreadPool* pool = nullptr, const GoOn& go_on = nullptr);

  // Adds a row of A, up to and including its diagonal.  False, and unchanged, where A would not be
  // positive definite any more.
  bool append(std::vector<double> row);

  // x <- A^-1 x.  Elements of x before `first` are known to be zero.
  void solve(std::vector<double>& x, std::size_t first = 0) const;

  // Row i of L, up to and including its diagonal.
  const Element* row(std::size_t i) const { return elements_.data() + i * (i + 1) / 2; }

 private:
  Element* row(std::size_t i) { return elements_.data() + i * (i + 1) / 2; }
  bool factor_by_rows(const GoOn& go_on);
  bool factor_by_panels([[maybe_unused]] ThreadPool* pool, [[maybe_unused]] const GoOn& go_on);
  void forward(std::vector<double>& x, std::size_t first) const;
  void backward(std::vector<double>& x) const;

  const Loops* loops_ = &loops(instruction_set());
  double least_pivot_;
  std::vector<Element> elements_;
  std::size_t size_ = 0;
};

extern template class CholeskyFactor<float>;
extern template class CholeskyFactor<double>;

}  // namespace svm

#endif  // SVM_SOLVERS_MATH_CHOLESKY_H_
