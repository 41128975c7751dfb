// The gradient of the solver: at the start, after steps, and of shrunk variables that return.
#include "solvers/smo/solver.h"

namespace svm {

// False if the run was interrupted; then f is that of alpha = 0.
bool Solver::start() {
  if (state_.f.empty()) {
    state_.f.resize(size_);
    if (!compute_gradient()) {
      state_.f = state_.linear;
      return false;
    }
  }
  for (std::size_t t = 0; t < size_; ++t) {
    if (state_.is_at_upper(t)) upper_bound_changed(t, +1);
  }
  if (!state_.is_part()) state_.objective = state_.compute_objective();
  return true;
}

// As in LIBSVM, variables whose bound is 0 take part, which shows if kernel values are infinite.
bool Solver::compute_gradient() {
  std::vector<Term> terms;
  for (std::size_t t = 0; t < size_; ++t) {
    if (state_.is_at_upper(t) || !state_.is_at_zero(t)) terms.push_back({t, state_.b(t)});
  }
  return log_.rebuild(kernel_, original_, variable_range(0, size_), state_.linear, terms, state_.f);
}

const Extremes* Solver::find_extremes() {
  if (!extremes_are_known_) find_extremes_from(0);
  return extremes_;
}

// Finds the ends of this group and those after it; those before it are known.
void Solver::find_extremes_from(int first) {
  for (int g = first; g < groups(); ++g) {
    extremes_[g] =
        passes_.run(&Loops::find_extremes, active_, state_.f.data(), group_index_sets(g));
  }
  extremes_are_known_ = true;
}

void Solver::add_pair(KernelRow row_i, KernelRow row_j, double change_i, double change_j) {
  const PairUpdate update = {state_.f.data(), row_i,    row_j,
                             change_i,        change_j, group_index_sets(0)};
  extremes_[0] = passes_.run(&Loops::add_pair, active_, update);
  find_extremes_from(1);
}

void Solver::add_conjugate(KernelRow row_i, KernelRow row_j, double gamma, double lambda, double* q,
                           bool store) {
  const ConjugateUpdate update = {state_.f.data(), q,      row_i, row_j,
                                  gamma,           lambda, store, group_index_sets(0)};
  extremes_[0] = passes_.run(&Loops::add_conjugate, active_, update);
  find_extremes_from(1);
}

void Solver::add_image(const std::vector<double>& image, double length) {
  for (std::size_t t = 0; t < active_; ++t) state_.f[t] += length * image[t];
  extremes_are_known_ = false;
}

bool Solver::find_image(const std::vector<Term>& terms, std::vector<double>& image) {
  KernelMatrix::Rows rows;
  std::vector<double> factors;
  for (const Term& term : terms) {
    rows.push_back(term.variable);
    factors.push_back(term.change);
  }
  image.assign(active_, 0.0);
  return kernel_.add_sums(rows, factors, variable_range(0, active_), image.data());
}

// Logs what compute_gradient_out_of_play() reads.
void Solver::upper_bound_changed(std::size_t t, int sign) {
  if (!shrinking_) return;
  log_.record(original_[t], sign * state_.labels[t] * state_.upper_bound(t));
  if (log_.is_long()) log_.replay(kernel_, original_);
}

// f is the sum of the contributions of the variables at their upper bound, which are in the log,
// and of the free ones, and of the linear part.
bool Solver::compute_gradient_out_of_play() {
  std::vector<Term> free_part;
  for (std::size_t t = 0; t < active_; ++t) {
    if (is_free(t)) free_part.push_back({t, state_.b(t)});
  }
  if (2 * free_part.size() < active_) {
    monitor_.messages().print("\nWARNING: using -h 0 may be faster\n");
  }
  // LIBSVM uses the rows of the shrunk variables if these have fewer values.  That matters only for
  // precomputed kernels that are not symmetric.
  const bool by_shrunk_rows =
      !kernel_.is_symmetric() && free_part.size() * size_ > 2 * active_ * (size_ - active_);
  if (!log_.rebuild(kernel_, original_, variable_range(active_, size_), state_.linear,
                    by_shrunk_rows ? std::vector<Term>() : free_part, state_.f)) {
    return false;
  }
  for (std::size_t t = active_; by_shrunk_rows && t < size_; ++t) {
    const KernelRow row = kernel_.row(t);  // over the active variables
    for (const Term& term : free_part) state_.f[t] += term.change * row[term.variable];
  }
  return true;
}

// Returns all variables to play.  False if the run was interrupted; then the shrunk ones stay out.
bool Solver::unshrink() {
  if (active_ == size_) return true;
  if (!compute_gradient_out_of_play()) return false;
  active_ = size_;
  kernel_.set_in_play(size_);
  extremes_are_known_ = false;
  active_set_grew();
  return true;
}

}  // namespace svm
