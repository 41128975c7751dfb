#include "solvers/two_level/working_sets.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace svm {
namespace {

// The middle leaves so much of the violation to either side, so that both have violators.
constexpr double kLeastPart = 0.25;
// The most violating pairs join a set which has less than this part of the violation, or less than
// the tolerance.
constexpr double kLeastViolation = 0.5;
// Of the last stage: sets' worth of variables, and such as matter for each that does.
constexpr std::size_t kLastStageSets = 4, kLastStageShare = 3;

bool may_go_up(std::uint8_t sets) { return (sets & kInUp) != 0; }
bool may_go_down(std::uint8_t sets) { return (sets & kInLow) != 0; }

// The violation of the members among each other.
double violation_of(const OuterPoint& point, const std::vector<std::uint32_t>& members) {
  Band bands[kGroups];
  for (const std::uint32_t k : members) {
    bands[point.group_of(k)].add(k, point.f[k], point.sets[k]);
  }
  return std::max(bands[0].violation(), bands[1].violation());
}

// Adds the most violating pair of each group.
void add_extremes(const Bands& bands, std::vector<std::uint32_t>& members) {
  for (const Band& band : bands.of) {
    if (!(band.violation() > 0)) continue;
    members.push_back(band.lowest_at);
    members.push_back(band.highest_at);
  }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

}  // namespace

void Band::add(std::size_t k, double f, std::uint8_t sets) {
  if (may_go_up(sets) && f < lowest) {
    lowest = f;
    lowest_at = static_cast<std::uint32_t>(k);
  }
  if (may_go_down(sets) && f > highest) {
    highest = f;
    highest_at = static_cast<std::uint32_t>(k);
  }
}

double Bands::violation() const { return std::max(of[0].violation(), of[1].violation()); }

Bands find_bands(const OuterPoint& point) {
  Bands bands;
  double sums[kGroups] = {};
  for (std::size_t k = 0; k < point.size(); ++k) {
    const int g = point.group_of(k);
    bands.of[g].add(k, point.f[k], point.sets[k]);
    if (point.sets[k] == (kInUp | kInLow)) {
      sums[g] += point.f[k];
      ++bands.of[g].free_count;
    }
  }
  for (int g = 0; g < kGroups; ++g) {
    Band& band = bands.of[g];
    const double least = band.lowest + kLeastPart * band.violation();
    const double most = band.highest - kLeastPart * band.violation();
    const double mean = band.free_count > 0 ? sums[g] / static_cast<double>(band.free_count)
                                            : (band.lowest + band.highest) / 2;
    // Where all may go the same way, there is no violation to be in the middle of.
    band.middle = band.violation() > 0 ? std::min(std::max(mean, least), most) : 0;
  }
  return bands;
}

WorkingSet WorkingSets::choose(const OuterPoint& point, const Bands& bands, double epsilon) {
  // If many variables are free, they depend on each other, and sets of fewer make little progress.
  const std::size_t size = std::max(least_, std::min(bands.free_count(), most_));
  Sides sides[kGroups];
  std::size_t violators = 0;
  for (std::size_t k = 0; k < point.size(); ++k) {
    const int g = point.group_of(k);
    const Band& band = bands.of[g];
    // A violation of half the tolerance on either side of the middle is allowed.
    const double below = may_go_up(point.sets[k]) ? band.middle - point.f[k] : 0;
    const double above = may_go_down(point.sets[k]) ? point.f[k] - band.middle : 0;
    if (std::max(below, above) > epsilon) ++violators;
    if (below > epsilon / 2) sides[g].up.push_back(static_cast<std::uint32_t>(k));
    if (above > epsilon / 2) sides[g].low.push_back(static_cast<std::uint32_t>(k));
  }
  WorkingSet set;
  set.is_last_stage = violators < size;
  if (set.is_last_stage) {
    ++last_stages_;
    const std::size_t wanted =
        std::max(kLastStageSets * least_, kLastStageShare * (violators + bands.free_count()));
    set.members = nearest(point, bands, wanted * last_stages_);
  } else {
    const double of_both = static_cast<double>(sides[0].size() + sides[1].size());
    const double share = static_cast<double>(sides[0].size()) / std::max(1.0, of_both);
    const auto first = static_cast<std::size_t>(share * static_cast<double>(size));
    draw(sides[0], first, set.members);
    draw(sides[1], size - first, set.members);
  }
  std::sort(set.members.begin(), set.members.end());
  const double wanted = std::max(kLeastViolation * bands.violation(), epsilon);
  if (!(violation_of(point, set.members) >= wanted)) add_extremes(bands, set.members);
  return set;
}

// Adds half from each side, and more from one if the other has too few.
void WorkingSets::draw(Sides& sides, std::size_t size, Places& members) {
  auto& [up, low] = sides;
  const std::size_t from_up =
      std::min(up.size(), std::max(size / 2, size - std::min(size, low.size())));
  const std::size_t from_low = std::min(low.size(), size - from_up);
  const auto draw_from = [&](Places& side, std::size_t count) {
    for (std::size_t a = 0; a < count; ++a) {
      std::swap(side[a], side[a + draws_.below(side.size() - a)]);
      members.push_back(side[a]);
    }
  };
  draw_from(up, from_up);
  draw_from(low, from_low);
}

WorkingSets::Places WorkingSets::nearest(const OuterPoint& point, const Bands& bands,
                                         std::size_t count) const {
  struct Near {
    double way;  // to violating
    std::uint32_t place;
  };
  std::vector<Near> all;
  all.reserve(point.size());
  for (std::size_t k = 0; k < point.size(); ++k) {
    const double from_middle = point.f[k] - bands.of[point.group_of(k)].middle;
    const std::uint8_t sets = point.sets[k];
    const double way = sets == (kInUp | kInLow) ? -std::numeric_limits<double>::infinity()
                       : may_go_up(sets)        ? from_middle
                                                : -from_middle;
    all.push_back({way, static_cast<std::uint32_t>(k)});
  }
  count = std::min(count, all.size());
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
  if (count < all.size()) {
    std::nth_element(all.begin(), end, all.end(), [](const Near& a, const Near& b) {
      return a.way < b.way || (a.way == b.way && a.place < b.place);
    });
  }
  Places members;
  members.reserve(count);
  for (auto near = all.begin(); near != end; ++near) members.push_back(near->place);
  return members;
}

}  // namespace svm
