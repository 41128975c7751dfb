#include "solvers/smo/csmo.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solvers/math/checks.h"

namespace svm {
namespace {

// A conjugate curvature below this part of the plain one is rounding noise.
constexpr double kLeastCurvatureRatio = 1e-10;

// Hybrid: above this share of clipped steps, so many plain steps follow.
constexpr double kClipShareLimit = 0.7;
constexpr double kClipShareRate = 0.02;
constexpr long long kPlainSteps = 500;

}  // namespace

ConjugateSolver::ConjugateSolver(DualProblem problem, double epsilon, bool shrinking,
                                 Monitor& monitor, ConjugateUse use)
    : Solver(std::move(problem), epsilon, shrinking, monitor),
      use_(use),
      direction_(size_),
      image_(size_),
      factor_(kernel_.in_doubles()) {
  if (use_ == ConjugateUse::kWhenItPays) plain_left_ = kPlainSteps;
}

// The gain of the conjugate step along e_i - e_j, the box aside, is violation^2 / (2 u'Ku) for the
// turned direction u, whose curvature is known from q.
bool ConjugateSolver::select_working_set(Pair& pair) {
  if (monitor_.run().free_set) maybe_run_phase();
  if (direction_.empty()) return Solver::select_working_set(pair);
  return select_second_order(pair, image_.data(), curvature_);
}

void ConjugateSolver::step(const Pair& pair) {
  PlainStep plain;
  plain.pair = pair;
  plain.row_i = kernel_.row(pair.i);
  plain.row_j = kernel_.row(pair.j);
  plain.violation = gradient_[pair.j] - gradient_[pair.i];
  plain.curvature =
      positive_curvature(diagonal_[pair.i] + diagonal_[pair.j] - 2.0 * plain.row_i[pair.j]);
  plain.wish = plain.violation / plain.curvature;
  plain.length = std::min({plain.wish, room_up(pair.i), room_down(pair.j)});
  if (!direction_.empty() && try_conjugate_step(plain)) return;
  take_plain_step(plain);
}

// Turns u to e_i - e_j - (overlap / u'Ku) u and goes along it.  False, with u reset, where that is
// not possible or the plain step gains more.
bool ConjugateSolver::try_conjugate_step(const PlainStep& plain) {
  const auto [i, j] = plain.pair;
  double* q = image_.data();
  const double overlap = q[i] - q[j];
  const double turn = -overlap / curvature_;
  const double curvature = plain.curvature - overlap * overlap / curvature_;
  if (!(curvature > kLeastCurvatureRatio * plain.curvature)) {
    direction_.clear();
    return false;
  }
  const std::vector<ConjugateDirection::Member> old =
      kChecks ? direction_.members() : std::vector<ConjugateDirection::Member>();
  direction_.advance(turn, i, j);
  const double wish = plain.violation / curvature;
  const Limit limit = limit_of_box();
  const double length = std::min(wish, limit.length);
  const bool clipped = length < wish;
  count_clip(clipped);
  const double gain = step_gain(length, plain.violation, curvature);
  if (clipped && gain <= step_gain(plain.length, plain.violation, plain.curvature)) {
    direction_.clear();
    return false;
  }
  for (const ConjugateDirection::Member& member : direction_.members()) {
    move(member.variable, length * member.weight);
  }
  if (clipped) put_on_bound(limit.member);
  // q is not stored on a step that clips, as the direction ends with it.
  add_conjugate(plain.row_i, plain.row_j, turn, length, image_.data(), !clipped);
  if constexpr (kChecks) {
    if (!clipped) check_conjugacy(old, curvature);
    check_feasibility();
  }
  record(gain);
  ++monitor_.report().conjugate_steps;
  if (clipped) {
    ++monitor_.report().clipped_steps;
    direction_.clear();
  } else {
    curvature_ = curvature;
  }
  return true;
}

// q is K u now: u_old'Ku must vanish, up to the rounding of the rows to float, which q sums up.
void ConjugateSolver::check_conjugacy(const std::vector<ConjugateDirection::Member>& old,
                                      double curvature) const {
  double product = 0, scale = 0, old_size = 0, new_size = 0, largest = 0;
  for (const ConjugateDirection::Member& member : old) {
    product += member.weight * image_[member.variable];
    scale += std::fabs(member.weight * image_[member.variable]);
    old_size += std::fabs(member.weight);
    largest = std::max(largest, diagonal_[member.variable]);
  }
  for (const ConjugateDirection::Member& member : direction_.members()) {
    new_size += std::fabs(member.weight);
  }
  constexpr double kRelative = 1e-4;
  constexpr double kFloat = 1e-6;
  require(std::fabs(product) <= kRelative * (scale + std::sqrt(curvature * curvature_)) +
                                    kFloat * old_size * new_size * largest,
          "the direction is conjugate to the last one");
}

void ConjugateSolver::check_feasibility() const {
  double sums[kGroups] = {}, scale = 0;
  for (const ConjugateDirection::Member& member : direction_.members()) {
    sums[group(member.variable)] += member.weight;
    scale += std::fabs(member.weight);
  }
  for (const double sum : sums) {
    require(std::fabs(sum) <= 1e-9 * scale, "the direction keeps the equality constraints");
  }
  for (std::size_t t = 0; t < size_; ++t) {
    require(alpha_[t] >= 0 && alpha_[t] <= upper(t), "the variables are in their box");
  }
}

// An SMO step; where no bound stops it, it is the first of a new direction.
void ConjugateSolver::take_plain_step(const PlainStep& plain) {
  direction_.clear();
  if (plain_left_ > 0 || plain.length < plain.wish) {
    plain_left_ = std::max(0LL, plain_left_ - 1);
    const double before = objective_;
    Solver::step(plain.pair);
    record(before - std::exchange(objective_, before));
    return;
  }
  const auto [i, j] = plain.pair;
  direction_.advance(1, i, j);
  curvature_ = plain.curvature;
  move(i, plain.length);
  move(j, -plain.length);
  add_conjugate(plain.row_i, plain.row_j, 0, plain.length, image_.data(), true);
  record(step_gain(plain.length, plain.violation, plain.curvature));
}

// Adds `change` to y_t a_t.
void ConjugateSolver::move(std::size_t t, double change) {
  set_alpha(t, moved_within_box(alpha_[t], labels_[t] * change, upper(t)));
}

// The variable of a member of the direction that has come to its bound but for rounding.
void ConjugateSolver::put_on_bound(const ConjugateDirection::Member& member) {
  const bool rises = labels_[member.variable] * member.weight > 0;
  set_alpha(member.variable, rises ? upper(member.variable) : 0);
}

double ConjugateSolver::room_up(std::size_t t) const {
  return labels_[t] > 0 ? upper(t) - alpha_[t] : alpha_[t];
}

double ConjugateSolver::room_down(std::size_t t) const {
  return labels_[t] > 0 ? alpha_[t] : upper(t) - alpha_[t];
}

ConjugateSolver::Limit ConjugateSolver::limit_of_box() const {
  Limit limit = {std::numeric_limits<double>::infinity(), {}};
  for (const ConjugateDirection::Member& member : direction_.members()) {
    if (member.weight == 0) continue;
    const std::size_t t = member.variable;
    const double room = member.weight > 0 ? room_up(t) : room_down(t);
    const double length = std::max(room / std::fabs(member.weight), 0.0);
    if (length < limit.length) limit = {length, member};
  }
  return limit;
}

void ConjugateSolver::count_clip(bool clipped) {
  if (use_ != ConjugateUse::kWhenItPays) return;
  clip_share_ += kClipShareRate * ((clipped ? 1 : 0) - clip_share_);
  if (clip_share_ <= kClipShareLimit) return;
  clip_share_ = kClipShareLimit / 2;
  plain_left_ = kPlainSteps;
}

void ConjugateSolver::swap_variables(std::size_t i, std::size_t j) {
  Solver::swap_variables(i, j);
  std::swap(image_[i], image_[j]);
  direction_.swap_variables(i, j);
}

// q and u'Ku stay valid as long as no member of the direction is out of play.
void ConjugateSolver::active_set_shrank() {
  for (const ConjugateDirection::Member& member : direction_.members()) {
    if (member.variable < active_) continue;
    direction_.clear();
    return;
  }
}

// q is not known for the variables that come back.
void ConjugateSolver::active_set_grew() { direction_.clear(); }

}  // namespace svm
