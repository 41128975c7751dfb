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
#include "kernels/view_rows.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/call.h"
#include "training/check.h"
#include "training/classes.h"
#include "training/train.h"

namespace {

struct State {
  std::vector<double> values, labels;  // values row by row
  std::size_t columns = 0;
  svm_model* model = nullptr;
  std::vector<double> result, targets;
  std::string error, log, model_text;
};

State& state() {
  static State all;
  return all;
}

svm_problem_view view_of(std::size_t rows, const double* values, const double* labels) {
  svm_problem_view view{};
  view.size = sizeof(view);
  view.rows = rows;
  view.columns = view.stride = state().columns;
  view.layout = SVM_DENSE;
  view.value_type = SVM_DOUBLE;
  view.values = values;
  view.y = labels;
  return view;
}

svm_problem_view problem_view() {
  return view_of(state().labels.size(), state().values.data(), state().labels.data());
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
  svm_default_options(&options);
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
  svm_free_and_destroy_model(&all.model);
  all.model = model;
  std::size_t size = 0;
  char* const text = svm_save_model_to_memory(model, nullptr, &size);
  if (text == nullptr) throw std::runtime_error(svm_last_error());
  all.model_text.assign(text, size);
  svm_free(text);
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
                static_cast<double>(svm_get_nr_values(model))};
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
    const svm_problem_view view = problem_view();
    const svm::ViewRows rows(view);
    const svm::Problem problem(static_cast<int>(rows.size()), view.y, rows.rows());
    require(svm::check_parameters(problem, param));
    svm_options options = options_of(solver, free_set);
    options.progress = show;
    svm::Run run{svm::Messages(nullptr)};
    svm::configure(run, param, &options);
    run.options.solver = svm::toy::find_traced_solver(solver);
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
    const svm_problem_view view = view_of(static_cast<std::size_t>(rows), values, nullptr);
    if (state().model == nullptr) throw std::logic_error("there is no model yet");
    if (svm_predict_rows(state().model, &view, 1, predictions, decision_values, nullptr) != 0) {
      throw std::runtime_error(svm_last_error());
    }
  });
}

int page_cross_validate(const double* numbers, const char* solver, int free_set, int folds,
                        double seed) {
  return guarded([&] {
    State& all = state();
    const svm_parameter param = parameters(numbers);
    const svm_problem_view view = problem_view();
    svm_options options = options_of(solver, free_set);
    options.use_seed = 1;
    options.seed = static_cast<unsigned int>(seed);
    all.targets.resize(all.labels.size());
    if (svm_cross_validation_view(&view, &param, folds, &options, all.targets.data(), nullptr) !=
        0) {
      throw std::runtime_error(svm_last_error());
    }
  });
}

const double* page_targets() { return state().targets.data(); }

int page_class_order(int* rows, int* counts) {
  const svm_problem_view view = problem_view();
  const svm::ViewRows data(view);
  const svm::Classes classes =
      svm::group_classes({static_cast<int>(data.size()), view.y, data.rows()});
  std::copy(classes.order.begin(), classes.order.end(), rows);
  std::copy(classes.count.begin(), classes.count.end(), counts);
  return static_cast<int>(classes.size());
}
