// Predicts one row after the other, and succeeds if calls allocate nothing after the first ones.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "svm.h"
#include "tests/training_data.h"

namespace {

std::size_t allocations = 0;

void* allocate(std::size_t size) {
  ++allocations;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

constexpr std::size_t kFeatures = 12;

// Rows of four classes, or with four targets.
svm::test::Data random_rows() {
  svm::test::Draws draws(1);
  svm::test::Data rows;
  for (int i = 0; i < 200; ++i) {
    std::vector<double> x;
    for (std::size_t k = 0; k < kFeatures; ++k) x.push_back(draws.between(-1, 1));
    rows.add(i % 4, x);
  }
  return rows;
}

std::size_t allocations_of_calls(const svm_model& model, const svm_predictor& predictor,
                                 const svm::test::Data& rows) {
  std::vector<double> values(svm_get_nr_values(&model)), probabilities(4), dense(kFeatures);
  const auto call = [&](std::size_t i) {
    const svm_node* const row = rows.row(i);
    svm_predict(&model, row);
    svm_predict_values(&model, row, values.data());
    svm_predict_probability(&model, row, probabilities.data());
    svm_predictor_predict(&predictor, row, nullptr, nullptr);
    for (std::size_t k = 0; k < kFeatures; ++k) dense[k] = row[k].value;
    svm_predictor_predict_dense(&predictor, dense.data(), dense.size(), SVM_DOUBLE, values.data(),
                                probabilities.data());
  };
  for (std::size_t i = 0; i < rows.size(); ++i) call(i);
  const std::size_t before = allocations;
  for (std::size_t i = 0; i < rows.size(); ++i) call(i);
  return allocations - before;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
  svm_set_print_string_function([](const char*) {});
  svm::test::Data rows = random_rows();
  int failures = 0;
  for (const int svm_type : {C_SVC, ONE_CLASS, EPSILON_SVR}) {
    for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
      const svm_problem problem = rows.problem();
      svm_parameter param = svm::test::parameters(svm_type, kernel);
      param.gamma = 0.3;
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
