#include "tests/sweep/net_cases.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "tests/rows.h"
#include "tests/sweep/sweep_cases.h"

namespace svm::test {
namespace {

using Values = std::vector<std::pair<int, double>>;  // feature from 1, value

class Chance {
 public:
  explicit Chance(std::uint64_t number) : draws_((number + 1) * 0x9E3779B97F4A7C15ULL) {
    for (int k = 0; k < 4; ++k) draws_.bits();
  }
  std::size_t below(std::size_t count) { return draws_.below(count); }
  std::size_t among(std::size_t least, std::size_t most) { return least + below(most - least + 1); }
  double between(double low, double high) { return draws_.between(low, high); }
  bool one_in(std::size_t count) { return below(count) == 0; }
  // Draws one of the values; repeated values are drawn more often.
  template <typename Value>
  Value pick(std::initializer_list<Value> values) {
    return *(values.begin() + below(values.size()));
  }

 private:
  Draws draws_;
};

enum Kind {
  kFewDifferent,
  kBits,
  kWholeNumbers,
  kUniform,
  kTwoClusters,
  kNearDuplicates,
  kNearlyConstant,
  kSparse,
  kMixedScales,
  kDecimals,
  kOnALine
};
const char* const kKindNames[] = {
    "few different rows", "bits",   "whole numbers", "uniform",  "two clusters", "near duplicates",
    "nearly constant",    "sparse", "mixed scales",  "decimals", "on a line"};

// Makes the rows of a kind, one after the other.
class RowMaker {
 public:
  RowMaker(Kind kind, Chance& chance) : kind_(kind), chance_(chance) {
    features_ = chance.among(1, kind == kMixedScales || kind == kUniform ? 16 : 8);
    if (kind == kUniform && chance.one_in(4)) features_ = chance.among(50, 120);
    step_ = chance.pick({1, 1, 3, 10, 255});
    if (kind == kBits) {
      features_ = chance.pick<std::size_t>({8, 20, 60, 100});
      density_ = chance.pick({0.05, 0.2, 0.5});
    }
    if (kind == kTwoClusters) width_ = chance.pick({1e-6, 1e-3, 0.1, 0.5});
    if (kind == kNearDuplicates) width_ = chance.pick({1e-12, 1e-9, 1e-6, 1e-3});
    if (kind == kNearlyConstant) width_ = chance.pick({0.0, 0.001, 0.05});
    if (kind == kMixedScales) {
      for (std::size_t k = 0; k < features_; ++k) {
        scales_.push_back(chance.pick({1e-3, 1e-2, 0.1, 1.0, 1.0, 10.0, 100.0, 1000.0}));
      }
    }
    if (kind == kSparse) make_indices();
    std::size_t centres = chance.pick<std::size_t>({2, 2, 3, 4, 8, 16, 32, 64});
    if (kind == kTwoClusters) centres = 2;
    if (kind == kNearlyConstant) centres = 1;
    in_blocks_ = chance.one_in(2);
    style_ = chance.pick({kUniform, kWholeNumbers, kBits});
    for (std::size_t c = 0; c < centres; ++c) centres_.push_back(dense(style_));
  }

  bool has_few() const { return kind_ == kFewDifferent; }
  std::size_t centres() const { return centres_.size(); }

  // Row `i` of `count`.
  Values make(std::size_t i, std::size_t count) {
    switch (kind_) {
      case kFewDifferent:
        return centre(i, count);
      case kTwoClusters:
      case kNearDuplicates: {
        Values row = centre(i, count);
        for (auto& [feature, value] : row) value += width_ * chance_.between(-1, 1);
        return row;
      }
      case kNearlyConstant:
        return chance_.between(0, 1) < width_ ? dense(style_) : centres_[0];
      case kSparse:
        return sparse();
      case kMixedScales: {
        Values row = dense(kUniform);
        for (std::size_t k = 0; k < row.size(); ++k) row[k].second *= scales_[k];
        return row;
      }
      case kOnALine: {
        const double place = chance_.between(-1, 1);
        Values row = centres_[0];
        for (auto& [feature, value] : row) value *= place;
        return row;
      }
      default:
        return dense(kind_);
    }
  }

 private:
  Values centre(std::size_t i, std::size_t count) {
    const std::size_t size = centres_.size();
    return centres_[in_blocks_ ? i * size / count
                               : std::min(chance_.below(size), chance_.below(size))];
  }

  Values dense(Kind style) {
    Values row;
    for (std::size_t k = 0; k < features_; ++k) {
      double value = chance_.between(-1, 1);
      if (style == kBits) value = chance_.between(0, 1) < density_ ? 1 : 0;
      if (style == kWholeNumbers) value = std::floor(step_ * (value + 1));
      if (style == kDecimals) value = std::round(100 * value) / 100;
      row.emplace_back(static_cast<int>(k) + 1, value);
    }
    return row;
  }

  void make_indices() {
    const int most = chance_.pick({100, 10000, 1000000});
    std::set<int> indices;
    const std::size_t count = chance_.pick<std::size_t>({20, 90, 90});
    while (indices.size() < count) {
      indices.insert(1 + static_cast<int>(chance_.below(static_cast<std::size_t>(most))));
    }
    indices_.assign(indices.begin(), indices.end());
    has_ones_ = chance_.one_in(2);
  }

  Values sparse() {
    std::map<int, double> row;
    for (std::size_t k = chance_.among(1, 6); k > 0; --k) {
      row[indices_[chance_.below(indices_.size())]] = has_ones_ ? 1 : chance_.between(0, 1);
    }
    return {row.begin(), row.end()};
  }

  const Kind kind_;
  Chance& chance_;
  std::size_t features_ = 0;
  int step_ = 1;
  double density_ = 0.5, width_ = 0;
  bool in_blocks_ = false, has_ones_ = false;
  Kind style_ = kUniform;
  std::vector<double> scales_;
  std::vector<int> indices_;
  std::vector<Values> centres_;
};

// A noisy function of the first values of a row.
double score_of(const Values& row, double noise, Chance& chance) {
  double score = noise * chance.between(-1, 1);
  for (std::size_t k = 0; k < row.size() && k < 4; ++k) {
    const double x = row[k].second * (1 + 1e-4 * (row[k].first % 7));
    score += k % 2 == 0 ? x : 0.5 * x * x;
  }
  return score;
}

// Classes 1 and -1, or 1, 2 and 3, by the order of the scores.
std::vector<double> labels_of(const std::vector<double>& scores, bool three, Chance& chance) {
  std::vector<double> sorted = scores;
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double part) {
    return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
  };
  const double part = three ? 0.33 : chance.pick({0.5, 0.5, 0.5, 0.7, 0.1, 0.02, 0.0003});
  const double first = at(part), second = at(0.67);
  std::vector<double> labels;
  labels.reserve(scores.size());
  for (const double score : scores) {
    labels.push_back(score <= first ? 1 : !three ? -1 : score <= second ? 2 : 3);
  }
  // Equal scores may all be of one class.
  if (std::count(labels.begin(), labels.end(), 1) == static_cast<std::ptrdiff_t>(labels.size())) {
    for (std::size_t i = 0; i < labels.size(); i += 3) labels[i] = three ? 2 : -1;
  }
  return labels;
}

double mean_square(const std::vector<Values>& rows) {
  double sum = 0;
  for (const Values& row : rows) {
    for (const auto& [feature, value] : row) sum += value * value;
  }
  return sum > 0 ? sum / static_cast<double>(rows.size()) : 1;
}

// The largest nu for which nu-SVC has a feasible point: the least share of the smaller class in a
// pair of classes, twice.
double largest_nu(const Data& rows, const double* weights) {
  std::map<double, double> sizes;  // of the classes that are not left out
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double weight = weights == nullptr ? 1 : weights[i];
    if (weight > 0) sizes[rows.label(i)] += weight;
  }
  double largest = 1;
  for (auto a = sizes.begin(); a != sizes.end(); ++a) {
    for (auto b = std::next(a); b != sizes.end(); ++b) {
      const double smaller = std::min(a->second, b->second);
      largest = std::min(largest, 2 * smaller / (a->second + b->second));
    }
  }
  return largest;
}

// The violation of optimality when a solver begins; 0 if there is none, or no training.
double first_violation(const svm_problem& problem, const svm_parameter& param,
                       const double* weights) {
  svm_options options;
  svm_init_options(&options, sizeof(options));
  options.solver = "smo";
  options.max_iter = 1;
  options.threads = 1;
  options.print = [](const char*, void*) {};
  options.warn = [](const char*, void*) {};
  options.row_weights = weights;
  svm_result result{};
  result.size = sizeof(result);
  svm_model* model = test::train(&problem, &param, &options, &result);
  svm_free_and_destroy_model(&model);
  return result.violation;
}

double rounded(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return std::strtod(text, nullptr);
}

void choose_kernel(svm_parameter& param, double square, Chance& chance) {
  const bool fits = !chance.one_in(4);
  param.gamma = fits ? chance.pick({0.1, 0.3, 1.0, 1.0, 10.0}) / square
                     : chance.pick({1e-3, 1e-2, 0.1, 1.0, 10.0});
  param.degree = chance.pick({2, 3, 3, 5});
  param.coef0 = param.kernel_type == SIGMOID ? chance.pick({-0.5, 0.0}) : chance.pick({1.0, 0.0});
  param.cache_size = chance.pick({1.0, 20.0, 100.0});
  param.C = chance.pick({0.01, 0.1, 1.0, 1.0, 10.0, 10.0, 100.0, 1e3, 1e4, 1e5});
  if (chance.one_in(12)) param.C = chance.pick({1e-3, 1e6, 1e8, 1e10});
  if (param.kernel_type == LINEAR && !chance.one_in(4)) param.C /= square;
}

}  // namespace

NetCase::NetCase(std::uint64_t of) : number(of) {
  Chance chance(of);
  param = parameters(chance.pick({C_SVC, C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}),
                     chance.pick({LINEAR, LINEAR, POLY, RBF, RBF, RBF, SIGMOID}));
  chance.one_in(7);  // unused; without this draw, all problems would change
  const bool is_regression = param.svm_type == EPSILON_SVR || param.svm_type == NU_SVR;
  const bool three = has_classes() && chance.one_in(7);
  checks_threads = three || chance.one_in(8);
  folds = checks_threads && chance.one_in(4) ? 5 : 0;
  const bool is_precomputed = !checks_threads && chance.one_in(80);
  // Regressions have two variables for each row.
  std::size_t count = chance.among(4100, 6000);
  if (is_regression && chance.one_in(2)) count /= 2;
  if (three) count = chance.among(6300, 7000);
  if (folds > 0) count = count * 5 / 4;
  if (is_precomputed) count = is_regression ? 2100 : 4100;

  const auto kind = static_cast<Kind>(
      chance.pick({kFewDifferent, kFewDifferent, kFewDifferent, kBits, kWholeNumbers, kUniform,
                   kUniform, kTwoClusters, kNearDuplicates, kNearlyConstant, kSparse, kMixedScales,
                   kDecimals, kOnALine}));
  rows_kind = kKindNames[kind];
  RowMaker maker(kind, chance);
  different = maker.has_few() ? maker.centres() : count;
  double scale = 1;
  if (chance.one_in(3)) scale = chance.pick({8e-4, 1e-3, 0.01, 0.1, 10.0, 100.0, 1e3, 1e4, 1e6});
  if (chance.one_in(150)) scale = 1e20;
  if (chance.one_in(4)) layout = all_layouts()[chance.below(all_layouts().size())];
  if (layout && kind == kSparse && layout->layout == SVM_DENSE) layout->layout = SVM_CSR_INT32;
  if (is_precomputed) layout.reset();

  const double noise = chance.pick({0.0, 0.1, 0.1, 1.0, 100.0});
  std::vector<Values> made;
  std::vector<double> targets;
  for (std::size_t i = 0; i < count; ++i) {
    made.push_back(maker.make(i, count));
    targets.push_back(score_of(made.back(), noise, chance));
    for (auto& [feature, value] : made.back()) {
      value *= scale;
      if (layout && layout->value_type == SVM_FLOAT) value = static_cast<float>(value);
    }
  }
  const double target_scale = chance.pick({1.0, 1.0, 1.0, 1e-3, 1000.0});
  if (has_classes()) {
    targets = labels_of(targets, three, chance);
  } else {
    const bool rounds = chance.one_in(4);
    for (double& target : targets) target = target_scale * (rounds ? std::round(target) : target);
  }
  for (std::size_t i = 0; i < count; ++i) {
    Row row;
    for (const auto& [feature, value] : made[i]) {
      if (value != 0) row.push_back({feature, value});
    }
    most_nodes = std::max(most_nodes, row.size());
    row.push_back({-1, 0});
    rows.add_row(targets[i], row);
  }

  choose_kernel(param, mean_square(made), chance);
  param.eps =
      chance.pick({1e-3, 1e-3, 1e-3, 1e-3, 1e-2, 0.1, 0.1, 0.5, 0.5, 1.0, 2.0, 10.0, 1e-4, 1e-5});
  param.p = chance.pick({0.0, 0.01, 0.1, 0.1, 1.0}) * target_scale;
  param.shrinking = chance.one_in(3) ? 0 : 1;
  param.nu = chance.pick({0.001, 0.01, 0.1, 0.1, 0.3, 0.5, 0.50013, 0.9});
  if (chance.one_in(6)) row_weights = make_row_weights(of, count);
  if (param.svm_type == C_SVC && chance.one_in(5)) {
    class_labels_[0] = 1;
    class_labels_[1] = three ? 2 : -1;
    class_weights_[0] = chance.pick({10.0, 100.0});
    class_weights_[1] = chance.pick({0.5, 1.0});
    param.nr_weight = 2;
    param.weight_label = class_labels_;
    param.weight = class_weights_;
  }
  if (is_precomputed) {
    rows = precomputed(rows, param);
    most_nodes = count;
    param.kernel_type = PRECOMPUTED;
    different = count;
  }
  if (param.svm_type == NU_SVC) {
    param.nu *= largest_nu(rows, given_weights());
  }
  // If the tolerance is about the initial violation, few steps or none are left to do.
  if (chance.one_in(5)) {
    const double first = first_violation(rows.problem(), param, given_weights());
    const double wanted = rounded(first / chance.between(1, 2.5));
    if (wanted > 1e-6 && wanted < 100) param.eps = wanted;
  }
  const bool is_poly = param.kernel_type == POLY;
  if (chance.one_in(is_poly ? 4 : 8)) {
    start = param;
    start->C *= chance.pick({1e-3, 0.1, 10.0, 1e4});
    // A power of gamma makes coefficients that differ by many orders of magnitude.
    if (param.kernel_type != PRECOMPUTED) {
      start->gamma *= chance.pick({is_poly ? 1e-5 : 1e-3, is_poly ? 1e-3 : 0.1, 1.0, 30.0});
    }
    start->nu *= chance.pick({0.1, 0.5, 1.0});
    start->eps = std::max(1e-3, param.eps);
  }
}

std::vector<std::string> NetCase::commands(const std::string& file) const {
  const auto options_of = [&](const svm_parameter& p) {
    char text[400];
    std::snprintf(text, sizeof(text),
                  "-s %d -t %d -d %d -g %.17g -r %g -c %.17g -n %.17g -p %g -m %g -e %g -h %d",
                  p.svm_type, p.kernel_type, p.degree, p.gamma, p.coef0, p.C, p.nu, p.p,
                  p.cache_size, p.eps, p.shrinking);
    std::string options = text;
    for (int k = 0; k < p.nr_weight; ++k) {
      std::snprintf(text, sizeof(text), " -w%d %g", p.weight_label[k], p.weight[k]);
      options += text;
    }
    if (!row_weights.empty()) options += " --row-weights " + file + ".weights";
    return options;
  };
  std::vector<std::string> all;
  const std::string from = file + ".start";
  if (start) {
    all.push_back("svm-train -a smo --max-iter 50000 --digits 17 " + options_of(*start) + " " +
                  file + " " + from);
  }
  all.push_back(std::string("svm-train -a ") + solver + " " + options_of(param) +
                (start ? " --init " + from : "") + " " + file + " " + file + ".model");
  return all;
}

std::string NetCase::text() const {
  std::string line =
      "case " + std::to_string(number) + ": " + std::to_string(rows.size()) + " rows, " + rows_kind;
  if (different < rows.size()) line += " (" + std::to_string(different) + ")";
  if (layout) line += ", view (" + text_of(*layout) + ")";
  if (folds > 0) line += ", folds";
  for (const std::string& command : commands("FILE")) line += "; " + command;
  return line;
}

}  // namespace svm::test
