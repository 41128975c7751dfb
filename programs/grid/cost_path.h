// Cross validation of one kernel at many costs.
#ifndef SVM_PROGRAMS_GRID_COST_PATH_H_
#define SVM_PROGRAMS_GRID_COST_PATH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/engines/row_store.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/binary.h"
#include "training/cross_validation.h"
#include "training/machines.h"
#include "training/problem.h"
#include "training/start_point.h"

namespace svm {

struct CostPoint {
  double cost;  // C
  double tube;  // p of epsilon-SVR
};

// The responses to a row that a validation gives: its prediction, or its decision values; by the
// machines that were trained without it, or by those of every fold.
struct Responses {
  std::size_t values = 0;   // decision values of a row; 0: the prediction
  bool every_fold = false;  // by the machines of every fold, also of those that trained on the row

  std::size_t width() const { return values > 0 ? values : 1; }
  std::size_t size(std::size_t rows, std::size_t folds) const {
    return width() * rows * (every_fold ? folds : 1);
  }
  // The place of the response to row t of `rows` by the machines of a fold.
  std::size_t place(std::size_t fold, std::size_t t, std::size_t rows) const {
    return width() * (every_fold ? fold * rows + t : t);
  }
};

// Cross validation of one kernel at many points.  Trainings on a fold at several points share its
// examples, and predictions share kernel values.  Cannot fit probability estimates.
class CostPath {
 public:
  // `param` has all parameters but C and p.  With `warm_start`, a training starts from the solution
  // at the point before if that has the same p and no larger C.  Without, predictions are those of
  // cross_validate() to the bit.  `rows` may be null.  The other references must outlive this
  // object.
  CostPath(const Problem& problem, const svm_parameter& param, const Folds& folds,
           std::shared_ptr<RowStore> rows, bool warm_start, Responses responses = {});

  // Predicts the rows of a fold at every point.  predictions[point] has the size and the places of
  // the responses.  Throws std::invalid_argument if the machines of the fold do not have as many
  // decision values as these say.  Several folds may run at once.  Another call for the same fold
  // continues from the last point of the call before, unless one of them `is_apart`; calls for a
  // fold may run at once if all but one are.  Returns false, without predictions, if the run was
  // stopped.
  bool validate(std::size_t fold, const std::vector<CostPoint>& points,
                const std::vector<std::vector<double>*>& predictions, Run& run,
                bool is_apart = false);

  // Frees the fold's stored start points.  Call after its last validate().
  void finish(std::size_t fold) { states_[fold] = {}; }

 private:
  struct State {
    StartPoint start;
    CostPoint point{0, 0};
    bool solves_larger_costs = false;  // no coefficient is at the bound C
  };
  struct Fold;
  struct Part;

  std::size_t points_at_once(const Fold& fold) const;
  std::vector<Part> parts_of(const Fold& fold, Run& run) const;
  bool has_solution(const Fold& fold, std::size_t point, std::size_t part) const;
  void train_part(Fold& fold, const Part& part, Run& run);
  void train(Fold& fold, const Part& part, const Problem& problem,
             const std::shared_ptr<const RowEngine>& engine, std::size_t point, Run& run);
  std::optional<StartPoint> find_start(const State& state, const Fold& fold, const Part& part,
                                       std::size_t point) const;
  void remember(State& state, const Fold& fold, const Part& part, std::size_t point,
                const Machine& machine, std::vector<double> kernel_sums, double sums_bound) const;
  std::vector<SupportVectors> common_vectors(const Fold& fold) const;
  std::vector<std::size_t> tested_by(const Fold& fold) const;
  bool predict_by_features(const Fold& fold, const std::vector<SupportVectors>& united,
                           const std::vector<std::uint32_t>& rows,
                           std::vector<std::vector<double>>& predictions, Run& run) const;
  bool predict(const Fold& fold, const std::vector<std::vector<double>*>& predictions,
               Run& run) const;

  const Problem problem_;
  const svm_parameter& param_;
  const Folds& folds_;
  const std::shared_ptr<RowStore> rows_;
  const bool warm_start_;
  const Responses responses_;
  const bool rows_decide_;                  // predictions may use kernel rows
  std::vector<std::vector<State>> states_;  // by fold and part, with warm_start
};

}  // namespace svm

#endif  // SVM_PROGRAMS_GRID_COST_PATH_H_
