#include "tests/sweep/net_trial.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <utility>

#include "tests/format.h"

namespace svm::test {
namespace {

constexpr long long kIterations = 50000;
constexpr double kTimesSmo = 10;
constexpr double kLongSeconds = 3;  // processor seconds; less is never too long, whatever smo takes
constexpr double kFeasible = 1e-9;
// Limit of the independent checker's cost: kernel values times additions per value.
constexpr double kMostCheckingCost = 5e7;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

std::string Attempt::text() const {
  return format("%lld iterations, %.2f s", result.iterations, seconds);
}

NetTrial::NetTrial(NetCase& c, double limit)
    : case_(c), limit_(limit), problem_(c.rows.problem()), cap_(kIterations) {
  if (c.layout) viewed_.emplace(c.rows, *c.layout);
}

Outcome NetTrial::run(std::string& why, std::vector<std::string>& notes) {
  if (case_.start && !make_start()) return Outcome::kRefused;
  own_ = train(case_.solver, 1, viewed_.has_value(), cap_);
  if (own_.model == nullptr) return Outcome::kRefused;
  why = judge(notes);
  return why.empty() ? outcome_of(own_.result.status) : Outcome::kFailed;
}

std::optional<Comparison> NetTrial::comparison() const {
  if (!reference_ || !reference_->converged() || !own_.converged()) return {};
  constexpr double kLeast = 0.02;  // shorter times are not compared
  const double ratio = own_.seconds / std::max(reference_->seconds, kLeast);
  return Comparison{ratio, format("case %llu: %.1f times smo's time (%s; smo %s)",
                                  static_cast<unsigned long long>(case_.number), ratio,
                                  own_.text().c_str(), reference_->text().c_str())};
}

svm_options NetTrial::options_for(const char* solver, std::size_t threads, long long cap) const {
  svm_options options;
  svm_init_options(&options, sizeof(options));
  options.solver = solver;
  options.max_iter = cap;
  options.print = [](const char*, void*) {};
  options.warn = [](const char*, void*) {};
  options.threads = threads;
  options.seed = 1;
  options.row_weights = case_.given_weights();
  options.init = start_.get();
  options.progress = [](const svm_progress*, void* end) {
    return processor_seconds() > *static_cast<const double*>(end) ? 1 : 0;
  };
  return options;
}

// Calls train(options, result), which returns a model or null.
template <typename Train>
Attempt NetTrial::attempt(svm_options options, double limit, Train train) const {
  Attempt made;
  made.result.size = sizeof(made.result);
  const double begin = processor_seconds();
  double end = begin + limit;
  options.progress_user = &end;
  made.model = Model(train(options, made.result));
  made.seconds = processor_seconds() - begin;
  made.ended = made.result.status != SVM_CANCELLED;
  return made;
}

Attempt NetTrial::train(const char* solver, std::size_t threads, bool as_view,
                        long long cap) const {
  return attempt(options_for(solver, threads, cap), limit_,
                 [&](const svm_options& options, svm_result& result) {
                   return as_view ? svm_train_rows(&viewed_->view(), viewed_->labels(),
                                                   &case_.param, &options, &result)
                                  : test::train(&problem_, &case_.param, &options, &result);
                 });
}

// False if the start is refused.
bool NetTrial::make_start() {
  Attempt made = attempt(options_for("smo", 1, kIterations), limit_,
                         [&](const svm_options& options, svm_result& result) {
                           return test::train(&problem_, &*case_.start, &options, &result);
                         });
  start_ = std::move(made.model);
  return start_ != nullptr;
}

const Attempt& NetTrial::reference() {
  if (!reference_) reference_ = train("smo", 1, false, kIterations);
  return *reference_;
}

std::string NetTrial::beside_smo() {
  const Attempt& smo = reference();
  return own_.text() + "; smo " + (smo.converged() ? "converges" : "does not converge") + ": " +
         smo.text();
}

std::string NetTrial::judge(std::vector<std::string>& notes) {
  std::string fault = fault_of_effort();
  if (fault.empty() && own_.converged()) fault = fault_of_model();
  if (fault.empty() && case_.checks_threads) fault = fault_of_threads();
  if (fault.empty() && case_.folds > 0) fault = fault_of_folds();
  if (fault.empty() && !own_.converged() && reference().converged()) {
    notes.push_back(std::string(name_of(outcome_of(own_.result.status))) +
                    ", but smo converges: " + beside_smo());
  }
  return fault;
}

std::string NetTrial::fault_of_effort() {
  if (!own_.ended) return "the training does not end: " + beside_smo();
  if (own_.result.status == SVM_ITERATION_LIMIT && reference().converged()) {
    const auto more = static_cast<long long>(kTimesSmo) * reference_->result.iterations;
    if (more > cap_) {
      cap_ = more;
      own_ = train(case_.solver, 1, viewed_.has_value(), cap_);
    }
    if (!own_.converged()) return "the training takes too many iterations: " + beside_smo();
  }
  if (own_.seconds > kLongSeconds && reference().converged() &&
      own_.seconds > kTimesSmo * reference_->seconds) {
    return "the training takes too long: " + beside_smo();
  }
  return "";
}

std::string NetTrial::fault_of_model() {
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
    std::string fault = complaint(trained, verdict_);
    if (!fault.empty()) return fault;
    rounding = 2 * verdict_.rounding;
  }
  if (!(found.violation <= case_.param.eps + rounding)) {
    return format("--check has a violation of %g", found.violation);
  }
  if (!(found.infeasibility <= kFeasible * sum_of_variables())) {
    return format("--check has an infeasibility of %g", found.infeasibility);
  }
  return "";
}

std::string NetTrial::fault_of_threads() const {
  for (std::size_t threads = 2; threads <= 3; ++threads) {
    const bool as_view = threads == 2 && viewed_.has_value();
    const Attempt other = train(case_.solver, threads, as_view, cap_);
    if (other.model == nullptr || !are_equal(*own_.model, *other.model) ||
        other.result.iterations != own_.result.iterations) {
      return format("%zu threads%s make another model: %s, not %s", threads,
                    viewed_.has_value() && !as_view ? " on svm_nodes" : "", other.text().c_str(),
                    own_.text().c_str());
    }
  }
  return "";
}

std::string NetTrial::fault_of_folds() const {
  std::vector<double> first;
  for (std::size_t threads = 1; threads <= 3; ++threads) {
    std::vector<double> targets(case_.rows.size());
    int status = 0;
    svm_options given = options_for(case_.solver, threads, kIterations);
    given.init = nullptr;
    const Attempt made = attempt(given, case_.folds * limit_,
                                 [&](const svm_options& options, svm_result& result) -> svm_model* {
                                   status =
                                       test::cross_validate(&problem_, &case_.param, case_.folds,
                                                            &options, targets.data(), &result);
                                   return nullptr;
                                 });
    if (!made.ended) return "the cross validation does not end: " + made.text();
    if (status != 0) return std::string("the cross validation fails: ") + svm_last_error();
    if (first.empty()) first = targets;
    if (std::memcmp(first.data(), targets.data(), first.size() * sizeof(double)) != 0) {
      return format("%zu threads change the predictions of the folds", threads);
    }
  }
  return "";
}

double NetTrial::checking_cost() const {
  const auto rows = static_cast<double>(case_.different);
  const auto vectors = static_cast<double>(own_.model->l);
  return rows * std::min(rows, vectors) * static_cast<double>(case_.most_nodes + 10);
}

double NetTrial::sum_of_coefficients() const {
  double sum = 1e-300;
  for (int k = 0; k + 1 < own_.model->nr_class; ++k) {
    for (int s = 0; s < own_.model->l; ++s) sum += std::fabs(own_.model->sv_coef[k][s]);
  }
  return sum;
}

// Coefficients are the dual variables, except for nu-SVC, which divides them by the margin, and
// nu-SVR, in which both variables of a row may be above 0.
double NetTrial::sum_of_variables() const {
  const svm_parameter& param = case_.param;
  if (param.svm_type != NU_SVC && param.svm_type != NU_SVR) return sum_of_coefficients();
  double weights = 0;
  for (const double weight : case_.row_weights) weights += weight;
  if (case_.row_weights.empty()) weights = static_cast<double>(case_.rows.size());
  return param.nu * weights * (param.svm_type == NU_SVR ? param.C : 1);
}

// How far a violation may exceed the tolerance because sums are doubles: 2^-50 of the dual
// variables times the largest product in kernel values, and of the largest target.
double NetTrial::rounding_bound() const {
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
  return 0x1p-50 * (value * sum_of_variables() + largest);
}

}  // namespace svm::test
