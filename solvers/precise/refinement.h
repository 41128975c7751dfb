// Solutions that hold in doubles.
//
// Kernel rows are rounded to float, so that a solver cannot see violations smaller than what the
// rounding adds up to (see resolution.h): where C is large, or features are not scaled.  What it
// leaves is found and removed here, at a cost that depends on the variables that matter: the free
// ones, and those so near to leaving their bound that rounding hides whether they do.
#ifndef SVM_SOLVERS_PRECISE_REFINEMENT_H_
#define SVM_SOLVERS_PRECISE_REFINEMENT_H_

#include <cstddef>
#include <vector>

#include "kernels/data_row.h"
#include "platform/numbers.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"

namespace svm {

class Refinement {
 public:
  enum class Finish {
    kIfUnresolved,  // if rounding may hide a violation, by the estimate of its size
    kBySample,      // also if exact sums of some variables show that it is larger than that
    kAlways,
  };

  // Keeps what it needs of the problem, before a solver takes it.  The problem's kernel and the
  // monitor must outlive it.
  Refinement(const DualProblem& problem, double epsilon, bool shrinking, Monitor& monitor);

  // Brings the violation of a solution, which may come from a solver that gave up, below epsilon,
  // by kernel values in doubles; or stops the monitor with kImprecise, at the least violation that
  // was found.  Threshold and objective are then in doubles, too.  Leaves the solution as it is if
  // the run was interrupted and, unless `finish` says more, if the kernel values resolve epsilon
  // and the solver is content.
  void improve(Solution& solution, Finish finish);

 private:
  using Precision = KernelMatrix::Precision;
  using Variables = std::vector<std::size_t>;

  bool refine(Finish finish);
  void set_error(double error);
  void discard_f() { set_error(kInfinity); }
  Ends ends(double errors) const;
  double violation() const;
  Variables candidates() const;
  Variables threshold_candidates() const;
  Variables most_violating() const;
  std::size_t place(std::size_t t) const { return place_[example_[t]]; }
  void find_places();
  std::vector<Term> terms() const;
  std::vector<double> by_place(const std::vector<Term>& terms) const;
  std::vector<double> sizes_by_place(const std::vector<Term>& terms) const;
  double rounding(const std::vector<Term>& terms, Precision precision) const;
  bool compute_exactly(const Variables& variables);
  bool compute_candidates_exactly();
  bool run_rounds();
  bool sample_is_accurate();
  bool try_interior_point();
  bool sums_hold() const;
  bool restore_sums();
  bool run_round(Precision precision);
  bool add_products(const std::vector<Term>& terms, const Variables& variables, Precision precision,
                    std::vector<double>& sums);

  KernelMatrix& kernel_;
  const double epsilon_;
  const bool shrinking_;
  Monitor& monitor_;
  const DataRows linear_rows_;        // of the examples; null if the kernel is another
  std::vector<double> sums_;          // of b over each group
  std::vector<std::size_t> example_;  // of each variable
  std::vector<std::size_t> place_;    // of an example's variable in the kernel

  Solution state_;             // while it is improved
  std::vector<double> error_;  // of each f, at most; infinite if f is not known
};

}  // namespace svm

#endif  // SVM_SOLVERS_PRECISE_REFINEMENT_H_
