#include "training/call.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/platform/process.h"
#include "base/platform/text.h"
#include "base/simd/instruction_set.h"
#include "base/threads/pool.h"
#include "base/threads/primitives.h"
#include "kernels/engines/row_engine.h"
#include "solvers/registry.h"
#include "training/random.h"

namespace svm {
namespace {

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

// A copy of the text that lives to the end of the process, the same one for equal texts.  The set
// is never destroyed, as other threads may still train while the process ends.
const char* kept(const std::string& text) {
  static Mutex mutex;
  static std::set<std::string>* all = nullptr;
  const std::lock_guard<Mutex> lock(mutex);
  if (all == nullptr) {
    auto first = std::make_unique<std::set<std::string>>();
    first->insert(text);
    all = first.release();
  }
  return all->insert(text).first->c_str();
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

// What is wrong with the choice of the solver; empty if nothing is.
std::string choice_fault(const Choice& choice, const svm_parameter* param) {
  if (choice.solver == nullptr) {
    std::string fault = "there is no such solver; known are: " + solver_names();
    if (!choice.from_variable) return fault;
    return joined({"environment variable ", kSolverVariable, ": ", fault});
  }
  if (param != nullptr && !supports(*choice.solver, param->svm_type, param->kernel_type)) {
    return supported_text(*choice.solver);
  }
  return "";
}

// What is wrong with the other options; empty if nothing is.
std::string options_fault(const svm_options& options, const Choice& choice) {
  using Entry = SolverEntry;
  const Entry& solver = *choice.solver;
  if (options.max_iter < 0) return "max_iter < 0";
  if (!(options.time_limit >= 0)) return "time_limit < 0";
  if (options.free_set == 0 && !solver.free_set) return option_text("free_set", &Entry::free_set);
  if (options.init != nullptr && !solver.start_point) {
    return option_text("init", &Entry::start_point);
  }
  if (options.fixed_threshold != 0 && !solver.fixed_threshold) {
    return option_text("fixed_threshold", &Entry::fixed_threshold);
  }
  if (options.as_published != 0) {
    if (solver.follows_libsvm) {
      return "as_published is no option of the solver smo, whose algorithm is LIBSVM's";
    }
    if (options.init != nullptr) return "init is no option of solvers as_published";
  }
  if (options.first_order != 0 && (options.as_published == 0 || !solver.free_set)) {
    return "first_order is an option of the solver csmo with as_published";
  }
  if (!(options.bias >= 0 && options.bias <= kLargestBias)) return "bias < 0 or bias > 1e100";
  if (options.bias != 0 && !solver.bias) return option_text("bias", &Entry::bias);
  if (options.landmarks != 0 && !solver.landmarks) {
    return option_text("the number of landmarks", &Entry::landmarks);
  }
  if (options.threads > kMaxThreads) return "threads > " + std::to_string(kMaxThreads);
  if (options.seed < -1 || options.seed > UINT32_MAX) return "seed < -1 or seed > 4294967295";
  if (options.random != nullptr && options.seed >= 0) return "random and seed exclude each other";
  return "";
}

}  // namespace

const char* check_options(const svm_parameter* param, const svm_options* given) {
  if (const char* fault = options_size_fault(given)) return fault;
  const svm_options options = complete(given);
  const Choice choice = choose(options);
  std::string fault = choice.solver == nullptr ? "" : options_fault(options, choice);
  if (fault.empty()) fault = choice_fault(choice, param);
  if (!fault.empty()) return kept(fault);
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
  std::string fault = choice_fault(choice, &param);
  if (!fault.empty()) {
    if (choice.solver == nullptr) {
      fault = joined({fault, ", not '", choice.name, "'"});
    } else if (choice.from_variable) {
      fault = joined({"environment variable ", kSolverVariable, ": ", fault});
    }
    if (!choice.from_variable) throw std::invalid_argument(fault);
    note(fault);
    choice.solver = solvers().begin();
  }
  fault = options_fault(options, choice);
  if (!fault.empty()) throw std::invalid_argument(fault);
  auto threads = static_cast<unsigned>(options.threads);
  if (threads == 0) threads = default_threads();
  if (threads == 0) {
    note(threads_fault());
    threads = processor_threads();
  }
  for (const std::string& each : {instruction_set_fault(), engine_fault()}) {
    if (!each.empty()) note(each);
  }
  require_exact_arithmetic();
  run.services.pool = std::make_shared<ThreadPool>(threads);
  static_cast<svm_options&>(run.options) = options;
  run.options.entry = choice.solver;
  run.options.seed = std::max(options.seed, 0LL);  // of solvers on rows
  if (options.seed >= 0) {
    run.services.draw = remainders_of(Generator(static_cast<std::uint32_t>(options.seed)));
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
  if (options.quiet != 0) run.services.messages.silence();
  if (options.warn != nullptr) run.services.messages.warn_to(send(options.warn, options.warn_user));
  if (options.progress == nullptr) return;
  // Repeated while no binary problem is being solved.
  auto last = std::make_shared<svm_progress>(first_progress());
  run.services.progress = [call = options.progress, user = options.progress_user,
                           last = std::move(last)](const svm_progress& snapshot) {
    if (snapshot.problem != 0) *last = snapshot;
    svm_progress progress = *last;
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
  svm_result all = report;
  all.size = result->size;
  std::memcpy(result, &all, result->size);
}

void store_machines(const std::vector<MachineRecord>& machines, const svm_options* given) {
  const svm_options options = complete(given);
  for (std::size_t m = 0; m < machines.size() && m < options.problem_room; ++m) {
    if (options.problem_iterations != nullptr) {
      options.problem_iterations[m] = machines[m].iterations;
    }
    if (options.problem_status != nullptr) {
      options.problem_status[m] = machines[m].status;
    }
  }
}

const char* solver_list() { return kept(solver_table()); }

}  // namespace svm
