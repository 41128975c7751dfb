// Predicts one row after the other, and succeeds if calls allocate nothing after the first ones.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "svm.h"

namespace {

std::size_t allocations = 0;

void* allocate(std::size_t size) {
  ++allocations;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

struct Rows {
  Rows() {
    unsigned long state = 1;
    for (std::size_t i = 0; i < kCount; ++i) {
      for (int k = 0; k < kFeatures; ++k) {
        state = (state * 1103515245UL + 12345UL) & 0x7fffffffUL;
        nodes[i].push_back({k + 1, static_cast<double>(state >> 15U) / 32768.0 - 1});
      }
      labels[i] = static_cast<double>(i % 4);
      nodes[i].push_back({-1, 0});
      pointers[i] = nodes[i].data();
    }
  }

  static constexpr std::size_t kCount = 200;
  static constexpr int kFeatures = 12;
  std::vector<svm_node> nodes[kCount];
  svm_node* pointers[kCount];
  double labels[kCount];
};

std::size_t allocations_of_calls(const svm_model& model, const svm_predictor& predictor,
                                 const Rows& rows) {
  std::vector<double> values(svm_get_nr_values(&model)), probabilities(4), dense(Rows::kFeatures);
  const auto call = [&](std::size_t i) {
    const svm_node* const row = rows.pointers[i];
    svm_predict(&model, row);
    svm_predict_values(&model, row, values.data());
    svm_predict_probability(&model, row, probabilities.data());
    svm_predictor_predict(&predictor, row, nullptr, nullptr);
    for (int k = 0; k < Rows::kFeatures; ++k) dense[static_cast<std::size_t>(k)] = row[k].value;
    svm_predictor_predict_dense(&predictor, dense.data(), dense.size(), SVM_DOUBLE, values.data(),
                                probabilities.data());
  };
  for (std::size_t i = 0; i < Rows::kCount; ++i) call(i);
  const std::size_t before = allocations;
  for (std::size_t i = 0; i < Rows::kCount; ++i) call(i);
  return allocations - before;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
  svm_set_print_string_function([](const char*) {});
  Rows rows;
  int failures = 0;
  for (const int svm_type : {C_SVC, ONE_CLASS, EPSILON_SVR}) {
    for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
      svm_problem problem{static_cast<int>(Rows::kCount), rows.labels, rows.pointers};
      svm_parameter param{};
      param.svm_type = svm_type;
      param.kernel_type = kernel;
      param.degree = 3;
      param.gamma = 0.3;
      param.cache_size = 10;
      param.eps = 1e-3;
      param.C = 1;
      param.nu = 0.5;
      param.p = 0.1;
      param.probability = 1;
      svm_model* model = svm_train(&problem, &param);
      svm_predictor* const predictor = svm_make_predictor(model, 1);
      const std::size_t count = allocations_of_calls(*model, *predictor, rows);
      if (count != 0) {
        std::fprintf(stderr, "type %d, kernel %d: %zu allocations\n", svm_type, kernel, count);
        ++failures;
      }
      svm_free_predictor(predictor);
      svm_free_and_destroy_model(&model);
    }
  }
  return failures == 0 ? 0 : 1;
}
