// Folds of cross validation.
#ifndef SVM_TRAINING_FOLDS_H_
#define SVM_TRAINING_FOLDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Rows in the order of their folds.  Fold f is order[start[f]] ... order[start[f + 1] - 1].
struct Folds {
  std::vector<std::size_t> order;
  std::vector<std::size_t> start;

  std::size_t size() const { return start.size() - 1; }
};

// The folds with these rows, without the empty ones.
Folds folds_of(const std::vector<std::vector<std::size_t>>& members);

// The numbers of all rows, ordered by class (for the classifications) and then by fold, so that the
// training sets of folds and class pairs are few contiguous ranges.  Rows of a precomputed kernel
// keep their order, so that messages have their numbers.
std::vector<std::uint32_t> rows_by_class_and_fold(const Problem& problem,
                                                  const svm_parameter& param, const Folds& folds);

// Draws the folds as LIBSVM does, stratified by class for the classifications.  If there are fewer
// rows than `folds`, warns and makes a fold of each row.  Throws std::invalid_argument if there are
// fewer than two folds or rows, or if one fold would get all rows.
Folds make_folds(const Problem& problem, const svm_parameter& param, int folds, Run& run);

// The training set of fold f: the rows of the other folds whose weights are above 0.
Subset rows_of_others(const Problem& problem, const Folds& folds, std::size_t f);
std::vector<std::uint32_t> rows_of_fold(const Problem& problem, const Folds& folds, std::size_t f);

}  // namespace svm

#endif  // SVM_TRAINING_FOLDS_H_
