// Predictions of one row after the other, which allocate nothing after the first ones.
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "tests/extension.h"
#include "tests/memory/failures.h"

namespace svm::test {
namespace {

constexpr std::size_t kFeatures = 12;

// Returns rows with four labels, which serve as targets for regression.
Data random_rows() {
  Draws draws(1);
  Data rows;
  for (int i = 0; i < 200; ++i) {
    std::vector<double> x;
    for (std::size_t k = 0; k < kFeatures; ++k) x.push_back(draws.between(-1, 1));
    rows.add(i % 4, x);
  }
  return rows;
}

// Predicts every row by every function.
void predict_all(const svm_model& model, const svm_predictor& predictor, const Data& rows) {
  std::vector<double> values(value_count(model)), probabilities(4), dense(kFeatures);
  svm_rows dense_rows{};
  dense_rows.size = sizeof(dense_rows);
  dense_rows.rows = 1;
  dense_rows.columns = dense_rows.stride = kFeatures;
  dense_rows.layout = SVM_DENSE;
  dense_rows.values = dense.data();
  const bool is_likely = model.param.svm_type != EPSILON_SVR;
  double label = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const svm_node* const row = rows.row(i);
    for (std::size_t k = 0; k < kFeatures; ++k) dense[k] = row[k].value;
    counted([&] {
      svm_predict(&model, row);
      svm_predict_values(&model, row, values.data());
      svm_predict_probability(&model, row, probabilities.data());
      predict_row(&predictor, row, nullptr, nullptr);
      predict_row(&predictor, row, values.data(), nullptr);
      svm_predict_rows(&predictor, &dense_rows, 1, &label, values.data(),
                       is_likely ? probabilities.data() : nullptr);
    });
  }
}

TEST(SinglePredictions, AllocateNothingAfterTheFirstOnes) {
  Data rows = random_rows();
  const svm_problem problem = rows.problem();
  svm_options options = default_options();
  options.print = drop_text;
  for (const int svm_type : {C_SVC, ONE_CLASS, EPSILON_SVR}) {
    for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
      SCOPED_TRACE(testing::Message() << "type " << svm_type << ", kernel " << kernel);
      svm_parameter param = parameters(svm_type, kernel);
      param.gamma = 0.3;
      param.probability = 1;
      const OwnedModel model(test::train(&problem, &param, &options, nullptr));
      const OwnedPredictor predictor(svm_make_predictor(model.get(), 1));
      allocations::restart(0, Failing::kOne);
      predict_all(*model, *predictor, rows);
      EXPECT_GT(allocations::counted(), 0U);
      allocations::restart(0, Failing::kOne);
      predict_all(*model, *predictor, rows);
      EXPECT_EQ(allocations::counted(), 0U);
    }
  }
}

// A caller may copy the struct, free() it, and free the contents by the copy.
TEST(SinglePredictions, LeaveNothingIfTheStructWasCopied) {
  Data rows = random_rows();
  const svm_problem problem = rows.problem();
  svm_options options = default_options();
  options.print = drop_text;
  for (const int kernel : {LINEAR, RBF}) {
    const svm_parameter param = parameters(C_SVC, kernel);
    svm_model* const model = test::train(&problem, &param, &options, nullptr);
    ASSERT_NE(model, nullptr);
    allocations::restart(0, Failing::kOne);
    for (int time = 0; time < 3; ++time) {
      counted([&] { svm_predict(model, rows.row(0)); });
    }
    EXPECT_GT(allocations::live(), 0U);
    svm_model copy = *model;
    std::free(model);
    svm_free_model_content(&copy);
    EXPECT_EQ(allocations::live(), 0U);
  }
}

}  // namespace
}  // namespace svm::test
