// svm-sweep: trains by every solver on problems that are easy to get wrong, and judges the models
// (certificate_checker.h).  A model must be optimal if its status is "converged"; any other must
// come with the status that says why.
//
//   svm-sweep [--every N] [--first K] [--solver NAME] [--cap ITERATIONS] [--seconds S]
//   svm-sweep --case I [--write FILE]     one of them, with what was found; its data as a file
//
// N = 1 takes all cases (sweep_cases.cpp), for hours.  Exits with status 1 if a case failed, or if
// S seconds were not enough.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "svm_ext.h"
#include "tests/certificate_checker.h"
#include "tests/format.h"
#include "tests/rows.h"
#include "tests/sweep/sweep_cases.h"
#include "tests/sweep/trials.h"
#include "tests/training_data.h"

namespace svm::test {
namespace {

class Trial {
 public:
  Trial(const Case& c, std::uint64_t cap) : case_(c), cap_(static_cast<long long>(cap)) {
    const bool classes = c.type == C_SVC || c.type == NU_SVC;
    rows_ = make_set(c.set, c.scale, classes);
    if (!classes) {
      Data scaled;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        scaled.add_row(c.targets * rows_.label(i),
                       {rows_.row(i)[0], rows_.row(i)[1], rows_.row(i)[2], {-1, 0}});
      }
      rows_ = std::move(scaled);
    }
    param_ = parameters(c.type, c.kernel);
    param_.gamma = 1.0 / 3 / (c.gamma_fits ? c.scale * c.scale : 1);
    param_.coef0 = c.coef0;
    param_.eps = c.eps;
    param_.C = c.cost;
    param_.nu = c.nu;
    param_.p = c.tube;
    param_.shrinking = c.shrinking;
    if (c.weighted && c.type == C_SVC) {
      param_.nr_weight = 2;
      param_.weight_label = labels_;
      param_.weight = weights_;
    }
    if (c.kernel == PRECOMPUTED) {
      svm_parameter kernel = param_;
      kernel.kernel_type = c.number % 2 == 0 ? LINEAR : RBF;
      rows_ = precomputed(rows_, kernel);
    }
    problem_ = rows_.problem();
    if (c.has_row_weights) row_weights_ = make_row_weights(c.number, rows_.size());
  }

  const Data& rows() const { return rows_; }
  const svm_parameter& param() const { return param_; }
  const std::vector<double>& row_weights() const { return row_weights_; }

  Outcome run(std::string& why) {
    svm_result result{};
    const Model model = train(case_.threads, result);
    if (model == nullptr) return Outcome::kRefused;
    if (case_.threads > 1) {
      svm_result again{};
      const Model other = train(1, again);
      if (other == nullptr || !are_equal(*model, *other)) {
        why = "threads change the model";
        return Outcome::kFailed;
      }
    }
    const Trained trained = {&problem_,
                             &param_,
                             case_.solver.objective,
                             case_.solver.bias,
                             model.get(),
                             result.objective,
                             result.iterations,
                             std::strcmp(case_.solver.name, "smo") == 0,
                             given_row_weights()};
    verdict_ = check_model(trained);
    result_ = result;
    if (result.status != SVM_CONVERGED) return outcome_of(result.status);
    why = complaint(trained, verdict_);
    if (why.empty()) why = objection(*model);
    return why.empty() ? Outcome::kConverged : Outcome::kFailed;
  }

  void print() const {
    std::printf("status %d, %lld iterations, objective %.10g, violation %.3g\n", result_.status,
                result_.iterations, result_.objective, result_.violation);
    std::printf("recomputed: violation %.6g, rounding %.3g, infeasibility %.3g, threshold %.3g\n",
                verdict_.violation, verdict_.rounding, verdict_.infeasibility, verdict_.threshold);
    std::printf("dual %.10g, primal %.10g\n", verdict_.dual, verdict_.primal);
  }

 private:
  // The fault of the figures of `svm-train --check`, which the checker does not see; empty if there
  // is none.
  std::string objection(const svm_model& model) const {
    const Certificate found = certificate_of(problem_, param_, options_for(1), model);
    if (found.has_dual && !(found.violation <= param_.eps + 2 * verdict_.rounding)) {
      return format("--check has a violation of %g", found.violation);
    }
    // nu-SVC: the margin is not unique, and the two choose it differently.
    if (case_.type == NU_SVC || !std::isfinite(verdict_.primal)) return "";
    constexpr double kDigits = 1e-6;
    const double most_weight = case_.has_row_weights ? 1000 : 10;
    const double costs = most_weight * param_.C * static_cast<double>(rows_.size());
    const double blur = kDigits * (1 + std::fabs(verdict_.primal)) + 2 * costs * verdict_.rounding;
    if (!(std::fabs(found.primal_objective - verdict_.primal) <= blur)) {
      return format("--check has a primal objective of %g, not %g", found.primal_objective,
                    verdict_.primal);
    }
    return "";
  }

  svm_options options_for(std::size_t threads) const {
    svm_options options;
    svm_init_options(&options, sizeof(options));
    options.solver = case_.solver.name;
    // Steps on a single row are short, so there are many.
    const bool by_rows = case_.solver.objective == Objective::kNoThreshold ||
                         case_.solver.objective == Objective::kEmbedded;
    options.max_iter = by_rows ? 20 * cap_ : cap_;
    options.print = [](const char*, void*) {};
    options.threads = threads;
    options.bias = case_.solver.bias;
    options.fixed_threshold = case_.solver.fixed_threshold;
    options.seed = 1;
    options.row_weights = given_row_weights();
    return options;
  }

  const double* given_row_weights() const {
    return row_weights_.empty() ? nullptr : row_weights_.data();
  }

  Model train(std::size_t threads, svm_result& result) const {
    const svm_options options = options_for(threads);
    result.size = sizeof(result);
    return Model(test::train(&problem_, &param_, &options, &result));
  }

  const Case& case_;
  const long long cap_;
  Data rows_;
  svm_problem problem_{};
  svm_parameter param_{};
  int labels_[2] = {1, 2};
  double weights_[2] = {10, 0.5};
  std::vector<double> row_weights_;
  Verdict verdict_;
  svm_result result_{};
};

constexpr unsigned kSecondsOfACase = 120;

struct Settings {
  std::uint64_t every = 1, first = 0, cap = 100000;
  std::optional<std::uint64_t> one;
  std::string solver, file;
  double seconds = 0;
};

int run_one(const Case& c, const Settings& settings) {
  std::printf("%s\n", c.text().c_str());
  Trial trial(c, settings.cap);
  if (!settings.file.empty()) {
    write_data(trial.rows(), settings.file);
    if (c.has_row_weights) write_weights(trial.row_weights(), settings.file + ".weights");
    const svm_parameter& p = trial.param();
    std::printf(
        "svm-train -a %s -s %d -t %d -h %d -c %.17g -e %g -n %g -p %g -g %.17g -r %g%s%s %s\n",
        c.solver.name, c.type, c.kernel, c.shrinking, p.C, p.eps, p.nu, p.p, p.gamma, p.coef0,
        p.nr_weight > 0 ? " -w1 10 -w2 0.5" : "",
        c.has_row_weights ? (" --row-weights " + settings.file + ".weights").c_str() : "",
        settings.file.c_str());
  }
  std::string why;
  const Outcome outcome = trial.run(why);
  std::printf("%s %s\n", name_of(outcome), why.c_str());
  trial.print();
  return outcome == Outcome::kFailed ? 1 : 0;
}

int run_all(const Cases& cases, const Settings& settings) {
  Tally tally;
  const std::time_t end = std::time(nullptr) + static_cast<std::time_t>(settings.seconds);
  bool complete = true;
  // Consecutive cases differ in all their parts.
  constexpr std::uint64_t kStride = 1000003;
  for (std::uint64_t k = settings.first; k < cases.size(); k += settings.every) {
    if (settings.seconds > 0 && std::time(nullptr) >= end) {
      complete = false;
      break;
    }
    const Case c = cases.at(k * kStride % cases.size());
    if (!settings.solver.empty() && settings.solver != c.solver.name) continue;
    limit_case(static_cast<long>(c.number), kSecondsOfACase);
    std::string why;
    const Outcome outcome = Trial(c, settings.cap).run(why);
    if (outcome == Outcome::kFailed) std::printf("%s: %s\n", c.text().c_str(), why.c_str());
    tally.add(c.solver.name, outcome);
  }
  limit_case(0, 0);
  tally.print("solver");
  if (!complete) std::printf("out of time\n");
  const bool any = tally.count(Outcome::kConverged) > 0;
  if (!any) std::printf("nothing converged, so that nothing was judged\n");
  return tally.count(Outcome::kFailed) > 0 || !complete || !any ? 1 : 0;
}

int main_function(const std::vector<std::string>& arguments) {
  Settings settings;
  if (!parse_options(arguments, {{"--every", &settings.every},
                                 {"--first", &settings.first},
                                 {"--cap", &settings.cap},
                                 {"--seconds", &settings.seconds},
                                 {"--case", &settings.one},
                                 {"--solver", &settings.solver},
                                 {"--write", &settings.file}}) ||
      settings.every == 0 || settings.cap == 0) {
    std::fputs(
        "Usage: svm-sweep [--every N] [--first K] [--solver NAME] [--cap ITERATIONS] "
        "[--seconds S] [--case I [--write FILE]]\n",
        stderr);
    return 1;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const Cases cases;
  return settings.one ? run_one(cases.at(*settings.one), settings) : run_all(cases, settings);
}

}  // namespace
}  // namespace svm::test

int main(int argc, char** argv) { return svm::test::main_function({argv + 1, argv + argc}); }
