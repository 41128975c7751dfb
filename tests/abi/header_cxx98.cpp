// svm.h in C++98, with exceptions that pass through the library.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "svm.h"

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "C++98: not so: %s (%s)\n", what, svm_last_error());
  ++failures;
}

extern "C" void fail(const char* text, void* user) {
  static_cast<std::string*>(user)->append(text);
  throw std::runtime_error("of the caller");
}

extern "C" void keep(const char* text, void* user) {
  static_cast<std::string*>(user)->append(text);
}

}  // namespace

int main() {
  const int rows = 20;
  svm_node nodes[rows][2];
  std::vector<svm_node*> starts(rows);
  std::vector<double> labels(rows);
  for (int i = 0; i < rows; ++i) {
    starts[i] = nodes[i];
    starts[i]->index = 1;
    starts[i]->value = i * 7 % 11;
    starts[i][1].index = -1;
    labels[i] = i % 2;
  }
  svm_problem problem = {rows, &labels[0], &starts[0]};
  svm_parameter param = svm_parameter();
  param.kernel_type = LINEAR;
  param.cache_size = 1;
  param.eps = 1e-3;
  param.C = 1;

  svm_options options;
  svm_default_options(&options);
  std::string printed, warned;
  options.print = keep;
  options.print_user = &printed;
  options.warn = fail;
  options.warn_user = &warned;
  svm_result result = svm_result();
  result.size = sizeof(result);
  svm_model* model = svm_train_ex(&problem, &param, &options, &result);
  expect(result.problems == 1 && !printed.empty() && warned.empty(), "training");
  svm_free_and_destroy_model(&model);

  options.max_iterations = 1;
  bool caught = false;
  try {
    model = svm_train_ex(&problem, &param, &options, &result);
  } catch (const std::runtime_error& error) {
    caught = std::string(error.what()) == "of the caller";
  }
  expect(caught && warned.find("WARNING") != std::string::npos,
         "an exception of the warning function");

  options.warn = keep;
  const svm_count limit = options.max_iterations;
  model = svm_train_ex(&problem, &param, &options, &result);
  expect(result.status == SVM_ITERATION_LIMIT && result.iterations == limit, "the limit");
  expect(svm_get_kernel_type(model) == LINEAR, "the model's kernel");
  svm_free_and_destroy_model(&model);
  return failures == 0 ? 0 : 1;
}
