#include "kernels/engines/whole_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace svm {
namespace {

using Features = std::vector<Examples::FeatureValues>;

constexpr double kMostByte = 255, kMostShort = 32767;
// The error of a value with six significant digits, which svm-scale writes, and that of a float,
// relative to the value.
constexpr double kDecimalError = 5.1e-6, kFloatError = 0x1p-23;

// How well the values of a feature are whole numbers of a unit.
struct Fit {
  double error = 0;                  // the largest, relative to the value and the zero
  double least = 0, most = 0;        // of the numbers
  double products = 0, squares = 0;  // sums of products of number and value, and of squared numbers

  // `scale` is 1 / unit.
  void meet(double value, const NumberOrigin& origin, double unit, double scale) {
    const double exact = (value - origin.zero) * origin.sign * scale;
    const double number = nearest_whole(exact);
    least = std::min(least, number);
    most = std::max(most, number);
    products += number * exact;
    squares += number * number;
    const double difference = std::fabs(number - exact) * unit;
    const double size = std::fabs(value) + std::fabs(origin.zero);
    if (difference > error * size) error = difference / size;
  }
  void add(const Fit& later) {
    error = std::max(error, later.error);
    least = std::min(least, later.least);
    most = std::max(most, later.most);
    products += later.products;
    squares += later.squares;
  }
  bool is(WholeForm form, double most_error) const {
    if (error > most_error) return false;
    return form == WholeForm::kBytes ? least >= 0 && most <= kMostByte
                                     : least >= -kMostShort && most <= kMostShort;
  }
};

std::vector<Fit> fits_of(double unit, const Examples& examples, const Features& features,
                         const std::vector<NumberOrigin>& origins, const RowPasses& passes) {
  const double scale = 1 / unit;
  std::vector<Fit> fits = examples.find_by_feature<Fit>(
      passes,
      [&](Fit& fit, std::uint32_t f, double value) { fit.meet(value, origins[f], unit, scale); });
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (features[f].count < examples.size()) fits[f].meet(0, origins[f], unit, scale);
  }
  return fits;
}

// Calls use(feature, value) for values spread over the examples.
template <class Use>
void for_some_values(const Examples& examples, const Use& use) {
  constexpr std::size_t kSome = 4096;
  const std::size_t step = examples.nonzeros() / kSome + 1;
  for (std::size_t p = 0; p < examples.nonzeros(); p += step) {
    use(examples.features()[p], examples.values()[p]);
  }
}

// True if so many of some values are whole numbers of the unit that a pass over all of them pays.
bool is_likely(double unit, const Examples& examples, const std::vector<NumberOrigin>& origins) {
  constexpr std::size_t kLeastShare = 16;  // one in so many
  std::size_t seen = 0, whole = 0;
  for_some_values(examples, [&](std::uint32_t feature, double value) {
    Fit fit;
    fit.meet(value, origins[feature], unit, 1 / unit);
    ++seen;
    whole += fit.is(WholeForm::kBytes, kDecimalError) || fit.is(WholeForm::kShorts, kFloatError);
  });
  return kLeastShare * whole > seen;
}

// Values with six digits give a unit with six digits.  The one with the least squared errors of all
// bytes that fit has more, so that errors of large numbers do not all have the same sign.
double fitted_unit(double unit, const std::vector<Fit>& fits) {
  double products = 0, squares = 0;
  for (const Fit& fit : fits) {
    if (fit.is(WholeForm::kBytes, kFloatError) || !fit.is(WholeForm::kBytes, kDecimalError))
      continue;
    products += fit.products;
    squares += fit.squares;
  }
  return squares == 0 ? unit : unit * products / squares;
}

// The greatest number of which nearly all of some values are multiples, if they are decimals with
// few digits behind the point.
std::optional<double> decimal_unit(const Examples& examples) {
  constexpr int kMostDecimals = 6;
  constexpr double kMostNumber = 1e9, kNearlyAll = 0.9;
  double power = 1;
  for (int digits = 0; digits <= kMostDecimals; ++digits, power *= 10) {
    std::vector<std::int64_t> numbers;
    std::size_t seen = 0;
    for_some_values(examples, [&](std::uint32_t, double value) {
      const double scaled = std::fabs(value) * power, number = nearest_whole(scaled);
      if (scaled == 0) return;
      ++seen;
      if (number <= kMostNumber && std::fabs(scaled - number) <= kFloatError * scaled) {
        numbers.push_back(static_cast<std::int64_t>(number));
      }
    });
    const double most = kNearlyAll * static_cast<double>(seen);
    if (numbers.empty() || static_cast<double>(numbers.size()) < most) continue;
    double unit = 1 / power;
    for (const std::int64_t prime : {2, 3, 5, 7}) {
      const auto has_factor = [&](std::int64_t number) { return number % prime == 0; };
      while (static_cast<double>(std::count_if(numbers.begin(), numbers.end(), has_factor)) >=
             most) {
        unit *= static_cast<double>(prime);
        numbers.erase(std::remove_if(numbers.begin(), numbers.end(), std::not_fn(has_factor)),
                      numbers.end());
        for (std::int64_t& number : numbers) number /= prime;
      }
    }
    return unit;
  }
  return std::nullopt;
}

std::vector<double> units_of(const Examples& examples, const Features& features) {
  std::map<double, std::size_t> ranges;
  for (const Examples::FeatureValues& feature : features) {
    if (feature.distinct > 1) ++ranges[feature.most - feature.least];
  }
  std::vector<double> units;
  const auto add = [&](double unit) {
    const bool is_usable = unit > 0x1p-100 && unit < 0x1p100;
    if (is_usable && std::find(units.begin(), units.end(), unit) == units.end())
      units.push_back(unit);
  };
  if (ranges.empty()) return units;
  const auto common =
      std::max_element(ranges.begin(), ranges.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  add(ranges.rbegin()->first / kMostByte);
  add(common->first / kMostByte);
  if (const std::optional<double> unit = decimal_unit(examples)) add(*unit);
  return units;
}

}  // namespace

// The vote of Boyer and Moore: a value that more than half of the rows have is the last candidate.
std::vector<TypicalValue> typical_values(const Examples& examples) {
  constexpr std::size_t kSomeRows = 4096;
  struct Candidate {
    double value = 0, sum = 0;
    std::size_t votes = 0, rows = 0;

    void vote(double for_value, std::size_t count) {
      if (value == for_value) {
        votes += count;
      } else if (votes >= count) {
        votes -= count;
      } else {
        value = for_value;
        votes = count - votes;
      }
    }
  };
  std::vector<Candidate> candidates(examples.dimension());
  const std::size_t step = examples.size() / kSomeRows + 1;
  const std::size_t rows = (examples.size() + step - 1) / step;
  const auto for_some = [&](const auto& use) {
    for (std::size_t i = 0; i < examples.size(); i += step) {
      for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
        use(candidates[examples.features()[p]], examples.values()[p]);
      }
    }
  };
  for_some([](Candidate& candidate, double value) {
    candidate.vote(value, 1);
    candidate.sum += value;
    ++candidate.rows;
  });
  for (Candidate& candidate : candidates) {
    const std::size_t absent = rows - candidate.rows;
    candidate.vote(0, absent);
    candidate.votes = candidate.value == 0 ? absent : 0;
  }
  for_some([](Candidate& candidate, double value) {
    candidate.votes += value == candidate.value ? 1 : 0;
  });
  std::vector<TypicalValue> typical;
  typical.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    typical.push_back(
        {candidate.value, 2 * candidate.votes > rows, candidate.sum / static_cast<double>(rows)});
  }
  return typical;
}

std::vector<NumberOrigin> number_origins(const Features& features,
                                         const std::vector<TypicalValue>& typical,
                                         bool of_distances) {
  std::vector<NumberOrigin> origins;
  for (std::size_t f = 0; f < features.size(); ++f) {
    const double least = features[f].least, most = features[f].most;
    if (of_distances) {
      const bool is_most = typical[f].frequent == most;
      origins.push_back(is_most ? NumberOrigin{most, -1} : NumberOrigin{least, 1});
    } else {
      origins.push_back({0, most <= 0 ? -1.0 : 1.0});
    }
  }
  return origins;
}

std::vector<WholeNumbers> ways_to_whole_numbers(const Examples& examples, const Features& features,
                                                const std::vector<NumberOrigin>& origins,
                                                const RowPasses& passes) {
  std::vector<WholeNumbers> ways;
  for (const double some_unit : units_of(examples, features)) {
    if (!is_likely(some_unit, examples, origins)) continue;
    std::vector<Fit> fits = fits_of(some_unit, examples, features, origins, passes);
    const double unit = fitted_unit(some_unit, fits);
    if (unit != some_unit) fits = fits_of(unit, examples, features, origins, passes);
    const auto add = [&](WholeForm form, double most_error) {
      WholeNumbers way{unit, form, {}};
      std::size_t count = 0;
      for (std::size_t f = 0; f < features.size(); ++f) {
        way.is_whole.push_back(features[f].count > 0 && fits[f].is(form, most_error));
        count += way.is_whole.back() ? 1 : 0;
      }
      const bool is_new =
          ways.empty() || ways.back().unit != unit || ways.back().is_whole != way.is_whole;
      if (count > 0 && is_new) ways.push_back(std::move(way));
    };
    add(WholeForm::kBytes, kDecimalError);
    add(WholeForm::kBytes, kFloatError);
    add(WholeForm::kShorts, kFloatError);
  }
  return ways;
}

}  // namespace svm
