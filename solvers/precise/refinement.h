// Solutions that hold in doubles.
//
// Kernel rows are rounded to float, so that a solver cannot see violations smaller than what the
// rounding adds up to (see resolution.h): where C is large, or features are not scaled.  What it
// leaves is found and removed here, at a cost that depends on the variables that matter: the free
// ones, and those so near to leaving their bound that rounding hides whether they do.
#ifndef SVM_SOLVERS_PRECISE_REFINEMENT_H_
#define SVM_SOLVERS_PRECISE_REFINEMENT_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/data_row.h"
#include "solvers/math/box.h"
#include "solvers/run/dual_problem.h"
#include "solvers/run/monitor.h"

namespace svm {

class Refinement {
 public:
  enum class Finish {
    kWhenBlurred,  // where rounding may hide a violation, by the estimate of its size
    kBySample,     // and where exact sums of some variables show that it is larger than that
    kAlways,
  };

  // Keeps what it needs of the problem, before a solver takes it.  The problem's kernel and the
  // monitor must outlive it.
  Refinement(const DualProblem& problem, double epsilon, bool shrinking, Monitor& monitor);

  // Brings the violation of a solution, which may come from a solver that gave up, below epsilon,
  // by kernel values in doubles; or stops the monitor with kImprecise, at the least violation that
  // was found.  Threshold and objective are then in doubles, too.  Leaves the solution as it is
  // where the run was interrupted and, unless `finish` says more, where the kernel values resolve
  // epsilon and the solver is content.
  void improve(Solution& solution, Finish finish);

 private:
  using Precision = KernelMatrix::Precision;

  // A variable's f = y G is known within an error.
  struct Gradient {
    double value = 0;
    double error = 0;
  };
  // Of a group: the least that f may be of those that may go up, the most of those that may go
  // down; and what they are for certain.
  struct Extremes {
    double lowest, highest;
    double lowest_known, highest_known;
    bool has_free;
  };
  Box box() const { return {alpha_.data(), labels_.data(), upper_}; }
  bool may_go_up(std::size_t t) const { return box().room_up(t) > 0; }
  bool may_go_down(std::size_t t) const { return box().room_down(t) > 0; }
  double upper(std::size_t t) const { return box().upper(t); }
  std::size_t place(std::size_t t) const { return place_[example_[t]]; }
  int group(std::size_t t) const { return two_groups_ && labels_[t] < 0 ? 1 : 0; }

  std::vector<Extremes> find_extremes() const;
  double violation() const;
  double violation(const std::vector<Extremes>& extremes) const;
  std::vector<std::size_t> variables_that_matter() const;
  std::vector<std::size_t> possible_violators() const;
  void find_places();
  std::vector<double> signed_alpha() const;
  std::vector<double> by_place(const std::vector<double>& weights) const;
  double rounding(const std::vector<double>& weights, Precision precision) const;
  bool sharpen(const std::vector<std::size_t>& variables);
  bool sharpen_what_matters();
  bool improve();
  bool sample_holds();
  std::vector<std::size_t> most_violating() const;
  bool jump(double& objective, double worst);
  bool is_balanced() const;
  bool balance();
  bool solve_part(const Monitor::Whole& whole, Precision precision);
  bool add_products(const std::vector<double>& weights, const std::vector<std::size_t>& variables,
                    Precision precision, std::vector<double>& sums);
  double objective() const;
  std::optional<double> true_objective();
  double threshold(int group) const;
  void write(Solution& solution) const;

  KernelMatrix& kernel_;
  const std::vector<signed char> labels_;
  std::vector<double> linear_;  // y_t p_t
  const UpperBounds upper_;
  const bool two_groups_;
  const double epsilon_;
  const bool shrinking_;
  Monitor& monitor_;
  const DataRows linear_rows_;        // of the examples; null where the kernel is another
  std::vector<double> sums_;          // of each group's y_t alpha_t
  std::vector<std::size_t> example_;  // of each variable
  std::vector<std::size_t> place_;    // of an example's variable in the kernel

  std::vector<double> alpha_;
  std::vector<Gradient> gradient_;
  bool met_upper_ = false;  // some variable, at some time
};

}  // namespace svm

#endif  // SVM_SOLVERS_PRECISE_REFINEMENT_H_
