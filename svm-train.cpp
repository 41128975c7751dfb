// svm-train: trains a model, or cross validates.
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cli/input.h"
#include "cli/main.h"
#include "cli/score.h"
#include "cli/train_options.h"
#include "io/dataset.h"
#include "model/model_memory.h"
#include "svm.h"
#include "training/check.h"

namespace {

using svm::cli::Failure;

void print_nothing(const char*) {}

bool is_classification(const svm_parameter& param) {
  return param.svm_type == C_SVC || param.svm_type == NU_SVC;
}

// The data file's base name with .model, in the current folder.
std::string default_model_name(const std::string& data_file) {
  return data_file.substr(data_file.rfind('/') + 1) + ".model";
}

svm::Dataset read_data(const std::string& path, const svm_parameter& param) {
  const svm::cli::FilePtr file = svm::cli::open_input(path);
  svm::RowRules rules;
  rules.class_labels = is_classification(param);
  rules.precomputed = param.kernel_type == PRECOMPUTED;
  try {
    return svm::Dataset(file.get(), rules);
  } catch (const svm::InputError& error) {
    throw Failure(svm::cli::input_error_text(path, error));
  }
}

void check(const svm_problem& problem, const svm_parameter& param) {
  const char* message = svm_check_parameter(&problem, &param);
  if (message == nullptr) return;
  std::string text = std::string("ERROR: ") + message;
  if (std::string(message) == "specified nu is infeasible") {
    text += "\nthe largest feasible nu for these classes is " +
            std::to_string(svm::largest_feasible_nu(problem));
  }
  throw Failure(text);
}

void cross_validate(const svm_problem& problem, const svm_parameter& param, int folds) {
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  std::vector<double> predictions(rows);
  svm_cross_validation(&problem, &param, folds, predictions.data());
  svm::cli::Score score;
  for (std::size_t t = 0; t < rows; ++t) {
    if (std::isnan(predictions[t])) throw Failure("ERROR: cross validation failed");
    score.add(predictions[t], problem.y[t]);
  }
  if (param.svm_type == EPSILON_SVR || param.svm_type == NU_SVR) {
    std::printf("Cross Validation Mean squared error = %g\n", score.mean_squared_error());
    std::printf("Cross Validation Squared correlation coefficient = %g\n",
                score.squared_correlation());
  } else {
    std::printf("Cross Validation Accuracy = %g%%\n", score.accuracy());
  }
}

void train(const svm_problem& problem, const svm_parameter& param, const std::string& model_file) {
  const svm::ModelPtr model(svm_train(&problem, &param));
  if (!model) throw Failure("ERROR: training failed");
  if (svm_save_model(model_file.c_str(), model.get()) != 0) {
    throw Failure("can't save model to file " + model_file);
  }
}

void run(svm::cli::TrainSettings& settings, const std::vector<std::string>& files) {
  settings.finish();
  if (settings.quiet) svm_set_print_string_function(print_nothing);
  svm::Dataset data = read_data(files[0], settings.param);
  if (settings.param.gamma == 0 && data.max_index() > 0) {
    settings.param.gamma = 1.0 / data.max_index();
  }
  const svm_problem problem = data.problem();
  check(problem, settings.param);
  if (settings.cross_validation) {
    cross_validate(problem, settings.param, settings.folds);
  } else {
    train(problem, settings.param, files.size() > 1 ? files[1] : default_model_name(files[0]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  svm::cli::TrainSettings settings;
  return svm::cli::run_program(svm::cli::train_program(settings), argc, argv,
                               [&](const std::vector<std::string>& files) {
                                 run(settings, files);
                                 return 0;
                               });
}
