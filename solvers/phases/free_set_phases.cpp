#include "solvers/phases/free_set_phases.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/platform/numbers.h"

namespace svm {
namespace {

constexpr std::size_t kLeastFree = 4;
constexpr std::size_t kMostFreeInDoubles = 256;
constexpr double kLeastRounds = 10;
constexpr double kMostGrowth = 4;  // of the rounds from one phase to the next
// The factor is computed anew if more than one in kRebuildPart variables entered or left.
constexpr std::size_t kRebuildPart = 6;

// Measured costs, in units of the time that an ordinary iteration takes for one value.
constexpr double kFactorCost = 1.0 / 80;  // times m^3
constexpr double kSolveCost = 0.22;       // times m^2
constexpr double kRowCost = 0.55;         // times the active variables, per changed variable
constexpr double kFixedCost = 3000;  // of a phase in single precision; those in doubles are for
                                     // problems whose iterations get nowhere
// A phase runs when the iterations since the last one have cost `patience` times as much as the
// phase will.  The patience is halved after a phase that reached its optimum, and doubled after one
// that met too many bounds: the free set is then not yet that of the solution.
constexpr double kLeastPatience = 0.5;
constexpr double kDearPhase = 1e7;  // a phase that costs more takes over some milliseconds
constexpr double kMostPatience = 4;
// A factor more than kLargeGrowth times as large as the last one costs more than eight times as
// much, and small phases that paid say little about it.  It needs at least kGrowthPatience.
constexpr std::size_t kLargeGrowth = 2;
constexpr double kGrowthPatience = 2;

}  // namespace

FreeSetPhases::FreeSetPhases(KernelMatrix& kernel, std::size_t size, Monitor& monitor)
    : kernel_(kernel), monitor_(monitor), factor_(kernel.precision()), is_factored_(size, 0) {}

std::optional<std::vector<Term>> FreeSetPhases::run(const PhasePoint& point) {
  const Variables free_variables = variables_for(point);
  const std::size_t free_count = free_variables.size();
  std::size_t added = 0, kept = 0;
  for (const std::size_t t : free_variables) {
    ++(is_factored_[point.original[t]] != 0 ? kept : added);
  }
  const std::size_t held = factored_.size() - kept;
  const bool rebuild = kRebuildPart * (added + held) > free_count;
  const std::size_t size = rebuild ? free_count : factored_.size() + added;
  const bool grew = last_size_ > 0 && size > kLargeGrowth * last_size_;
  double patience = grew ? std::max(patience_, kGrowthPatience) : patience_;
  const double cost = cost_of(size, added, rebuild ? 0 : held, rebuild, point.active);
  double left = kInfinity;
  if (patience == 0 && cost > kDearPhase) {
    patience = kLeastPatience / 2;
    left = work_to_tolerance(point);
  }
  const double wait = patience * cost - work_;
  if (free_count < kLeastFree || wait > 0 || left < cost) {
    // The free set changes meanwhile, so estimate again half way.
    next_check_ = work_ + std::max(0.5 * wait, 64.0 * static_cast<double>(point.active));
    return std::nullopt;
  }
  last_size_ = size;
  if (rebuild) drop_factor();
  Variables members = factored_variables(point);
  const FreeSetPath path = find_path(point, free_variables, members);
  patience_ = path.complete ? std::max(kLeastPatience, patience_ / 2)
                            : std::min(kMostPatience, std::max(kLeastPatience, patience_ * 2));
  expected_rounds_ += 0.5 * (static_cast<double>(path.rounds) - expected_rounds_);
  work_ = 0;
  next_check_ = 0;
  course_.clear();
  std::vector<Term> change;
  for (std::size_t k = 0; k < path.change.size(); ++k) {
    if (path.change[k] != 0) change.push_back({members[k], path.change[k]});
  }
  return change;
}

// Estimates the work of iterations until the tolerance is met: the logarithm of the violation is
// taken to go on falling as in the later half of the work since the last phase.  Infinite if it did
// not fall.
double FreeSetPhases::work_to_tolerance(const PhasePoint& point) {
  const double before = course_.empty() ? point.violation : course_.back().violation;
  const double least = std::min(before, point.violation);
  course_.push_back({work_, least});
  const auto is_early = [](const Milestone& each, double work) { return each.work < work; };
  const auto half = std::lower_bound(course_.begin(), course_.end(), work_ / 2, is_early);
  const double fall = std::log(half->violation / least);
  const double rate = fall / (work_ - half->work);  // NaN at the first look
  return rate > 0 ? std::log(std::max(1.0, least / point.tolerance)) / rate : kInfinity;
}

double FreeSetPhases::cost_of(std::size_t size, std::size_t added, std::size_t held, bool rebuild,
                              std::size_t active) const {
  const double m = static_cast<double>(size);
  const double solves = expected_rounds_ + static_cast<double>(held) + 3;
  const double factor = rebuild ? kFactorCost * m * m * m + kRowCost * m * m
                                : static_cast<double>(added) * 3 * kFactorCost * m * m;
  const double fixed = factor_.in_doubles() ? 0 : kFixedCost;
  return fixed + factor + solves * kSolveCost * m * m + kRowCost * m * static_cast<double>(active);
}

// The free variables.  In doubles there may be far more of them than in the solution, as kernels
// without full rank leave them free.  A phase then takes only as many as it can quickly drive to
// their bounds: those whose f is furthest from the mean of their group.
FreeSetPhases::Variables FreeSetPhases::variables_for(const PhasePoint& point) const {
  const DualState& state = point.state;
  Variables variables;
  double mean[kGroups] = {}, count[kGroups] = {};
  for (std::size_t t = 0; t < point.active; ++t) {
    if (!state.is_free(t)) continue;
    variables.push_back(t);
    mean[state.group(t)] += state.f[t];
    ++count[state.group(t)];
  }
  if (!kernel_.in_doubles() || variables.size() <= kMostFreeInDoubles) return variables;
  for (int g = 0; g < kGroups; ++g) mean[g] /= count[g];  // not used if the group has none
  const auto further = [&](std::size_t s, std::size_t t) {
    const double a = std::fabs(state.f[s] - mean[state.group(s)]);
    const double b = std::fabs(state.f[t] - mean[state.group(t)]);
    return a > b || (a == b && s < t);
  };
  const auto end = variables.begin() + kMostFreeInDoubles;
  std::nth_element(variables.begin(), end, variables.end(), further);
  variables.erase(end, variables.end());
  std::sort(variables.begin(), variables.end());
  return variables;
}

void FreeSetPhases::remember(std::size_t place) {
  factored_.push_back(place);
  is_factored_[place] = 1;
}

void FreeSetPhases::drop_factor() {
  for (const std::size_t place : factored_) is_factored_[place] = 0;
  factored_.clear();
  factor_.clear();
  kernel_.reserve_workspace(0);
}

// The variables of the factor, in its order.  Some may be out of play.
FreeSetPhases::Variables FreeSetPhases::factored_variables(const PhasePoint& point) const {
  Variables where(point.size());  // the variable at each place of the problem
  for (std::size_t t = 0; t < point.size(); ++t) where[point.original[t]] = t;
  Variables variables;
  variables.reserve(factored_.size());
  for (const std::size_t place : factored_) variables.push_back(where[place]);
  return variables;
}

// `members` are the variables of the factor; those that are added to it are appended.
FreeSetPath FreeSetPhases::find_path(const PhasePoint& point, const Variables& free_variables,
                                     Variables& members) {
  const std::size_t columns = prepare_factor(point, free_variables, members);
  if (columns == 0) return {};
  const double m = static_cast<double>(members.size());
  std::size_t held = 0;
  std::vector<FreeSetVariable> variables;
  for (const std::size_t t : members) {
    FreeSetVariable variable;
    variable.group = point.state.group(t);
    variable.free = t < point.active && point.state.is_free(t);
    if (variable.free) {
      variable.gradient = point.state.f[t];
      variable.lowest = -point.state.room_down(t);
      variable.highest = point.state.room_up(t);
    }
    if (!variable.free) ++held;
    variables.push_back(variable);
  }
  // The path may cost as much as the iterations since the last phase, if there is memory for it.
  const double rounds = std::min(std::max(work_ / (kSolveCost * m * m), kLeastRounds), m);
  const std::size_t most = columns - std::min(columns, kGroups + held);
  return follow_free_set(
      factor_, variables, std::min(static_cast<std::size_t>(rounds), most),
      [this] { return monitor_.poll(); }, &monitor_.pool());
}

// Adds the missing free variables to the factor, and to `members`, its variables.  Returns the
// number of constraints that there is memory for: one for each group, each held variable and each
// bound that the path meets.  0 if there is no factor.
std::size_t FreeSetPhases::prepare_factor(const PhasePoint& point, const Variables& free_variables,
                                          Variables& members) {
  Variables missing;
  for (const std::size_t t : free_variables) {
    if (is_factored_[point.original[t]] == 0) missing.push_back(t);
  }
  members.insert(members.end(), missing.begin(), missing.end());
  const std::size_t size = members.size();
  const std::size_t rounds =
      static_cast<std::size_t>(kMostGrowth * expected_rounds_ + kLeastRounds);
  const std::size_t columns = kGroups + size / kRebuildPart + std::min(rounds, size);
  const std::size_t element = factor_.in_doubles() ? sizeof(double) : sizeof(float);
  if (!kernel_.reserve_workspace(size * (size + 1) / 2 * element +
                                 columns * (size + columns) * sizeof(double))) {
    return 0;
  }
  const bool done =
      factor_.visit([&](auto& factor) { return extend_factor(point, factor, members); });
  return done ? columns : 0;
}

// Adds those of `members` to the factor that it does not have yet.
template <typename Element>
bool FreeSetPhases::extend_factor(const PhasePoint& point, CholeskyFactor<Element>& factor,
                                  const Variables& members) {
  const std::size_t old = factor.size(), size = members.size();
  if (old == size) return true;
  if (old == 0) {
    double largest = 0;
    for (const std::size_t t : members) largest = std::max(largest, point.diagonal[t]);
    factor_.set_ridge(
        static_cast<double>(static_cast<Element>(factor_.relative_ridge() * largest)));
  }
  const auto begin_of = [old](std::size_t a) { return a * (a + 1) / 2 - old * (old + 1) / 2; };
  std::vector<Element> rows(begin_of(size));
  const auto copy_block = [&](const KernelMatrix::Block& block) {
    block.values.visit([&](const auto* values) {
      for (std::size_t a = std::max(old, block.begin); a < size; ++a) {
        const auto* row = values + (a - old) * block.stride;
        std::transform(row, row + (std::min(block.end, a + 1) - block.begin),
                       rows.data() + begin_of(a) + block.begin,
                       [](auto value) { return static_cast<Element>(value); });
      }
    });
  };
  const Variables added(members.begin() + static_cast<std::ptrdiff_t>(old), members.end());
  if (!kernel_.visit_blocks({added}, members, copy_block)) return false;
  for (std::size_t a = old; a < size; ++a) {
    rows[begin_of(a) + a] += static_cast<Element>(factor_.ridge());
  }
  if (!factor.extend(std::move(rows), size, &monitor_.pool(), [this] { return monitor_.poll(); })) {
    return false;
  }
  for (const std::size_t t : added) remember(point.original[t]);
  return true;
}

}  // namespace svm
