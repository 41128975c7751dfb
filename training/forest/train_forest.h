// Trains forests of cells.
#ifndef SVM_TRAINING_FOREST_TRAIN_FOREST_H_
#define SVM_TRAINING_FOREST_TRAIN_FOREST_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "model/forest/forest.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/forest/cells.h"
#include "training/metric/learn_metric.h"

namespace svm {

struct ForestPlan {
  std::size_t cell = 2000;  // the most rows of a cell
  std::size_t trees = 5;
  // Several processes each train a share of the cells, and one joins the forests of all shares.
  // The result does not depend on that.
  std::size_t share = 0, shares = 1;
  // The forests of all shares, in their order: nothing is trained, and parts of them are taken.
  std::vector<Forest*> trained = {};
  // For the RBF kernel, weights of features are learned unless there are some.
  bool learns_metric = true;
  FeatureWeights weights = {};
  bool borrows_rows = false;  // the forest may point to nodes of the source instead of copies
  // Called after each training of a cell, by several threads at once.
  std::function<void(const Problem& cell, const svm_parameter& param, const svm_model& machine)>
      on_cell = {};
};

// What is wrong with a forest of such machines; null if nothing is.
const char* forest_fault(const svm_parameter& param, const Run& run);

// Trains a forest by the solver and the options of the run; a seed is that of the trees.  With
// probability estimates, some rows are held out, and the estimates fitted to them.  If the run was
// stopped, only the trees that were finished are in the forest, perhaps none.  Throws
// std::invalid_argument if there is a fault, or if the forests of shares do not fit.
Forest train_forest(RowSource& source, const svm_parameter& param, const ForestPlan& plan,
                    Run& run);

// Metrics (metric_trials.cpp).  They throw as learn_metric() does.

// Learns that of a machine of all rows whose weights are above 0.
Metric machine_metric(const Problem& problem, const svm_parameter& param, Run& run);

// Learns that of a forest of such cells from some rows.  `problem` is that of the source, perhaps
// with other weights.
Metric metric_of_cells(RowSource& source, const Problem& problem, const RowNumbers& rows,
                       const svm_parameter& param, const CellRules& rules, Run& run,
                       const MetricRecipe& recipe = {});

// Learns the metric that train_forest() learns with such a plan.
Metric forest_metric(RowSource& source, const svm_parameter& param, const ForestPlan& plan,
                     Run& run);

// Probability estimates of forests, from rows that were held out of training (estimates.cpp).

// The places of the rows that are held out, rising: a tenth of all, but at most some 20,000, and
// none of weight 0.
RowNumbers held_out_rows(const Problem& problem, std::uint64_t seed);

// Fits the estimates to the forest's decision values of rows that were held out: a sigmoid for each
// pair of classes, or the width of a regression's errors.  If the run is stopped, there are none,
// after a warning.
void fit_estimates(const Problem& held_out, Forest& forest, Run& run);

// Predictions of all rows by forests that were trained on the other folds; NaN if the run was
// stopped.
std::vector<double> cross_validate_forest(const Problem& problem, const svm_parameter& param,
                                          const ForestPlan& plan, int folds, Run& run);
// The same by machines with a metric that is learned on the other folds.
std::vector<double> cross_validate_by_metrics(const Problem& problem, const svm_parameter& param,
                                              int folds, Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_FOREST_TRAIN_FOREST_H_
