#include "programs/cli/train_options.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "model/svm_type.h"
#include "programs/cli/main.h"
#include "programs/cli/option_builders.h"

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
  program.summary = "train a support vector machine";
  program.usage = "[options] training_set_file [model_file]";
  program.description =
      "Reads rows of the form \"label index:value index:value ...\" with ascending indices,\n"
      "trains a support vector machine and writes the model, by default to the data file's\n"
      "name followed by .model in the current folder.\n"
      "The file format, the options and the output are those of LIBSVM 3.37.\n"
      "\n"
      "The data file may be a pipe. As the data file, - is standard input, and as the model file,\n"
      "standard output.\n"
      "Options end at the first argument that does not begin with a dash, and a short option\n"
      "is known by its first letter.\n"
      "\n"
      "On a terminal, notes on standard error tell what looks like a mistake in the data or the\n"
      "parameters, such as features that need svm-scale, and a line shows how far the training\n"
      "is, if it takes longer than half a second. -q and TERM=dumb turn it off.\n"
      "\n"
      "Ctrl-C ends training early: the model of that moment is written to the model file's name\n"
      "followed by .partial, and the program ends by the signal (exit status 130 in a shell).  A\n"
      "second Ctrl-C ends it at once.";
  program.examples = {
      {"svm-train -c 10 -g 0.1 train", "Train with these parameters; the model is train.model."},
      {"svm-train -a csmo -m 1000 train model",
       "The same kind of model by conjugate SMO, with 1000 MB for kernel rows."},
      {"svm-train -v 5 -c 10 train", "Print the accuracy of a cross validation in five parts."},
      {"svm-train -s 3 -p 0.1 -b 1 train model", "A regression, with an estimate of its error."},
      {"svm-train -w1 1 -w-1 5 train model", "Make errors on class -1 five times as expensive."},
  };
  program.related = {"svm-scale", "svm-grid", "svm-predict", "svm-checkdata"};
  // The ranges of LIBSVM's options are given in words only: as in LIBSVM, svm_check_parameter
  // checks them after the data file has been read.
  program.options = {
      with_choices(int_option("-s", "type",
                              "kind of machine:\n"
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
