#include "training/metric/learn_metric.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/platform/float_chars.h"
#include "base/platform/index_range.h"
#include "base/platform/text.h"
#include "kernels/features.h"
#include "model/predictor.h"
#include "model/svm_type.h"
#include "solvers/math/draws.h"
#include "solvers/registry.h"
#include "training/check.h"
#include "training/cross_validation.h"
#include "training/metric/gradients.h"
#include "training/tasks.h"
#include "training/train.h"

namespace svm {
namespace {

constexpr double kTolerance = 10;  // times that of the call suffices for trials

// Errors of the judged rows of some trials, and squared gradients.
struct Outcome {
  std::vector<double> errors, squares;

  double mean() const {
    const double sum = std::accumulate(errors.begin(), errors.end(), 0.0);
    return sum / std::max(static_cast<double>(errors.size()), 1.0);
  }
};

// True if the errors are less than others of the same rows, by more than `margin` standard
// deviations of the sum of differences.
bool is_better(const Outcome& one, const Outcome& other, double margin) {
  double gain = 0, squares = 0;
  for (std::size_t i = 0; i < one.errors.size(); ++i) {
    const double difference = other.errors[i] - one.errors[i];
    gain += difference;
    squares += difference * difference;
  }
  return gain > margin * std::sqrt(squares);
}

class MetricTraining {
 public:
  MetricTraining(const Problem& problem, const svm_parameter& param, const MetricTrials& trials,
                 Run& run, const MetricRecipe& recipe)
      : problem_(problem),
        param_(param),
        trials_(trials),
        recipe_(recipe),
        run_(run),
        features_(indices_of_pilots()) {
    param_.probability = 0;
    param_.eps *= kTolerance;
    run_.options.problem_room = 0;
    run_.options.init = nullptr;
  }

  Metric learn() {
    Metric metric;
    metric.features = features_.size();
    if (features_.size() > kMostMetricFeatures) return metric;
    variances_ = variances_of_pilots();
    std::vector<double> weights(features_.size(), 1.0), best;
    Outcome of_best;
    for (std::size_t round = 0; round <= recipe_.rounds; ++round) {
      const bool is_last = round == recipe_.rounds;
      const Outcome outcome =
          outcome_of(trials_.pilots, weights_of(weights), param_.gamma, !is_last);
      if (run_.interrupted()) return metric;
      if (round == 0 || !is_better(of_best, outcome, recipe_.choice_margin)) {
        of_best = outcome;
        best = weights;
      }
      if (is_last || !renew(outcome.squares, weights)) break;
    }
    judge(best, metric);
    if (run_.interrupted()) metric.weights = {};
    return metric;
  }

 private:
  std::vector<int> indices_of_pilots() const {
    std::vector<std::uint32_t> places;
    for (const MetricTrial& trial : trials_.pilots) {
      places.insert(places.end(), trial.trained.begin(), trial.trained.end());
    }
    const Subset rows(problem_, places);
    return indices_of(rows.problem().x, rows.size());
  }

  std::vector<double> variances_of_pilots() const {
    std::vector<double> sums(features_.size(), 0.0), squares = sums, means = sums;
    double count = 0;
    const auto pass = [&](const auto& add) {
      for (const MetricTrial& trial : trials_.pilots) {
        for (const std::uint32_t t : trial.trained) {
          features_.for_each(problem_.x[t], add, [](std::uint32_t, double) {});
        }
      }
    };
    for (const MetricTrial& trial : trials_.pilots) {
      count += static_cast<double>(trial.trained.size());
    }
    pass([&](std::uint32_t d, double value) { sums[d] += value / count; });
    means = sums;
    std::fill(sums.begin(), sums.end(), count);  // rows without the feature
    pass([&](std::uint32_t d, double value) {
      squares[d] += (value - means[d]) * (value - means[d]);
      sums[d] -= 1;
    });
    for (std::size_t d = 0; d < squares.size(); ++d) {
      squares[d] = (squares[d] + sums[d] * means[d] * means[d]) / count;
    }
    return squares;
  }

  FeatureWeights weights_of(std::vector<double> weights, double others = 1) const {
    std::vector<int> indices;
    for (std::size_t d = 0; d < features_.size(); ++d) indices.push_back(features_.index(d));
    return {std::move(indices), std::move(weights), others};
  }

  // Brings weights to powers of a part of all features.  The mean squared distance of rows by these
  // features stays what it was.  False if numbers are too large or too small for that.
  template <typename Power, typename IsInPart>
  bool replace(std::vector<double>& weights, const Power& power, const IsInPart& is_in_part) const {
    double before = 0, after = 0;
    std::vector<double> replaced(weights.size());
    for (std::size_t d = 0; d < weights.size(); ++d) {
      if (!is_in_part(d)) continue;
      replaced[d] = power(d);
      before += weights[d] * weights[d] * variances_[d];
      after += replaced[d] * replaced[d] * variances_[d];
    }
    const double factor = std::sqrt(before / after);
    if (!(factor > 0 && std::isfinite(factor))) return false;
    for (std::size_t d = 0; d < weights.size(); ++d) {
      if (is_in_part(d)) weights[d] = replaced[d] * factor;
    }
    return true;
  }

  // Weights for the next round.  False if there are none.
  bool renew(const std::vector<double>& squares, std::vector<double>& weights) const {
    const double most = *std::max_element(squares.begin(), squares.end());
    return most > 0 && std::isfinite(most) &&
           replace(
               weights,
               [&](std::size_t d) { return std::pow(squares[d] / most, recipe_.exponent); },
               [&](std::size_t d) { return squares[d] >= recipe_.least * most; });
  }

  // Lets the guards decide between weights, their square roots, and none, at several multiples of
  // gamma.
  void judge(const std::vector<double>& weights, Metric& metric) {
    if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1; })) return;
    const Outcome without = outcome_of(trials_.guards, {}, param_.gamma, false);
    Outcome best = without;
    const auto error_at = [&](const std::vector<double>& tried, double gamma) {
      Outcome outcome = outcome_of(trials_.guards, weights_of(tried), gamma * param_.gamma, false);
      const double error = outcome.mean();
      const bool is_taken =
          !run_.interrupted() && is_better(outcome, without, recipe_.margin) &&
          (metric.weights.empty() || is_better(outcome, best, recipe_.choice_margin));
      if (!is_taken) return error;
      best = std::move(outcome);
      const auto scaled = [gamma](double weight) {
        return rounded_weight(weight * std::sqrt(gamma));
      };
      std::vector<double> all(tried.size());
      std::transform(tried.begin(), tried.end(), all.begin(), scaled);
      metric.weights = weights_of(std::move(all), scaled(1));
      return error;
    };
    std::vector<double> roots = weights;
    replace(
        roots, [&](std::size_t d) { return std::sqrt(weights[d]); },
        [](std::size_t) { return true; });
    const double of_weights = error_at(weights, 1), of_roots = error_at(roots, 1);
    const std::vector<double>& chosen = of_roots < of_weights ? roots : weights;
    error_at(chosen, error_at(chosen, 2) < std::min(of_weights, of_roots) ? 4 : 0.5);
    metric.judged = without.errors.size();
    metric.error_without = without.mean();
    metric.error_with = best.mean();
  }

  // Runs trials with weights and this gamma.
  Outcome outcome_of(const std::vector<MetricTrial>& trials, const FeatureWeights& weights,
                     double gamma, bool with_gradients) {
    std::vector<Outcome> outcomes(trials.size());
    run_tasks(run_, trials.size(), no_shuffles, [&](std::size_t k, Run& run) {
      if (run.poll()) {
        outcomes[k] = outcome_of(trials[k], weights, gamma,
                                 with_gradients ? recipe_.rows / trials.size() + 1 : 0, run);
      }
      return !run.interrupted();
    });
    Outcome whole;
    whole.squares.resize(features_.size(), 0.0);
    for (const Outcome& outcome : outcomes) {
      whole.errors.insert(whole.errors.end(), outcome.errors.begin(), outcome.errors.end());
      for (std::size_t d = 0; d < outcome.squares.size(); ++d) {
        whole.squares[d] += outcome.squares[d];
      }
    }
    return whole;
  }

  Outcome outcome_of(const MetricTrial& trial, const FeatureWeights& weights, double gamma,
                     std::size_t gradients, Run& run) const {
    const Subset subset(problem_, trial.trained), others(problem_, trial.judged);
    Problem training_set = subset.problem();
    const WeightedRows rows(training_set.x, training_set.size(), weights);
    training_set.x = rows.rows();
    svm_parameter param = param_;
    param.gamma = gamma;
    if (param.svm_type == NU_SVC) {
      param.nu = std::min(param.nu, largest_feasible_nu(training_set, training_set.weights));
    }
    const TrainedMachines trained = train_machines(training_set, param, run);
    Outcome outcome;
    if (run.interrupted()) return outcome;
    const SupportVectors vectors(training_set, trained);
    const WeightedRows judged(others.problem().x, others.size(), weights);
    std::vector<double> predictions(others.size());
    Predictor(vectors.view(), run.services.messages, Predictor::most_bytes_for(others.size()),
              others.size())
        .predict(judged.rows(), others.size(), false, *run.services.pool, {predictions.data()});
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      const double y = others.problem().y[i], difference = predictions[i] - y;
      const double error = is_classification(param.svm_type)
                               ? (predictions[i] == class_label(y) ? 0 : 1)
                               : difference * difference;
      outcome.errors.push_back(error * others.problem().weight(i));
    }
    outcome.squares.resize(features_.size(), 0.0);
    std::vector<std::uint32_t> at = Draws(trial.trained.size()).order(training_set.size());
    at.resize(std::min(gradients, at.size()));
    add_squared_gradients(training_set, vectors, at, features_, run, outcome.squares);
    // From those by weighted features to those by features.
    for (std::size_t d = 0; d < outcome.squares.size(); ++d) {
      const double weight = weights.of(features_.index(d));
      outcome.squares[d] *= weight * weight;
    }
    return outcome;
  }

  const Problem problem_;
  svm_parameter param_;
  const MetricTrials& trials_;
  MetricRecipe recipe_;
  Run& run_;
  const Features features_;
  std::vector<double> variances_;
};

// The trainings of a metric are not those of the call: only the seconds of their progress are
// shown, no messages, and no counts.
Services silent(const Run& run) {
  Services services = run.services;
  services.messages = Messages([](const char*) {});
  services.messages.silence();
  services.shared_rows = nullptr;
  services.shared_progress = nullptr;
  if (run.services.progress) {
    services.progress = [show = run.services.progress](svm_progress snapshot) {
      const double seconds = snapshot.seconds;
      snapshot = first_progress();
      snapshot.problem = 0;
      snapshot.seconds = seconds;
      return show(snapshot);
    };
  }
  return services;
}

}  // namespace

const char* metric_fault(const svm_parameter& param, const Run& run) {
  if (param.kernel_type != RBF) {
    return "a metric is learned for the RBF kernel (-t 2): others have no distances";
  }
  if (param.svm_type == ONE_CLASS) {
    return "a metric is not learned for one-class SVM, as no row tells how good it is";
  }
  return works_on_examples(run)
             ? "a metric needs a solver whose support vectors are rows, such as csmo"
             : nullptr;
}

Metric learn_metric(const Problem& problem, const svm_parameter& param, const MetricTrials& trials,
                    Run& run, const MetricRecipe& recipe) {
  if (const char* fault = metric_fault(param, run)) throw std::invalid_argument(fault);
  Run own(run, silent(run));
  Metric metric = MetricTraining(problem, param, trials, own, recipe).learn();
  if (own.interruption()) run.interrupt(*own.interruption());
  return metric;
}

Metric machine_metric(const Problem& problem, const svm_parameter& param, Run& run) {
  RowNumbers rows;
  for (std::uint32_t t = 0; t < problem.size(); ++t) {
    if (problem.weight(t) > 0) rows.push_back(t);
  }
  const auto seed = static_cast<std::uint64_t>(run.options.seed);
  return learn_metric(problem, param, machine_trials(std::move(rows), seed), run);
}

std::vector<double> cross_validate_by_metrics(const Problem& problem, const svm_parameter& param,
                                              int folds, Run& run) {
  const Folds parts = make_folds(problem, param, folds, run);
  std::vector<double> predictions(problem.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t f = 0; f < parts.size() && !run.interrupted(); ++f) {
    const Subset others = rows_of_others(problem, parts, f);
    const Metric metric = machine_metric(others.problem(), param, run);
    const WeightedRows rows(problem.x, problem.size(), metric.weights);
    Problem weighted = problem;
    weighted.x = rows.rows();
    const Subset training_set = rows_of_others(weighted, parts, f);
    const TrainedMachines trained = train_machines(training_set.problem(), param, run);
    if (run.interrupted()) break;
    const SupportVectors vectors(training_set.problem(), trained);
    predict_fold(weighted, parts, f, vectors, false, run, predictions);
  }
  print_notes(param, run);
  return predictions;
}

std::string metric_text(const Metric& metric, const svm_parameter& param) {
  constexpr std::size_t kShown = 10;
  constexpr int kShownDigits = 3;
  const bool is_share = is_classification(param.svm_type);
  const auto text_of = [&](double error) {
    return general_text(is_share ? 100 * error : error, kShownDigits) + (is_share ? "%" : "");
  };
  const char* const what = is_share ? "error" : "mean squared error";
  if (metric.features > kMostMetricFeatures) {
    return joined({"metric: none, as ", std::to_string(metric.features), " features are more than ",
                   std::to_string(kMostMetricFeatures), "\n"});
  }
  const std::string rows = std::to_string(metric.judged);
  if (metric.weights.empty()) {
    return joined({"metric: none, as weights of features do not lower the ", what, " of ", rows,
                   " held-out rows, ", text_of(metric.error_without), ", for certain\n"});
  }
  const std::vector<double>& weights = metric.weights.weights();
  std::vector<std::size_t> order = index_range<std::size_t>(0, weights.size());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  std::string largest;
  for (std::size_t k = 0; k < std::min(kShown, order.size()); ++k) {
    add_item(largest, std::to_string(metric.weights.indices()[order[k]]) + ": " +
                          general_text(weights[order[k]], kShownDigits));
  }
  return joined({"metric: ", what, " of ", rows, " held-out rows ", text_of(metric.error_without),
                 " -> ", text_of(metric.error_with), "; largest weights ", largest, "\n"});
}

}  // namespace svm
