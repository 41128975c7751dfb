// Makes a training problem of a caller's rows.
#ifndef SVM_API_ROWS_H_
#define SVM_API_ROWS_H_

#include "kernels/caller_rows.h"
#include "svm_ext.h"
#include "training/problem.h"

namespace svm {

// Refers to the caller's arrays, which must outlive it.
class RowsProblem {
 public:
  // Throws std::invalid_argument if the rows, their labels, their weights (in the options, which
  // may be null) or the parameters are invalid.
  RowsProblem(const svm_rows& rows, const double* y, const svm_parameter& param,
              const svm_options* options);

  const CallerRows& rows() const { return rows_; }
  const Problem& problem() const { return problem_; }

 private:
  const CallerRows rows_;
  const Problem problem_;
};

}  // namespace svm

#endif  // SVM_API_ROWS_H_
