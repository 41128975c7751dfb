// The solvers' passes as plain code, and random variables for them.
#ifndef SVM_TESTS_SOLVERS_PLAIN_PASSES_H_
#define SVM_TESTS_SOLVERS_PLAIN_PASSES_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/loops.h"
#include "tests/training_data.h"

namespace svm::test {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

// True if both have the same bits or are NaN.
inline bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof(a)) == 0;
}

inline testing::AssertionResult same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return testing::AssertionFailure() << "sizes differ";
  for (std::size_t t = 0; t < a.size(); ++t) {
    if (!same(a[t], b[t])) {
      return testing::AssertionFailure() << "at " << t << ": " << a[t] << " and " << b[t];
    }
  }
  return testing::AssertionSuccess();
}

inline testing::AssertionResult same(const Extremes& a, const Extremes& b) {
  if (same(a.lowest, b.lowest) && same(a.highest, b.highest) && a.lowest_at == b.lowest_at &&
      a.highest_at == b.highest_at) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << a.lowest << " at " << a.lowest_at << ", " << a.highest << " at " << a.highest_at
         << "; expected " << b.lowest << " at " << b.lowest_at << ", " << b.highest << " at "
         << b.highest_at;
}

inline testing::AssertionResult same(const Partner& a, const Partner& b) {
  if (same(a.gain, b.gain) && a.at == b.at) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << a.gain << " at " << a.at << ", expected " << b.gain << " at " << b.at;
}

// --- the plain code ---

inline Extremes plain_extremes(const std::vector<double>& f,
                               const std::vector<std::uint8_t>& index_sets, std::size_t begin,
                               std::size_t end) {
  Extremes extremes;
  for (std::size_t t = begin; t < end; ++t) {
    if ((index_sets[t] & 1U) != 0 && f[t] <= extremes.lowest) {
      extremes.lowest = f[t];
      extremes.lowest_at = t;
    }
    if ((index_sets[t] & 2U) != 0 && f[t] >= extremes.highest) {
      extremes.highest = f[t];
      extremes.highest_at = t;
    }
  }
  return extremes;
}

inline Partner plain_partner(const PartnerSearch& s, std::size_t begin, std::size_t end) {
  Partner best;
  for (std::size_t t = begin; t < end; ++t) {
    const double difference = s.f[t] - s.lowest;
    if ((s.index_sets[t] & 2U) == 0 || !(difference > 0)) continue;
    const double diagonal = s.diagonal == nullptr ? s.row_diagonal : s.diagonal[t];
    double curvature = s.row_diagonal + diagonal - 2 * s.row[t];
    if (s.q != nullptr) {
      const double overlap = s.q_i - s.q[t];
      curvature -= overlap * overlap * s.inverse;
    }
    if (!(curvature > 0)) curvature = s.least_curvature;
    const double gain = difference * difference / curvature;
    if (gain >= best.gain) {
      best.gain = gain;
      best.at = t;
    }
  }
  return best;
}

// --- random variables ---

enum class Style { kTies, kAnything, kInfinities, kTiny, kWide };
inline constexpr Style kStyles[] = {Style::kTies, Style::kAnything, Style::kInfinities,
                                    Style::kTiny, Style::kWide};

inline double draw(Draws& draws, Style style) {
  static constexpr double kFew[] = {-1.5, -1, -0.25, -0.0, 0, 0.25, 1, 1.5};
  const double few = kFew[draws.below(8)];
  switch (style) {
    case Style::kTies:
      return few;
    case Style::kInfinities:
      return draws.below(6) == 0 ? (draws.below(2) == 0 ? kInfinite : -kInfinite) : few;
    case Style::kTiny:
      return few * (draws.below(3) == 0 ? 1e-150 : 1e-160);
    case Style::kWide:
      return draws.between(-1, 1) * std::pow(10, draws.between(-165, 165));
    default:
      return draws.between(-2, 2);
  }
}

inline float draw_float(Draws& draws, Style style) {
  if (style == Style::kTiny || style == Style::kWide) {
    return static_cast<float>(draws.between(-1, 1) * std::pow(10, draws.between(-44, 38)));
  }
  return static_cast<float>(draw(draws, style));
}

struct Variables {
  Variables(std::size_t count, Style style, Draws& draws) {
    for (std::size_t t = 0; t < count; ++t) {
      f.push_back(draw(draws, style));
      q.push_back(draw(draws, style));
      diagonal.push_back(std::fabs(draw(draws, draws.below(2) == 0 ? Style::kTies : style)));
      row_i_.push_back(draw_float(draws, style));
      row_j_.push_back(draw_float(draws, style));
      wide_row_i_.push_back(draw(draws, style));
      wide_row_j_.push_back(draw(draws, style));
      index_sets.push_back(static_cast<std::uint8_t>(draws.below(4)));
    }
  }
  // Row i in floats, or other values in doubles.
  KernelRow row_i(bool doubles) const {
    return doubles ? KernelRow(wide_row_i_.data()) : KernelRow(row_i_.data());
  }
  KernelRow row_j(bool doubles) const {
    return doubles ? KernelRow(wide_row_j_.data()) : KernelRow(row_j_.data());
  }

  std::vector<double> f, q, diagonal;
  std::vector<std::uint8_t> index_sets;

 private:
  std::vector<float> row_i_, row_j_;
  std::vector<double> wide_row_i_, wide_row_j_;
};

// A random place in [begin, end), or kNoIndex.
inline std::size_t any_place(std::size_t begin, std::size_t end, Draws& draws) {
  return begin == end || draws.below(3) == 0 ? kNoIndex : begin + draws.below(end - begin);
}

// A search over these variables, with a random likely index.
inline PartnerSearch random_search(const Variables& v, Style style, bool conjugate, Draws& draws) {
  static constexpr double kLeast[] = {1e-12, 1e-12, 1, 1e-300};
  const std::size_t i = v.f.empty() ? 0 : draws.below(v.f.size());
  PartnerSearch search{};
  search.f = v.f.data();
  search.index_sets = v.index_sets.data();
  search.row = v.row_i(draws.below(2) == 0);
  search.diagonal = draws.below(3) == 0 ? nullptr : v.diagonal.data();
  search.row_diagonal = std::fabs(draw(draws, style));
  search.lowest = v.f.empty() || draws.below(2) == 0 ? draw(draws, style) : v.f[i];
  search.least_curvature = kLeast[draws.below(4)];
  if (conjugate) {
    search.q = v.q.data();
    search.q_i = draw(draws, style);
    search.inverse = std::fabs(draw(draws, style));
  }
  return search;
}

}  // namespace svm::test

#endif  // SVM_TESTS_SOLVERS_PLAIN_PASSES_H_
