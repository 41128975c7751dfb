#include "solvers/smo/solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/platform/index_range.h"
#include "solvers/smo/pair_step.h"

namespace svm {
namespace {

constexpr std::size_t kShrinkInterval = 1000;  // most iterations between shrinkings
constexpr std::size_t kSwapsPerPoll = 1024;
// Only LIBSVM shrinks so few variables; 16 to 256 take as long on class pairs.
constexpr std::size_t kFewToShrink = 64;
constexpr double kUnshrinkFactor = 10;  // unshrink at a violation of this times epsilon

}  // namespace

Solver::Solver(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor)
    : kernel_(problem.kernel),
      state_(std::move(problem)),
      size_(state_.size()),
      active_(size_),
      diagonal_(size_),
      original_(index_range(0, size_)),
      monitor_(monitor),
      epsilon_(epsilon),
      shrinking_(shrinking),
      index_sets_(size_),
      passes_(*monitor.services().loops, monitor.pool()),
      tolerance_(epsilon),
      first_iteration_(monitor.iterations()) {
  for (int g = 0; state_.two_groups && g < kGroups; ++g) group_index_sets_[g].resize(size_);
  for (std::size_t t = 0; t < size_; ++t) {
    diagonal_[t] = kernel_.diagonal(t);
    one_diagonal_ = one_diagonal_ && diagonal_[t] == diagonal_[0];
    update_index_sets(t);
  }
}

Solution Solver::solve() {
  monitor_.observe(kernel_);
  if (start()) iterate();
  // If the run was interrupted, it ends at once, without f of the shrunk variables.
  if (monitor_.stopped() && !monitor_.interrupted() && active_ < size_) {
    unshrink();
    monitor_.messages().print("*");
  }
  return result();
}

void Solver::iterate() {
  const Messages& messages = monitor_.messages();
  const std::size_t interval = std::min(size_, kShrinkInterval);
  std::size_t until_shrinking = interval + 1;
  Pair pair = {kNoIndex, kNoIndex};
  while (may_iterate(pair)) {
    if (--until_shrinking == 0) {
      until_shrinking = interval;
      if (shrinking_) shrink();
      messages.print(".");
      adapt_tolerance();
    }
    accelerate();
    if (!select(pair)) {
      if (!unshrink()) break;
      messages.print("*");
      accelerate();
      if (!select(pair) && !(adapt_tolerance() && select(pair))) break;
      until_shrinking = 1;  // shrink again in the next iteration
    }
    monitor_.count_iteration();
    step(pair);
  }
}

// False if the solver has to end for another reason than convergence.
bool Solver::may_iterate(const Pair& pair) {
  if (pair.i == kNoIndex && monitor_.services().progress) find_violation();  // to be shown
  if (!monitor_.go_on(state_.objective, violation_, active_)) return false;
  if (pair.i == kNoIndex) return true;
  // A step removes the violation of its pair up to rounding, so repetitions mean a stall.
  const bool same = (pair.i == last_pair_.i && pair.j == last_pair_.j) ||
                    (pair.i == last_pair_.j && pair.j == last_pair_.i);
  if (!same) {
    last_pair_ = pair;
    repetitions_ = 0;
    stall_alpha_ = state_.alpha[pair.i];
  } else if (++repetitions_ >= kStallRepetitions) {
    // Rounding can also make a pair creep to its bound in equal steps, which is progress.
    const double way = std::fabs(state_.alpha[last_pair_.i] - stall_alpha_);
    const double step = std::fabs(state_.alpha[last_pair_.i] - last_alpha_);
    if (way <= 2 * step) monitor_.stop(SVM_STALLED);
    repetitions_ = 0;
    stall_alpha_ = state_.alpha[last_pair_.i];
  }
  last_alpha_ = state_.alpha[last_pair_.i];
  return !monitor_.stopped();
}

// True if the tolerance is smaller now.
bool Solver::adapt_tolerance() {
  const double before = std::exchange(tolerance_, tolerance());
  return tolerance_ < before;
}

bool Solver::find_violation() {
  find_extremes();
  violation_ = worst(extremes_);
  rounding_history_.most_difference = std::max(rounding_history_.most_difference, violation_);
  return !(violation_ < tolerance_);
}

bool Solver::select_second_order(Pair& pair, const double* q, double delta) {
  if (!find_violation()) return false;
  Partner best;
  std::size_t first = kNoIndex;
  for (int g = 0; g < groups(); ++g) {
    const std::size_t i = extremes_[g].lowest_at;
    if (i == kNoIndex) continue;
    PartnerSearch search;
    search.f = state_.f.data();
    search.index_sets = group_index_sets(g);
    search.row = kernel_.row(i);
    search.diagonal = one_diagonal_ ? nullptr : diagonal_.data();
    search.row_diagonal = diagonal_[i];
    search.lowest = extremes_[g].lowest;
    search.least_curvature = kTau;
    if (q != nullptr) {
      search.q = q;
      search.q_i = q[i];
      search.inverse = 1 / delta;
    }
    search.likely = extremes_[g].highest_at;
    const Partner partner = passes_.run(&Loops::find_partner, active_, search);
    if (partner.at == kNoIndex || partner.gain < best.gain) continue;
    if (partner.gain == best.gain && best.at != kNoIndex && partner.at < best.at) continue;
    best = partner;
    first = i;
  }
  if (best.at == kNoIndex) return false;
  pair = {first, best.at};
  return true;
}

bool Solver::select_first_order(Pair& pair) {
  if (!find_violation()) return false;
  const bool second = violation(extremes_[1]) > violation(extremes_[0]);
  pair = {extremes_[second ? 1 : 0].lowest_at, extremes_[second ? 1 : 0].highest_at};
  return true;
}

bool Solver::select(Pair& pair) { return select_second_order(pair); }

void Solver::step(const Pair& pair) {
  const auto [i, j] = pair;
  const KernelRow row_i = kernel_.row(i);
  const KernelRow row_j = kernel_.row(j);
  const double curvature = row_i.visit([&, i = i, j = j](const auto* row) {
    return pair_curvature(diagonal_[i], diagonal_[j], row[j]);
  });
  const double violation = state_.f[j] - state_.f[i];
  const double length = violation / curvature;
  const PairValues alpha =
      pair_step({state_.alpha[i], state_.alpha[j]}, state_.labels[i], state_.labels[j], length,
                state_.upper_bound(i), state_.upper_bound(j));
  const double change_i = state_.labels[i] * (alpha.i - state_.alpha[i]);
  const double change_j = state_.labels[j] * (alpha.j - state_.alpha[j]);
  state_.objective -= step_gain(change_i, violation, curvature);
  set_alpha(i, alpha.i);
  set_alpha(j, alpha.j);
  add_pair(row_i, row_j, change_i, change_j);
}

void Solver::set_alpha(std::size_t t, double alpha) {
  const bool was_at_upper = state_.is_at_upper(t);
  rounding_history_.note(alpha, diagonal_[t]);
  state_.alpha[t] = alpha;
  update_index_sets(t);
  if (state_.is_at_upper(t) != was_at_upper) upper_bound_changed(t, was_at_upper ? -1 : +1);
}

// A variable whose bound is 0 counts as one at its upper bound, as in LIBSVM.
void Solver::update_index_sets(std::size_t t) {
  index_sets_[t] = state_.index_sets(t);
  if (index_sets_[t] == 0) index_sets_[t] = state_.labels[t] > 0 ? kInLow : kInUp;
  if (state_.is_at_upper(t)) state_.reached_upper = true;
  if (state_.two_groups) group_index_sets_[state_.group(t)][t] = index_sets_[t];
}

void Solver::shrink() {
  find_extremes();
  const Extremes extremes[kGroups] = {extremes_[0], extremes_[1]};  // before unshrinking
  if (!unshrunk_ && worst(extremes) <= epsilon_ * kUnshrinkFactor) {
    unshrunk_ = true;
    if (!unshrink()) return;
    if (!state_.two_groups) monitor_.messages().print("*");
  }
  std::size_t swaps = 0;  // each takes time for every cached row
  for (std::size_t t = 0; t < active_; ++t) {
    if (!is_shrinkable(t, extremes)) continue;
    if (++swaps % kSwapsPerPoll == 0 && !monitor_.poll()) break;
    for (--active_; active_ > t; --active_) {
      if (is_shrinkable(active_, extremes)) continue;
      swap_variables(t, active_);
      break;
    }
  }
  kernel_.set_in_play(active_);
  extremes_are_known_ = false;
  active_set_shrank();
}

void Solver::swap_variables(std::size_t i, std::size_t j) {
  kernel_.swap(i, j);
  state_.swap(i, j);
  std::swap(diagonal_[i], diagonal_[j]);
  std::swap(index_sets_[i], index_sets_[j]);
  std::swap(original_[i], original_[j]);
  for (std::vector<std::uint8_t>& index_sets : group_index_sets_) {
    if (state_.two_groups) std::swap(index_sets[i], index_sets[j]);
  }
}

// If the run was interrupted, the solution has no f.
Solution Solver::result() {
  Ends ends;
  for (std::size_t t = 0; t < active_; ++t) {
    // A zero gets the sign that LIBSVM's G_t = +0 gives it, which may show in the threshold.
    const double f = state_.f[t] == 0 ? std::copysign(0.0, state_.labels[t]) : state_.f[t];
    ends.of[state_.group(t)].add(t, index_sets_[t], f);
  }
  if (!monitor_.interrupted() && !state_.is_part()) {
    state_.objective = state_.compute_objective();
  }
  // Kernel values beyond a float's range are infinite, and their results may look optimal.
  if (!std::isfinite(state_.objective) && !monitor_.stopped()) monitor_.stop(SVM_IMPRECISE);
  rounding_history_.steps = monitor_.iterations() - first_iteration_;
  if (monitor_.interrupted()) state_.f.clear();
  state_.reorder(original_);
  Solution solution(std::move(state_));
  solution.set_thresholds(threshold(ends.of[0]), threshold(ends.of[1]));
  solution.violation = violation_;
  solution.history = rounding_history_;
  monitor_.release();
  return solution;
}

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
  if (!terms.empty()) {
    return log_.rebuild(kernel_, index_range(0, size_), state_.linear, terms, state_.f);
  }
  for (std::size_t t = 0; t < size_; ++t) state_.f[t] = 0 + state_.linear[t];  // never -0
  return true;
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
  return kernel_.add_sums(rows, factors, index_range(0, active_), image.data());
}

// Logs what compute_gradient_out_of_play() reads.
void Solver::upper_bound_changed(std::size_t t, int sign) {
  if (!shrinking_) return;
  log_.record(kernel_.example(t), sign * state_.labels[t] * state_.upper_bound(t));
  if (log_.is_long(size_)) log_.replay(kernel_);
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
  if (!log_.rebuild(kernel_, index_range(active_, size_), state_.linear,
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

FusedSolver::FusedSolver(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor)
    : Solver(std::move(problem), epsilon, shrinking && problem.size() > kFewToShrink, monitor) {
  if (state_.f_is_exact) exact_alpha_ = state_.alpha;
}

double FusedSolver::tolerance() const {
  if (monitor_.is_published() || is_surely_attainable(last_violation(), epsilon_)) return epsilon_;
  if (exact_alpha_.empty()) return TermSizes(kernel_, state_.alpha).attainable_violation(epsilon_);
  std::vector<double> weights = state_.alpha;
  for (std::size_t t = 0; t < size_; ++t) weights[t] -= exact_alpha_[original_[t]];
  return TermSizes(kernel_, weights).attainable_violation(epsilon_);
}

bool FusedSolver::compute_gradient() {
  state_.f = state_.linear;
  if (state_.terms().empty()) return true;
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
  const std::vector<std::size_t> columns = index_range(first, size_);
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
