// How much decision values change by the digits of a model file.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "model/model_file.h"
#include "programs/certificate/certificate.h"
#include "tests/trained_machine.h"
#include "tests/training_data.h"

namespace svm::test {
namespace {

// Loads what was saved with so many digits, and predicts the rows that are compared.
TEST(ChangeByDigits, IsThatOfTheSavedModel) {
  constexpr int kRows = 15, kDigits = 4;
  for (const TypeAndKernel& c : {TypeAndKernel{C_SVC, RBF}, {C_SVC, POLY}, {EPSILON_SVR, LINEAR}}) {
    SCOPED_TRACE(testing::PrintToString(c));
    Draws draws(3);
    Data data;
    for (int i = 0; i < kRows; ++i) data.add(i % 3, {draws.between(-1, 1), -draws.between(0, 20)});
    TrainedMachine trained(std::move(data), param_for(c), "csmo");
    trained.train();
    std::string text;
    write_model([&](std::string_view piece) { text += piece; }, *trained.model, {17, kDigits});
    const ModelPtr saved = parse_model(text);
    double largest = 0;
    for (std::size_t t = 0; t < kRows; ++t) {
      double before[3], after[3];
      svm_predict_values(trained.model.get(), trained.data.row(t), before);
      svm_predict_values(saved.get(), trained.data.row(t), after);
      for (int k = 0; k < (c.svm_type == C_SVC ? 3 : 1); ++k) {
        largest = std::max(largest, std::fabs(after[k] - before[k]));
      }
    }
    EXPECT_GT(largest, 1e-6);
    EXPECT_NEAR(change_by_digits(trained.problem, *trained.model, kDigits), largest,
                1e-9 * largest);
    EXPECT_EQ(change_by_digits(trained.problem, *trained.model, 17), 0);
  }
  TrainedMachine matrix(data_for({C_SVC, PRECOMPUTED}, 20), param_for({C_SVC, PRECOMPUTED}));
  matrix.train();
  EXPECT_EQ(change_by_digits(matrix.problem, *matrix.model, 1), 0);
}

}  // namespace
}  // namespace svm::test
