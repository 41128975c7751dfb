#include "training/call.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "base/platform/process.h"
#include "base/platform/text.h"
#include "base/simd/instruction_set.h"
#include "base/threads/thread_count.h"
#include "kernels/engines/row_engine.h"
#include "solvers/registry.h"
#include "training/random.h"

namespace svm {
namespace {

static_assert(SVM_CONVERGED == static_cast<int>(Status::kConverged));
static_assert(SVM_ITERATION_LIMIT == static_cast<int>(Status::kIterationLimit));
static_assert(SVM_TIME_LIMIT == static_cast<int>(Status::kTimeLimit));
static_assert(SVM_CANCELLED == static_cast<int>(Status::kCancelled));
static_assert(SVM_STALLED == static_cast<int>(Status::kStalled));
static_assert(SVM_IMPRECISE == static_cast<int>(Status::kImprecise));

constexpr const char* kSolverVariable = "LIBSVM_SOLVER";
constexpr double kLargestBias = 1e100;

// Returns the caller's options, with defaults for members that its version does not have.  Null
// stands for all defaults.  The size must be valid.
svm_options complete(const svm_options* given) {
  svm_options options = default_options();
  if (given == nullptr) return options;
  // The sizes of all versions are multiples of this, and so no member is cut.
  constexpr std::size_t kUnit = alignof(svm_options);
  std::memcpy(&options, given, given->size / kUnit * kUnit);
  return options;
}

const char* options_size_fault(const svm_options* given) {
  if (given == nullptr) return nullptr;
  return size_fault(*given, "svm_options: size is not set (use svm_init_options)",
                    "svm_options: size is larger than this version of the library knows");
}

struct Choice {
  const SolverEntry* solver;  // null if there is none of that name
  std::string name;           // as given; empty if it was not
  bool from_variable;
};

Choice choose(const svm_options& options) {
  if (options.solver != nullptr) return {find_solver(options.solver), options.solver, false};
  const char* const variable = variable_value(kSolverVariable);
  if (variable == nullptr) return {solvers().begin(), "", false};
  return {find_solver(variable), variable, true};
}

// Says which solvers have an option, as a message.
std::string option_text(const char* option, bool SolverEntry::*having) {
  const std::string names = solver_names(having), what = option;
  if (names.empty()) return what + " is an option of no solver here";
  const bool several = names.find(',') != std::string::npos;
  return what + " is an option of the " + (several ? "solvers: " : "solver ") + names;
}

// Messages that depend on the registry alone; made once.
struct Texts {
  Texts() {
    unknown = "there is no such solver; known are: " + solver_names();
    unknown_in_variable = std::string("environment variable ") + kSolverVariable + ": " + unknown;
    free_set = option_text("free_set", &SolverEntry::free_set);
    init = option_text("init", &SolverEntry::start_point);
    bias = option_text("bias", &SolverEntry::bias);
    landmarks = option_text("the number of landmarks", &SolverEntry::landmarks);
    fixed_threshold = option_text("fixed_threshold", &SolverEntry::fixed_threshold);
    too_many_threads = "threads > " + std::to_string(kMaxThreads);
    for (const SolverEntry& entry : solvers()) supported[&entry] = supported_text(entry);
    table = solver_table();
  }
  std::string unknown, unknown_in_variable, free_set, init, fixed_threshold, bias, landmarks, table,
      too_many_threads;
  std::map<const SolverEntry*, std::string> supported;
};

// Holds a value that is never destroyed: other threads may still train while the process ends.
template <typename T>
class Immortal {
 public:
  Immortal() { ::new (storage_) T(); }
  Immortal(const Immortal&) = delete;
  Immortal& operator=(const Immortal&) = delete;
  const T& get() const { return *std::launder(reinterpret_cast<const T*>(storage_)); }

 private:
  alignas(T) unsigned char storage_[sizeof(T)];
};

svm_progress to_c(const Progress& snapshot) {
  svm_progress progress{};
  progress.size = sizeof(progress);
  progress.problem = snapshot.problem;
  progress.iterations = snapshot.iterations;
  progress.total_iterations = snapshot.total_iterations;
  progress.seconds = snapshot.seconds;
  progress.objective = snapshot.objective;
  progress.violation = snapshot.violation;
  progress.active = snapshot.active;
  progress.variables = snapshot.variables;
  progress.kernel_rows = snapshot.kernel_rows;
  progress.finished = snapshot.finished ? 1 : 0;
  progress.conjugate_steps = snapshot.steps.conjugate;
  progress.clipped_steps = snapshot.steps.clipped;
  progress.phases = snapshot.steps.phases;
  progress.outer_steps = snapshot.steps.outer;
  return progress;
}

const Texts& texts() {
  static const Immortal<Texts> all;
  static_assert(std::is_trivially_destructible_v<decltype(all)>);
  return all.get();
}

}  // namespace

svm_options default_options() {
  svm_options options{};
  options.size = sizeof(options);
  options.seed = -1;
  options.free_set = 1;
  return options;
}

void init_options(void* options, std::size_t size) {
  svm_options defaults = default_options();
  if (size < sizeof(defaults.size)) return;
  defaults.size = size;
  std::memset(options, 0, size);
  std::memcpy(options, &defaults, std::min(size, sizeof(defaults)));
}

namespace {

// What is wrong with the choice of the solver; null if nothing is.
const char* choice_fault(const Choice& choice, const svm_parameter* param) {
  if (choice.solver == nullptr) {
    return (choice.from_variable ? texts().unknown_in_variable : texts().unknown).c_str();
  }
  if (param != nullptr && !supports(*choice.solver, param->svm_type, param->kernel_type)) {
    return texts().supported.at(choice.solver).c_str();
  }
  return nullptr;
}

// What is wrong with the other options; null if nothing is.
const char* options_fault(const svm_options& options, const Choice& choice) {
  if (options.max_iter < 0) return "max_iter < 0";
  if (!(options.time_limit >= 0)) return "time_limit < 0";
  if (options.free_set == 0 && !choice.solver->free_set) return texts().free_set.c_str();
  if (options.init != nullptr && !choice.solver->start_point) return texts().init.c_str();
  if (options.fixed_threshold != 0 && !choice.solver->fixed_threshold) {
    return texts().fixed_threshold.c_str();
  }
  if (options.as_published != 0) {
    if (published(*choice.solver) == nullptr) {
      return "as_published is no option of the solver smo, whose algorithm is LIBSVM's";
    }
    if (options.init != nullptr) return "init is no option of solvers as_published";
  }
  if (options.first_order != 0 && (options.as_published == 0 || !choice.solver->free_set)) {
    return "first_order is an option of the solver csmo with as_published";
  }
  if (!(options.bias >= 0 && options.bias <= kLargestBias)) return "bias < 0 or bias > 1e100";
  if (options.bias != 0 && !choice.solver->bias) return texts().bias.c_str();
  if (options.landmarks != 0 && !choice.solver->landmarks) return texts().landmarks.c_str();
  if (options.threads > kMaxThreads) return texts().too_many_threads.c_str();
  if (options.seed < -1 || options.seed > UINT32_MAX) return "seed < -1 or seed > 4294967295";
  if (options.random != nullptr && options.seed >= 0) return "random and seed exclude each other";
  return nullptr;
}

}  // namespace

const char* check_options(const svm_parameter* param, const svm_options* given) {
  if (const char* fault = options_size_fault(given)) return fault;
  const svm_options options = complete(given);
  const Choice choice = choose(options);
  if (choice.solver == nullptr) return choice_fault(choice, param);
  if (const char* fault = options_fault(options, choice)) return fault;
  if (const char* fault = choice_fault(choice, param)) return fault;
  return options.threads == 0 && default_threads() == 0 ? kThreadsFault : nullptr;
}

const double* row_weights_of(const svm_options* given) {
  return options_size_fault(given) == nullptr ? complete(given).row_weights : nullptr;
}

const char* check_result(const svm_result* result) {
  if (result == nullptr) return nullptr;
  return size_fault(*result, "svm_result: size is not set",
                    "svm_result: size is larger than this version of the library knows");
}

void configure(Run& run, const svm_parameter& param, const svm_options* given,
               BadVariables bad_variables) {
  if (const char* fault = options_size_fault(given)) throw std::invalid_argument(fault);
  const svm_options options = complete(given);
  const auto note = [&](const std::string& fault) {
    if (bad_variables == BadVariables::kRefuse) throw std::invalid_argument(fault);
    run.services.messages.warn("WARNING: " + fault + "; it is ignored\n");
  };
  Choice choice = choose(options);
  if (const char* fault = choice_fault(choice, &param)) {
    std::string text = fault;
    if (choice.solver == nullptr) {
      text = joined({text, ", not '", choice.name, "'"});
    } else if (choice.from_variable) {
      text = joined({"environment variable ", kSolverVariable, ": ", text});
    }
    if (!choice.from_variable) throw std::invalid_argument(text);
    note(text);
    choice.solver = solvers().begin();
  }
  if (const char* fault = options_fault(options, choice)) throw std::invalid_argument(fault);
  auto threads = static_cast<unsigned>(options.threads);
  if (threads == 0) threads = default_threads();
  if (threads == 0) {
    note(threads_fault());
    threads = processor_threads();
  }
  for (const std::string& fault : {instruction_set_fault(), engine_fault()}) {
    if (!fault.empty()) note(fault);
  }
  require_exact_arithmetic();
  run.services.pool = std::make_shared<ThreadPool>(threads);
  run.options.solver = options.as_published != 0 ? published(*choice.solver) : choice.solver;
  run.options.max_iterations = options.max_iter;
  run.options.time_limit = options.time_limit;
  run.options.free_set = options.free_set != 0;
  run.options.init = options.init;
  run.options.row_weights = options.row_weights;
  run.options.fixed_threshold = options.fixed_threshold != 0;
  run.options.as_published = options.as_published != 0;
  run.options.first_order = options.first_order != 0;
  run.options.examples.bias = options.bias;
  run.options.examples.landmarks = options.landmarks;
  if (options.seed >= 0) {
    const auto seed = static_cast<std::uint32_t>(options.seed);
    run.options.examples.seed = seed;
    run.services.draw = remainders_of(Generator(seed));
  }
  if (options.random != nullptr) {
    run.services.draw = draws_of_caller(options.random, options.random_user);
  }
  const auto send = [](auto* function, void* user) {
    return to_caller([function, user](const char* text) { function(text, user); });
  };
  if (options.print != nullptr) {
    run.services.messages.print_to(send(options.print, options.print_user));
  }
  if (options.warn != nullptr) run.services.messages.warn_to(send(options.warn, options.warn_user));
  if (options.progress == nullptr) return;
  auto last = std::make_shared<Progress>();  // repeated while no binary problem is being solved
  run.services.progress = [call = options.progress, user = options.progress_user,
                           last = std::move(last)](const Progress& snapshot) {
    if (snapshot.problem != 0) *last = snapshot;
    svm_progress progress = to_c(*last);
    progress.seconds = snapshot.seconds;
    try {
      return call(&progress, user) == 0;
    } catch (...) {  // svm_ext.h says that it cancels
      return false;
    }
  };
}

void store_record(const Record& report, svm_result* result) {
  if (result == nullptr) return;
  svm_result all{};
  all.size = result->size;
  all.problems = report.problems;
  all.iterations = report.iterations;
  all.conjugate_steps = report.steps.conjugate;
  all.clipped_steps = report.steps.clipped;
  all.phases = report.steps.phases;
  all.outer_steps = report.steps.outer;
  all.objective = report.objective;
  all.violation = report.violation;
  all.kernel_rows = report.kernel_rows;
  all.kernel_seconds = report.kernel_seconds;
  all.seconds = report.seconds;
  all.status = static_cast<int>(report.status);
  std::memcpy(result, &all, result->size);
}

void store_machines(const std::vector<MachineRecord>& machines, const svm_options* given) {
  const svm_options options = complete(given);
  for (std::size_t m = 0; m < machines.size() && m < options.problem_room; ++m) {
    if (options.problem_iterations != nullptr) {
      options.problem_iterations[m] = machines[m].iterations;
    }
    if (options.problem_status != nullptr) {
      options.problem_status[m] = static_cast<int>(machines[m].status);
    }
  }
}

const char* solver_list() { return texts().table.c_str(); }

}  // namespace svm
