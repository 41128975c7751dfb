// What is trained on.
#ifndef SVM_TRAINING_PROBLEM_H_
#define SVM_TRAINING_PROBLEM_H_

#include "kernels/data_row.h"
#include "svm.h"

namespace svm {

// As struct svm_problem, with rows in any layout.  Borrows them, and the labels.
struct Problem {
  Problem(const svm_problem& problem) : l(problem.l), y(problem.y), x(problem.x) {}
  Problem(int rows, const double* labels, DataRows data) : l(rows), y(labels), x(data) {}

  int l;
  const double* y;
  DataRows x;
};

}  // namespace svm

#endif  // SVM_TRAINING_PROBLEM_H_
