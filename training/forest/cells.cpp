#include "training/forest/cells.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "solvers/math/draws.h"

namespace svm {
namespace {

// Rows by which it is decided how to cut a cell, and features that are tried.
constexpr std::size_t kSampleOfCell = 1024, kTrials = 10;
// A threshold cuts off at least this part of the rows of a cell, but for equal values.  Features by
// which it is less than kLeastRows of the sample are taken only if there is no other.
constexpr double kLeastSide = 0.2, kLeastRows = kSampleOfCell / 20.0;
constexpr std::size_t kMostDepth = 100, kRowsPerTask = 1024;
// Features whose squared distances from the mean have a larger sum count as constant.
constexpr double kMostSquares = 1e300;

struct Sums {
  double count = 0, mean = 0, squares = 0;  // squared distances from the mean
  void add(double value) {
    const double distance = value - mean;
    mean += distance / ++count;
    squares += distance * (value - mean);
  }
};

// The quantile, or if it is the largest value, the next one below.  Nothing if all are equal.
std::optional<double> quantile_of(std::vector<double> values, double part) {
  const auto quantile =
      values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size()));
  std::nth_element(values.begin(), quantile, values.end());
  const double largest = *std::max_element(quantile, values.end());
  if (*quantile < largest) return *quantile;
  const auto end = std::partition(values.begin(), values.end(),
                                  [largest](double value) { return value < largest; });
  if (end == values.begin()) return std::nullopt;
  return *std::max_element(values.begin(), end);
}

class Cutter {
 public:
  Cutter(const Problem& problem, const CellRules& rules, std::uint64_t seed, Run& run)
      : problem_(problem), rules_(rules), draws_(seed), run_(run) {}

  Cells cut(RowNumbers rows) {
    add(std::move(rows), 0);
    return std::move(cells_);
  }

 private:
  void add(RowNumbers rows, std::size_t depth) {
    const std::size_t place = cells_.tree.size();
    cells_.tree.emplace_back();
    RowNumbers left, right;
    if (rows.size() > rules_.most && depth < kMostDepth && run_.poll()) {
      if (const std::optional<Split> split = split_of(rows)) {
        for (std::size_t k = 0; k < rows.size(); ++k) {
          (values_[k] > split->threshold ? left : right).push_back(rows[k]);
        }
        cells_.tree[place].split = *split;
      }
    }
    // A single row cannot be cross validated.
    constexpr std::size_t kLeastValidated = 10;
    if (std::min(left.size(), right.size()) < (rules_.most < kLeastValidated ? 1 : 2)) {
      cells_.rows.push_back(std::move(rows));
      return;
    }
    RowNumbers().swap(rows);
    add(std::move(left), depth + 1);
    cells_.tree[place].right = cells_.tree.size() - place;
    add(std::move(right), depth + 1);
  }

  // Leaves the rows' values in values_.
  std::optional<Split> split_of(const RowNumbers& rows) {
    std::vector<DataRow> sample;
    std::vector<double> labels;
    // Classes become random numbers: how far these differ is on average how often the classes do.
    const std::uint64_t codes = draws_.bits();
    for (std::size_t k = 0; k < std::min(kSampleOfCell, rows.size()); ++k) {
      const std::size_t t = rows[rows.size() > kSampleOfCell ? draws_.below(rows.size()) : k];
      const auto code = static_cast<std::uint64_t>(class_label(problem_.y[t])) << 32U;
      sample.push_back(problem_.x[t]);
      labels.push_back(rules_.is_classification ? Draws(codes ^ code).fraction() : problem_.y[t]);
    }
    std::optional<Split> split = best_split(sample, labels);
    if (!split) return split;
    values_.resize(rows.size());
    run_.services.pool->for_chunks(rows.size(), kRowsPerTask,
                                   [&](std::size_t begin, std::size_t end) {
                                     for (std::size_t k = begin; k < end; ++k) {
                                       values_[k] = split->value(problem_.x[rows[k]]);
                                     }
                                   });
    const std::optional<double> threshold = quantile_of(values_, split->threshold);
    if (!threshold) return std::nullopt;
    split->threshold = *threshold;
    return split;
  }

  // The best of some features, drawn in proportion to their variances, with the quantile of the
  // threshold in its place.  Nothing if none varies within the range of doubles.
  std::optional<Split> best_split(const std::vector<DataRow>& sample,
                                  const std::vector<double>& labels) {
    std::map<int, Sums> features;
    for (const DataRow& row : sample) {
      row.for_each([&](int index, double value) {
        if (value != 0) features[index].add(value);
      });
    }
    double all = 0;
    for (auto& [index, sums] : features) {
      const auto count = static_cast<double>(sample.size());  // with the values that are 0
      sums.squares += sums.mean * sums.mean * sums.count * (count - sums.count) / count;
      const double weight = rules_.weights.of(index);
      sums.squares *= weight * weight;
      if (!(sums.squares <= kMostSquares)) sums.squares = 0;
      all += sums.squares;
    }
    std::optional<Split> best;
    std::pair<bool, double> rank_of_best;
    std::vector<double> values(sample.size());
    for (std::size_t trial = 0; trial < kTrials; ++trial) {
      double left_over = draws_.fraction() * all;
      const auto drawn = std::find_if(features.begin(), features.end(), [&](const auto& feature) {
        left_over -= feature.second.squares;
        return left_over < 0;
      });
      const double part = kLeastSide + (1 - 2 * kLeastSide) * draws_.fraction();
      if (drawn == features.end()) continue;
      const Split split = {drawn->first, part};
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = split.value(sample[k]);
      const std::optional<double> threshold = quantile_of(values, part);
      if (!threshold) continue;
      Sums left, right;
      for (std::size_t k = 0; k < values.size(); ++k) {
        (values[k] > *threshold ? left : right).add(labels[k]);
      }
      const std::pair<bool, double> rank = {std::min(left.count, right.count) < kLeastRows,
                                            left.squares + right.squares};
      if (best && !(rank < rank_of_best)) continue;
      best = split;
      rank_of_best = rank;
    }
    return best;
  }

  const Problem problem_;
  const CellRules& rules_;
  Draws draws_;
  Run& run_;
  Cells cells_;
  std::vector<double> values_;
};

}  // namespace

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t part) {
  return Draws(seed ^ Draws(part).bits()).bits();
}

RowNumbers sample_of(const RowNumbers& rows, std::size_t count, std::uint64_t seed) {
  const double part = static_cast<double>(count) / static_cast<double>(rows.size());
  RowNumbers sample;
  Draws draws(seed);
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(sample),
               [&](std::uint32_t) { return draws.fraction() < part; });
  return sample;
}

Cells make_cells(const Problem& problem, RowNumbers rows, const CellRules& rules,
                 std::uint64_t seed, Run& run) {
  return Cutter(problem, rules, seed, run).cut(std::move(rows));
}

Cells upper_cells(RowSource& source, const Problem& problem, const RowNumbers& rows,
                  const CellRules& rules, std::uint64_t seed, Run& run) {
  // The sample, and the least of it that a part stands for.
  constexpr std::size_t kSample = 16384, kLeastOfPart = 128;
  const RowNumbers sample = rows.size() > kSample ? sample_of(rows, kSample, seed) : rows;
  const LoadedRows loaded = source.load(sample, run);
  CellRules of_sample = rules;
  if (sample.size() < rows.size()) {
    of_sample.most = std::max(sample.size() * rules.most / rows.size(), kLeastOfPart);
  }
  return make_cells(problem, sample, of_sample, seed, run);
}

std::vector<std::size_t> leaves_of(const Tree& tree) {
  std::vector<std::size_t> leaves;
  for (std::size_t n = 0; n < tree.size(); ++n) {
    if (tree[n].is_leaf()) leaves.push_back(n);
  }
  return leaves;
}

void RowSource::divide(const RowNumbers& rows, const Tree& tree, Run& run) {
  std::vector<std::size_t> node(rows.size());
  run.services.pool->for_chunks(rows.size(), kRowsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) node[k] = leaf_of(tree, problem_.x[rows[k]]);
  });
  std::vector<RowNumbers> of_node(tree.size());
  for (std::size_t k = 0; k < rows.size(); ++k) of_node[node[k]].push_back(rows[k]);
  parts_.clear();
  for (const std::size_t leaf : leaves_of(tree)) parts_.push_back(std::move(of_node[leaf]));
}

}  // namespace svm
