// Folds: the parts that cross validation cuts the rows into.
#ifndef SVM_TRAINING_FOLDS_H_
#define SVM_TRAINING_FOLDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Rows in the order of their folds; fold f is order[start[f], start[f + 1]).
struct Folds {
  std::vector<std::size_t> order;
  std::vector<std::size_t> start;

  std::size_t size() const { return start.size() - 1; }
};

// The numbers of all rows, class by class (for the classifications) and therein fold by fold: the
// training sets of folds, and of pairs of classes in them, take few stretches of this order.  Those
// of a precomputed kernel stay in their order, so that messages have their numbers.
std::vector<std::uint32_t> rows_by_class_and_fold(const Problem& problem,
                                                  const svm_parameter& param, const Folds& folds);

// Draws the folds as LIBSVM does; stratified by class for the classifications.  At most as many as
// there are rows, with a warning.  Throws std::invalid_argument for fewer than two folds or rows,
// and where one fold would get all rows.
Folds make_folds(const Problem& problem, const svm_parameter& param, int folds, Run& run);

// The training set of fold f, without rows of weight 0.
// And the numbers of the rows that it leaves out.
Subset rows_of_others(const Problem& problem, const Folds& folds, std::size_t f);
std::vector<std::uint32_t> rows_of_fold(const Problem& problem, const Folds& folds, std::size_t f);

}  // namespace svm

#endif  // SVM_TRAINING_FOLDS_H_
