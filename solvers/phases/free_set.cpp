#include "solvers/phases/free_set.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace svm {
namespace {

// Ridge and gains below this part are ignored.
constexpr double kNegligible = 1e-3;
// In single precision, z is corrected for the ridge when steps have gained so large a part of the
// present decrease by it.  In doubles the ridge matters to degenerate kernels only, which need the
// correction after every step.
constexpr double kMostMovedPart = 0.05;

// The path of one phase.
class Path {
 public:
  Path(const FreeSetFactor& factor, const std::vector<FreeSetVariable>& variables,
       const GoOn& go_on)
      : go_on_(go_on),
        factor_(factor),
        variables_(variables),
        size_(variables.size()),
        held_(size_),
        schur_(factor.in_doubles() ? CholeskyFactor<double>(FreeSetFactor::kLeastPivot)
                                   : CholeskyFactor<double>()),
        gradient_(size_),
        newton_(size_),
        direction_(size_) {
    path_.change.assign(size_, 0.0);
    moved_ = path_.change;
  }

  FreeSetPath follow(std::size_t max_rounds) {
    if (!begin()) return {};
    do {
      if (go_on_ && !go_on_()) return {};
    } while (path_.rounds < max_rounds && step());
    if (!remove_excess()) return {};
    return std::move(path_);
  }

 private:
  bool begin() {
    for (std::size_t k = 0; k < size_; ++k) {
      gradient_[k] = variables_[k].gradient;
      newton_[k] = -gradient_[k];
    }
    factor_.solve(newton_);
    for (int g = 0; g < kGroups; ++g) {
      std::vector<double> ones(size_, 0.0);
      bool any = false;
      for (std::size_t k = 0; k < size_; ++k) {
        if (variables_[k].group != g) continue;
        ones[k] = 1;
        any = true;
      }
      if (!any) continue;
      groups_.push_back(g);
      factor_.solve(ones);
      if (!add_constraint(std::move(ones))) return false;
    }
    return true;
  }

  // Takes a constrained Newton step, up to the box.  False at the end of the path.
  bool step() {
    ++path_.rounds;
    std::vector<double> multipliers(columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) multipliers[c] = constraint(c, newton_);
    schur_.solve(multipliers);
    direction_ = newton_;
    loops_.subtract_rows_double(direction_.data(), column_starts_.data(), multipliers.data(),
                                columns_.size(), size_);
    double decrease = 0, squares = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      if (held_[k] != 0) continue;
      decrease -= gradient_[k] * direction_[k];
      squares += direction_[k] * direction_[k];
    }
    if (!(decrease > 0)) {
      path_.complete = true;
      return false;
    }
    // d'(K + ridge)d = -f'd, but the ridge is not part of the problem.  The best length is longer
    // without it, and limited only by the box if K has hardly any curvature along d.
    const double ridge_part = factor_.ridge() * squares;
    const bool ridge_matters = ridge_part > kNegligible * decrease;
    const double best =
        ridge_matters ? decrease / std::max(decrease - ridge_part, factor_.rounding() * ridge_part)
                      : 1;
    double length = best;
    std::size_t met = size_;
    for (std::size_t k = 0; k < size_; ++k) {
      if (held_[k] != 0 || direction_[k] == 0) continue;
      const double limit = (bound(k) - path_.change[k]) / direction_[k];
      if (limit >= length) continue;
      length = std::max(limit, 0.0);
      met = k;
    }
    // Along the path K d = -f - B n - ridge d, and z = -(K + ridge)^-1 f.
    std::vector<double> correction;  // z changes by `scale` times it
    double scale = factor_.ridge();
    if (ridge_matters && factor_.in_doubles()) {
      correction = direction_;
      scale *= length;
    } else if (ridge_matters) {
      correction = take_moved(length, decrease, ridge_part, met < size_);
    }
    if (!correction.empty()) factor_.solve(correction);
    for (std::size_t k = 0; k < size_; ++k) {
      if (!correction.empty()) newton_[k] += scale * correction[k];
      if (held_[k] != 0) continue;
      path_.change[k] += length * direction_[k];
      newton_[k] -= length * direction_[k];
      gradient_[k] -= length * (gradient_[k] + multipliers[group_column(k)]);
      if (ridge_matters) gradient_[k] -= length * factor_.ridge() * direction_[k];
    }
    const double gain = length * (1 - 0.5 * length / best) * decrease;
    path_.gain += gain;
    if (met < size_) {
      path_.change[met] = bound(met);
      return hold(met);
    }
    path_.complete = !ridge_matters || !(gain > kNegligible * path_.gain);
    return !path_.complete;
  }

  // A step also changes z by ridge (K + ridge)^-1 d times its length.  In single precision one
  // solve serves all steps since the last correction: this returns their sum if that is due, else
  // nothing.
  std::vector<double> take_moved(double length, double decrease, double ridge_part,
                                 bool met_a_bound) {
    for (std::size_t k = 0; k < size_; ++k) moved_[k] += length * direction_[k];
    moved_part_ += length * ridge_part;
    if (met_a_bound && moved_part_ <= kMostMovedPart * decrease) return {};
    moved_part_ = 0;
    return std::exchange(moved_, std::vector<double>(size_, 0.0));
  }

  double bound(std::size_t k) const {
    return direction_[k] > 0 ? variables_[k].highest : variables_[k].lowest;
  }

  std::size_t group_column(std::size_t k) const {
    return groups_.size() == 1 ? 0 : static_cast<std::size_t>(variables_[k].group);
  }

  bool hold(std::size_t k) {
    held_[k] = 1;
    held_variables_.push_back(k);
    std::vector<double> column(size_, 0.0);  // of the inverse
    column[k] = 1;
    factor_.solve(column, k);
    return add_constraint(std::move(column));
  }

  // `solved` is the new column of W.
  bool add_constraint(std::vector<double> solved) {
    columns_.push_back(std::move(solved));
    column_starts_.push_back(columns_.back().data());
    std::vector<double> row(columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) row[c] = constraint(c, columns_.back());
    return schur_.append(std::move(row));
  }

  // Element c of B'x.
  double constraint(std::size_t c, const std::vector<double>& x) const {
    if (c >= groups_.size()) return x[held_variables_[c - groups_.size()]];
    double sum = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      if (variables_[k].group == groups_[c]) sum += x[k];
    }
    return sum;
  }

  // Makes the change of each group sum to 0 again, which it does not exactly as the factor is
  // rounded: the variable with the most room takes the excess.  False if that room is too small.
  bool remove_excess() {
    for (const int g : groups_) {
      double excess = 0, most_room = 0;
      std::size_t best = size_;
      for (std::size_t k = 0; k < size_; ++k) {
        if (variables_[k].group != g) continue;
        excess += path_.change[k];
        const double room = std::min(variables_[k].highest - path_.change[k],
                                     path_.change[k] - variables_[k].lowest);
        if (held_[k] != 0 || room <= most_room) continue;
        most_room = room;
        best = k;
      }
      if (excess == 0) continue;
      if (!(std::fabs(excess) < most_room)) return false;
      path_.change[best] -= excess;
    }
    return true;
  }

  const Loops& loops_ = loops(instruction_set());
  const GoOn& go_on_;
  const FreeSetFactor& factor_;
  const std::vector<FreeSetVariable>& variables_;
  const std::size_t size_;
  std::vector<char> held_;
  std::vector<std::size_t> held_variables_;
  std::vector<int> groups_;                   // groups that have variables
  std::vector<std::vector<double>> columns_;  // W = K^-1 B
  std::vector<const double*> column_starts_;
  std::vector<double> moved_;      // the sum of the steps since the last correction of z
  double moved_part_ = 0;          // what these steps gained by the ridge
  CholeskyFactor<double> schur_;   // of B'W
  std::vector<double> gradient_;   // f at the present point of the path
  std::vector<double> newton_;     // z
  std::vector<double> direction_;  // d
  FreeSetPath path_;
};

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

FreeSetPath follow_free_set(const FreeSetFactor& factor,
                            const std::vector<FreeSetVariable>& variables, std::size_t max_rounds,
                            const GoOn& go_on) {
  return Path(factor, variables, go_on).follow(max_rounds);
}

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
