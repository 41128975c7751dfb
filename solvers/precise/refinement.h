// Refines solutions so that they are optimal in doubles.
//
// Kernel rows are rounded to float, so that a solver cannot see violations smaller than the sums of
// the rounding errors (see resolution.h), which matter if C is large or features are not scaled.
// The refinement finds and removes these violations.  Its cost depends on the number of candidates:
// the free variables, and those for which rounding hides whether they violate optimality.
#ifndef SVM_SOLVERS_PRECISE_REFINEMENT_H_
#define SVM_SOLVERS_PRECISE_REFINEMENT_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "base/platform/numbers.h"
#include "kernels/exact_sums.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/resolution.h"

namespace svm {

class Refinement {
 public:
  enum class Finish {
    kIfUnresolved,  // refine if rounding may hide a violation, by the estimate of its size
    kBySample,      // also if exact sums of some variables show a larger error than the estimate
  };

  // To be constructed before a solver takes the problem, of which it copies what it needs.  The
  // problem's kernel and the monitor must outlive it.
  Refinement(const DualProblem& problem, double epsilon, bool shrinking, Monitor& monitor);

  // Brings the violation of a solution below epsilon, by kernel values in doubles, or else stops
  // the monitor with SVM_IMPRECISE, at the least violation that was found.  Computes threshold and
  // objective in doubles, too.  Solutions of solvers that gave up are refined as well.  Leaves the
  // solution as it is if the run was interrupted or met the cap of the iterations, and if `finish`
  // requires no refinement.
  void improve(Solution& solution, Finish finish);

 private:
  using Variables = std::vector<std::size_t>;

  // Errors may be this many times as large as those that were observed.
  static constexpr double kErrorMargin = 1.25;

  bool refine(Finish finish, double error, bool is_unresolved);
  TermSizes term_sizes(const std::vector<Term>& terms) const;
  TermSizes term_sizes() const { return term_sizes(state_.terms()); }  // of f
  void set_error(double error);
  void discard_f() { set_error(kInfinity); }
  Ends ends(double errors) const;
  double violation() const;
  Variables candidates() const;
  Variables threshold_candidates() const;
  Variables most_violating() const;
  std::size_t example(std::size_t t) const { return t % kernel_.examples(); }
  std::size_t representative(std::size_t t) const { return representative_[example(t)]; }
  void find_representatives();
  std::vector<double> by_representative(const std::vector<Term>& terms) const;
  bool compute_exactly(const Variables& variables);
  bool compute_candidates_exactly();
  bool run_rounds();
  bool is_certain(const TermSizes& sizes);
  bool is_certain_in_doubles(double size_of_sums, bool by_norms) const;
  double sum_of_values(const TermSizes& sizes, const Variables& columns);
  bool refine_beyond_doubles();
  Variables sample() const;
  bool sample_is_accurate_in_doubles();
  bool sample_is_accurate();
  bool try_interior_point();
  bool compute_objective();
  Variables most_inexact_terms() const;
  bool sums_hold() const;
  bool restore_sums();
  bool run_round(Precision precision);
  bool add_exact_products(const std::vector<Term>& terms, const Variables& variables,
                          std::vector<double>& sums);
  bool add_products(const std::vector<Term>& terms, const Variables& variables, Precision precision,
                    std::vector<double>& sums);
  bool add_products_at(const std::vector<Term>& terms, const Variables& columns,
                       Precision precision, std::vector<double>& sums);

  KernelMatrix& kernel_;
  const double epsilon_;
  const bool shrinking_;
  Monitor& monitor_;
  const std::optional<ExactSums> source_;  // of the examples
  const int groups_;
  double sums_[kGroups] = {};                // of b over each group
  std::vector<std::size_t> representative_;  // of each example: the one of its variables in the
                                             // kernel that stands for both

  Solution state_;                // while it is improved
  long long cap_ = 0;             // on the iterations of a round
  bool met_cap_ = false;          // by the last round
  bool has_more_digits_ = false;  // exact sums are those of source_, not of doubles
  std::vector<double> error_;     // bound on the error of each f; infinite if f is not known
};

}  // namespace svm

#endif  // SVM_SOLVERS_PRECISE_REFINEMENT_H_
