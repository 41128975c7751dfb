#include "programs/cli/train_options.h"

#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "model/svm_type.h"
#include "programs/cli/main.h"
#include "programs/cli/option_builders.h"
#include "solvers/registry.h"

namespace svm::cli {
namespace {

Option weight_option(TrainSettings& settings) {
  Option option =
      value_option(ValueKind::kReal, "-w", "weight",
                   "classification: multiply C by this for class i, as in -w1 5 -w-1 0.5; "
                   "repeats multiply again",
                   "1");
  option.suffix = true;
  option.store = [&settings](const Option::Value& value) {
    settings.weight_labels.push_back(value.suffix);
    settings.weights.push_back(value.real);
  };
  return option;
}

// A line for each kernel.
std::string kernel_formulas() {
  std::string text;
  for (int type = 0; type < kKernelCount; ++type) {
    text += "\n" + std::to_string(type) + "  " + kKernelTypes[type].formula;
  }
  return text;
}

std::vector<std::string> kernel_numbers() {
  std::vector<std::string> numbers;
  numbers.reserve(kKernelCount);
  for (int type = 0; type < kKernelCount; ++type) numbers.push_back(std::to_string(type));
  return numbers;
}

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

Option metric_option(TrainSettings& settings) {
  Option option = file_option(
      "--metric", "file",
      "RBF kernel: learn a weight for each feature from a part of the rows, write the weights to "
      "this file as ranges for svm-scale -r, and train on the weighted features; svm-predict "
      "needs the file as well. A forest learns weights without this option, and keeps them; "
      "\"off\" leaves them out (docs/metric.md)",
      settings.metric);
  option.fallback = "no weights; a forest learns them";
  option.choices = {"off"};
  return option;
}

// The part of the table that LIBSVM does not have.
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
      within(2, kMost,
             int_option("--cells", "n",
                        "train a forest: trees cut the rows into cells of at most n, each with a "
                        "model of its own; for many rows (docs/forest.md)",
                        "none; 2000 with --trees", ">= 2", settings.cells)),
      within(1, kMost,
             int_option("--trees", "n", "trees of the forest, whose decision values are averaged",
                        "5 with --cells", ">= 1", settings.trees)),
      metric_option(settings),
      file_option("--use-metric", "file",
                  "train on features with the weights of a file that --metric has written",
                  settings.known_metric),
      flag_option("--out-of-core",
                  "with --cells or --trees: leave the rows in the data file, which is read "
                  "again and again, and keep cells in nameless files beside the model; for data "
                  "larger than the memory",
                  settings.out_of_core),
      list_option(),
  };
}

}  // namespace

TrainSettings::TrainSettings() : param() {
  param.svm_type = C_SVC;
  param.kernel_type = RBF;
  param.degree = 3;
  param.gamma = 0;
  param.coef0 = 0;
  param.cache_size = 100;
  param.eps = 1e-3;
  param.C = 1;
  param.nu = 0.5;
  param.p = 0.1;
  param.shrinking = 1;
  param.probability = 0;
  svm_init_options(&options, sizeof(options));
}

void TrainSettings::finish() {
  if (check && cross_validation()) {
    throw UsageError("svm-train: option --check: cross validation (-v) leaves no model to check");
  }
  if (compact && cross_validation()) {
    throw UsageError("svm-train: option --compact: cross validation (-v) writes no model");
  }
  if (out_of_core && (!forest() || cross_validation())) {
    throw UsageError(
        "svm-train: option --out-of-core: for a forest (--cells, --trees) without -v only");
  }
  if (learns_metric() && forest()) {
    throw UsageError(
        "svm-train: option --metric: a forest learns weights by itself and keeps them in its own "
        "file; it takes only --metric off");
  }
  if (!metric.empty() && !known_metric.empty()) {
    throw UsageError("svm-train: options --metric and --use-metric exclude each other");
  }
  if (learns_metric() && !init_file.empty()) {
    throw UsageError(
        "svm-train: option --metric: --init has a model of other weights; give --use-metric");
  }
  if (forest() && (compact || !init_file.empty())) {
    throw UsageError("svm-train: a forest (--cells, --trees) takes neither --compact nor --init");
  }
  param.nr_weight = static_cast<int>(weights.size());
  param.weight_label = weights.empty() ? nullptr : weight_labels.data();
  param.weight = weights.empty() ? nullptr : weights.data();
  options.solver = solver.empty() ? nullptr : solver.c_str();
  svm_options asked = options;
  if (free_set_set) asked.free_set = 0;  // even "on" needs a solver with such phases
  const svm_model any{};                 // a placeholder; the model is read after the data
  if (!init_file.empty()) asked.init = &any;
  if (const char* fault = svm_check_options(nullptr, &asked)) {
    throw Failure(std::string("ERROR: ") + fault);
  }
}

Program train_program(TrainSettings& settings) {
  svm_parameter& param = settings.param;
  Program program;
  program.name = "svm-train";
  program.usage = "[options] training_set_file [model_file]";
  // The ranges of LIBSVM's options are given in words only: as in LIBSVM, svm_check_parameter
  // checks them after the data file has been read.
  program.options = {
      with_choices(int_option("-s", "type",
                              "kind of SVM:\n"
                              "0  classification, cost C (C-SVC)\n"
                              "1  classification, fraction nu (nu-SVC)\n"
                              "2  one class, support of a distribution\n"
                              "3  regression, tube width p (epsilon-SVR)\n"
                              "4  regression, fraction nu (nu-SVR)",
                              "0", "0 to 4", param.svm_type),
                   {"0", "1", "2", "3", "4"}),
      with_choices(int_option("-t", "kernel", "kernel of two rows u and v:" + kernel_formulas(),
                              "2", "0 to " + std::to_string(kKernelCount - 1), param.kernel_type),
                   kernel_numbers()),
      int_option("-d", "degree", "degree of the polynomial kernel", "3", ">= 0", param.degree),
      real_option("-g", "gamma", "gamma of the kernel; 0 stands for the default",
                  "1/number of features", ">= 0", param.gamma),
      real_option("-r", "coef0", "coef0 of the kernel", "0", "", param.coef0),
      real_option("-c", "cost", "C of C-SVC, epsilon-SVR and nu-SVR", "1", "> 0", param.C),
      real_option("-n", "nu", "nu of nu-SVC, one class and nu-SVR", "0.5", "> 0 and <= 1",
                  param.nu),
      real_option("-p", "epsilon", "half width of the tube of epsilon-SVR", "0.1", ">= 0", param.p),
      real_option("-m", "megabytes", "memory for kernel rows", "100", "> 0", param.cache_size),
      real_option("-e", "tolerance", "stop when optimality is violated by less than this", "0.001",
                  "> 0", param.eps),
      with_choices(
          int_option("-h", "shrinking", "1: leave out variables that look settled; 0: do not", "1",
                     "0 or 1", param.shrinking),
          {"0", "1"}),
      with_choices(
          int_option("-b", "probability", "1: fit probability estimates as well; 0: do not", "0",
                     "0 or 1", param.probability),
          {"0", "1"}),
      weight_option(settings),
      file_option(
          "--row-weights", "file",
          "weights of the rows, a number >= 0 on each line: C of a row is multiplied by its "
          "weight, and nu stands for a part of the sum of weights; rows of weight 0 are "
          "left out of training",
          settings.weights_file),
      folds_option("cross validate in n parts and write no model", "", settings.folds),
      flag_option("-q", "print neither progress nor notes, and show no line on a terminal",
                  settings.quiet),
      flag_option("--check",
                  "after training, print how good the model is, computed anew from it and "
                  "the data: by how much it violates the conditions of optimality (see -e) and the "
                  "constraints, dual and primal objective, and the gap between them; not with -v",
                  settings.check),
      within(
          1, 17,
          int_option("--digits", "n",
                     "significant digits of the features in the model file; with 17 a loaded "
                     "model predicts exactly as the trained one",
                     "8; 17 of a linear model with --compact", "1 to 17", settings.feature_digits)),
      flag_option(
          "--compact",
          "write a smaller model with the same decision values, up to rounding: equal support "
          "vectors merged, and with the linear kernel one vector of weights for each pair of "
          "classes, if that is smaller; not with -v",
          settings.compact),
  };
  std::vector<Option> more = solver_options(settings);
  std::move(more.begin(), more.end(), std::back_inserter(program.options));
  program.min_files = 1;
  program.max_files = 2;
  program.unknown_option = "Unknown option: -%c";
  return program;
}

}  // namespace svm::cli
