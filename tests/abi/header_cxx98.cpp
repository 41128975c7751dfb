// svm.h and svm_ext.h in C++98, with exceptions that pass through the library.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "svm_ext.h"

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
  const int count = 20;
  svm_node nodes[count][2];
  std::vector<svm_node*> starts(count);
  std::vector<double> labels(count);
  for (int i = 0; i < count; ++i) {
    starts[i] = nodes[i];
    starts[i]->index = 1;
    starts[i]->value = i * 7 % 11;
    starts[i][1].index = -1;
    labels[i] = i % 2;
  }
  svm_rows rows = svm_rows();
  rows.size = sizeof(rows);
  rows.rows = count;
  rows.layout = SVM_NODES;
  rows.nodes = &starts[0];
  svm_parameter param = svm_parameter();
  param.kernel_type = LINEAR;
  param.cache_size = 1;
  param.eps = 1e-3;
  param.C = 1;

  svm_options options;
  svm_init_options(&options, sizeof(options));
  std::string printed, warned;
  options.print = keep;
  options.print_user = &printed;
  options.warn = fail;
  options.warn_user = &warned;
  svm_result result = svm_result();
  result.size = sizeof(result);
  svm_model* model = svm_train_rows(&rows, &labels[0], &param, &options, &result);
  expect(result.problems == 1 && !printed.empty() && warned.empty(), "training");
  svm_free_and_destroy_model(&model);

  options.max_iter = 1;
  bool caught = false;
  try {
    model = svm_train_rows(&rows, &labels[0], &param, &options, &result);
  } catch (const std::runtime_error& error) {
    caught = std::string(error.what()) == "of the caller";
  }
  expect(caught && warned.find("WARNING") != std::string::npos,
         "an exception of the warning function");

  options.warn = keep;
  const svm_count limit = options.max_iter;
  model = svm_train_rows(&rows, &labels[0], &param, &options, &result);
  expect(result.status == SVM_ITERATION_LIMIT && result.iterations == limit, "the limit");
  expect(model->param.kernel_type == LINEAR && model->free_sv == 1, "the model");
  svm_free_and_destroy_model(&model);
  return failures == 0 ? 0 : 1;
}
