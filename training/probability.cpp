#include "training/probability.h"

#include <algorithm>
#include <cmath>

#include "base/platform/float_chars.h"
#include "base/platform/text.h"
#include "base/threads/go_on.h"
#include "model/predictor.h"
#include "training/cross_validation.h"
#include "training/machines.h"
#include "training/random.h"
#include "training/tasks.h"
#include "training/train.h"

namespace svm {
namespace {

constexpr std::size_t kFolds = 5;

// The negative log likelihood of one target at s = slope f + offset, without overflow.
double sigmoid_loss(double target, double s) {
  return s >= 0 ? target * s + std::log(1 + std::exp(-s))
                : (target - 1) * s + std::log(1 + std::exp(s));
}

double total_loss(const std::vector<double>& values, const std::vector<double>& targets,
                  Sigmoid sigmoid) {
  double loss = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    loss += sigmoid_loss(targets[i], values[i] * sigmoid.slope + sigmoid.offset);
  }
  return loss;
}

// The gradient and the Hessian of the loss.
struct Derivatives {
  double g_slope = 0, g_offset = 0;
  double h_slope, h_offset, h_mixed = 0;
};

Derivatives derivatives(const std::vector<double>& values, const std::vector<double>& targets,
                        Sigmoid sigmoid) {
  constexpr double kFitRidge = 1e-12;  // keeps the Hessian positive definite
  Derivatives d;
  d.h_slope = d.h_offset = kFitRidge;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double s = values[i] * sigmoid.slope + sigmoid.offset;
    double p, q;  // P(positive), P(negative)
    if (s >= 0) {
      p = std::exp(-s) / (1.0 + std::exp(-s));
      q = 1.0 / (1.0 + std::exp(-s));
    } else {
      p = 1.0 / (1.0 + std::exp(s));
      q = std::exp(s) / (1.0 + std::exp(s));
    }
    const double curvature = p * q;
    d.h_slope += values[i] * values[i] * curvature;
    d.h_offset += curvature;
    d.h_mixed += values[i] * curvature;
    const double error = targets[i] - p;
    d.g_slope += values[i] * error;
    d.g_offset += error;
  }
  return d;
}

// Sorts in the order of the C library's qsort() for LIBSVM's comparison, by which NaN equals all
// values.  std::sort could leave the range then.
void merge_sort(double* begin, double* end) {
  if (end - begin < 2) return;
  double* const middle = begin + (end - begin) / 2;
  merge_sort(begin, middle);
  merge_sort(middle, end);
  std::inplace_merge(begin, middle, end);
}

}  // namespace

Sigmoid fit_sigmoid(const std::vector<double>& decision_values, const double* labels, Run& run) {
  constexpr int kMaxIterations = 100;
  constexpr double kLeastStepLength = 1e-10;
  constexpr double kGradientTolerance = 1e-5;
  constexpr double kSufficientDecrease = 0.0001;

  const std::size_t count = decision_values.size();
  double positives = 0, negatives = 0;
  for (std::size_t i = 0; i < count; ++i) (labels[i] > 0 ? positives : negatives) += 1;
  const double high = (positives + 1.0) / (positives + 2.0);
  const double low = 1 / (negatives + 2.0);
  std::vector<double> targets(count);
  for (std::size_t i = 0; i < count; ++i) targets[i] = labels[i] > 0 ? high : low;

  Sigmoid sigmoid = {0.0, std::log((negatives + 1.0) / (positives + 1.0))};
  double loss = total_loss(decision_values, targets, sigmoid);
  int iteration = 0;
  for (; iteration < kMaxIterations; ++iteration) {
    if (!run.poll()) return sigmoid;
    const Derivatives d = derivatives(decision_values, targets, sigmoid);
    if (std::fabs(d.g_slope) < kGradientTolerance && std::fabs(d.g_offset) < kGradientTolerance) {
      break;
    }
    const double determinant = d.h_slope * d.h_offset - d.h_mixed * d.h_mixed;
    const double slope_change = -(d.h_offset * d.g_slope - d.h_mixed * d.g_offset) / determinant;
    const double offset_change = -(-d.h_mixed * d.g_slope + d.h_slope * d.g_offset) / determinant;
    const double descent = d.g_slope * slope_change + d.g_offset * offset_change;
    double step = 1;
    for (; step >= kLeastStepLength && run.poll(); step /= 2.0) {
      const Sigmoid next = {sigmoid.slope + step * slope_change,
                            sigmoid.offset + step * offset_change};
      const double next_loss = total_loss(decision_values, targets, next);
      if (next_loss < loss + kSufficientDecrease * step * descent) {
        sigmoid = next;
        loss = next_loss;
        break;
      }
    }
    if (run.interrupted()) return sigmoid;
    if (step < kLeastStepLength) {
      run.services.messages.print("Line search fails in two-class probability estimates\n");
      break;
    }
  }
  if (iteration >= kMaxIterations) {
    run.services.messages.print("Reaching maximal iterations in two-class probability estimates\n");
  }
  return sigmoid;
}

Sigmoid pair_sigmoid(const Problem& pair, const svm_parameter& param, const UpperBounds& costs,
                     Run& run) {
  const Folds folds = plain_folds(pair.size(), kFolds, run);
  std::vector<double> decision_values(pair.size());
  run_tasks(run, kFolds, no_shuffles, [&](std::size_t f, Run& fold_run) {
    const Subset others = rows_of_others(pair, folds, f);
    const Problem training_set = others.problem();
    const std::size_t begin = folds.start[f], end = folds.start[f + 1];
    const double constant = training_set.size() == 0 ? 0 : training_set.y[0];
    if (std::count(training_set.y, training_set.y + training_set.size(), constant) ==
        training_set.l) {
      for (std::size_t k = begin; k < end; ++k) decision_values[folds.order[k]] = constant;
      return true;
    }
    int labels[] = {+1, -1};
    double class_weights[] = {costs.positive, costs.negative};
    svm_parameter fold_param = param;
    fold_param.probability = 0;
    fold_param.C = 1.0;
    fold_param.nr_weight = 2;
    fold_param.weight_label = labels;
    fold_param.weight = class_weights;
    const TrainedMachines trained = train_machines(training_set, fold_param, fold_run);
    if (fold_run.interrupted()) return false;
    const SupportVectors vectors(training_set, trained);
    if (!predict_fold(pair, folds, f, vectors, true, fold_run, decision_values)) return false;
    // The first class of the fold's machine is that of its first row, which may be -1.
    for (std::size_t k = begin; k < end; ++k) {
      decision_values[folds.order[k]] *= trained.classes.labels[0];
    }
    return true;
  });
  if (run.interrupted()) return {0, 0};
  return fit_sigmoid(decision_values, pair.y, run);
}

std::vector<double> one_class_marks(const Problem& problem, const ModelView& model, Run& run) {
  constexpr std::size_t kHalf = kDensityMarks / 2;
  const std::size_t rows = problem.size();
  const Predictor predictor(model, Messages(nullptr), Predictor::most_bytes_for(rows));
  std::vector<double> values(rows);
  const GoOn poll = [&run] { return run.poll(); };
  const SharedGoOn go_on(poll);
  run.services.pool->for_chunks(rows, Predictor::kRows, [&](std::size_t begin, std::size_t end) {
    if (begin > 0 && !go_on()) return;
    predictor.predict(problem.x + begin, end - begin, false, {nullptr, values.data() + begin});
  });
  if (go_on.is_stopped()) return {};
  merge_sort(values.data(), values.data() + rows);
  const auto first_positive =
      std::find_if(values.begin(), values.end(), [](double v) { return v >= 0; });
  // If no value is at or above 0, LIBSVM counts none as negative.
  const std::size_t negatives = first_positive == values.end()
                                    ? 0
                                    : static_cast<std::size_t>(first_positive - values.begin());
  const std::size_t positives = rows - negatives;
  if (negatives < kHalf || positives < kHalf) {
    run.services.messages.warn(
        "WARNING: number of positive or negative decision values <5; too few to do a probability "
        "estimation.\n");
    return {};
  }
  // The cuts are quantiles of the negative values, 0, and quantiles of the others.  A mark is the
  // middle between two cuts.
  std::vector<double> cuts(kDensityMarks + 1);
  for (std::size_t i = 0; i < kHalf; ++i) cuts[i] = values[i * negatives / kHalf];
  cuts[kHalf] = 0;
  for (std::size_t i = kHalf + 1; i <= kDensityMarks; ++i) {
    cuts[i] = values[negatives - 1 + (i - kHalf) * positives / kHalf];
  }
  std::vector<double> marks(kDensityMarks);
  for (std::size_t i = 0; i < kDensityMarks; ++i) marks[i] = (cuts[i] + cuts[i + 1]) / 2;
  return marks;
}

std::optional<double> regression_error_width(const Problem& problem, const svm_parameter& param,
                                             Run& run) {
  if (problem.l < 2) {
    draw(run, 1);  // as many draws as rows, as for the folds of several rows
    run.services.messages.warn(
        "WARNING: one row is too few to estimate the width of the errors; the model has no "
        "probability estimates\n");
    return std::nullopt;
  }
  svm_parameter plain = param;
  plain.probability = 0;
  std::vector<double> errors = predict_by_folds(problem, plain, static_cast<int>(kFolds), run);
  if (run.interrupted()) return std::nullopt;
  for (std::size_t t = 0; t < errors.size(); ++t) errors[t] = problem.y[t] - errors[t];
  return error_width(errors, run);
}

double error_width(const std::vector<double>& errors, Run& run) {
  double sum = 0;
  for (const double error : errors) sum += std::fabs(error);
  const auto count = static_cast<double>(errors.size());
  const double mean = sum / count;
  const double deviation = std::sqrt(2 * mean * mean);
  double outliers = 0;
  sum = 0;
  for (const double error : errors) {
    if (std::fabs(error) > 5 * deviation) {
      ++outliers;
    } else {
      sum += std::fabs(error);
    }
  }
  // If the square of a tiny mean underflows to 0, all rows count as outliers.
  const double width = outliers < count ? sum / (count - outliers) : mean;
  run.services.messages.print(joined(
      {"Prob. model for test data: target value = predicted value + z,\nz: Laplace distribution "
       "e^(-|z|/sigma)/(2sigma),sigma= ",
       general_text(width), "\n"}));
  return width;
}

}  // namespace svm
