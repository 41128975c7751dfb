#include "solvers/two_level/working_sets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace svm {
namespace {

// The middle is at least this part of the violation away from both ends, so that both sides have
// violators.
constexpr double kLeastPart = 0.25;
// The most violating pairs are added to a set that has less than this part of the violation.
constexpr double kLeastViolation = 0.5;
// The last stage has kLastStageShare times as many variables as violate optimality or are free.
constexpr double kLastStageShare = 1.2;

bool may_go_up(std::uint8_t sets) { return (sets & kInUp) != 0; }
bool may_go_down(std::uint8_t sets) { return (sets & kInLow) != 0; }

// Adds the most violating pair of each group.
void add_extremes(const Bands& bands, VariableList& members) {
  for (const GroupEnds& ends : bands.of) {
    if (!(violation(ends) > 0)) continue;
    members.push_back(static_cast<std::uint32_t>(ends.lowest_at));
    members.push_back(static_cast<std::uint32_t>(ends.highest_at));
  }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

// The `count` variables that are free or nearest to violating optimality.
VariableList nearest(const DualState& state, const VariableList& active, const Bands& bands,
                     std::size_t count) {
  struct Near {
    double way;  // to a violation, in f; negative for violators
    std::uint32_t variable;
  };
  std::vector<Near> all;
  all.reserve(active.size());
  for (const std::uint32_t t : active) {
    const double from_middle = state.f[t] - bands.middle[state.group(t)];
    const std::uint8_t sets = state.index_sets(t);
    const double way = sets == (kInUp | kInLow) ? -std::numeric_limits<double>::infinity()
                       : may_go_up(sets)        ? from_middle
                                                : -from_middle;
    all.push_back({way, t});
  }
  count = std::min(count, all.size());
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
  if (count < all.size()) {
    std::nth_element(all.begin(), end, all.end(), [](const Near& a, const Near& b) {
      return a.way < b.way || (a.way == b.way && a.variable < b.variable);
    });
  }
  VariableList members;
  members.reserve(count);
  for (auto near = all.begin(); near != end; ++near) members.push_back(near->variable);
  return members;
}

}  // namespace

Bands find_bands(const DualState& state, const VariableList& active, ThreadPool& pool) {
  std::vector<Ends> parts((active.size() + kVariablesPerTask - 1) / kVariablesPerTask);
  pool.for_chunks(active.size(), kVariablesPerTask, [&](std::size_t begin, std::size_t end) {
    parts[begin / kVariablesPerTask] = state.ends(active.data() + begin, end - begin);
  });
  Bands bands;
  for (const Ends& part : parts) {
    for (int g = 0; g < kGroups; ++g) bands.of[g].add(part.of[g]);
  }
  for (int g = 0; g < kGroups; ++g) {
    const GroupEnds& ends = bands.of[g];
    const double margin = kLeastPart * violation(ends);
    bands.middle[g] = ends.finite_threshold();
    if (!(margin > 0)) continue;
    bands.middle[g] =
        std::min(std::max(bands.middle[g], ends.lowest + margin), ends.highest - margin);
  }
  return bands;
}

WorkingSet WorkingSets::choose(const DualState& state, const VariableList& active,
                               const Bands& bands, double tolerance, ThreadPool& pool) {
  // Free variables depend on each other: sets of fewer than are free make little progress.
  const std::size_t size = std::max(least_, std::min(bands.free_count(), most_));
  std::vector<Violators> parts((active.size() + kVariablesPerTask - 1) / kVariablesPerTask);
  pool.for_chunks(active.size(), kVariablesPerTask, [&](std::size_t begin, std::size_t end) {
    Violators& found = parts[begin / kVariablesPerTask];
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t t = active[k];
      const int g = state.group(t);
      const double from_middle = state.f[t] - bands.middle[g];
      const double way = std::fabs(from_middle);
      // Half of the tolerance is allowed on either side of the middle.
      if (!(way > tolerance / 2)) continue;
      const std::uint8_t sets = state.index_sets(t);
      if (!(from_middle < 0 ? may_go_up(sets) : may_go_down(sets))) continue;
      if (way > tolerance) ++found.count;
      (from_middle < 0 ? found.sides[g].up : found.sides[g].low).push_back(t);
    }
  });
  Sides sides[kGroups];
  std::size_t violators = 0;
  for (const Violators& part : parts) {
    violators += part.count;
    for (int g = 0; g < kGroups; ++g) {
      const auto& [up, low] = part.sides[g];
      sides[g].up.insert(sides[g].up.end(), up.begin(), up.end());
      sides[g].low.insert(sides[g].low.end(), low.begin(), low.end());
    }
  }
  WorkingSet set;
  set.is_last_stage = violators < size;
  if (set.is_last_stage) {
    ++last_stages_;
    const double share = kLastStageShare * static_cast<double>(violators + bands.free_count());
    const std::size_t wanted = std::max(least_, static_cast<std::size_t>(share));
    set.members = nearest(state, active, bands, wanted * last_stages_);
  } else {
    const double of_both = static_cast<double>(sides[0].size() + sides[1].size());
    const double share = static_cast<double>(sides[0].size()) / std::max(1.0, of_both);
    const auto first = static_cast<std::size_t>(share * static_cast<double>(size));
    draw(sides[0], first, set.members);
    draw(sides[1], size - first, set.members);
  }
  std::sort(set.members.begin(), set.members.end());
  const double wanted = std::max(kLeastViolation * bands.violation(), tolerance);
  if (!(state.ends(set.members.data(), set.members.size()).violation() >= wanted))
    add_extremes(bands, set.members);
  return set;
}

// Adds `size` random members, half of them from each side, or more if the other side has too few.
void WorkingSets::draw(Sides& sides, std::size_t size, VariableList& members) {
  auto& [up, low] = sides;
  const std::size_t from_up =
      std::min(up.size(), std::max(size / 2, size - std::min(size, low.size())));
  draw(up, from_up, members);
  draw(low, std::min(low.size(), size - from_up), members);
}

void WorkingSets::draw(VariableList& side, std::size_t size, VariableList& members) {
  for (std::size_t a = 0; a < std::min(size, side.size()); ++a) {
    std::swap(side[a], side[a + draws_.below(side.size() - a)]);
    members.push_back(side[a]);
  }
}

}  // namespace svm
