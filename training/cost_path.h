// Cross validation of one kernel at many costs.
#ifndef SVM_TRAINING_COST_PATH_H_
#define SVM_TRAINING_COST_PATH_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/engines/shared_rows.h"
#include "model/model_memory.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/binary.h"
#include "training/fold_seeds.h"
#include "training/folds.h"
#include "training/problem.h"
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
  // point before, where that has the same p and no larger C; the first one of a p from the first
  // one of the p before; and the very first one from that of fold 0.  Without, predictions are
  // those of cross_validate() to the bit.  `rows` may be null.  The other references must outlive
  // this.
  CostPath(const Problem& problem, const svm_parameter& param, const Folds& folds,
           std::shared_ptr<SharedRows> rows, bool warm_start);

  // Predicts the rows of a fold at every point: predictions[point] has an entry for each row of the
  // problem.  Several folds may run at once, as tasks of one group, that of fold 0 before the
  // others, or on any runs if no warm starts are asked for.  A further call for a fold goes on from
  // the last point of the one before.  False where the run was stopped; then there are no
  // predictions.
  //
  // `trained` is told of every binary training that is over, and of those that are not needed:
  // which of the points, and the seconds that it took.  It is called by several threads at once.
  using Trained = std::function<void(std::size_t point, double seconds)>;
  bool validate(std::size_t fold, const std::vector<CostPoint>& points,
                const std::vector<std::vector<double>*>& predictions, Run& run,
                const Trained& trained = nullptr);

  // Lets go of what the fold's trainings could start from: there are no further calls for it.
  void finish(std::size_t fold) { states_[fold] = {}; }

 private:
  struct State {
    StartPoint start;
    CostPoint point{0, 0};
    bool solves_larger_costs = false;  // as it is: nothing is at the bound C
    StartPoint first_start;            // of the first point with this p
    CostPoint first_point{0, 0};
  };
  struct SeedsEnd;
  struct Fold;
  struct Machine;

  std::size_t points_at_once(const Fold& fold) const;
  std::vector<Machine> machines_of(const Fold& fold, Run& run) const;
  bool stays(const Fold& fold, std::size_t point, std::size_t machine) const;
  void train(Fold& fold, const Machine& machine, Run& run);
  std::optional<StartPoint> find_start(const State& state, const Problem& problem, const Fold& fold,
                                       const Machine& machine, std::size_t point, Run& run);
  void remember(State& state, const Problem& problem, const Fold& fold, const Machine& machine,
                std::size_t point, DecisionFunction& decision, double sums_bound);
  bool moves_between_folds() const;
  void mark(const Fold& fold, std::size_t point, std::vector<char>& used) const;
  ModelPtr make_model(const Fold& fold, std::size_t point, const std::vector<char>& used) const;
  std::vector<ModelPtr> make_united_models(const Fold& fold) const;
  bool predict_by_features(const Fold& fold, const std::vector<ModelPtr>& united,
                           const std::vector<DataRow>& rows,
                           std::vector<std::vector<double>>& predictions, Run& run) const;
  bool predict(const Fold& fold, const std::vector<std::vector<double>*>& predictions,
               Run& run) const;

  const Problem problem_;
  const svm_parameter& param_;
  const Folds& folds_;
  const std::shared_ptr<SharedRows> rows_;
  const bool warm_start_;
  const bool rows_decide_;                  // predictions may be made of kernel rows
  std::vector<std::vector<State>> states_;  // by fold and machine, with warm_start
  FoldSeeds seeds_;
};

}  // namespace svm

#endif  // SVM_TRAINING_COST_PATH_H_
