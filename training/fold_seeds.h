// A start for a training on a fold, from the solution on the first fold.
//
// Both have most rows in common.  What the rows had that the fold leaves out is moved to those that
// it has instead: the largest coefficient to the row that the solution falls shortest of, and so
// on.  Where the fold has fewer rows of a class, the sums of both classes are lowered alike.
//
//   DeCoste, Wagstaff: Alpha seeding for support vector machines, KDD 2000.
#ifndef SVM_TRAINING_FOLD_SEEDS_H_
#define SVM_TRAINING_FOLD_SEEDS_H_

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/engines/shared_rows.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "threads/primitives.h"
#include "training/problem.h"
#include "training/start_point.h"

namespace svm {

// A binary problem and a solution, with its kernel sums.
struct FoldSeed {
  std::vector<DataRow> rows;
  std::vector<double> labels;
  StartPoint start;
  double cost = 0;  // C
};

// The first fold's solutions, one for each binary problem of a fold.  Folds may be trained by
// several threads, if the first one is begun before the others.
class FoldSeeds {
 public:
  // What a problem tells apart, whatever classes a fold has, and in which order: the labels of its
  // two classes; the same for all where there are none.
  using Key = std::pair<int, int>;

  // By the first fold; what is given first stays.
  void give(const Key& problem, FoldSeed seed);

  // By the first fold, when it gives no more, however it ended.
  void close();

  // By another fold: waits for the seed.  Null if there is none, or the run was stopped.  Throws
  // TasksAbandoned if the first fold's task has failed, even before it came to close().
  const FoldSeed* wait(const Key& problem, Run& run);

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  std::map<Key, FoldSeed> seeds_;
  bool closed_ = false;
};

// The start that a seed gives for the same problem on another fold, `shared` having the rows of
// both.  Bounds are those of the seed.  Nothing where the run was stopped, or values are beyond the
// range of numbers.
std::optional<StartPoint> move_to_fold(const FoldSeed& seed, const Problem& problem, int svm_type,
                                       SharedRows& shared, Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_FOLD_SEEDS_H_
