// Runs one training and reports it as CSV.  bench/csmo.py runs it repeatedly.
//
//   solver_run DATA SVM_TYPE C GAMMA TUBE MEGABYTES SOLVER[:published][:check] ...
//
// The solvers are run in turn on the data in memory; SOLVER:published runs it as published.
// Prints a line for each: solver, status, iterations, conjugate steps, clipped steps, phases,
// kernel rows, seconds, solver seconds (without computing kernel rows), objective, accuracy on some
// rows of the training set (percent; for regressions the mean squared error), processor seconds.
// With :check, the violation of the optimality conditions, that of the constraints, and the
// objective follow, computed from the model alone and in doubles.  Kernel rows are not shared.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/model_memory.h"
#include "programs/certificate/certificate.h"
#include "programs/cli/files.h"
#include "programs/cli/main.h"
#include "programs/cli/score.h"
#include "programs/data/dataset.h"
#include "solvers/run/messages.h"
#include "solvers/run/run.h"
#include "svm_ext.h"
#include "tests/rows.h"
#include "training/call.h"

namespace {

// Approximate number of rows for the accuracy: predicting all would take longer than training.
constexpr int kScoredRows = 1000;

void print_nothing(const char*, void*) {}

double training_score(const svm_model& model, const svm_problem& problem) {
  svm::cli::Score score;
  const int step = std::max(1, problem.l / kScoredRows);
  for (int t = 0; t < problem.l; t += step) {
    score.add(svm_predict(&model, problem.x[t]), problem.y[t]);
  }
  return model.param.svm_type == EPSILON_SVR ? score.mean_squared_error() : score.accuracy();
}

// Processor time of all threads.
double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

void print_certificate(const svm_problem& problem, const svm_parameter& param,
                       const svm_model& model, const svm_options& options) {
  svm::Run run(svm::Messages(nullptr));
  svm::configure(run, param, &options);
  const svm::Certificate certificate = svm::certify(problem, param, model, run);
  std::printf(",%.9g,%.9g,%.17g", certificate.violation, certificate.infeasibility,
              certificate.dual_objective);
}

void run(const svm_problem& problem, const svm_parameter& param, const std::string& name) {
  const std::string solver = name.substr(0, name.find(':'));
  const auto is_asked_for = [&](const char* suffix) {
    return name.find(suffix) != std::string::npos;
  };
  svm_options options;
  svm_init_options(&options, sizeof(options));
  options.solver = solver.c_str();
  options.print = print_nothing;
  if (is_asked_for(":published")) options.as_published = 1;
  svm_result result = {};
  result.size = sizeof(result);
  const svm_rows rows = svm::test::rows_of(problem);
  const double start = processor_seconds();
  const svm::ModelPtr model(svm_train_rows(&rows, problem.y, &param, &options, &result));
  const double seconds = processor_seconds() - start;
  if (!model) throw std::runtime_error(svm_last_error());
  std::printf("%s,%d,%lld,%lld,%lld,%lld,%lld,%.6f,%.6f,%.17g,%.6g,%.6f", name.c_str(),
              result.status, result.iterations, result.conjugate_steps, result.clipped_steps,
              result.phases, result.kernel_rows, result.seconds,
              result.seconds - result.kernel_seconds, result.objective,
              training_score(*model, problem), seconds);
  if (is_asked_for(":check")) print_certificate(problem, param, *model, options);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 8) {
    std::fprintf(stderr,
                 "usage: %s data svm_type C gamma tube megabytes solver[:published][:check] ...\n",
                 argv[0]);
    return 1;
  }
  svm_set_warning_function(svm::cli::print_warning);
  try {
    const svm::FilePtr file = svm::cli::open_input(argv[1]);
    svm::Dataset data(file.get(), svm::RowRules());
    const svm_problem problem = data.problem();
    svm_parameter param = {};
    param.svm_type = std::atoi(argv[2]);
    param.kernel_type = RBF;
    param.C = std::atof(argv[3]);
    param.gamma = std::atof(argv[4]);
    param.p = std::atof(argv[5]);
    param.cache_size = std::atof(argv[6]);
    param.eps = 0.001;
    param.shrinking = 1;
    for (int a = 7; a < argc; ++a) run(problem, param, argv[a]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
