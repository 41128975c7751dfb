#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/forest/forest_predictor.h"
#include "solvers/math/draws.h"
#include "training/forest/train_forest.h"
#include "training/probability.h"

namespace svm {

RowNumbers held_out_rows(const Problem& problem, std::uint64_t seed) {
  constexpr double kMost = 20000, kPart = 0.1;
  const double part = std::min(kPart, kMost / static_cast<double>(problem.size()));
  RowNumbers held_out;
  Draws draws(seed);
  for (std::uint32_t t = 0; t < problem.size(); ++t) {
    if (draws.fraction() < part && problem.weight(t) > 0) held_out.push_back(t);
  }
  return held_out;
}

void fit_estimates(const Problem& held_out, Forest& forest, Run& run) {
  constexpr std::size_t kRowsAtOnce = 4096;  // between two looks at the clock
  svm_model& common = *forest.common;
  const ForestPredictor predictor(forest, run.services.messages, false);
  const std::size_t width = predictor.functions(), rows = held_out.size();
  const std::size_t classes = common.label == nullptr ? 0 : count_or_zero(common.nr_class);
  // By class of the row and other class; values of other pairs would be many.
  std::vector<std::vector<double>> values(classes * classes);
  std::vector<double> errors, all(std::min(kRowsAtOnce, rows) * width);
  for (std::size_t begin = 0; begin < rows && run.poll(); begin += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, rows - begin);
    predictor.predict(held_out.x + begin, count, false, *run.services.pool, {nullptr, all.data()});
    for (std::size_t i = 0; i < count; ++i) {
      const double* const of_row = all.data() + i * width;
      const double y = held_out.y[begin + i];
      if (classes == 0) errors.push_back(y - *of_row);
      const auto own = static_cast<std::size_t>(
          std::find(common.label, common.label + classes, class_label(y)) - common.label);
      for (std::size_t other = 0; other < classes; ++other) {
        if (other == own) continue;
        values[own * classes + other].push_back(of_row[pair_number(classes, own, other)]);
      }
    }
  }
  std::vector<double> slopes(std::max<std::size_t>(pair_count(classes), 1)), offsets = slopes;
  for_each_pair(classes, [&](std::size_t pair, std::size_t a, std::size_t b) {
    std::vector<double>& of_pair = values[a * classes + b];
    const std::vector<double>& of_second = values[b * classes + a];
    std::vector<double> labels(of_pair.size(), 1.0);
    labels.resize(of_pair.size() + of_second.size(), -1.0);
    of_pair.insert(of_pair.end(), of_second.begin(), of_second.end());
    const Sigmoid sigmoid = fit_sigmoid(of_pair, labels.data(), run);
    slopes[pair] = sigmoid.slope;
    offsets[pair] = sigmoid.offset;
  });
  if (classes == 0 && !run.interrupted()) slopes[0] = error_width(errors, run);
  if (!run.interrupted()) {
    common.probA = malloc_copy(slopes);
    if (classes > 0) common.probB = malloc_copy(offsets);
  } else {
    run.services.messages.warn(
        "WARNING: training was stopped; the forest has no probability estimates\n");
  }
}

}  // namespace svm
