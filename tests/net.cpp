// svm-net: trains by csmo (some by hybrid) on random problems of some thousand rows, which are
// large enough for two levels, and judges what comes out.
//
// A problem passes if its training ends within 50,000 iterations, or ten times those of smo; if it
// takes no more than ten times smo's processor time, unless that is little anyway; and if the model
// is optimal by `--check` and by certificate_checker.h, or comes with a warning.  For some of the
// problems the models of 1, 2 and 3 threads, of a view and of svm_nodes, and the predictions of
// five folds have to be the same to the bit.
//
//   svm-net [--first K] [--every N] [--count N] [--seconds S] [--limit T]   problems K, K+N, K+2N,
//   ... svm-net --case I [--write FILE]     one of them, with svm-train's commands; its rows as a
//   file
//
// A training that has taken T seconds of processor time, 30 unless said otherwise, does not end.
// Ends with 1 where a problem failed, or where S seconds were not enough.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "svm.h"
#include "tests/certificate_checker.h"
#include "tests/net_cases.h"
#include "tests/training_data.h"
#include "tests/trials.h"
#include "tests/view.h"
#include "training/check.h"

namespace svm::test {
namespace {

constexpr long long kIterations = 50000;
constexpr double kTimesSmo = 10;
constexpr double kLongSeconds = 3;  // of processor time: less is not long, whatever smo takes
// By the clock: a training that does not even ask its progress function whether to go on.
constexpr unsigned kSecondsOfACase = 1200;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Attempt {
  Model model;  // null: refused
  svm_result result{};
  double seconds = 0;  // of processor time
  bool ended = true;   // without being cancelled

  bool converged() const { return model != nullptr && result.status == SVM_CONVERGED; }
};

// What a training took beside smo.
struct Comparison {
  double ratio;  // of processor times
  std::string text;
};

std::string duration(const Attempt& attempt) {
  return format("%lld iterations, %.2f s", attempt.result.iterations, attempt.seconds);
}

class Trial {
 public:
  Trial(NetCase& c, double limit) : case_(c), limit_(limit), problem_(c.rows.problem()) {
    if (c.layout) viewed_.emplace(c.rows, *c.layout);
  }

  // `why` says what failed; `notes` what is worth knowing.
  Outcome run(std::string& why, std::vector<std::string>& notes) {
    if (check_parameters(problem_, case_.param, case_.given_weights()) != nullptr) {
      return Outcome::kRefused;
    }
    if (case_.start && !make_start()) return Outcome::kRefused;
    own_ = train(case_.solver, 1, viewed_.has_value(), kIterations);
    if (own_.model == nullptr) return Outcome::kRefused;
    why = judge(notes);
    if (!why.empty()) return Outcome::kFailed;
    return outcome_of(own_.result.status);
  }

  // None where smo was not asked, or did not converge.
  std::optional<Comparison> comparison() const {
    if (!reference_ || !reference_->converged() || !own_.converged()) return {};
    constexpr double kLeast = 0.02;  // shorter times are not compared
    const double ratio = own_.seconds / std::max(reference_->seconds, kLeast);
    return Comparison{ratio, format("case %llu: %.1f times smo's time (%s; smo %s)",
                                    static_cast<unsigned long long>(case_.number), ratio,
                                    duration(own_).c_str(), duration(*reference_).c_str())};
  }
  void compare() { reference(); }
  bool was_checked_independently() const { return was_checked_; }
  const Attempt& own() const { return own_; }
  const Verdict& verdict() const { return verdict_; }

 private:
  svm_options options_for(const char* solver, std::size_t threads, long long cap) const {
    svm_options options;
    svm_default_options(&options);
    options.solver = solver;
    options.max_iterations = cap;
    options.print = [](const char*, void*) {};
    options.warn = [](const char*, void*) {};
    options.threads = threads;
    options.use_seed = 1;
    options.seed = 1;
    options.row_weights = case_.given_weights();
    options.init = start_.get();
    options.progress = [](const svm_progress*, void* end) {
      return processor_seconds() > *static_cast<const double*>(end) ? 1 : 0;
    };
    return options;
  }

  // Calls train(options), which gives a model or nothing.
  template <typename Train>
  Attempt attempt(svm_options options, double limit, Train train) const {
    Attempt made;
    made.result.size = sizeof(made.result);
    const double begin = processor_seconds();
    double end = begin + limit;
    options.progress_user = &end;
    made.model = Model(train(options, made.result));
    made.seconds = processor_seconds() - begin;
    made.ended = made.model == nullptr || made.result.status != SVM_CANCELLED;
    return made;
  }
  Attempt train(const char* solver, std::size_t threads, bool as_view, long long cap) const {
    return attempt(options_for(solver, threads, cap), limit_,
                   [&](const svm_options& options, svm_result& result) {
                     return as_view
                                ? svm_train_view(&viewed_->view(), &case_.param, &options, &result)
                                : svm_train_ex(&problem_, &case_.param, &options, &result);
                   });
  }

  bool make_start() {
    Attempt made = attempt(options_for("smo", 1, kIterations), limit_,
                           [&](const svm_options& options, svm_result& result) {
                             return svm_train_ex(&problem_, &*case_.start, &options, &result);
                           });
    start_ = std::move(made.model);
    return start_ != nullptr;
  }

  // smo on the same problem, which is asked once.
  const Attempt& reference() {
    if (!reference_) reference_ = train("smo", 1, false, kIterations);
    return *reference_;
  }
  std::string beside_smo() {
    const Attempt& smo = reference();
    return duration(own_) + "; smo " + (smo.converged() ? "converges" : "does not converge") +
           ": " + duration(smo);
  }

  // What is wrong; empty where nothing is.
  std::string judge(std::vector<std::string>& notes) {
    if (!own_.ended) return "the training does not end: " + beside_smo();
    if (own_.result.status == SVM_ITERATION_LIMIT && reference().converged()) {
      const auto more = static_cast<long long>(kTimesSmo) * reference_->result.iterations;
      cap_ = std::max(kIterations, more);
      if (cap_ > kIterations) own_ = train(case_.solver, 1, viewed_.has_value(), cap_);
      if (!own_.converged()) return "the training takes too many iterations: " + beside_smo();
    }
    if (own_.seconds > kLongSeconds && reference().converged() &&
        own_.seconds > kTimesSmo * reference_->seconds) {
      return "the training takes too long: " + beside_smo();
    }
    if (own_.result.status != SVM_CONVERGED) {
      if (reference().converged()) {
        notes.push_back(std::string(name_of(outcome_of(own_.result.status))) +
                        ", but smo converges: " + beside_smo());
      }
    } else {
      const std::string fault = fault_of_model();
      if (!fault.empty()) return fault;
    }
    if (case_.checks_threads) {
      const std::string fault = fault_of_threads();
      if (!fault.empty()) return fault;
    }
    return case_.folds > 0 ? fault_of_folds() : "";
  }

  std::string fault_of_model() {
    const svm_options options = options_for(case_.solver, 1, 0);
    const Certificate found = certificate_of(problem_, case_.param, options, *own_.model);
    double rounding = rounding_bound();
    if (checking_cost() < kMostCheckingCost) {
      was_checked_ = true;
      const Trained trained = {&problem_,
                               &case_.param,
                               Objective::kLibsvm,
                               0,
                               own_.model.get(),
                               own_.result.objective,
                               own_.result.iterations,
                               false,
                               case_.given_weights()};
      verdict_ = check_model(trained);
      const std::string fault = complaint(trained, verdict_);
      if (!fault.empty()) return fault;
      rounding = 2 * verdict_.rounding;
    }
    if (!(found.violation <= case_.param.eps + rounding)) {
      return format("--check has a violation of %g", found.violation);
    }
    if (!(found.infeasibility <= kFeasible * sum_of_coefficients())) {
      return format("--check has an infeasibility of %g", found.infeasibility);
    }
    return "";
  }

  // Of the independent checker: its kernel values, each as many additions as it takes.
  static constexpr double kMostCheckingCost = 5e7, kFeasible = 1e-9;
  double checking_cost() const {
    const auto rows = static_cast<double>(case_.different);
    const auto vectors = static_cast<double>(own_.model->l);
    return rows * std::min(rows, vectors) * static_cast<double>(case_.most_nodes + 10);
  }

  double sum_of_coefficients() const {
    double sum = 1e-300;
    for (int k = 0; k + 1 < own_.model->nr_class; ++k) {
      for (int s = 0; s < own_.model->l; ++s) sum += std::fabs(own_.model->sv_coef[k][s]);
    }
    return sum;
  }

  // That a violation may have because sums are made of doubles: 2^-50 of the coefficients times the
  // largest product that kernel values are made of, and of the largest target.
  double rounding_bound() const {
    double square = 0, largest = 0, value = 0;
    for (std::size_t i = 0; i < case_.rows.size(); ++i) {
      double sum = 0;
      for (const svm_node* node = case_.rows.row(i); node->index != -1; ++node) {
        sum += node->value * node->value;
        if (node->index > 0) value = std::max(value, std::fabs(node->value));
      }
      square = std::max(square, sum);
      largest = std::max(largest, std::fabs(case_.rows.label(i)));
    }
    const svm_parameter& param = case_.param;
    const double inner = param.gamma * square + std::fabs(param.coef0);
    switch (param.kernel_type) {
      case LINEAR:
        value = square;
        break;
      case POLY:
        value = (param.degree + 1) * std::pow(inner, param.degree);
        break;
      case PRECOMPUTED:
        break;
      default:
        value = 1 + 4 * inner;
    }
    return 0x1p-50 * (value * sum_of_coefficients() + largest);
  }

  std::string fault_of_threads() const {
    for (const std::size_t threads : {2, 3}) {
      const bool as_view = threads == 2 && viewed_.has_value();
      const Attempt other = train(case_.solver, threads, as_view, cap_);
      if (other.model == nullptr || !are_equal(*own_.model, *other.model) ||
          other.result.iterations != own_.result.iterations) {
        return format("%zu threads%s make another model: %s, not %s", threads,
                      viewed_.has_value() && !as_view ? " on svm_nodes" : "",
                      duration(other).c_str(), duration(own_).c_str());
      }
    }
    return "";
  }

  std::string fault_of_folds() const {
    std::vector<double> first;
    for (const std::size_t threads : {1, 2, 3}) {
      std::vector<double> targets(case_.rows.size());
      int status = 0;
      const Attempt made =
          attempt(options_for(case_.solver, threads, kIterations), case_.folds * limit_,
                  [&](const svm_options& given, svm_result& result) -> svm_model* {
                    svm_options options = given;
                    options.init = nullptr;
                    status = svm_cross_validation_ex(&problem_, &case_.param, case_.folds, &options,
                                                     targets.data(), &result);
                    return nullptr;
                  });
      if (made.result.status == SVM_CANCELLED) {
        return "the cross validation does not end: " + duration(made);
      }
      if (status != 0) return std::string("the cross validation fails: ") + svm_last_error();
      if (first.empty()) first = targets;
      if (std::memcmp(first.data(), targets.data(), first.size() * sizeof(double)) != 0) {
        return format("%zu threads change the predictions of the folds", threads);
      }
    }
    return "";
  }

  NetCase& case_;
  const double limit_;  // of the processor time of a training
  const svm_problem problem_;
  std::optional<ViewedData> viewed_;
  Model start_;
  long long cap_ = kIterations;
  Attempt own_;
  std::optional<Attempt> reference_;
  Verdict verdict_;
  bool was_checked_ = false;
};

struct Settings {
  std::uint64_t first = 0, every = 1, count = 100;
  long long one = -1;
  double seconds = 0, limit = 30;
  std::string file;
};

const char* const kTypeNames[] = {"C-SVC", "nu-SVC", "one-class", "epsilon-SVR", "nu-SVR"};

int run_one(const Settings& settings) {
  NetCase c(static_cast<std::uint64_t>(settings.one));
  std::printf("%s\n", c.text().c_str());
  if (!settings.file.empty()) {
    write_data(c.rows, settings.file);
    if (!c.row_weights.empty()) write_weights(c.row_weights, settings.file + ".weights");
    for (const std::string& command : c.commands(settings.file))
      std::printf("%s\n", command.c_str());
  }
  std::string why;
  std::vector<std::string> notes;
  Trial trial(c, settings.limit);
  const Outcome outcome = trial.run(why, notes);
  for (const std::string& note : notes) std::printf("%s\n", note.c_str());
  std::printf("%s %s\n", name_of(outcome), why.c_str());
  const svm_result& result = trial.own().result;
  std::printf("status %d, %s, objective %.10g, violation %.3g\n", result.status,
              duration(trial.own()).c_str(), result.objective, result.violation);
  if (trial.was_checked_independently()) {
    const Verdict& verdict = trial.verdict();
    std::printf("recomputed: violation %.6g, rounding %.3g, infeasibility %.3g, threshold %.3g\n",
                verdict.violation, verdict.rounding, verdict.infeasibility, verdict.threshold);
  }
  if (outcome != Outcome::kRefused) {
    trial.compare();
    if (const auto comparison = trial.comparison()) std::printf("%s\n", comparison->text.c_str());
  }
  return outcome == Outcome::kFailed ? 1 : 0;
}

void print_slowest(std::vector<Comparison> comparisons) {
  constexpr std::size_t kShown = 10;
  std::sort(comparisons.begin(), comparisons.end(),
            [](const Comparison& a, const Comparison& b) { return a.ratio > b.ratio; });
  std::printf("slowest beside smo, of %zu that were compared:\n", comparisons.size());
  for (std::size_t k = 0; k < std::min(kShown, comparisons.size()); ++k) {
    std::printf("  %s\n", comparisons[k].text.c_str());
  }
}

int run_all(const Settings& settings) {
  constexpr std::uint64_t kCompared = 4, kProgress = 100;  // one in so many
  Tally tally;
  std::vector<Comparison> comparisons;
  long long checked = 0;
  const std::time_t begin = std::time(nullptr);
  bool complete = true;
  for (std::uint64_t k = 0; k < settings.count; ++k) {
    const auto seconds = static_cast<double>(std::time(nullptr) - begin);
    if (k > 0 && k % kProgress == 0) {
      std::printf("%llu of %llu after %.0f s: %lld failed\n", static_cast<unsigned long long>(k),
                  static_cast<unsigned long long>(settings.count), seconds,
                  tally.count(Outcome::kFailed));
    }
    if (settings.seconds > 0 && seconds >= settings.seconds) {
      complete = false;
      break;
    }
    const std::uint64_t number = settings.first + k * settings.every;
    limit_case(static_cast<long>(number), kSecondsOfACase);
    NetCase c(number);
    Trial trial(c, settings.limit);
    std::string why;
    std::vector<std::string> notes;
    const Outcome outcome = trial.run(why, notes);
    for (const std::string& note : notes) {
      std::printf("note: %s\n  %s\n", c.text().c_str(), note.c_str());
    }
    if (outcome == Outcome::kFailed) {
      std::printf("FAILED: %s\n  %s\n", c.text().c_str(), why.c_str());
    }
    if (outcome == Outcome::kConverged && number % kCompared == 0) trial.compare();
    if (const auto comparison = trial.comparison()) comparisons.push_back(*comparison);
    checked += trial.was_checked_independently() ? 1 : 0;
    tally.add(kTypeNames[c.param.svm_type], outcome);
  }
  limit_case(0, 0);
  tally.print("type");
  std::printf("%lld of the models were checked independently as well\n", checked);
  print_slowest(std::move(comparisons));
  if (!complete) std::printf("out of time\n");
  const bool any = tally.count(Outcome::kConverged) > 0;
  if (!any) std::printf("nothing converged, so that nothing was judged\n");
  return tally.count(Outcome::kFailed) > 0 || !complete || !any ? 1 : 0;
}

// False where that is no command line of this program.
bool parse(const std::vector<std::string>& arguments, Settings& settings) {
  for (std::size_t k = 0; k < arguments.size(); k += 2) {
    if (k + 1 == arguments.size()) return false;
    const std::string &name = arguments[k], &value = arguments[k + 1];
    if (name == "--write") {
      settings.file = value;
      continue;
    }
    double number = 0;
    if (!parse_number(value, number)) return false;
    if (name == "--first") {
      settings.first = static_cast<std::uint64_t>(number);
    } else if (name == "--every" && number >= 1) {
      settings.every = static_cast<std::uint64_t>(number);
    } else if (name == "--count" && number >= 1) {
      settings.count = static_cast<std::uint64_t>(number);
    } else if (name == "--seconds") {
      settings.seconds = number;
    } else if (name == "--limit" && number > 0) {
      settings.limit = number;
    } else if (name == "--case") {
      settings.one = static_cast<long long>(number);
    } else {
      return false;
    }
  }
  return true;
}

int main_function(const std::vector<std::string>& arguments) {
  Settings settings;
  if (!parse(arguments, settings)) {
    std::fputs(
        "Usage: svm-net [--first K] [--every N] [--count N] [--seconds S] [--limit T] "
        "[--case I [--write FILE]]\n",
        stderr);
    return 1;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  return settings.one >= 0 ? run_one(settings) : run_all(settings);
}

}  // namespace
}  // namespace svm::test

int main(int argc, char** argv) { return svm::test::main_function({argv + 1, argv + argc}); }
