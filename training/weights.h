// Weights of the rows: how much each counts.
//
// A weight multiplies the upper bounds of its row's variables, and nu is a fraction of the sum of
// weights: the optimum is that of a problem in which rows of weight n stand n times.
#ifndef SVM_TRAINING_WEIGHTS_H_
#define SVM_TRAINING_WEIGHTS_H_

#include <cstddef>

#include "svm.h"
#include "training/problem.h"

namespace svm {

// C of the rows of a binary problem.
struct Costs {
  double positive, negative;        // of the two classes (C-SVC only)
  const double* weights = nullptr;  // of the rows, which multiply it; null where all are 1

  double weight(std::size_t t) const { return weights == nullptr ? 1 : weights[t]; }
  // The bound of row t's variables, where it is `of_weight_1` with weight 1.  Above 0 where that
  // and the weight are, also where their product is not: with a bound of 0 a variable could not
  // move, and still would seem to violate.
  double bound(double of_weight_1, std::size_t t) const;
  double sum_of_weights(std::size_t rows) const;
};

// A caller's weights of the rows; null if all are 1.  Throws std::invalid_argument if a weight is
// negative, infinite or not a number, if the rows of positive weight are none or of one class only,
// or if nu is infeasible with them.
const double* checked_weights(const Problem& problem, const svm_parameter& param,
                              const double* weights);
// The problem with these weights, checked likewise.
Problem with_weights(const Problem& problem, const svm_parameter& param, const double* weights);

// Whether some row has weight 0.
bool has_zero_weight(const Problem& problem);

// The rows whose weights are above 0, which are the ones that count.
Subset positive_rows(const Problem& problem);

}  // namespace svm

#endif  // SVM_TRAINING_WEIGHTS_H_
