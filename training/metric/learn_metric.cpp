#include "training/metric/learn_metric.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
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
#include "training/metric/gradients.h"
#include "training/tasks.h"
#include "training/train.h"

namespace svm {
namespace {

using Weights = std::vector<double>;  // by the number of a feature

// Errors of the judged rows of some trials, and squared gradients.
struct Outcome {
  std::vector<double> errors, squares;

  void add(const Outcome& other) {
    errors.insert(errors.end(), other.errors.begin(), other.errors.end());
    squares.resize(std::max(squares.size(), other.squares.size()));
    for (std::size_t d = 0; d < other.squares.size(); ++d) squares[d] += other.squares[d];
  }
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

// The features of the rows that pilots are trained on.
Features features_of(const Problem& problem, const MetricTrials& pilots) {
  constexpr std::size_t kMost = 10000;
  Subset rows(problem);
  for (const MetricTrial& trial : pilots) {
    for (const std::uint32_t t : trial.trained) rows.add(t);
  }
  std::vector<int> indices = indices_of(rows.problem().x, rows.size());
  if (indices.size() > kMost) {
    throw std::invalid_argument(
        joined({"a metric is learned for at most ", std::to_string(kMost),
                " features, and these are ", std::to_string(indices.size())}));
  }
  return Features(std::move(indices));
}

class MetricTraining {
 public:
  MetricTraining(const Problem& problem, const svm_parameter& param, const Features& features,
                 const MetricRecipe& recipe, Run& run)
      : problem_(problem),
        param_(param),
        features_(features),
        recipe_(recipe),
        run_(run),
        spread_(features.size(), 0.0) {
    constexpr double kTolerance = 10;  // times that of the call suffices for trials
    param_.probability = 0;
    param_.eps *= kTolerance;
  }

  Weights learn(const MetricTrials& pilots) {
    for (const MetricTrial& trial : pilots) measure(trial.trained);
    constexpr std::size_t kRoundsWithoutGain = 2;
    const Weights ones(features_.size(), 1.0);
    Weights weights = ones, best = ones;
    Outcome of_best;
    for (std::size_t round = 0; round <= recipe_.rounds; ++round) {
      const bool is_last = round == recipe_.rounds;
      Outcome outcome = outcome_of(pilots, weights, 1, !is_last);
      if (run_.interrupted()) break;
      const Weights squares = outcome.squares;
      if (round == 0 || !is_better(of_best, outcome, recipe_.choice_margin)) {
        of_best = std::move(outcome);
        best = weights;
      }
      const double most = squares.empty() ? 0 : *std::max_element(squares.begin(), squares.end());
      if (round >= kRoundsWithoutGain && best == ones) break;
      if (is_last || !(most > 0 && std::isfinite(most))) break;
      const bool is_new = replace(
          weights, [&](std::size_t d) { return std::pow(squares[d] / most, recipe_.exponent); },
          [&](std::size_t d) { return squares[d] >= recipe_.least * most; });
      if (!is_new) break;
    }
    return best;
  }

  // Lets guards decide between weights, their square roots, and none.  Half of the guards do if
  // they find no gain, or one for certain.
  Metric judge(const MetricTrials& guards, const Weights& weights) {
    struct Candidate {
      Weights weights;
      double gamma = 1;
      Outcome outcome = {};
    };
    const Weights ones(weights.size(), 1.0);
    if (weights == ones) return {};
    Weights roots = weights;
    replace(
        roots, [&](std::size_t d) { return std::sqrt(weights[d]); },
        [](std::size_t) { return true; });
    std::vector<Candidate> tried = {{ones}, {weights}, {std::move(roots)}};
    const auto is_better_by = [&](const Candidate& one, double margin) {
      return is_better(one.outcome, tried[0].outcome, margin);
    };
    const auto gain = [&](double margin) {
      return is_better_by(tried[1], margin) || is_better_by(tried[2], margin);
    };
    const auto middle = guards.begin() + static_cast<std::ptrdiff_t>((guards.size() + 1) / 2);
    MetricTrials judges;
    for (const auto& [begin, end] : {std::pair(guards.begin(), middle), {middle, guards.end()}}) {
      const MetricTrials part(begin, end);
      for (Candidate& each : tried) each.outcome.add(outcome_of(part, each.weights, 1, false));
      judges.insert(judges.end(), begin, end);
      if (!gain(0) || gain(recipe_.margin)) break;
    }
    if (gain(0)) {
      const bool are_roots = tried[2].outcome.mean() < tried[1].outcome.mean();
      const Candidate chosen = tried[are_roots ? 2 : 1];
      const auto error_at = [&](double gamma) {
        tried.push_back({chosen.weights, gamma, outcome_of(judges, chosen.weights, gamma, false)});
        return tried.back().outcome.mean();
      };
      error_at(error_at(2) < chosen.outcome.mean() ? 4 : 0.5);
    }
    const Candidate* best = tried.data();
    for (const Candidate& each : tried) {
      const bool is_first = best == tried.data();
      if (is_better_by(each, recipe_.margin) &&
          (is_first || is_better(each.outcome, best->outcome, recipe_.choice_margin))) {
        best = &each;
      }
    }
    Metric metric = {
        {}, tried[0].outcome.mean(), best->outcome.mean(), tried[0].outcome.errors.size()};
    if (best == tried.data() || run_.interrupted()) return metric;
    const double root = std::sqrt(best->gamma);
    Weights scaled = best->weights;
    for (double& weight : scaled) weight = 1 / reach_of(weight * root);
    metric.weights = by_index(std::move(scaled), 1 / reach_of(root));
    return metric;
  }

 private:
  // Adds how far rows lie from the next ones to spread_.
  void measure(const RowNumbers& rows) {
    Weights difference(spread_.size());
    for (std::size_t k = 1; k < rows.size(); ++k) {
      std::fill(difference.begin(), difference.end(), 0.0);
      for (const double sign : {1.0, -1.0}) {
        features_.for_each(
            problem_.x[rows[sign > 0 ? k : k - 1]],
            [&](std::uint32_t d, double value) { difference[d] += sign * value; },
            [](std::uint32_t, double) {});
      }
      for (std::size_t d = 0; d < spread_.size(); ++d) spread_[d] += difference[d] * difference[d];
    }
  }

  // Replaces the weights of a part of all features by others in these proportions.  The mean
  // squared distance of rows by these features stays.  False if numbers are too large or too small
  // for that.
  template <typename Proportion, typename IsInPart>
  bool replace(Weights& weights, const Proportion& proportion, const IsInPart& is_in_part) const {
    double before = 0, after = 0;
    Weights replaced(weights.size());
    for (std::size_t d = 0; d < weights.size(); ++d) {
      if (!is_in_part(d)) continue;
      replaced[d] = proportion(d);
      before += weights[d] * weights[d] * spread_[d];
      after += replaced[d] * replaced[d] * spread_[d];
    }
    const double factor = std::sqrt(before / after);
    if (!(factor > 0 && std::isfinite(factor))) return false;
    for (std::size_t d = 0; d < weights.size(); ++d) {
      if (is_in_part(d)) weights[d] = replaced[d] * factor;
    }
    return true;
  }

  FeatureWeights by_index(Weights weights, double others = 1) const {
    std::vector<int> indices;
    for (std::size_t d = 0; d < features_.size(); ++d) indices.push_back(features_.index(d));
    return {std::move(indices), std::move(weights), others};
  }

  // Runs trials with weights and this multiple of gamma.
  Outcome outcome_of(const MetricTrials& trials, const Weights& weights, double gamma,
                     bool with_gradients) {
    std::vector<Outcome> outcomes(trials.size());
    const std::size_t gradients = with_gradients ? recipe_.rows / trials.size() + 1 : 0;
    run_tasks(run_, trials.size(), no_shuffles, [&](std::size_t k, Run& run) {
      if (run.poll()) outcomes[k] = outcome_of(trials[k], weights, gamma, gradients, run);
      return !run.interrupted();
    });
    Outcome whole = {{}, Weights(features_.size(), 0.0)};
    for (const Outcome& each : outcomes) whole.add(each);
    return whole;
  }

  Outcome outcome_of(const MetricTrial& trial, const Weights& weights, double gamma,
                     std::size_t gradients, Run& run) const {
    if (trial.trained.empty() || trial.judged.empty()) return {};
    const FeatureWeights of_features = by_index(weights);
    const Subset subset(problem_, trial.trained), others(problem_, trial.judged);
    Problem rows = subset.problem(), judged = others.problem();
    const WeightedRows weighted(rows.x, rows.size(), of_features);
    const WeightedRows weighted_others(judged.x, judged.size(), of_features);
    rows.x = weighted.rows();
    svm_parameter param = param_;
    param.gamma *= gamma;
    if (param.svm_type == NU_SVC) {
      param.nu = std::min(param.nu, largest_feasible_nu(rows, rows.weights));
    }
    const TrainedMachines trained = train_machines(rows, param, run);
    Outcome outcome = {std::vector<double>(judged.size()), Weights(features_.size(), 0.0)};
    if (run.interrupted()) return outcome;
    const SupportVectors vectors(rows, trained);
    Predictor(vectors.view(), run.services.messages, Predictor::most_bytes_for(judged.size()),
              judged.size())
        .predict(weighted_others.rows(), judged.size(), false, *run.services.pool,
                 {outcome.errors.data()});
    for (std::size_t i = 0; i < judged.size(); ++i) {
      double& error = outcome.errors[i];
      error = is_classification(param.svm_type) ? (error == class_label(judged.y[i]) ? 0 : 1)
                                                : (error - judged.y[i]) * (error - judged.y[i]);
      error *= judged.weight(i);
    }
    RowNumbers at = Draws(rows.size()).order(rows.size());
    at.resize(std::min(gradients, at.size()));
    add_squared_gradients(rows, vectors, at, features_, run, outcome.squares);
    // From derivatives by weighted features to those by features.
    for (std::size_t d = 0; d < weights.size(); ++d) outcome.squares[d] *= weights[d] * weights[d];
    return outcome;
  }

  const Problem problem_;
  svm_parameter param_;
  const Features& features_;
  const MetricRecipe recipe_;
  Run& run_;
  Weights spread_;  // sum of squared differences between rows
};

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

Metric learn_metric(const Problem& problem, const svm_parameter& param, const MetricTrials& pilots,
                    const MetricTrials& guards, Run& run, const MetricRecipe& recipe) {
  if (const char* fault = metric_fault(param, run)) throw std::invalid_argument(fault);
  // Trials are no trainings of the call: only the seconds of their progress are shown.
  Run own(run, run.services);
  own.services.messages = Messages([](const char*) {});
  own.services.messages.silence();
  own.services.shared_progress = nullptr;
  own.options.problem_room = 0;
  own.options.init = nullptr;
  if (const ProgressFunction show = run.services.progress) {
    own.services.progress = [show](const svm_progress& snapshot) {
      svm_progress between = first_progress();
      between.problem = 0;
      between.seconds = snapshot.seconds;
      return show(between);
    };
  }
  const Features features = features_of(problem, pilots);
  MetricTraining training(problem, param, features, recipe, own);
  Metric metric = training.judge(guards, training.learn(pilots));
  if (!own.interrupted()) return metric;
  run.interrupt(*own.interruption());
  return {};
}

std::string metric_text(const Metric& metric, const svm_parameter& param) {
  constexpr std::size_t kShown = 10;
  constexpr int kDigits = 3;
  const bool is_share = is_classification(param.svm_type);
  const auto text_of = [&](double error) {
    return general_text(is_share ? 100 * error : error, kDigits) + (is_share ? "%" : "");
  };
  std::string text =
      joined({"metric: ", is_share ? "error" : "mean squared error", " of ",
              std::to_string(metric.judged), " held-out rows ", text_of(metric.error_without)});
  if (metric.weights.empty()) return text + "; weights of features do not lower it for certain\n";
  const Weights& weights = metric.weights.weights();
  std::vector<std::size_t> order = index_range(0, weights.size());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  order.resize(std::min(kShown, order.size()));
  std::string largest;
  for (const std::size_t d : order) {
    add_item(largest, joined({std::to_string(metric.weights.indices()[d]), ": ",
                              general_text(weights[d], kDigits)}));
  }
  return joined({text, " -> ", text_of(metric.error_with), "; largest weights ", largest, "\n"});
}

}  // namespace svm
