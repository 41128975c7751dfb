// Conjugate SMO: SMO whose steps are conjugate, each to the one before.
//
//   Torres-Barran, Alaiz, Dorronsoro: Faster SVM training via conjugate SMO, Pattern Recognition
//   111 (2021).
//
// conjugate_step.h has the step and a table of the paper's symbols.  docs/csmo.md explains the
// method and what goes beyond the paper.
#ifndef SVM_SOLVERS_SMO_CSMO_H_
#define SVM_SOLVERS_SMO_CSMO_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "solvers/phases/free_set.h"
#include "solvers/smo/conjugate_step.h"
#include "solvers/smo/solver.h"

namespace svm {

class ConjugateSolver : public FusedSolver {
 public:
  ConjugateSolver(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor);

  // See FreeSetPhases.  To be called before solve().
  void begin_near_solution() {
    if (phases_) phases_->begin_near_solution();
  }

 protected:
  void accelerate() override;
  bool select(Pair& pair) override;
  void step(const Pair& pair) override;
  void swap_variables(std::size_t i, std::size_t j) override;
  void active_set_shrank() override;
  void active_set_grew() override;

  const bool is_published_;  // nothing is added to the paper's algorithm
  ConjugateDirection d_;     // empty after a reset
  std::vector<double> q_;    // Q d, over the active variables
  double delta_ = 0;         // d'Qd

 private:
  ConjugateStep next_step(const Pair& pair, const PairSlope& slope);
  void after_step(const ConjugateStep& step, const Pair& pair, const PairSlope& slope);
  void move(std::size_t t, double change);
  void put_on_bound(const ConjugateDirection::Member& member);
  bool go_along(const std::vector<Term>& change);

  int trial_ = 0;          // conjugate steps since the last decision on a rest
  double trial_gain_ = 0;  // of them
  int lost_steps_ = 0;     // in a row
  int rest_ = 0;           // plain steps until the next direction may begin

  std::optional<FreeSetPhases> phases_;  // empty if they are switched off
};

struct PartSettings {
  double tolerance;
  bool shrinking;
  bool f_is_exact = false;  // see DualState; unless in doubles, the part starts near its solution
  bool in_doubles = false;  // takes kernel values in doubles even if `kernel` has floats
  long long most_iterations = kNoCap;
};

struct PartStep {
  Solution solution;         // of the part
  std::vector<Term> change;  // of b; none if the run was interrupted
  long long iterations = 0;
};

// Improves these variables of the point by conjugate SMO, with all others fixed.  Requires their f,
// and does not update it.  `rows` are their numbers in `kernel`.
PartStep improve_part(DualState& state, const std::vector<std::size_t>& variables,
                      const KernelMatrix& kernel, const std::vector<std::size_t>& rows,
                      const PartSettings& settings, Monitor& whole);

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_CSMO_H_
