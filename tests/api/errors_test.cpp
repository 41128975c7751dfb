// svm_last_error() after failing functions, for each thread.
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/temp_dir.h"

namespace svm {
namespace {

// The error text.  Also checks that nothing was written to standard error.
std::string error_of(const std::function<void()>& call) {
  testing::internal::CaptureStderr();
  call();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  return svm_last_error();
}

class LastError : public test::Extension {
 protected:
  LastError() { short_.add_row(1, {{0, 1}, {1, 1}, {-1, 0}}); }

  // A model with a precomputed kernel, for which rows may be too short.
  test::OwnedModel of_kernel_values() {
    test::Data data;
    data.add_row(1, {{0, 1}, {1, 1}, {2, 0}, {-1, 0}});
    data.add_row(-1, {{0, 2}, {1, 0}, {2, 1}, {-1, 0}});
    kept_ = std::move(data);
    const svm_problem problem = kept_.problem();
    const svm_parameter param = test::parameters(C_SVC, PRECOMPUTED);
    return test::OwnedModel(test::train(&problem, &param, &options_, nullptr));
  }

  const test::TempDir folder_;
  test::Data short_, kept_;
};

TEST_F(LastError, IsEmptyAtFirst) {
  std::thread([] { EXPECT_STREQ(svm_last_error(), ""); }).join();
}

TEST_F(LastError, NamesTheFunctionThatFailed) {
  svm_problem none{};
  double number = 0;
  const auto cross_validate = [&] { svm_cross_validation(&none, &param_, 3, &number); };
  const test::OwnedModel model = of_kernel_values();
  ASSERT_NE(model, nullptr);
  const svm_node* const row = short_.row(0);
  const std::string missing = folder_.file("missing/file");
  const test::OwnedPredictor predictor = test::make_predictor(*model);
  const auto predict = [&] {
    EXPECT_TRUE(std::isnan(test::predict_row(predictor.get(), row, nullptr, nullptr)));
  };
  svm_model_arrays arrays{};
  svm_rows rows{};
  const std::pair<const char*, std::function<void()>> calls[] = {
      {"svm_train: there are", [&] { EXPECT_EQ(svm_train(&none, &param_), nullptr); }},
      {"svm_train_rows: there are",
       [&] { EXPECT_EQ(test::train(&none, &param_, &options_, nullptr), nullptr); }},
      {"svm_cross_validation: cross", cross_validate},
      {"svm_cross_validate_rows: there are",
       [&] {
         EXPECT_EQ(test::cross_validate(&none, &param_, 3, &options_, &number, nullptr), -1);
       }},
      {"svm_predict: ", [&] { EXPECT_TRUE(std::isnan(svm_predict(model.get(), row))); }},
      {"svm_predict_values: ",
       [&] { EXPECT_TRUE(std::isnan(svm_predict_values(model.get(), row, &number))); }},
      {"svm_predict_probability: ",
       [&] { EXPECT_TRUE(std::isnan(svm_predict_probability(model.get(), row, &number))); }},
      {"svm_get_svr_probability: ", [&] { EXPECT_EQ(svm_get_svr_probability(model.get()), 0); }},
      {"svm_save_model: ", [&] { EXPECT_EQ(svm_save_model(missing.c_str(), model.get()), -1); }},
      {"svm_write_model: digits",
       [&] { EXPECT_EQ(svm_write_model(missing.c_str(), model.get(), 18), -1); }},
      {"svm_model_text: digits",
       [&] { EXPECT_EQ(svm_model_text(model.get(), -1, nullptr), nullptr); }},
      {"svm_predict_rows: ", predict},
      {"svm_model_from_arrays: ", [&] { EXPECT_EQ(svm_model_from_arrays(&arrays), nullptr); }},
      {"svm_arrays_of_model: ",
       [&] { EXPECT_EQ(svm_arrays_of_model(model.get(), &arrays, &rows), -1); }},
      {"svm_load_model: ", [&] { EXPECT_EQ(svm_load_model(missing.c_str()), nullptr); }},
      {"svm_parse_model: ", [&] { EXPECT_EQ(svm_parse_model("x", 1), nullptr); }},
  };
  for (const auto& [start, call] : calls) {
    const std::string text = error_of(call);
    EXPECT_EQ(text.rfind(start, 0), 0U) << text;
    EXPECT_GT(text.size(), std::string(start).size());
  }
}

TEST_F(LastError, SaysWhichFileAndWhy) {
  const std::string missing = folder_.file("missing");
  EXPECT_EQ(error_of([&] { svm_load_model(missing.c_str()); }),
            "svm_load_model: " + missing + ": No such file or directory");
  const test::OwnedModel model = train();
  const std::string inside = missing + "/model";
  EXPECT_EQ(error_of([&] { svm_save_model(inside.c_str(), model.get()); }),
            "svm_save_model: " + inside + ": No such file or directory");
}

TEST_F(LastError, StaysWhereCallsSucceed) {
  options_.size = 0;
  const std::string text = refusal();
  EXPECT_NE(text, "");
  options_.size = sizeof(options_);
  EXPECT_NE(train(), nullptr);
  EXPECT_EQ(svm_last_error(), text);
}

TEST_F(LastError, IsThatOfTheThread) {
  svm_load_model("first");
  const std::string mine = svm_last_error();
  constexpr int kCount = 4;
  std::vector<std::thread> threads;
  threads.reserve(kCount);
  for (int i = 0; i < kCount; ++i) {
    threads.emplace_back([i] {
      const std::string name = std::string("missing/") + std::to_string(i);
      for (int k = 0; k < 200; ++k) {
        svm_load_model(name.c_str());
        EXPECT_NE(std::string(svm_last_error()).find(name + ": "), std::string::npos);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(svm_last_error(), mine);
}

// The error of a task on another thread becomes the error of the call.
TEST_F(LastError, OfATaskIsThatOfTheCall) {
  test::Data data;
  for (int i = 1; i <= 9; ++i) {
    test::Row row = {{0, static_cast<double>(i)}};
    for (int k = 1; k <= (i == 5 ? 4 : 9); ++k) row.push_back({k, k == i ? 1.0 : 0.0});
    row.push_back({-1, 0});
    data.add_row(i % 3, row);
  }
  problem_ = data.problem();
  param_.kernel_type = PRECOMPUTED;
  for (const std::size_t threads : {1U, 4U}) {
    options_.threads = threads;
    EXPECT_EQ(
        refusal(),
        "svm_train_rows: precomputed kernel: row 5 has 4 values, but the serial numbers go up "
        "to 9");
    svm_load_model("another");
  }
}

// Texts are cut between characters: this one ends before the first byte of the character that does
// not fit.
TEST_F(LastError, LongTextsAreCut) {
  for (const std::string padding : {"", "x"}) {
    std::string name = padding;
    for (int i = 0; i < 1000; ++i) name += "\xC3\xA9";
    svm_load_model(name.c_str());
    const std::string text = svm_last_error();
    EXPECT_LE(text.size(), 1023U);
    EXPECT_GE(text.size(), 1022U);
    EXPECT_EQ(text.rfind("svm_load_model: " + padding + "\xC3\xA9", 0), 0U);
    EXPECT_EQ(text.substr(text.size() - 2), "\xC3\xA9");
  }
}

}  // namespace
}  // namespace svm
