// Training: any small problem, with any allowed parameters and solver, ends with a model and a
// consistent report; a model is optimal if its status is "converged".
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "solvers/registry.h"
#include "svm_ext.h"
#include "tests/certificate_checker.h"
#include "tests/format.h"
#include "tests/fuzz/fuzz.h"
#include "training/call.h"
#include "training/train.h"

namespace svm::fuzz {
namespace {

using test::Objective;
using test::Trained;

// Choices made by the input, one byte each; after its end, zeros.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : next_(data), end_(data + size) {}

  std::size_t below(std::size_t count) {
    const std::size_t byte = next_ == end_ ? 0 : *next_++;
    return byte % count;
  }
  template <typename T, std::size_t N>
  T of(const std::array<T, N>& all) {
    return all[below(N)];
  }
  bool yes() { return below(2) != 0; }

 private:
  const std::uint8_t* next_;
  const std::uint8_t* end_;
};

constexpr std::array kScales = {1.0, 1e-3, 1e-2, 0.1, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6};
constexpr std::array kValues = {0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.25, 3.0, 0.1, -0.7, 1e-3, 1e-9};
constexpr std::array kLabels = {1.0, -1.0, 2.0, 7.0};
constexpr std::array kCosts = {1.0, 1e-3, 1e-2, 0.1, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
constexpr std::array kTolerances = {1e-3, 0.1, 1e-2, 1e-4, 1e-6, 1e-9, 1.0};
constexpr std::array kFractions = {0.5, 0.1, 0.01, 0.2, 0.9, 1.0, 1e-3, 1.0 / 3};
constexpr std::array kTubes = {0.1, 0.0, 1e-3, 1.0, 1e3};
constexpr std::array kGammas = {0.5, 0.0, 1e-3, 1.0, 10.0, 1e3};
constexpr std::array kWeights = {1.0, 10.0, 0.1, 1e4, 1e-4};
constexpr std::array kOffsets = {0.0, 1.0, -1.0, 0.5};
constexpr long long kMostIterations = 300;

// Owns the memory of its rows.
class Problem {
 public:
  Problem(Choices& choices, const svm_parameter& param) {
    constexpr std::size_t kMostRows = 12, kMostFeatures = 3;
    const std::size_t count = 1 + choices.below(kMostRows);
    const bool precomputed = param.kernel_type == PRECOMPUTED;
    const bool has_classes = param.svm_type == C_SVC || param.svm_type == NU_SVC;
    const std::size_t features = precomputed ? count : choices.below(kMostFeatures + 1);
    const double scale = choices.of(kScales);
    for (std::size_t i = 0; i < count; ++i) {
      labels_.push_back(has_classes ? choices.of(kLabels) : scale * choices.of(kValues));
      std::vector<svm_node> row;
      if (precomputed) row.push_back({0, static_cast<double>(i + 1)});
      for (std::size_t k = 0; k < features; ++k) {
        // A precomputed kernel is symmetric.
        const double value =
            precomputed && k < i ? rows_[k][i + 1].value : scale * choices.of(kValues);
        if (precomputed || value != 0) row.push_back({static_cast<int>(k) + 1, value});
      }
      row.push_back({-1, 0});
      rows_.push_back(std::move(row));
    }
    for (std::vector<svm_node>& row : rows_) views_.push_back(row.data());
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  svm_problem view() { return {static_cast<int>(labels_.size()), labels_.data(), views_.data()}; }

 private:
  std::vector<double> labels_;
  std::vector<std::vector<svm_node>> rows_;
  std::vector<svm_node*> views_;
};

struct Settings {
  explicit Settings(Choices& choices) {
    std::vector<const char*> names;
    for (const SolverEntry& entry : solvers()) names.push_back(entry.name);
    options.solver = names[choices.below(names.size())];
    param.svm_type = static_cast<int>(choices.below(NU_SVR + 1));
    param.kernel_type = static_cast<int>(choices.below(PRECOMPUTED + 1));
    // Unsupported types and kernels are replaced by those that all solvers take.
    if (svm_check_options(&param, &options) != nullptr) param.svm_type = C_SVC;
    if (svm_check_options(&param, &options) != nullptr) param.kernel_type = LINEAR;
    param.C = choices.of(kCosts);
    param.eps = choices.of(kTolerances);
    param.nu = choices.of(kFractions);
    param.p = choices.of(kTubes);
    param.gamma = choices.of(kGammas);
    param.coef0 = choices.of(kOffsets);
    param.degree = static_cast<int>(choices.below(5));
    param.cache_size = 1;
    param.shrinking = choices.yes() ? 0 : 1;
    param.probability = choices.below(8) == 1 ? 1 : 0;
    if (choices.yes()) {
      weight = choices.of(kWeights);
      param.nr_weight = 1;
      param.weight_label = &weight_label;
      param.weight = &weight;
    }
    options.max_iter = kMostIterations;
    options.seed = 0;
    options.threads = 1;
    const SolverEntry& solver = *find_solver(options.solver);
    if (solver.bias && choices.yes()) options.bias = 1;
    if (solver.fixed_threshold && choices.yes()) options.fixed_threshold = 1;
    if (solver.landmarks) options.landmarks = choices.below(4);
    if (solver.free_set && choices.yes()) options.free_set = 0;
  }
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;

  svm_parameter param{};
  svm_options options = default_options();
  int weight_label = 1;
  double weight = 1;
};

Objective objective_of(const Settings& settings) {
  const SolverEntry& solver = *find_solver(settings.options.solver);
  if (solver.squared_slacks) return Objective::kSquaredSlacks;
  if (solver.bias) return Objective::kNoThreshold;
  if (solver.landmarks) return Objective::kEmbedded;
  return settings.options.fixed_threshold != 0 ? Objective::kFixedThreshold : Objective::kLibsvm;
}

// The problem as a data file, and the command that trains on it.
std::string text_of(const svm_problem& problem, const Settings& settings) {
  const svm_parameter& p = settings.param;
  const svm_options& o = settings.options;
  std::string text = format(
      "\nsvm-train -a %s -s %d -t %d -d %d -g %g -r %g -c %g -n %g -p %g -e %g -h %d --max-iter "
      "%lld",
      o.solver, p.svm_type, p.kernel_type, p.degree, p.gamma, p.coef0, p.C, p.nu, p.p, p.eps,
      p.shrinking, o.max_iter);
  if (p.nr_weight > 0) text += format(" -w%d %g", p.weight_label[0], p.weight[0]);
  if (o.bias > 0) text += format(" --bias %g", o.bias);
  if (o.landmarks > 0) text += format(" --landmarks %zu", o.landmarks);
  if (o.fixed_threshold != 0) text += " --fixed-threshold";
  if (o.free_set == 0) text += " --free-set off";
  text += '\n';
  for (int i = 0; i < problem.l; ++i) {
    text += format("%.17g", problem.y[i]);
    for (const svm_node* node = problem.x[i]; node->index != -1; ++node) {
      text += format(" %d:%.17g", node->index, node->value);
    }
    text += '\n';
  }
  return text;
}

// Checks what a converged run promises.
void check_converged(const svm_problem& problem, const Settings& settings, const svm_model& model,
                     const svm_result& result) {
  require(std::isfinite(result.objective) && std::isfinite(result.violation),
          "the report of a run that converged is finite");
  if (settings.param.probability != 0) return;  // the report is also about the fits
  const Trained trained = {&problem,
                           &settings.param,
                           objective_of(settings),
                           settings.options.bias,
                           &model,
                           result.objective,
                           result.iterations,
                           find_solver(settings.options.solver)->follows_libsvm};
  const std::string wrong = complaint(trained, check_model(trained));
  require(wrong.empty(), (wrong + text_of(problem, settings)).c_str());
}

void check(const svm_problem& problem, const Settings& settings) {
  // As svm_train_rows, but warnings go to `warnings`.
  std::string warnings;
  Run run(Messages(nullptr));
  configure(run, settings.param, &settings.options);
  run.services.messages = Messages([](const char*) {}, [&](const char* text) { warnings += text; });
  ModelPtr model;
  try {
    model = train(problem, settings.param, run);
  } catch (const std::invalid_argument&) {
    return;  // kernel values beyond the range of numbers
  } catch (const std::runtime_error&) {
    require(find_solver(settings.options.solver)->landmarks, "only landmarks can be degenerate");
    return;
  }
  svm_result result{};
  result.size = sizeof(result);
  store_record(run.record, &result);

  require(model->l >= 0, "a number of support vectors");
  require(model->free_sv != 0 || model->l <= problem.l, "support vectors are rows");
  require(result.status >= SVM_CONVERGED && result.status <= SVM_IMPRECISE,
          "a status of svm_ext.h");
  require(result.status == SVM_CONVERGED || !warnings.empty(), "a warning unless it converged");
  require(result.iterations >= 0 && result.iterations <= kMostIterations * result.problems,
          "iterations are within their limit");
  require(result.conjugate_steps <= result.iterations, "conjugate steps are iterations");
  require(result.clipped_steps <= result.conjugate_steps, "clipped steps are conjugate steps");
  if (result.status == SVM_CONVERGED) check_converged(problem, settings, *model, result);
}

}  // namespace
}  // namespace svm::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace svm::fuzz;
  Choices choices(data, size);
  const Settings settings(choices);
  Problem problem(choices, settings.param);
  const svm_problem view = problem.view();
  if (svm_check_parameter(&view, &settings.param) == nullptr) check(view, settings);
  return 0;
}
