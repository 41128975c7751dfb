#include "cli/train_options.h"

#include <limits>

#include "cli/main.h"
#include "cli/threads_option.h"

namespace svm::cli {
namespace {

constexpr int kMinFolds = 2;

// Ranges of LIBSVM's letters are words only: svm_check_parameter checks them, after the data file
// has been read, as in LIBSVM.
Option int_option(const char* name, const char* value_name, const char* help, const char* fallback,
                  const char* range, int& target) {
  Option option;
  option.name = name;
  option.kind = ValueKind::kInt;
  option.value_name = value_name;
  option.help = help;
  option.fallback = fallback;
  option.range = range;
  option.store = [&target](const Option::Value& value) { target = value.integer; };
  return option;
}

Option real_option(const char* name, const char* value_name, const char* help, const char* fallback,
                   const char* range, double& target) {
  Option option;
  option.name = name;
  option.kind = ValueKind::kReal;
  option.value_name = value_name;
  option.help = help;
  option.fallback = fallback;
  option.range = range;
  option.store = [&target](const Option::Value& value) { target = value.real; };
  return option;
}

Option weight_option(TrainSettings& settings) {
  Option option;
  option.name = "-w";
  option.suffix = true;
  option.kind = ValueKind::kReal;
  option.value_name = "weight";
  option.help =
      "classification: multiply C by this for class i, as in -w1 5 -w-1 0.5;\n"
      "repeats multiply again";
  option.fallback = "1";
  option.store = [&settings](const Option::Value& value) {
    settings.weight_labels.push_back(value.suffix);
    settings.weights.push_back(value.real);
  };
  return option;
}

Option folds_option(TrainSettings& settings) {
  Option option;
  option.name = "-v";
  option.kind = ValueKind::kInt;
  option.value_name = "n";
  option.help = "cross validate in n parts and write no model";
  option.range = ">= 2; more parts than rows leave out one row at a time";
  option.store = [&settings](const Option::Value& value) {
    if (value.integer < kMinFolds) {
      throw UsageError("n-fold cross validation: n must >= 2\nsvm-train: option -v: " +
                       std::to_string(value.integer) + " is too small");
    }
    settings.cross_validation = true;
    settings.folds = value.integer;
  };
  return option;
}

Option solver_option(TrainSettings& settings) {
  Option option;
  option.name = "-a";
  option.kind = ValueKind::kText;
  option.value_name = "solver";
  option.help =
      "solver, by name or number; see --list-solvers:\n"
      "smo     0  sequential minimal optimisation, as in LIBSVM\n"
      "csmo    1  conjugate SMO; much faster where C is large\n"
      "hybrid  2  smo until conjugate steps pay, then csmo\n"
      "smo1       maximal violating pairs\n"
      "dcd        linear, no threshold: dual coordinate descent\n"
      "avsf       linear, no threshold: dcd with adaptive frequencies; faster where C is large\n"
      "pegasos    approximate, no threshold: subgradient steps on landmarks\n"
      "snacks     the same, accelerated by restarts; for many rows\n"
      "the environment variable LIBSVM_SOLVER changes the default";
  option.fallback = "smo";
  option.range = "a name or number of --list-solvers";
  option.store = [&settings](const Option::Value& value) {
    svm_options options;
    svm_default_options(&options);
    options.solver = value.text.c_str();
    if (const char* fault = svm_check_options(nullptr, &options)) {
      throw UsageError("svm-train: option -a: '" + value.text + "': " + fault);
    }
    settings.solver = value.text;
  };
  return option;
}

Option list_option() {
  Option option;
  option.name = "--list-solvers";
  option.kind = ValueKind::kNone;
  option.help = "list the solvers and exit";
  option.text = [] { return std::string(svm_list_solvers()); };
  return option;
}

Option max_iterations_option(TrainSettings& settings) {
  Option option;
  option.name = "--max-iter";
  option.kind = ValueKind::kInt;
  option.value_name = "n";
  option.help =
      "stop each binary problem after n iterations;\n"
      "there is a warning, and the model is written";
  option.fallback = "as LIBSVM: at least 10000000";
  option.range = ">= 1";
  option.lower = 1;
  option.store = [&settings](const Option::Value& value) {
    settings.options.max_iterations = value.integer;
  };
  return option;
}

Option time_limit_option(TrainSettings& settings) {
  Option option;
  option.name = "--time-limit";
  option.kind = ValueKind::kReal;
  option.value_name = "seconds";
  option.help =
      "stop training, or the whole cross validation, after this time;\n"
      "there is a warning, and the model is written, without probability estimates";
  option.fallback = "none";
  option.range = "> 0";
  option.lower = std::numeric_limits<double>::denorm_min();
  option.store = [&settings](const Option::Value& value) {
    settings.options.time_limit = value.real;
  };
  return option;
}

Option free_set_option(TrainSettings& settings) {
  Option option;
  option.name = "--free-set";
  option.kind = ValueKind::kText;
  option.value_name = "on/off";
  option.help = "solvers csmo and hybrid: phases over the free variables";
  option.fallback = "on";
  option.range = "on, off";
  option.store = [&settings](const Option::Value& value) {
    if (value.text != "on" && value.text != "off") {
      throw UsageError("svm-train: option --free-set: '" + value.text + "' is neither on nor off");
    }
    settings.free_set_set = true;
    settings.options.free_set = value.text == "on" ? 1 : 0;
  };
  return option;
}

Option bias_option(TrainSettings& settings) {
  Option option;
  option.name = "--bias";
  option.kind = ValueKind::kReal;
  option.value_name = "value";
  option.help =
      "solvers dcd and avsf: add a feature of this value to every row,\n"
      "which makes a threshold";
  option.fallback = "none";
  option.range = "> 0";
  option.lower = std::numeric_limits<double>::denorm_min();
  option.store = [&settings](const Option::Value& value) { settings.options.bias = value.real; };
  return option;
}

Option landmarks_option(TrainSettings& settings) {
  Option option;
  option.name = "--landmarks";
  option.kind = ValueKind::kInt;
  option.value_name = "n";
  option.help = "solvers pegasos and snacks: rows that stand for all of them";
  option.fallback = "1000";
  option.range = ">= 1; more than there are rows means all of them";
  option.lower = 1;
  option.store = [&settings](const Option::Value& value) {
    settings.options.landmarks = static_cast<std::size_t>(value.integer);
  };
  return option;
}

Option landmark_sampling_option(TrainSettings& settings) {
  Option option;
  option.name = "--landmark-sampling";
  option.kind = ValueKind::kText;
  option.value_name = "way";
  option.help = "solvers pegasos and snacks: how landmarks are drawn";
  option.fallback = "uniform";
  option.range = "uniform";
  option.store = [&settings](const Option::Value& value) {
    if (value.text != "uniform") {
      throw UsageError("svm-train: option --landmark-sampling: '" + value.text +
                       "' is not known; known are: uniform");
    }
    settings.options.landmark_sampling = SVM_SAMPLING_UNIFORM;
  };
  return option;
}

Option seed_option(TrainSettings& settings) {
  Option option;
  option.name = "--seed";
  option.kind = ValueKind::kInt;
  option.value_name = "n";
  option.help =
      "seed of random draws: of the folds of -v and -b,\n"
      "and of the solvers dcd, avsf, pegasos and snacks";
  option.fallback = "a fixed one";
  option.range = ">= 0";
  option.lower = 0;
  option.store = [&settings](const Option::Value& value) {
    settings.options.use_seed = 1;
    settings.options.seed = static_cast<unsigned int>(value.integer);
  };
  return option;
}

Option trace_option(TrainSettings& settings) {
  Option option;
  option.name = "--trace";
  option.kind = ValueKind::kText;
  option.value_name = "file";
  option.help =
      "write the course of training as CSV, a row for about every 1000 iterations:\n"
      "iteration, seconds, objective, violation, active, kernel_rows, problem";
  option.store = [&settings](const Option::Value& value) {
    if (value.text.empty()) throw UsageError("svm-train: option --trace: the file name is empty");
    settings.trace_file = value.text;
  };
  return option;
}

Option progress_option(TrainSettings& settings) {
  Option option;
  option.name = "--progress";
  option.kind = ValueKind::kNone;
  option.help = "show a line with the state of training on standard error, if it is a terminal";
  option.store = [&settings](const Option::Value&) { settings.progress = true; };
  return option;
}

Option quiet_option(TrainSettings& settings) {
  Option option;
  option.name = "-q";
  option.kind = ValueKind::kNone;
  option.help = "do not report progress";
  option.store = [&settings](const Option::Value&) { settings.quiet = true; };
  return option;
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
  svm_default_options(&options);
}

void TrainSettings::finish() {
  param.nr_weight = static_cast<int>(weights.size());
  param.weight_label = weights.empty() ? nullptr : weight_labels.data();
  param.weight = weights.empty() ? nullptr : weights.data();
  options.solver = solver.empty() ? nullptr : solver.c_str();
  svm_options asked = options;
  if (free_set_set) asked.free_set = 0;  // "on" too needs a solver that has such phases
  if (const char* fault = svm_check_options(nullptr, &asked)) {
    throw Failure(std::string("ERROR: ") + fault);
  }
}

Program train_program(TrainSettings& settings) {
  svm_parameter& param = settings.param;
  Program program;
  program.name = "svm-train";
  program.summary = "train a support vector machine";
  program.usage = "[options] training_set_file [model_file]";
  program.description =
      "Reads rows of the form \"label index:value index:value ...\" with ascending indices,\n"
      "trains a support vector machine and writes the model, by default to the data file's\n"
      "name followed by .model in the current folder.\n"
      "The file format, the options and the output are those of LIBSVM 3.37.\n"
      "\n"
      "The data file may be a pipe such as /dev/stdin.\n"
      "Options end at the first argument that does not begin with a dash, and a short option\n"
      "is known by its first letter.\n"
      "\n"
      "Ctrl-C ends training early: the model of that moment is written, and the exit status is\n"
      "130.  A second Ctrl-C ends the program at once.";
  program.options = {
      int_option("-s", "type",
                 "kind of machine:\n"
                 "0  classification, cost C (C-SVC)\n"
                 "1  classification, fraction nu (nu-SVC)\n"
                 "2  one class, support of a distribution\n"
                 "3  regression, tube width p (epsilon-SVR)\n"
                 "4  regression, fraction nu (nu-SVR)",
                 "0", "0 to 4", param.svm_type),
      int_option("-t", "kernel",
                 "kernel of two rows u and v:\n"
                 "0  linear: u'v\n"
                 "1  polynomial: (gamma u'v + coef0)^degree\n"
                 "2  radial basis function: exp(-gamma |u-v|^2)\n"
                 "3  sigmoid: tanh(gamma u'v + coef0)\n"
                 "4  precomputed: row t of the file is 0:t 1:K(t,1) 2:K(t,2) ...",
                 "2", "0 to 4", param.kernel_type),
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
      int_option("-h", "shrinking", "1: leave out variables that look settled; 0: do not", "1",
                 "0 or 1", param.shrinking),
      int_option("-b", "probability", "1: fit probability estimates as well; 0: do not", "0",
                 "0 or 1", param.probability),
      weight_option(settings),
      folds_option(settings),
      quiet_option(settings),
      solver_option(settings),
      max_iterations_option(settings),
      time_limit_option(settings),
      free_set_option(settings),
      bias_option(settings),
      landmarks_option(settings),
      landmark_sampling_option(settings),
      seed_option(settings),
      threads_option("train", settings.options.threads),
      trace_option(settings),
      progress_option(settings),
      list_option(),
  };
  program.min_files = 1;
  program.max_files = 2;
  program.ignore_extra_files = true;
  program.unknown_option = "Unknown option: -%c";
  return program;
}

}  // namespace svm::cli
