// Probability estimates of forests, from rows that were held out of training.
#ifndef SVM_TRAINING_FOREST_ESTIMATES_H_
#define SVM_TRAINING_FOREST_ESTIMATES_H_

#include "model/forest/forest.h"
#include "solvers/run/run.h"
#include "training/forest/cells.h"
#include "training/problem.h"

namespace svm {

// The places of the rows that are held out, rising: a tenth of all, but at most some 20,000, and
// none of weight 0.
RowNumbers held_out_rows(const Problem& problem, std::uint64_t seed);

// Fits the estimates to the forest's decision values of rows that were held out: a sigmoid for each
// pair of classes, or the width of a regression's errors.  If the run is stopped, there are none,
// after a warning.
void fit_estimates(const Problem& held_out, Forest& forest, Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_FOREST_ESTIMATES_H_
