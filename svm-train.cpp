// svm-train: trains a model, or cross validates.
#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/main.h"
#include "cli/score.h"
#include "cli/trace.h"
#include "cli/train_options.h"
#include "io/dataset.h"
#include "io/model_file.h"
#include "io/output_file.h"
#include "model/model_memory.h"
#include "svm.h"
#include "training/check.h"

namespace {

using svm::cli::Failure;

constexpr int kInterrupted = 130;  // as a shell reports a program that SIGINT ended

void print_nothing(const char*, void*) {}

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

void check(const svm_problem& problem, const svm::cli::TrainSettings& settings) {
  const char* message = svm_check_parameter(&problem, &settings.param);
  if (message == nullptr) message = svm_check_options(&settings.param, &settings.options);
  if (message == nullptr) return;
  std::string text = std::string("ERROR: ") + message;
  if (std::string(message) == "specified nu is infeasible") {
    text += "\nthe largest feasible nu for these classes is " +
            std::to_string(svm::largest_feasible_nu(problem));
  }
  throw Failure(text);
}

// A run of the library that is watched: trace, progress line, Ctrl-C.
class Watched {
 public:
  explicit Watched(const svm::cli::TrainSettings& settings) : options_(settings.options) {
    if (!settings.trace_file.empty()) trace_.emplace(settings.trace_file);
    if (settings.progress) line_.emplace();
    if (settings.quiet) options_.print = print_nothing;
    options_.progress = look;
    options_.progress_user = this;
    interrupt_.emplace(trace_ ? trace_->temporary_path() : std::string());
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  const svm_options* options() const { return &options_; }

  // Call it after training: from here on Ctrl-C ends the program as usual.  True where training
  // was interrupted.
  bool finish() {
    line_.reset();
    const bool interrupted = interrupt_->seen();
    interrupt_.reset();
    if (error_) std::rethrow_exception(error_);
    if (trace_) trace_->commit();
    return interrupted;
  }

 private:
  static int look(const svm_progress* progress, void* user) {
    return static_cast<Watched*>(user)->look(*progress) ? 0 : 1;
  }

  bool look(const svm_progress& progress) noexcept {
    try {
      if (trace_ && !error_) trace_->add(progress);
    } catch (...) {
      error_ = std::current_exception();  // the trace cannot be written
    }
    if (line_) line_->show(progress);
    return !error_ && !interrupt_->seen();
  }

  svm_options options_;
  std::optional<svm::cli::Trace> trace_;
  std::optional<svm::cli::ProgressLine> line_;
  std::optional<svm::cli::InterruptWatch> interrupt_;
  std::exception_ptr error_;
};

int cross_validate(const svm_problem& problem, const svm::cli::TrainSettings& settings) {
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  std::vector<double> predictions(rows);
  svm_result result{};
  result.size = sizeof(result);
  Watched watched(settings);
  const int failed = svm_cross_validation_ex(&problem, &settings.param, settings.folds,
                                             watched.options(), predictions.data(), &result);
  const bool interrupted = watched.finish();
  if (interrupted) {
    std::fprintf(stderr, "interrupted: the cross validation was not completed\n");
    return kInterrupted;
  }
  if (result.status == SVM_TIME_LIMIT) {
    throw Failure("ERROR: the cross validation was not completed within the time limit");
  }
  svm::cli::Score score;
  for (std::size_t t = 0; t < rows; ++t) {
    if (failed != 0 || std::isnan(predictions[t])) throw Failure("ERROR: cross validation failed");
    score.add(predictions[t], problem.y[t]);
  }
  if (settings.param.svm_type == EPSILON_SVR || settings.param.svm_type == NU_SVR) {
    std::printf("Cross Validation Mean squared error = %g\n", score.mean_squared_error());
    std::printf("Cross Validation Squared correlation coefficient = %g\n",
                score.squared_correlation());
  } else {
    std::printf("Cross Validation Accuracy = %g%%\n", score.accuracy());
  }
  return 0;
}

// svm_save_model, with the reason of a failure.
void save(const svm_model& model, const std::string& path) {
  try {
    svm::OutputFile file(path);
    svm::write_model(file, model);
    file.commit();
  } catch (const std::exception& error) {
    throw Failure("can't save model to file " + path + "\n" + error.what());
  }
}

int train(const svm_problem& problem, const svm::cli::TrainSettings& settings,
          const std::string& model_file) {
  Watched watched(settings);
  const svm::ModelPtr model(svm_train_ex(&problem, &settings.param, watched.options(), nullptr));
  const bool interrupted = watched.finish();
  if (!model) throw Failure("ERROR: training failed");
  save(*model, model_file);
  if (!interrupted) return 0;
  std::fprintf(stderr, "interrupted: the model of the current iterate is in %s\n",
               model_file.c_str());
  return kInterrupted;
}

int run(svm::cli::TrainSettings& settings, const std::vector<std::string>& files) {
  settings.finish();
  svm::Dataset data = read_data(files[0], settings.param);
  if (settings.param.gamma == 0 && data.max_index() > 0) {
    settings.param.gamma = 1.0 / data.max_index();
  }
  const svm_problem problem = data.problem();
  check(problem, settings);
  if (settings.cross_validation) return cross_validate(problem, settings);
  return train(problem, settings, files.size() > 1 ? files[1] : default_model_name(files[0]));
}

}  // namespace

int main(int argc, char** argv) {
  svm::cli::TrainSettings settings;
  return svm::cli::run_program(
      svm::cli::train_program(settings), argc, argv,
      [&](const std::vector<std::string>& files) { return run(settings, files); });
}
