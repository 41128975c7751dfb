// A program with the library in a namespace and a function of its own in place of an alias.  It
// writes a model with probability estimates, which take random draws, to standard error.  Returns 0
// if a second training has other draws, 1 if it has the same, and 7 on failure.
namespace first {
#include "svm.h"
}

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

static int destroyed = 0;
static std::string text;

// The program's own function of this name takes the place of the alias.
extern "C" void svm_destroy_model(first::svm_model* model) {
  ++destroyed;
  first::svm_free_and_destroy_model(&model);
}

static void keep(const char* part) { text += part; }

// Trains with probability estimates, which take random draws, and prints.
static std::string model_text() {
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
  svm_model* const model = svm_train(&problem, &param);
  size_t size = 0;
  char* const saved = svm_save_model_to_memory(model, nullptr, &size);
  std::string result(saved, size);
  svm_free(saved);
  svm_destroy_model(model);
  return result;
}

int main() {
  std::srand(1);
  const std::string once = model_text();
  const bool same_again = model_text() == once;
  first::svm_set_print_string_function(keep);
  model_text();
  std::fwrite(once.data(), 1, once.size(), stderr);
  return destroyed == 3 && text.find("#iter") != std::string::npos ? same_again : 7;
}
