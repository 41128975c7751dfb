// Predictions from shared kernel rows must equal those of the model, or be left to the model.
#include "programs/grid/shared_prediction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"
#include "model/model_memory.h"
#include "model/predictor.h"
#include "solvers/registry.h"
#include "tests/training_data.h"
#include "training/train.h"

namespace svm {
namespace {

using test::Data;

constexpr std::size_t kTrained = 200;

struct Case {
  int svm_type, kernel_type;
  bool four_classes;
  bool single;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  return "Type" + std::to_string(c.svm_type) + "Kernel" + std::to_string(c.kernel_type) +
         (c.four_classes ? "FourClasses" : "") + (c.single ? "Single" : "");
}

class SharedPredictionTest : public testing::TestWithParam<Case> {
 protected:
  SharedPredictionTest()
      : data_(GetParam().four_classes ? test::four_classes(300, 4)
                                      : test::random_data(300, 5, true, 4)),
        param_(test::parameters(GetParam().svm_type, GetParam().kernel_type)) {
    param_.gamma = 0.5;
    param_.nu = 0.2;
    whole_ = data_.problem();
    const std::vector<std::uint32_t> all = test::row_numbers(data_.size());
    held_out_ = test::row_numbers(data_.size() - kTrained);
    const KernelFunction kernel(param_);
    const Precision precision = GetParam().single ? Precision::kSingle : Precision::kDouble;
    shared_ = make_shared_rows(make_row_engine(kernel, whole_.x, all.size(), precision), all,
                               std::size_t{1} << 24);
  }

  // Trains on the rows that are not held out.
  TrainedMachines trained(double cost) {
    svm_parameter param = param_;
    param.C = cost;
    return train_machines(others(), param, printed_.run());
  }
  Problem others() const {
    return {kTrained, whole_.y + held_out_.size(), DataRows(whole_.x) + held_out_.size()};
  }
  std::vector<std::size_t> uncertain_rows(const TrainedMachines& trained,
                                          std::vector<double>& predictions) {
    std::vector<SupportVectors> models;
    models.emplace_back(others(), trained);
    return predict_by_shared_rows(models, held_out_, *shared_, printed_.run(),
                                  {predictions.data()});
  }

  test::Printed printed_;
  Data data_;
  svm_parameter param_;
  svm_problem whole_;
  std::vector<std::uint32_t> held_out_;
  std::shared_ptr<RowStore> shared_;
};

TEST_P(SharedPredictionTest, AreTheModels) {
  const TrainedMachines machines = trained(10);
  const SupportVectors model(others(), machines);
  ASSERT_TRUE(is_worth_sharing(model.view()));
  std::vector<double> predictions(held_out_.size(), -77);
  const std::vector<std::size_t> uncertain = uncertain_rows(machines, predictions);
  EXPECT_LT(uncertain.size(), held_out_.size() / 10);
  const Predictor predictor(model.view(), printed_.run().services.messages, 0);
  std::size_t differing = 0;
  for (std::size_t i = 0; i < held_out_.size(); ++i) {
    if (std::find(uncertain.begin(), uncertain.end(), i) != uncertain.end()) continue;
    ASSERT_EQ(predictions[i], predictor.predict(whole_.x[held_out_[i]])) << i;
    if (predictions[i] != predictions[0]) ++differing;
  }
  EXPECT_GT(differing, 0U);
}

// For such a row, the decision value is 0 up to rounding.
TEST_P(SharedPredictionTest, ARowAtTheBoundaryIsLeftToTheModel) {
  TrainedMachines machines = trained(10);
  const SupportVectors model(others(), machines);
  const Predictor predictor(model.view(), printed_.run().services.messages, 0);
  std::vector<double> values(predictor.functions());
  predictor.predict(whole_.x[held_out_[5]], values.data());
  machines.machines[0].rho += values[0];
  std::vector<double> predictions(held_out_.size());
  const std::vector<std::size_t> uncertain = uncertain_rows(machines, predictions);
  EXPECT_NE(std::find(uncertain.begin(), uncertain.end(), 5U), uncertain.end());
}

INSTANTIATE_TEST_SUITE_P(
    All, SharedPredictionTest,
    testing::Values(Case{C_SVC, RBF, false, false}, Case{C_SVC, RBF, false, true},
                    Case{C_SVC, POLY, false, false}, Case{C_SVC, LINEAR, false, true},
                    Case{C_SVC, RBF, true, false}, Case{NU_SVC, RBF, true, true},
                    Case{ONE_CLASS, RBF, false, false}),
    name_of);

TEST(SharedPrediction, IsForFewFunctionsAndNoRegression) {
  test::Printed printed;
  Data classes = test::four_classes(80, 4);
  for (std::size_t i = 0; i < 8; ++i) classes.add(100.0 + static_cast<double>(i), {0, 1, 2});
  const ModelPtr many = train(classes.problem(), test::parameters(C_SVC, RBF), printed.run());
  EXPECT_FALSE(is_worth_sharing(*many));
  Data values = test::random_data(40, 3, false, 2);
  const ModelPtr regression =
      train(values.problem(), test::parameters(EPSILON_SVR, RBF), printed.run());
  EXPECT_FALSE(is_worth_sharing(*regression));
}

}  // namespace
}  // namespace svm
