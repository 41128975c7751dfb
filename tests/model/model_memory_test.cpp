// The memory of models.
#include "model/model_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "tests/training_data.h"

namespace svm {
namespace {

using test::parameters;

template <typename T>
T* block(const std::vector<T>& values) {
  T* copy = malloc_array<T>(values.size());
  std::copy(values.begin(), values.end(), copy);
  return copy;
}

// Three classes with one support vector each, all nodes in one block.
ModelPtr three_classes() {
  constexpr std::size_t kVectors = 3;
  ModelPtr model = new_model();
  model->param = parameters(C_SVC, LINEAR);
  model->nr_class = 3;
  model->l = kVectors;
  model->free_sv = 1;
  model->SV = malloc_array<svm_node*>(kVectors);
  svm_node* const nodes = malloc_array<svm_node>(2 * kVectors);
  for (std::size_t s = 0; s < kVectors; ++s) {
    model->SV[s] = nodes + 2 * s;
    model->SV[s][0] = {1, 0.5};
    model->SV[s][1] = {-1, 0};
  }
  model->sv_coef = malloc_array<double*>(2);
  for (int c = 0; c < 2; ++c) model->sv_coef[c] = block<double>({1, -2, 3});
  model->rho = block<double>({0, 0, 0});
  model->label = block<int>({10, 20, 30});
  model->nSV = block<int>({1, 1, 1});
  return model;
}

TEST(ModelMemory, ContentIsFreedOnce) {
  ModelPtr model = three_classes();
  model->probA = block<double>({1, 2, 3});
  model->probB = block<double>({1, 2, 3});
  double garbage = 1;  // that of a program that was written before the member existed
  model->prob_density_marks = &garbage;
  model->sv_indices = block<int>({1, 2, 3});
  free_model_content(model.get());
  EXPECT_EQ(model->SV, nullptr);
  EXPECT_EQ(model->sv_coef, nullptr);
  EXPECT_EQ(model->rho, nullptr);
  EXPECT_EQ(model->label, nullptr);
  EXPECT_EQ(model->probA, nullptr);
  EXPECT_EQ(model->probB, nullptr);
  EXPECT_EQ(model->prob_density_marks, nullptr);
  EXPECT_EQ(model->sv_indices, nullptr);
  EXPECT_EQ(model->nSV, nullptr);
  free_model_content(model.get());
  free_model_content(nullptr);
}

TEST(ModelMemory, AnUnfinishedModelCanBeFreed) {
  new_model();
  ModelPtr model = new_model();
  model->l = 5;
  model->nr_class = 3;
  model->free_sv = 1;
  model->sv_coef = malloc_array<double*>(2);  // the inner arrays are missing
  free_model_content(model.get());
  EXPECT_EQ(model->sv_coef, nullptr);
}

TEST(ModelMemory, BlocksAreZeroAndNeverNull) {
  double* empty = malloc_array<double>(0);
  EXPECT_NE(empty, nullptr);
  std::free(empty);
  double* values = malloc_array<double>(3);
  EXPECT_EQ(values[0] + values[1] + values[2], 0);
  std::free(values);
  EXPECT_THROW(malloc_array<double>(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
}

}  // namespace
}  // namespace svm
