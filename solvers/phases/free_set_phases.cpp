#include "solvers/phases/free_set_phases.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kLeastFree = 4;
// Iterations of fewer variables take less time than making the memory of a phase.
constexpr std::size_t kLeastOfSingle = 16;
constexpr std::size_t kMostFreeInDoubles = 256;
constexpr double kLeastRounds = 10;
constexpr double kMostGrowth = 4;  // of the rounds from one phase to the next

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
constexpr double kMostPatience = 4;
// A factor more than kLargeGrowth times as large as the last one costs more than eight times as
// much, and small phases that paid say little about it.  It needs at least kGrowthPatience.
constexpr std::size_t kLargeGrowth = 2;
constexpr double kGrowthPatience = 2;

}  // namespace

std::optional<std::vector<Term>> FreeSetPhases::run(const PhasePoint& point) {
  const Variables free_variables = variables_for(point);
  const std::size_t size = free_variables.size();
  const bool grew = last_size_ > 0 && size > kLargeGrowth * last_size_;
  const double patience = grew ? std::max(patience_, kGrowthPatience) : patience_;
  const double wait = patience * cost_of(size, point.active) - work_;
  const bool is_tiny = kernel_.size() < kLeastOfSingle && !kernel_.in_doubles();
  if (is_tiny || size < kLeastFree || wait > 0) {
    // The free set changes meanwhile, so estimate again half way.
    next_check_ = work_ + std::max(0.5 * wait, 64.0 * static_cast<double>(point.active));
    return std::nullopt;
  }
  last_size_ = size;
  const FreeSetPath path = find_path(point, free_variables);
  patience_ = path.complete ? std::max(kLeastPatience, patience_ / 2)
                            : std::min(kMostPatience, std::max(kLeastPatience, patience_ * 2));
  expected_rounds_ += 0.5 * (static_cast<double>(path.rounds) - expected_rounds_);
  work_ = 0;
  next_check_ = 0;
  std::vector<Term> change;
  for (std::size_t k = 0; k < path.change.size(); ++k) {
    if (path.change[k] != 0) change.push_back({free_variables[k], path.change[k]});
  }
  return change;
}

double FreeSetPhases::cost_of(std::size_t size, std::size_t active) const {
  const double m = static_cast<double>(size);
  const double factor = kFactorCost * m * m * m + kRowCost * m * m;
  const double fixed = kernel_.in_doubles() ? 0 : kFixedCost;
  return fixed + factor + (expected_rounds_ + 3) * kSolveCost * m * m +
         kRowCost * m * static_cast<double>(active);
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

FreeSetPath FreeSetPhases::find_path(const PhasePoint& point, const Variables& free_variables) {
  const std::size_t size = free_variables.size();
  const double m = static_cast<double>(size);
  // There is memory for so many bounds that the path meets.
  const double most = std::min(kMostGrowth * expected_rounds_ + kLeastRounds, m);
  const std::size_t columns = kGroups + static_cast<std::size_t>(most);
  const std::size_t element = kernel_.in_doubles() ? sizeof(double) : sizeof(float);
  if (!kernel_.reserve_workspace(size * (size + 1) / 2 * element +
                                 columns * (size + columns) * sizeof(double))) {
    return {};
  }
  double largest = 0;
  std::vector<FreeSetVariable> variables;
  for (const std::size_t t : free_variables) {
    largest = std::max(largest, point.diagonal[t]);
    variables.push_back({point.state.f[t], -point.state.room_down(t), point.state.room_up(t),
                         point.state.group(t)});
  }
  FreeSetFactor factor(kernel_.precision(), largest);
  const bool done = factor.visit(
      [&](auto& elements) { return compute(elements, free_variables, factor.ridge()); });
  if (!done) return {};
  // The path may cost as much as the iterations since the last phase.
  const double rounds = std::min(std::max(work_ / (kSolveCost * m * m), kLeastRounds), most);
  return follow_free_set(factor, variables, static_cast<std::size_t>(rounds),
                         [this] { return monitor_.poll(); });
}

// Factors the matrix of these variables, with the ridge.
template <typename Element>
bool FreeSetPhases::compute(CholeskyFactor<Element>& factor, const Variables& members,
                            double ridge) {
  const auto begin_of = [](std::size_t a) { return a * (a + 1) / 2; };
  std::vector<Element> rows(begin_of(members.size()));
  const auto copy_block = [&](const KernelMatrix::Block& block) {
    block.values.visit([&](const auto* values) {
      for (std::size_t a = block.begin; a < members.size(); ++a) {
        const auto* row = values + a * block.stride;
        std::transform(row, row + (std::min(block.end, a + 1) - block.begin),
                       rows.data() + begin_of(a) + block.begin,
                       [](auto value) { return static_cast<Element>(value); });
      }
    });
  };
  if (!kernel_.visit_blocks({members}, members, copy_block)) return false;
  for (std::size_t a = 0; a < members.size(); ++a) {
    rows[begin_of(a) + a] += static_cast<Element>(ridge);
  }
  return factor.factor(std::move(rows), members.size(), &monitor_.pool(),
                       [this] { return monitor_.poll(); });
}

}  // namespace svm
