// A program that exits while one of its threads trains.  Its exit status is 7 if all is well.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <unistd.h>

#include "svm_ext.h"

namespace {

constexpr int kStatus = 7;
constexpr int kTrainingFailed = 3;
constexpr int kTrainingStopped = 4;

std::atomic<int> trained{0};

// Waits for two more trainings to end; the first of them may already have begun.
void wait_for_trainings() {
  const int wanted = trained + 2;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (trained < wanted) {
    if (std::chrono::steady_clock::now() > end) ::_exit(kTrainingStopped);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void require(bool holds) {
  if (!holds) ::_exit(kTrainingFailed);
}

// Uses everything that the library keeps between calls: the solvers and the texts.
void train_for_ever() {
  svm_node left[] = {{1, -1.0}, {-1, 0.0}}, right[] = {{1, 1.0}, {-1, 0.0}};
  svm_node* nodes[] = {left, right, left, right};
  const double labels[] = {1, 2, 3, 4};
  svm_rows rows{};
  rows.size = sizeof rows;
  rows.rows = 4;
  rows.layout = SVM_NODES;
  rows.nodes = nodes;
  svm_parameter parameter{};
  parameter.kernel_type = LINEAR;
  parameter.cache_size = 1;
  parameter.eps = 1e-3;
  parameter.C = 1;
  svm_options options;
  svm_init_options(&options, sizeof options);
  options.print = [](const char*, void*) {};
  options.threads = 2;
  const char* const table = svm_list_solvers();
  const std::string copy = table;
  for (;; ++trained) {
    options.solver = "csmo";
    svm_model* model = svm_train_rows(&rows, labels, &parameter, &options, nullptr);
    require(model != nullptr);
    svm_free_and_destroy_model(&model);
    options.solver = "dcd";
    parameter.kernel_type = RBF;
    const char* const fault = svm_check_options(&parameter, &options);
    require(fault != nullptr && std::strstr(fault, "solver dcd supports") != nullptr);
    parameter.kernel_type = LINEAR;
    require(copy == table);
  }
}

}  // namespace

// The handler that is registered first runs last, when all static objects of the library, which are
// made later, would have been destroyed, while the thread still trains.
int main() {
  if (std::atexit(wait_for_trainings) != 0) return 1;
  std::thread(train_for_ever).detach();
  wait_for_trainings();
  return kStatus;
}
