// A program with the library in a namespace.  It writes what probability estimates of a model are
// made of, which depends on random draws, to standard error.  Returns 0 if a second training has
// other draws, 1 if it has the same, and 7 on failure.
namespace first {
#include "svm.h"
}

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

static std::string text;

static void keep(const char* part) { text += part; }

// Trains with probability estimates, which take random draws, and prints.
static std::string estimates() {
  using namespace first;
  svm_node nodes[40][2];
  svm_node* rows[40];
  double labels[40];
  for (int i = 0; i < 40; ++i) {
    nodes[i][0].index = 1;
    nodes[i][0].value = i * 7 % 11;
    nodes[i][1].index = -1;
    rows[i] = nodes[i];
    labels[i] = i * 3 % 5 < 2 ? 1 : -1;
  }
  const svm_problem problem = {40, labels, rows};
  svm_parameter param;
  std::memset(&param, 0, sizeof param);
  param.kernel_type = RBF;
  param.gamma = param.C = param.cache_size = 1;
  param.eps = 0.001;
  param.probability = 1;
  svm_model* model = svm_train(&problem, &param);
  char numbers[100];
  std::snprintf(numbers, sizeof numbers, "%a %a\n", model->probA[0], model->probB[0]);
  svm_free_and_destroy_model(&model);
  return numbers;
}

int main() {
  std::srand(1);
  const std::string once = estimates();
  const bool same_again = estimates() == once;
  first::svm_set_print_string_function(keep);
  estimates();
  std::fputs(once.c_str(), stderr);
  return text.find("#iter") != std::string::npos ? same_again : 7;
}
