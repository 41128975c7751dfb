// The solvers' passes over their variables. Compiled once for each target (vector.h).
#ifndef SVM_BASE_SIMD_LOOPS_SOLVER_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_SOLVER_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/loops.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

constexpr double kLargest = 0x1.fffffffffffffp+1023;

inline Longs lane_numbers() {
  Longs numbers;
  for (std::size_t lane = 0; lane < kLanes; ++lane) numbers[lane] = static_cast<int>(lane);
  return numbers;
}

inline void consider_one(Extremes* extremes, double f, std::uint8_t index_sets, std::size_t place) {
  if ((index_sets & kInUp) != 0 && f <= extremes->lowest) {
    extremes->lowest = f;
    extremes->lowest_at = place;
  }
  if ((index_sets & kInLow) != 0 && f >= extremes->highest) {
    extremes->highest = f;
    extremes->highest_at = place;
  }
}

inline double largest(Doubles values) {
  double result = values[0];
  for (std::size_t lane = 1; lane < kLanes; ++lane)
    result = result < values[lane] ? values[lane] : result;
  return result;
}

// Running extremes of f. A new extreme is rare, so most vectors only need a comparison with the
// extremes so far. Each lane keeps the extreme that it found. Ties go to the last index.
class EndsFinder {
 public:
  // Written out because a compiler-generated constructor would not get the target's attributes.
  EndsFinder()
      : lowest_(all(kInfinity)),
        highest_(all(-kInfinity)),
        lowest_at_(all_longs(-1)),
        highest_at_(all_longs(-1)),
        lane_numbers_(lane_numbers()),
        all_lowest_(lowest_),
        all_highest_(highest_) {}

  [[gnu::always_inline]] inline void consider(Doubles f, const std::uint8_t* index_sets,
                                              std::size_t place) {
    const Flags flags = load_flags(index_sets);
    const Mask low = less_equal(has_bit(flags, kInUp), f, all_lowest_);
    const Mask high = less_equal(has_bit(flags, kInLow), all_highest_, f);
    if (!any(low, high)) return;
    const Longs places = lane_numbers_ + static_cast<std::int64_t>(place);
    lowest_ = choose(low, f, lowest_);
    lowest_at_ = choose(low, places, lowest_at_);
    highest_ = choose(high, f, highest_);
    highest_at_ = choose(high, places, highest_at_);
    all_lowest_ = all(-largest(-lowest_));
    all_highest_ = all(largest(highest_));
  }
  [[gnu::always_inline]] inline Extremes extremes() const {
    Extremes extremes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t low = static_cast<std::size_t>(lowest_at_[lane]);
      if (low != kNoIndex &&
          (lowest_[lane] < extremes.lowest ||
           (lowest_[lane] == extremes.lowest && low + 1 > extremes.lowest_at + 1))) {
        extremes.lowest = lowest_[lane];
        extremes.lowest_at = low;
      }
      const std::size_t high = static_cast<std::size_t>(highest_at_[lane]);
      if (high != kNoIndex &&
          (highest_[lane] > extremes.highest ||
           (highest_[lane] == extremes.highest && high + 1 > extremes.highest_at + 1))) {
        extremes.highest = highest_[lane];
        extremes.highest_at = high;
      }
    }
    return extremes;
  }

 private:
  Doubles lowest_, highest_;
  Longs lowest_at_, highest_at_;
  const Longs lane_numbers_;
  Doubles all_lowest_, all_highest_;  // the same value in every lane
};

// Runs next_vector(t) and next_value(t), which update f and return it, over a range, and finds the
// extremes of what they return.
template <typename NextVector, typename NextValue>
Extremes extremes_of_next(const std::uint8_t* index_sets, std::size_t begin, std::size_t end,
                          NextVector next_vector, NextValue next_value) {
  EndsFinder finder;
  std::size_t t = begin;
  for (; t + kLanes <= end; t += kLanes) finder.consider(next_vector(t), index_sets + t, t);
  Extremes extremes = finder.extremes();
  for (; t < end; ++t) consider_one(&extremes, next_value(t), index_sets[t], t);
  return extremes;
}

Extremes find_extremes(const double* f, const std::uint8_t* index_sets, std::size_t begin,
                       std::size_t end) {
  return extremes_of_next(
      index_sets, begin, end, [f](std::size_t t) { return load(f + t); },
      [f](std::size_t t) { return f[t]; });
}

template <typename Value>
Extremes add_pair_of(const PairUpdate& update, const Value* row_i, const Value* row_j,
                     std::size_t begin, std::size_t end) {
  double* f = update.f;
  const double change_i = update.change_i, change_j = update.change_j;
  return extremes_of_next(
      update.index_sets, begin, end,
      [=](std::size_t t) {
        const Doubles sum = load(f + t) + (load(row_i + t) * change_i + load(row_j + t) * change_j);
        store(f + t, sum);
        return sum;
      },
      [=](std::size_t t) { return f[t] += row_i[t] * change_i + row_j[t] * change_j; });
}

Extremes add_pair(const PairUpdate& update, std::size_t begin, std::size_t end) {
  const KernelRow &i = update.row_i, &j = update.row_j;
  return i.doubles != nullptr ? add_pair_of(update, i.doubles, j.doubles, begin, end)
                              : add_pair_of(update, i.floats, j.floats, begin, end);
}

template <bool kStore, typename Value>
Extremes go_along(const ConjugateUpdate& update, const Value* row_i, const Value* row_j,
                  std::size_t begin, std::size_t end) {
  double* f = update.f;
  double* q = update.q;
  const double gamma = update.gamma, lambda = update.lambda;
  return extremes_of_next(
      update.index_sets, begin, end,
      [=](std::size_t t) {
        const Doubles q_new = load(row_i + t) - load(row_j + t) + gamma * load(q + t);
        if (kStore) store(q + t, q_new);
        const Doubles sum = load(f + t) + lambda * q_new;
        store(f + t, sum);
        return sum;
      },
      [=](std::size_t t) {
        const double q_new = static_cast<double>(row_i[t]) - row_j[t] + gamma * q[t];
        if (kStore) q[t] = q_new;
        return f[t] += lambda * q_new;
      });
}

template <bool kStore>
Extremes go_along(const ConjugateUpdate& update, std::size_t begin, std::size_t end) {
  const KernelRow &i = update.row_i, &j = update.row_j;
  return i.doubles != nullptr ? go_along<kStore>(update, i.doubles, j.doubles, begin, end)
                              : go_along<kStore>(update, i.floats, j.floats, begin, end);
}

Extremes add_conjugate(const ConjugateUpdate& update, std::size_t begin, std::size_t end) {
  return update.store ? go_along<true>(update, begin, end) : go_along<false>(update, begin, end);
}

// Curvatures of the steps for candidates j, to be passed to settled().
template <bool kConjugate, bool kOneDiagonal, typename Value>
struct Curvature {
  const PartnerSearch& search;
  const Value* row;
  Doubles at(std::size_t t) const {
    const Doubles diagonal = kOneDiagonal ? all(search.row_diagonal) : load(search.diagonal + t);
    Doubles curvature =  // twice a value is exact
        multiply_add(all(-2.0), load(row + t), search.row_diagonal + diagonal);
    if (kConjugate) {
      const Doubles overlap = search.q_i - load(search.q + t);
      curvature = curvature - overlap * overlap * search.inverse;
    }
    return curvature;
  }
  Doubles settled(Doubles curvature) const {
    return choose(less(Doubles{}, curvature), curvature, all(search.least_curvature));
  }
  double at_one(std::size_t t) const {
    const double diagonal = kOneDiagonal ? search.row_diagonal : search.diagonal[t];
    double curvature = search.row_diagonal + diagonal - 2.0 * row[t];
    if (kConjugate) {
      const double overlap = search.q_i - search.q[t];
      curvature = curvature - overlap * overlap * search.inverse;
    }
    return curvature > 0 ? curvature : search.least_curvature;
  }
};

// Division is slow, so it is done only if the gain may reach the best so far. An exact quotient d/c
// that rounds to `best` or more satisfies d >= best c (1 - 2^-53); the bound below is smaller than
// that even after its own roundings. kSlack ensures that if products or the best itself are not
// normal, kLargest if a finite quotient rounds to infinity. The bound is not negative, so every
// candidate without a positive curvature gets its division.
constexpr double kNearlyOne = 1 - 0x1p-50;
constexpr double kSlack = 1e-290;

inline Doubles bound_below(double best) {
  const double bound = (best < kLargest ? best : kLargest) * kNearlyOne - kSlack;
  return all(bound > 0 ? bound : 0);
}

template <bool kConjugate, bool kOneDiagonal, typename Value>
Partner find_partner_of(const PartnerSearch& search, const Value* row, std::size_t begin,
                        std::size_t end) {
  const Curvature<kConjugate, kOneDiagonal, Value> curvature{search, row};
  Doubles best = all(-kInfinity), bound = {};
  Longs best_at = all_longs(-1);
  const auto gain_at = [&](std::size_t t) {
    const double difference = search.f[t] - search.lowest;
    const bool candidate = (search.index_sets[t] & kInLow) != 0 && difference > 0;
    return candidate ? difference * difference / curvature.at_one(t) : -kInfinity;
  };
  const double likely = search.likely == kNoIndex ? 0 : gain_at(search.likely);
  if (likely > 0) bound = bound_below(likely);  // false if it is NaN
  std::size_t t = begin;
  for (; t + kLanes <= end; t += kLanes) {
    const Doubles difference = load(search.f + t) - search.lowest;
    const Doubles square = difference * difference;
    const Doubles c = curvature.at(t);
    const Mask candidates =
        not_less(less(has_bit(load_flags(search.index_sets + t), kInLow), Doubles{}, difference),
                 square, multiply_add(bound, c, all(-kSlack)));
    if (!any(candidates)) continue;
    const Doubles gain = square / curvature.settled(c);
    const Mask better = less_equal(candidates, best, gain);
    best = choose(better, gain, best);
    best_at = choose(better, lane_numbers() + static_cast<std::int64_t>(t), best_at);
    bound = bound_below(largest(best));
  }
  Partner partner;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::size_t at = static_cast<std::size_t>(best_at[lane]);
    if (at == kNoIndex || best[lane] < partner.gain) continue;
    if (best[lane] == partner.gain && partner.at != kNoIndex && at < partner.at) continue;
    partner = {best[lane], at};
  }
  for (; t < end; ++t) {
    const double gain = gain_at(t);
    if (gain > -kInfinity && gain >= partner.gain) partner = {gain, t};
  }
  return partner;
}

template <bool kConjugate, typename Value>
Partner find_partner_of(const PartnerSearch& search, const Value* row, std::size_t begin,
                        std::size_t end) {
  return search.diagonal == nullptr ? find_partner_of<kConjugate, true>(search, row, begin, end)
                                    : find_partner_of<kConjugate, false>(search, row, begin, end);
}

template <typename Value>
Partner find_partner_of(const PartnerSearch& search, const Value* row, std::size_t begin,
                        std::size_t end) {
  return search.q != nullptr ? find_partner_of<true>(search, row, begin, end)
                             : find_partner_of<false>(search, row, begin, end);
}

Partner find_partner(const PartnerSearch& search, std::size_t begin, std::size_t end) {
  return search.row.doubles != nullptr ? find_partner_of(search, search.row.doubles, begin, end)
                                       : find_partner_of(search, search.row.floats, begin, end);
}

void add_rows(double* sums, const KernelRow& rows, std::size_t stride, const RowTerm* terms,
              std::size_t count, std::size_t width) {
  const auto add = [=](const auto* values) {
    add_weighted_rows<false, 8>(
        sums, count, width, [=](std::size_t r) { return values + terms[r].row * stride; },
        [=](std::size_t r) { return terms[r].factor; });
  };
  rows.doubles != nullptr ? add(rows.doubles) : add(rows.floats);
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_SOLVER_LOOPS_H_
