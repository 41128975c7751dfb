// Makes a solver of the library record its steps.
#ifndef SVM_EXAMPLES_PAGE_NATIVE_TRACED_SOLVER_H_
#define SVM_EXAMPLES_PAGE_NATIVE_TRACED_SOLVER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "examples/page/native/trace.h"
#include "solvers/smo/solver.h"

namespace svm::toy {

// Takes the steps of `Base`, a Solver.  Recording does not change the point.
template <typename Base>
class TracedSolver final : public Base {
 public:
  template <typename... More>
  TracedSolver(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor,
               More... more)
      : Base(std::move(problem), epsilon, shrinking, monitor, more...),
        rows_(this->size_ / this->kernel_.copies()),
        known_(this->size_) {
    traces().emplace_back();
    number_ = traces().size() - 1;
    add_changes();
  }

  Solution solve() {
    Solution solution = Base::solve();
    Trace& trace = this->trace();
    trace.complete = !is_full();
    trace.end[0] = solution.objective;
    trace.end[1] = solution.violation;
    trace.end[2] = solution.rho;
    return solution;
  }

 protected:
  void accelerate() override {
    if (is_full()) return Base::accelerate();
    const Beginning beginning = begin();
    const long long phases = this->monitor_.record().phases;
    Base::accelerate();
    if (this->monitor_.record().phases > phases) end(beginning, kPhaseStep, -1, -1);
  }

  void step(const Pair& pair) override {
    if (is_full()) return Base::step(pair);
    const Beginning beginning = begin();
    const long long turned = this->monitor_.record().conjugate_steps;
    Base::step(pair);
    int kind = this->monitor_.record().conjugate_steps > turned ? kConjugateStep : kPlainStep;
    if (end(beginning, kind, row(pair.i), row(pair.j))) trace().kind.back() |= kMetBound;
  }

 private:
  struct Beginning {
    double objective, violation, threshold;
  };

  Trace& trace() { return traces()[number_]; }
  bool is_full() { return trace().steps() >= kMostSteps || trace().change.size() >= kMostChanges; }
  std::int32_t row(std::size_t t) const {
    return static_cast<std::int32_t>(this->original_[t] % rows_);
  }

  Beginning begin() {
    const Extremes* const extremes = this->find_extremes();
    Beginning beginning = {this->state_.objective, 0, 0};
    const int groups = this->state_.two_groups ? 2 : 1;
    for (int g = 0; g < groups; ++g) {
      beginning.violation = std::max(beginning.violation, svm::violation(extremes[g]));
      beginning.threshold += (extremes[g].lowest + extremes[g].highest) / 2 / groups;
    }
    return beginning;
  }

  // Records a step.  Returns true if a variable that it moved is now at a bound.
  bool end(const Beginning& beginning, int kind, std::int32_t up, std::int32_t down) {
    Trace& trace = this->trace();
    trace.objective.push_back(beginning.objective);
    trace.violation.push_back(beginning.violation);
    trace.threshold.push_back(beginning.threshold);
    trace.kind.push_back(kind);
    trace.up.push_back(up);
    trace.down.push_back(down);
    trace.first_change.push_back(static_cast<std::int32_t>(trace.change.size()));
    return add_changes() && kind != kPhaseStep;
  }

  bool add_changes() {
    Trace& trace = this->trace();
    bool met_bound = false;
    for (std::size_t t = 0; t < this->size_; ++t) {
      const double value = this->state_.b(t);
      double& known = known_[this->original_[t]];
      if (value == known) continue;
      trace.changed_row.push_back(row(t));
      trace.change.push_back(value - known);
      known = value;
      met_bound = met_bound || !this->is_free(t);
    }
    return met_bound;
  }

  const std::size_t rows_;     // number of rows of the binary problem
  std::size_t number_ = 0;     // number of the trace
  std::vector<double> known_;  // y_t a_t as last recorded, in the order of the problem
};

}  // namespace svm::toy

#endif  // SVM_EXAMPLES_PAGE_NATIVE_TRACED_SOLVER_H_
