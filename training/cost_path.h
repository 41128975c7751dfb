// Cross validation of one kernel at many costs.
#ifndef SVM_TRAINING_COST_PATH_H_
#define SVM_TRAINING_COST_PATH_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/engines/shared_rows.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/folds.h"
#include "training/start_point.h"

namespace svm {

struct CostPoint {
  double cost;  // C
  double tube;  // p of epsilon-SVR
};

// Trainings on a fold at several points share its examples, and predictions their kernel values.
// Not for probability estimates.
class CostPath {
 public:
  // `param` gives all but C and p.  With `warm_start` a training starts from the solution at the
  // point before, where that has the same p and no larger C; without, predictions are those of
  // cross_validate() to the bit.  `rows` may be null.  The other references must outlive this.
  CostPath(const svm_problem& problem, const svm_parameter& param, const Folds& folds,
           std::shared_ptr<SharedRows> rows, bool warm_start);

  // Predicts the rows of a fold at every point: predictions[point] has an entry for each row of the
  // problem.  Several folds may run at once, on runs of their own.  A further call for a fold goes
  // on from the last point of the one before.  False where the run was stopped; then there are no
  // predictions.
  bool validate(std::size_t fold, const std::vector<CostPoint>& points,
                const std::vector<std::vector<double>*>& predictions, Run& run);

 private:
  struct State {
    StartPoint start;
    CostPoint point{0, 0};
    bool solves_larger_costs = false;  // as it is: nothing is at the bound C
  };
  struct Fold;

  bool stays(const Fold& fold, std::size_t point, std::size_t pair) const;
  void train_pairs(Fold& fold, Run& run);
  void train_single(Fold& fold, Run& run);
  bool predict(const Fold& fold, std::size_t number,
               const std::vector<std::vector<double>*>& predictions, Run& run) const;

  const svm_problem& problem_;
  const svm_parameter& param_;
  const Folds& folds_;
  const std::shared_ptr<SharedRows> rows_;
  const bool warm_start_;
  std::vector<std::vector<State>> states_;  // by fold and pair, with warm_start
};

}  // namespace svm

#endif  // SVM_TRAINING_COST_PATH_H_
