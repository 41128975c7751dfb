// svm_ext.h: the option and result records, and the choice of the solver.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/extension.h"

namespace svm {
namespace {

using test::coefficients;
using test::default_options;
using test::OwnedModel;
using test::Setting;

class ExtensionTest : public test::Extension {};

// --- options and results as records ---

TEST(ExtensionLayoutTest, StatusValues) {
  EXPECT_EQ(SVM_CONVERGED, 0);
  EXPECT_EQ(SVM_ITERATION_LIMIT, 1);
  EXPECT_EQ(SVM_TIME_LIMIT, 2);
  EXPECT_EQ(SVM_CANCELLED, 3);
  EXPECT_EQ(SVM_STALLED, 4);
  EXPECT_EQ(SVM_IMPRECISE, 5);
}

TEST_F(ExtensionTest, Defaults) {
  const svm_options options = default_options();
  EXPECT_EQ(options.size, sizeof(svm_options));
  EXPECT_EQ(options.solver, nullptr);
  EXPECT_EQ(options.max_iter, 0);
  EXPECT_EQ(options.time_limit, 0);
  EXPECT_EQ(options.seed, -1);
  EXPECT_EQ(options.progress, nullptr);
  EXPECT_EQ(options.print, nullptr);
  EXPECT_EQ(options.free_set, 1);
  EXPECT_EQ(options.threads, 0U);
}

TEST_F(ExtensionTest, SizesThatAreRefused) {
  options_.size = 0;
  EXPECT_NE(refusal().find("svm_train_rows: svm_options: size is not set"), std::string::npos);
  options_.size = sizeof(options_) + 8;
  EXPECT_NE(refusal().find("larger than this version"), std::string::npos);
  options_.size = sizeof(options_);
  result_.size = 0;
  EXPECT_NE(refusal().find("svm_result: size is not set"), std::string::npos);
  result_.size = sizeof(result_) + 8;
  EXPECT_NE(refusal().find("svm_result: size is larger"), std::string::npos);
}

// An older program's record ends before fields that this version has: garbage there is not read.
TEST_F(ExtensionTest, ASmallerRecordHasDefaultsForTheRest) {
  options_.max_iter = 5;
  options_.size = offsetof(svm_options, max_iter);
  options_.time_limit = std::nan("");
  testing::internal::CaptureStdout();
  const OwnedModel model = train();
  EXPECT_NE(testing::internal::GetCapturedStdout(), "");  // print is beyond the end, too
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(result_.status, SVM_CONVERGED);
  EXPECT_GT(result_.iterations, 5);
  options_.size += 3;  // an incomplete field does not count
  testing::internal::CaptureStdout();
  EXPECT_NE(train(), nullptr);
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(result_.status, SVM_CONVERGED);
}

TEST_F(ExtensionTest, ASmallerResultIsNotWrittenBeyondItsSize) {
  result_.size = offsetof(svm_result, iterations);
  result_.iterations = -77;
  result_.seconds = -77;
  ASSERT_NE(train(), nullptr);
  EXPECT_EQ(result_.problems, 1);
  EXPECT_EQ(result_.iterations, -77);
  EXPECT_EQ(result_.seconds, -77);
}

TEST_F(ExtensionTest, NullOptionsAndResult) {
  testing::internal::CaptureStdout();
  const OwnedModel plain(svm_train(&problem_, &param_));
  const OwnedModel model(test::train(&problem_, &param_, nullptr, nullptr));
  testing::internal::GetCapturedStdout();
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(coefficients(*model), coefficients(*plain));
}

TEST_F(ExtensionTest, ResultOfARun) {
  ASSERT_NE(train(), nullptr);
  EXPECT_EQ(result_.status, SVM_CONVERGED);
  EXPECT_EQ(result_.problems, 1);
  EXPECT_GT(result_.iterations, 0);
  EXPECT_EQ(result_.conjugate_steps, 0);
  EXPECT_LT(result_.objective, 0);
  EXPECT_LT(result_.violation, param_.eps);
  EXPECT_GT(result_.kernel_rows, 0);
  EXPECT_GT(result_.kernel_seconds, 0);
  EXPECT_GE(result_.seconds, result_.kernel_seconds);
}

TEST_F(ExtensionTest, QuietDropsMessagesButNoWarnings) {
  std::string messages, warnings;
  const auto append = [](const char* text, void* to) { *static_cast<std::string*>(to) += text; };
  options_.print = options_.warn = append;
  options_.print_user = &messages;
  options_.warn_user = &warnings;
  options_.max_iter = 1;
  ASSERT_NE(train(), nullptr);
  EXPECT_NE(messages, "");
  messages = warnings = "";
  options_.quiet = 1;
  ASSERT_NE(train(), nullptr);
  EXPECT_EQ(messages, "");
  EXPECT_NE(warnings.find("max number of iterations"), std::string::npos);
}

// --- the solver ---

TEST_F(ExtensionTest, EverySolverReachesTheSameObjective) {
  param_.eps = 1e-6;
  ASSERT_NE(train(), nullptr);
  const double wanted = result_.objective;
  for (const char* solver : {"smo", "csmo", "hybrid", "smo1", "0", "1", "2"}) {
    options_.solver = solver;
    ASSERT_NE(train(), nullptr) << solver;
    EXPECT_EQ(result_.status, SVM_CONVERGED) << solver;
    EXPECT_NEAR(result_.objective, wanted, 1e-5 * std::fabs(wanted)) << solver;
  }
}

TEST_F(ExtensionTest, CsmoReportsItsSteps) {
  options_.solver = "csmo";
  options_.free_set = 0;
  ASSERT_NE(train(), nullptr);
  EXPECT_GT(result_.conjugate_steps, 0);
  EXPECT_LE(result_.clipped_steps, result_.conjugate_steps);
  EXPECT_EQ(result_.phases, 0);
}

TEST_F(ExtensionTest, AnUnknownSolver) {
  options_.solver = "newton";
  const std::string text = refusal();
  EXPECT_NE(text.find("svm_train_rows: "), std::string::npos) << text;
  EXPECT_NE(text.find("known are: smo, csmo, dcd, avsf, pegasos, snacks, smo1, mdm, amdm, platt, "
                      "pcg, not 'newton'"),
            std::string::npos)
      << text;
  const char* fault = svm_check_options(&param_, &options_);
  ASSERT_NE(fault, nullptr);
  EXPECT_NE(std::string(fault).find("smo, csmo, dcd"), std::string::npos);
  options_.solver = "";
  EXPECT_NE(svm_check_options(nullptr, &options_), nullptr);
}

TEST_F(ExtensionTest, OptionsThatDoNotGoTogether) {
  EXPECT_EQ(svm_check_options(nullptr, nullptr), nullptr);
  EXPECT_EQ(svm_check_options(&param_, &options_), nullptr);
  options_.free_set = 0;
  EXPECT_STREQ(svm_check_options(&param_, &options_), "free_set is an option of the solver csmo");
  options_.solver = "csmo";
  EXPECT_EQ(svm_check_options(&param_, &options_), nullptr);
  options_.max_iter = -1;
  EXPECT_STREQ(svm_check_options(&param_, &options_), "max_iter < 0");
  options_.max_iter = 0;
  for (const double limit : {-1.0, std::nan("")}) {
    options_.time_limit = limit;
    EXPECT_STREQ(svm_check_options(&param_, &options_), "time_limit < 0");
  }
  options_.time_limit = 0;
  for (const svm_count seed : {svm_count{-2}, svm_count{1} << 32}) {
    options_.seed = seed;
    EXPECT_NE(svm_check_options(&param_, &options_), nullptr) << seed;
  }
  options_.seed = (svm_count{1} << 32) - 1;
  EXPECT_EQ(svm_check_options(&param_, &options_), nullptr);
  options_.seed = -1;
  param_.svm_type = 99;
  const char* fault = svm_check_options(&param_, &options_);
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(std::string(fault).rfind("solver csmo supports", 0), 0U) << fault;
}

TEST_F(ExtensionTest, TheTableNamesEverySolver) {
  const std::string table = svm_list_solvers();
  for (const char* name : {"smo (0)", "csmo (1)", "smo1 "}) {
    EXPECT_NE(table.find(std::string("\n") + name), std::string::npos) << table;
  }
}

TEST_F(ExtensionTest, TheVariableChoosesTheSolverOfPlainCalls) {
  svm_set_print_string_function([](const char*) {});
  const OwnedModel smo(svm_train(&problem_, &param_));
  options_.solver = "csmo";
  const OwnedModel csmo = train();
  {
    const Setting variable("LIBSVM_SOLVER", "csmo");
    const OwnedModel chosen(svm_train(&problem_, &param_));
    EXPECT_EQ(coefficients(*chosen), coefficients(*csmo));
    EXPECT_NE(coefficients(*chosen), coefficients(*smo));
    options_.solver = "smo";  // a name in the options takes precedence
    EXPECT_EQ(coefficients(*train()), coefficients(*smo));
    options_.solver = nullptr;
    EXPECT_EQ(coefficients(*train()), coefficients(*csmo));
  }
  {
    const Setting variable("LIBSVM_SOLVER", "");
    const OwnedModel chosen(svm_train(&problem_, &param_));
    EXPECT_EQ(coefficients(*chosen), coefficients(*smo));
  }
  svm_set_print_string_function(nullptr);
}

TEST_F(ExtensionTest, AVariableWithAnUnknownNameIsAnError) {
  const Setting variable("LIBSVM_SOLVER", "csmoo");
  const std::string text = refusal();
  std::vector<double> target(data_.size(), 1);
  EXPECT_EQ(test::cross_validate(&problem_, &param_, 3, nullptr, target.data(), nullptr), -1);
  EXPECT_NE(text.find("svm_train_rows: environment variable LIBSVM_SOLVER: "), std::string::npos);
  EXPECT_NE(text.find("smo, csmo, dcd, avsf, pegasos, snacks, smo1, mdm, amdm, platt, pcg, "
                      "not 'csmoo'"),
            std::string::npos)
      << text;
  EXPECT_TRUE(std::isnan(target[0]));
  EXPECT_NE(svm_check_options(nullptr, nullptr), nullptr);
  options_.solver = "smo";
  EXPECT_EQ(svm_check_options(nullptr, &options_), nullptr);
}

}  // namespace
}  // namespace svm
