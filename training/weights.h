// Weights of the rows: how much each counts.
//
// A weight multiplies the upper bounds of its row's variables, and nu is a fraction of the sum of
// weights: the optimum is that of a problem in which rows of weight n stand n times.
#ifndef SVM_TRAINING_WEIGHTS_H_
#define SVM_TRAINING_WEIGHTS_H_

#include <cstddef>
#include <vector>

#include "svm.h"
#include "training/problem.h"
#include "training/subset.h"

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

// A caller's weights of the rows; null where all are 1.  Throws std::invalid_argument for negative
// and infinite ones and those that are no numbers, where they leave no row or but one of the
// problem's classes, and where nu is infeasible with them.
const double* checked_weights(const Problem& problem, const svm_parameter& param,
                              const double* weights);

// Null stands for weights of 1.
bool has_zero(const double* weights, std::size_t rows);

// The rows whose weights are above 0, which are the ones that count.
class PositiveRows {
 public:
  PositiveRows(const Problem& problem, const double* weights);

  Problem problem() { return rows_.problem(); }
  const double* weights() const { return rows_.weights(); }
  // What belongs to each of them, of something for every row.
  std::vector<std::size_t> of_these(const std::vector<std::size_t>& of_all) const;
  // Makes row numbers, which count these rows from 1, count all.
  void count_all(int* numbers, std::size_t count) const;

 private:
  Subset rows_;
  std::vector<std::size_t> numbers_;
};

}  // namespace svm

#endif  // SVM_TRAINING_WEIGHTS_H_
