// Small trainings by which a metric is learned and judged.
#ifndef SVM_TRAINING_METRIC_TRIALS_H_
#define SVM_TRAINING_METRIC_TRIALS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solvers/math/draws.h"
#include "training/problem.h"

namespace svm {

// A machine is trained on some rows of a problem and judged by others.
struct MetricTrial {
  RowNumbers trained, judged;
};

// A metric is learned from the pilots.  The guards decide whether it is taken: no pilot has seen
// the rows that judge them.
struct MetricTrials {
  std::vector<MetricTrial> pilots, guards;

  // All rows of the pilots, rising.
  RowNumbers seen() const;
};

// From so many rows on, trials take less than a third of the time of a training, and else about as
// much as one.
constexpr std::size_t kManyRows = 20000;

// Rows for one pilot, a quarter more than it is trained on, drawn from `rows`, which are shuffled.
MetricTrial drawn_pilot(RowNumbers& rows, std::size_t trained, Draws& draws);

// Trials for a machine of these rows.
MetricTrials machine_trials(RowNumbers rows, std::uint64_t seed);

// Trials of a cell of a forest, judged by a fifth of its rows.  Those in `seen`, which rise, are
// trained on.
MetricTrial trial_of_cell(RowNumbers cell, const RowNumbers& seen, Draws& draws);

}  // namespace svm

#endif  // SVM_TRAINING_METRIC_TRIALS_H_
