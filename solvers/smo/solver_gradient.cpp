// The solver's gradient: at the start, after steps, and of variables that are taken up again.
#include <numeric>
#include <utility>

#include "solvers/smo/solver.h"

namespace svm {

// False where the run was interrupted; then f is that of the variables at 0.
bool Solver::compute_gradient() {
  std::vector<Term> terms;
  for (std::size_t t = 0; t < size_; ++t) {
    if (alpha_[t] > 0) terms.push_back({t, labels_[t] * alpha_[t]});
  }
  if (start_sums_.empty()) {
    std::vector<std::size_t> all(size_);
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (!log_.rebuild(kernel_, passes_in_order(), original_, std::move(all), linear_, terms,
                      gradient_)) {
      gradient_ = linear_;
      return false;
    }
  } else {
    for (std::size_t t = 0; t < size_; ++t) gradient_[t] = start_sums_[t] + linear_[t];
    start_sums_ = {};
  }
  for (const Term& term : terms) {
    if (at_upper(term.variable)) log_bound(term.variable, +1);
  }
  for (std::size_t t = 0; t < size_; ++t) {
    objective_ += 0.5 * alpha_[t] * labels_[t] * (gradient_[t] + linear_[t]);
  }
  return true;
}

const Extremes* Solver::find_extremes() {
  if (!extremes_are_known_) {
    for (int g = 0; g < groups(); ++g) {
      extremes_[g] = passes_.find_extremes(gradient_.data(), group_index_sets(g), active_);
    }
    extremes_are_known_ = true;
  }
  return extremes_;
}

void Solver::add_pair(KernelRow row_i, KernelRow row_j, double change_i, double change_j) {
  const PairUpdate update = {gradient_.data(), row_i,    row_j,
                             change_i,         change_j, group_index_sets(0)};
  extremes_[0] = passes_.add_pair(update, active_);
  if (two_groups_)
    extremes_[1] = passes_.find_extremes(gradient_.data(), group_index_sets(1), active_);
  extremes_are_known_ = true;
}

void Solver::add_conjugate(KernelRow row_i, KernelRow row_j, double gamma, double lambda, double* q,
                           bool store) {
  const ConjugateUpdate update = {gradient_.data(),   q, row_i, row_j, gamma, lambda, store,
                                  group_index_sets(0)};
  extremes_[0] = passes_.add_conjugate(update, active_);
  if (two_groups_)
    extremes_[1] = passes_.find_extremes(gradient_.data(), group_index_sets(1), active_);
  extremes_are_known_ = true;
}

void Solver::add_image(const std::vector<double>& image, double length) {
  for (std::size_t t = 0; t < active_; ++t) gradient_[t] += length * image[t];
  extremes_are_known_ = false;
}

bool Solver::find_image(const std::vector<Term>& terms, std::vector<double>& image) {
  KernelMatrix::Rows rows;
  std::vector<double> factors;
  for (const Term& term : terms) {
    rows.push_back(term.variable);
    factors.push_back(term.change);
  }
  std::vector<std::size_t> columns(active_);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  image.assign(active_, 0.0);
  return kernel_.add_sums(rows, factors, columns, image.data());
}

// Variable t came to its upper bound (sign +1) or left it (-1).
void Solver::log_bound(std::size_t t, int sign) {
  if (!shrinking_) return;  // only reconstruct_gradient() reads it
  log_.record(original_[t], sign * labels_[t] * upper(t));
  if (log_.is_long()) log_.replay(kernel_, passes_in_order(), original_);
}

// Takes all variables up again: f of the shrunk ones is what the bounded variables give, which is
// kept, and what the free ones give.
// False where the run was interrupted; then they stay out of play.
bool Solver::reconstruct_gradient() {
  if (active_ == size_) return true;
  const std::size_t active = std::exchange(active_, size_);
  std::vector<Term> free_part;
  std::vector<std::size_t> columns;
  for (std::size_t t = 0; t < active; ++t) {
    if (is_free(t)) free_part.push_back({t, labels_[t] * alpha_[t]});
  }
  for (std::size_t t = active; t < size_; ++t) columns.push_back(t);
  if (2 * free_part.size() < active) {
    constexpr const char* kHint = "\nWARNING: using -h 0 may be faster\n";
    if (follows_libsvm()) {
      monitor_.messages().print(kHint);
    } else {
      monitor_.print_once(kHint);
    }
  }
  // LIBSVM takes the rows of the shrunk variables where they are fewer values; it matters only
  // where a precomputed kernel is not symmetric.
  const bool by_shrunk_rows =
      !kernel_.is_symmetric() && free_part.size() * size_ > 2 * active * (size_ - active);
  if (!log_.rebuild(kernel_, passes_in_order(), original_, std::move(columns), linear_,
                    by_shrunk_rows ? std::vector<Term>() : free_part, gradient_)) {
    active_ = active;
    return false;
  }
  for (std::size_t t = active; by_shrunk_rows && t < size_; ++t) {
    const KernelRow row = kernel_.row(t);  // over the variables that were in play
    for (const Term& term : free_part) gradient_[t] += term.change * row[term.variable];
  }
  kernel_.set_in_play(size_);
  extremes_are_known_ = false;
  active_set_grew();
  return true;
}

}  // namespace svm
