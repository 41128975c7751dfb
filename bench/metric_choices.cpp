// Compares constants of the learned metric (training/metric/learn_metric.h) by validation rows.
//
//   metric_choices TRAIN VALIDATION SVM_TYPE C GAMMA TUBE CELL
//
// Learns a metric of TRAIN with other constants, one at a time, trains a forest of five trees with
// it, and prints a line for each: the constant, its value, the error on VALIDATION (percent, or for
// regressions the root of the mean squared error), and whether the metric was taken.
// bench/metric.py --choices runs it on all data sets.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <type_traits>
#include <vector>

#include "base/platform/index_range.h"
#include "model/forest/forest_predictor.h"
#include "model/svm_type.h"
#include "programs/cli/training_set.h"
#include "programs/data/dataset.h"
#include "training/call.h"
#include "training/forest/train_forest.h"

namespace {

using namespace svm;

struct Variant {
  const char* constant;
  double value;
  void (*set)(MetricRecipe& recipe, double value);
};

template <auto Member>
void set(MetricRecipe& recipe, double value) {
  recipe.*Member = static_cast<std::remove_reference_t<decltype(recipe.*Member)>>(value);
}

const Variant kVariants[] = {{"as it is", 0, [](MetricRecipe&, double) {}},
                             {"exponent", 0.25, set<&MetricRecipe::exponent>},
                             {"exponent", 0.35, set<&MetricRecipe::exponent>},
                             {"exponent", 0.5, set<&MetricRecipe::exponent>},
                             {"rounds", 1, set<&MetricRecipe::rounds>},
                             {"rounds", 3, set<&MetricRecipe::rounds>},
                             {"rounds", 8, set<&MetricRecipe::rounds>},
                             {"margin", 1, set<&MetricRecipe::margin>},
                             {"margin", 2, set<&MetricRecipe::margin>},
                             {"margin", 5, set<&MetricRecipe::margin>},
                             {"choice", 0, set<&MetricRecipe::choice_margin>},
                             {"choice", 2, set<&MetricRecipe::choice_margin>},
                             {"least", 0, set<&MetricRecipe::least>},
                             {"least", 1e-3, set<&MetricRecipe::least>}};

double error_of(const Forest& forest, const svm_problem& problem, Run& run) {
  std::vector<double> predictions(static_cast<std::size_t>(problem.l));
  ForestPredictor(forest, run.services.messages, false)
      .predict(problem.x, predictions.size(), false, *run.services.pool, {predictions.data()});
  double sum = 0;
  for (int i = 0; i < problem.l; ++i) {
    const double difference = predictions[static_cast<std::size_t>(i)] - problem.y[i];
    sum += is_regression(forest.common->param.svm_type) ? difference * difference
                                                        : (difference == 0 ? 0 : 1);
  }
  const double mean = sum / problem.l;
  return is_regression(forest.common->param.svm_type) ? std::sqrt(mean) : 100 * mean;
}

int compare(char** words) {
  svm_parameter param{};
  param.svm_type = std::atoi(words[3]);
  param.kernel_type = RBF;
  param.C = std::atof(words[4]);
  param.gamma = std::atof(words[5]);
  param.p = std::atof(words[6]);
  param.eps = 1e-3;
  param.cache_size = 100;
  param.shrinking = 1;
  ForestPlan plan;
  plan.cell = static_cast<std::size_t>(std::atoi(words[7]));
  plan.learns_metric = false;
  Dataset train = cli::read_training_set(words[1], param);
  Dataset validation = cli::read_training_set(words[2], param);
  const Problem problem(train.problem());
  svm_options options = default_options();
  options.solver = "csmo";
  options.threads = 1;
  Run run(Messages([](const char*) {}));
  configure(run, param, &options);
  RowSource source(problem);
  const RowNumbers rows = index_range<std::uint32_t>(0, problem.size());
  for (const Variant& variant : kVariants) {
    MetricRecipe recipe;
    variant.set(recipe, variant.value);
    const Metric metric = metric_of_cells(
        source, problem, rows, param, {plan.cell, is_classification(param.svm_type)}, run, recipe);
    plan.weights = metric.weights;
    const double error =
        error_of(train_forest(source, param, plan, run), validation.problem(), run);
    std::printf("%s,%g,%.6g,%s\n", variant.constant, variant.value, error,
                metric.weights.empty() ? "refused" : "taken");
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kWords = 8;
  if (argc != kWords) {
    std::fputs("usage: metric_choices TRAIN VALIDATION SVM_TYPE C GAMMA TUBE CELL\n", stderr);
    return 1;
  }
  try {
    return compare(argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "metric_choices: %s\n", error.what());
    return 1;
  }
}
