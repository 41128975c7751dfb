#include <limits>

#include "programs/cli/option_builders.h"
#include "programs/cli/train_options.h"
#include "solvers/registry.h"
#include "solvers/run/messages.h"

namespace svm::cli {
namespace {

// "name number summary" of every solver, a line each.
std::string solver_lines() {
  std::string lines;
  for (const SolverEntry& entry : solvers()) {
    std::string line = entry.name;
    line.resize(8, ' ');
    line += entry.number;
    line.resize(11, ' ');
    lines += line + entry.summary + "\n";
  }
  return lines;
}

// "solver NAME" or "solvers NAME, NAME": those that take an option.
std::string solvers_having(bool SolverEntry::*option) {
  const std::string names = solver_names(option);
  return (names.find(',') == std::string::npos ? "solver " : "solvers ") + names;
}

Option solver_option(TrainSettings& settings) {
  Option option = value_option(ValueKind::kText, "-a", "solver",
                               "solver, by name or number; see --list-solvers:\n" + solver_lines() +
                                   "hybrid and 2 are other names of csmo; the environment variable "
                                   "LIBSVM_SOLVER changes the default",
                               solvers().begin()->name, "a name or number of --list-solvers");
  for (const SolverEntry& entry : solvers()) option.choices.emplace_back(entry.name);
  option.store = [&settings](const Option::Value& value) {
    svm_options options;
    svm_init_options(&options, sizeof(options));
    options.solver = value.text.c_str();
    if (const char* fault = svm_check_options(nullptr, &options)) {
      throw BadValue("'" + value.text + "': " + fault);
    }
    settings.solver = value.text;
  };
  return option;
}

Option list_option() {
  Option option = value_option(ValueKind::kNone, "--list-solvers", "", "list the solvers and exit");
  option.text = [] { return std::string(svm_list_solvers()); };
  return option;
}

Option free_set_option(TrainSettings& settings) {
  Option option = value_option(
      ValueKind::kText, "--free-set", "on/off",
      solvers_having(&SolverEntry::free_set) + ": phases over the free variables", "on", "on, off");
  option.choices = {"on", "off"};
  option.store = [&settings](const Option::Value& value) {
    if (value.text != "on" && value.text != "off") {
      throw BadValue("'" + value.text + "' is neither on nor off");
    }
    settings.free_set_set = true;
    settings.options.free_set = value.text == "on" ? 1 : 0;
  };
  return option;
}

}  // namespace

std::vector<Option> solver_options(TrainSettings& settings) {
  constexpr double kMost = std::numeric_limits<double>::infinity();
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  svm_options& options = settings.options;
  return {
      solver_option(settings),
      within(1, kMost,
             int_option("--max-iter", "n",
                        "stop each binary problem after n iterations; there is a warning, and the "
                        "model is written",
                        "as LIBSVM: at least 10000000", ">= 1", options.max_iter)),
      within(kLeast, kMost,
             real_option("--time-limit", "seconds",
                         "stop training, or the whole cross validation, after this time; there is "
                         "a warning, and the model is written, without probability estimates",
                         "none", "> 0", options.time_limit)),
      free_set_option(settings),
      file_option("--init", "model",
                  "start from the coefficients of this model, which was trained on the same rows, "
                  "clipped to the new bounds: faster if little has changed; " +
                      solvers_having(&SolverEntry::start_point),
                  settings.init_file),
      flag_option("--fixed-threshold",
                  solvers_having(&SolverEntry::fixed_threshold) +
                      ": leave the threshold at 0, moving one variable at a time",
                  options.fixed_threshold),
      flag_option("--as-published",
                  "all solvers but smo: the algorithm of the solver's paper with nothing added, "
                  "to repeat the paper's results; slower",
                  options.as_published),
      flag_option("--first-order",
                  "solver csmo with --as-published: choose pairs by first order, as in section 3.3 "
                  "of the paper",
                  options.first_order),
      within(kLeast, kMost,
             real_option("--bias", "value",
                         solvers_having(&SolverEntry::bias) +
                             ": add a feature of this value to every row, which makes a threshold",
                         "none", "> 0", options.bias)),
      within(1, kMost,
             int_option(
                 "--landmarks", "n",
                 solvers_having(&SolverEntry::landmarks) + ": rows that stand for all of them",
                 "1000", ">= 1; more than there are rows means all of them", options.landmarks)),
      within(0, kMost,
             int_option("--seed", "n",
                        "seed of random draws: of the folds of -v and -b, and of the solvers dcd, "
                        "avsf, pegasos and snacks",
                        "a fixed one", ">= 0", options.seed)),
      threads_option("train", options.threads),
      file_option("--trace", "file",
                  "write a trace of the training as CSV, a row for about every 1000 iterations: "
                  "iteration, seconds, objective, violation, active, kernel_rows, problem, "
                  "conjugate, clipped, phases, outer",
                  settings.trace_file),
      flag_option("--counts",
                  "print at the end how many steps of each kind were taken, as --as-published does",
                  settings.counts),
      list_option(),
  };
}

}  // namespace svm::cli
