// The functions that the page's worker calls.  There is one problem and one model at a time.
// Returned arrays belong to this file and stay valid until the function that made them is called
// again.  Functions that can fail return 0, or -1 with the reason in page_error().
#include "examples/page/native/page.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/io/input_error.h"
#include "examples/page/native/trace.h"
#include "examples/page/native/traced_solvers.h"
#include "kernels/caller_rows.h"
#include "solvers/run/run.h"
#include "svm_ext.h"
#include "training/call.h"
#include "training/check.h"
#include "training/problem.h"
#include "training/train.h"

namespace {

struct State {
  std::vector<double> values, labels;  // values row by row
  std::size_t columns = 0;
  svm_model* model = nullptr;
  svm_predictor* predictor = nullptr;
  std::vector<double> result, targets;
  std::string error, log, model_text;
};

State& state() {
  static State all;
  return all;
}

svm_rows rows_of(std::size_t count, const double* values) {
  svm_rows rows{};
  rows.size = sizeof(rows);
  rows.rows = count;
  rows.columns = rows.stride = state().columns;
  rows.layout = SVM_DENSE;
  rows.value_type = SVM_DOUBLE;
  rows.values = values;
  return rows;
}

svm_rows training_rows() { return rows_of(state().labels.size(), state().values.data()); }

svm::Problem problem_of(const svm::CallerRows& rows) {
  return {static_cast<int>(rows.size()), state().labels.data(), rows.rows()};
}

// Parameters from `numbers`, see page.h.
svm_parameter parameters(const double* numbers) {
  svm_parameter param{};
  param.svm_type = static_cast<int>(numbers[0]);
  param.kernel_type = static_cast<int>(numbers[1]);
  param.degree = static_cast<int>(numbers[2]);
  param.gamma = numbers[3];
  param.coef0 = numbers[4];
  param.C = numbers[5];
  param.nu = numbers[6];
  param.p = numbers[7];
  param.eps = numbers[8];
  param.cache_size = numbers[9];
  param.shrinking = static_cast<int>(numbers[10]);
  return param;
}

void add_to_log(const char* text, void*) { state().log += text; }

int show(const svm_progress* progress, void*) {
  page_on_progress(static_cast<double>(progress->total_iterations), progress->objective,
                   progress->violation);
  return 0;
}

svm_options options_of(const char* solver, int free_set) {
  svm_options options;
  svm_init_options(&options, sizeof(options));
  options.solver = solver;
  options.free_set = free_set;
  options.threads = 1;
  options.print = add_to_log;
  options.warn = add_to_log;
  return options;
}

template <typename Work>
int guarded(Work work) {
  try {
    work();
    return 0;
  } catch (const std::exception& error) {
    state().error = error.what();
  }
  return -1;
}

void require(const char* fault) {
  if (fault != nullptr) throw std::invalid_argument(fault);
}

// Stores the model's text, and its figures in the order of page_result().
void keep(svm_model* model, const svm_result& result) {
  State& all = state();
  svm_free_predictor(all.predictor);
  svm_free_and_destroy_model(&all.model);
  all.model = model;
  all.predictor = svm_make_predictor(model, 0);
  std::size_t size = 0;
  char* const text = svm_model_text(model, 0, &size);
  if (all.predictor == nullptr || text == nullptr) throw std::runtime_error(svm_last_error());
  all.model_text.assign(text, size);
  svm_free_text(text);
  all.result = {static_cast<double>(result.status),
                static_cast<double>(result.problems),
                static_cast<double>(result.iterations),
                static_cast<double>(result.conjugate_steps),
                static_cast<double>(result.clipped_steps),
                static_cast<double>(result.phases),
                static_cast<double>(result.kernel_rows),
                result.objective,
                result.violation,
                result.seconds,
                static_cast<double>(model->l),
                static_cast<double>(model->nr_class),
                model->nr_class * (model->nr_class - 1) / 2.0};
}

}  // namespace

const char* page_error() { return state().error.c_str(); }
const char* page_log() { return state().log.c_str(); }
const char* page_version() { return svm_version(); }

int page_set_rows(int rows, int columns, const double* values, const double* labels) {
  return guarded([&] {
    State& all = state();
    const std::size_t count = static_cast<std::size_t>(rows);
    all.columns = static_cast<std::size_t>(columns);
    all.values.assign(values, values + count * all.columns);
    all.labels.assign(labels, labels + count);
  });
}

// Calls the library's internal functions, since a traced solver has no public name.
int page_train(const double* numbers, const char* solver, int free_set) {
  return guarded([&] {
    State& all = state();
    all.log.clear();
    svm::toy::traces().clear();
    if (all.labels.empty()) throw std::invalid_argument("there are no points to train on");
    const svm_parameter param = parameters(numbers);
    const svm::CallerRows rows(training_rows(), param.kernel_type);
    const svm::Problem problem = problem_of(rows);
    require(svm::check_parameters(problem, param));
    svm_options options = options_of(solver, free_set);
    options.progress = show;
    svm::Run run{svm::Messages(nullptr)};
    svm::configure(run, param, &options);
    run.options.entry = svm::toy::find_traced_solver(solver);
    svm::ModelPtr model = svm::train(problem, param, run);
    svm_result result{};
    result.size = sizeof(result);
    svm::store_record(run.record, &result);
    keep(model.release(), result);
  });
}

const double* page_result() { return state().result.data(); }
const char* page_model_text() { return state().model_text.c_str(); }
int page_model_text_size() { return static_cast<int>(state().model_text.size()); }

// Row numbers of the support vectors, from 1, in the order of the model.
const int* page_support_rows() { return state().model->sv_indices; }
const double* page_coefficients(int machine) { return state().model->sv_coef[machine]; }
const int* page_class_labels() { return state().model->label; }

int page_predict(int rows, const double* values, double* predictions, double* decision_values) {
  return guarded([&] {
    const svm_rows asked = rows_of(static_cast<std::size_t>(rows), values);
    if (state().predictor == nullptr) throw std::logic_error("there is no model yet");
    if (svm_predict_rows(state().predictor, &asked, 1, predictions, decision_values, nullptr) !=
        0) {
      throw std::runtime_error(svm_last_error());
    }
  });
}

int page_cross_validate(const double* numbers, const char* solver, int free_set, int folds,
                        double seed) {
  return guarded([&] {
    State& all = state();
    const svm_parameter param = parameters(numbers);
    const svm_rows rows = training_rows();
    svm_options options = options_of(solver, free_set);
    options.seed = static_cast<svm_count>(seed);
    all.targets.resize(all.labels.size());
    if (svm_cross_validate_rows(&rows, all.labels.data(), &param, folds, &options,
                                all.targets.data(), nullptr) != 0) {
      throw std::runtime_error(svm_last_error());
    }
  });
}

const double* page_targets() { return state().targets.data(); }

int page_class_order(int* rows, int* counts) {
  const svm::CallerRows data(training_rows(), LINEAR);
  const svm::Classes classes = svm::group_classes(problem_of(data));
  std::copy(classes.order.begin(), classes.order.end(), rows);
  std::copy(classes.count.begin(), classes.count.end(), counts);
  return static_cast<int>(classes.size());
}
