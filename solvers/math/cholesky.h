// Cholesky factors that grow row by row.
#ifndef SVM_SOLVERS_MATH_CHOLESKY_H_
#define SVM_SOLVERS_MATH_CHOLESKY_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "base/simd/loops.h"
#include "base/threads/go_on.h"
#include "base/threads/pool.h"

namespace svm {

// The lower triangular factor L of a symmetric positive definite matrix A = LL', stored by rows
// without the upper triangle.  Elements are floats for large matrices and doubles for small ones;
// solves are in doubles.
template <typename Element>
class CholeskyFactor {
 public:
  // append() considers a matrix not positive definite if a pivot is not larger than this part of
  // its diagonal element.
  explicit CholeskyFactor(double least_pivot = 1e-9) : least_pivot_(least_pivot) {}

  std::size_t size() const { return size_; }

  // Factors A of this size, in place of the present one: `rows` has those of its lower triangle,
  // one after another.  False, and empty, if the matrix is not positive definite, or if `go_on`,
  // which is called on this thread and may be null, returns false.  Large factors of floats use the
  // threads of `pool` unless it is null; the result does not depend on them.
  bool factor(std::vector<Element> rows, std::size_t size, ThreadPool* pool = nullptr,
              const GoOn& go_on = nullptr);

  // Appends a row of A, up to and including its diagonal.  False, and nothing changes, if A would
  // not be positive definite.
  bool append(std::vector<double> row);

  // x <- A^-1 x.  Requires that the elements of x before `first` are 0.
  void solve(std::vector<double>& x, std::size_t first = 0) const;

  // Row i of L, up to and including its diagonal.
  const Element* row(std::size_t i) const { return elements_.data() + i * (i + 1) / 2; }

 private:
  Element* row(std::size_t i) { return elements_.data() + i * (i + 1) / 2; }
  bool compute(std::vector<Element> rows, std::size_t size, ThreadPool* pool, const GoOn& go_on);
  void forward(std::vector<double>& x, std::size_t first) const;
  void backward(std::vector<double>& x) const;

  const Loops* loops_ = &loops(instruction_set());
  double least_pivot_;
  std::vector<Element> elements_;
  std::size_t size_ = 0;
};

template <>
bool CholeskyFactor<float>::compute(std::vector<float> rows, std::size_t size, ThreadPool* pool,
                                    const GoOn& go_on);
template <>
bool CholeskyFactor<double>::compute(std::vector<double> rows, std::size_t size, ThreadPool* pool,
                                     const GoOn& go_on);
extern template class CholeskyFactor<float>;
extern template class CholeskyFactor<double>;

}  // namespace svm

#endif  // SVM_SOLVERS_MATH_CHOLESKY_H_
