#include "solvers/smo/fused_solver.h"

#include <utility>

namespace svm {

FusedSolver::FusedSolver(DualProblem problem, double epsilon, bool shrinking, Monitor& monitor)
    : Solver(std::move(problem), epsilon, shrinking, monitor) {
  if (state_.f_is_exact) exact_alpha_ = state_.alpha;
}

double FusedSolver::tolerance() const {
  if (monitor_.is_published()) return epsilon_;
  std::vector<double> weights = state_.alpha;
  for (std::size_t t = 0; t < exact_alpha_.size(); ++t) weights[t] -= exact_alpha_[original_[t]];
  return TermSizes(kernel_, weights).attainable_violation(epsilon_);
}

bool FusedSolver::compute_gradient() {
  known_b_.assign(size_, 0.0);
  known_f_ = state_.linear;
  const bool done = add_changes(0);
  FusedSolver::active_set_grew();
  return done;
}

bool FusedSolver::compute_gradient_out_of_play() { return add_changes(active_); }

// Computes f of the variables [first, size_) from known_f_ and the change of b since then.
bool FusedSolver::add_changes(std::size_t first) {
  std::vector<double> changes(size_);
  for (std::size_t t = 0; t < size_; ++t) changes[t] = state_.b(t) - known_b_[original_[t]];
  const std::vector<std::size_t> columns = variable_range(first, size_);
  std::vector<double> sums(columns.size(), 0.0);
  if (!add_kernel_sums(kernel_, changes, columns, kernel_.precision(), sums)) return false;
  for (std::size_t t = first; t < size_; ++t) {
    state_.f[t] = known_f_[original_[t]] + sums[t - first];
  }
  return true;
}

// f of the variables that just left is still valid.
void FusedSolver::active_set_shrank() {
  if (active_ == size_ || !known_f_.empty()) return;
  known_b_.resize(size_);
  known_f_.resize(size_);
  for (std::size_t t = 0; t < size_; ++t) {
    known_b_[original_[t]] = state_.b(t);
    known_f_[original_[t]] = state_.f[t];
  }
}

void FusedSolver::active_set_grew() {
  known_b_ = {};
  known_f_ = {};
}

}  // namespace svm
