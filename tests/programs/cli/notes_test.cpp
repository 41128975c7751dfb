// Notes on a terminal, and what --check says of rounding.
#include "programs/cli/notes.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "programs/cli/score.h"
#include "tests/child.h"
#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

class Notes : public TrainSolverCli {
 protected:
  // The output on a terminal, which ends lines by "\r\n".
  std::string shown(std::vector<std::string> arguments) const {
    arguments[0] = SVM_BIN_DIR "/" + arguments[0];
    Child child(arguments, folder_.path(), Child::Reads::kTerminal);
    std::string text = child.read_all();
    EXPECT_EQ(child.wait(), 0) << text;
    return text;
  }
  // Expects no note if standard error is redirected; the result is the same.
  void expect_none_elsewhere(std::vector<std::string> arguments) const {
    arguments[0] = SVM_BIN_DIR "/" + arguments[0];
    const ProcessResult result = run(arguments, {}, folder_.path());
    EXPECT_EQ(result.status, 0);
    EXPECT_FALSE(contains(result.out + result.err, "NOTE")) << result.out << result.err;
  }
  // Rows with a small feature 1 and a large feature 2.
  static std::string uneven_rows() {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      text += (i % 2 == 0 ? "1" : "-1") + std::string(" 1:") + std::to_string(i % 3) +
              " 2:" + std::to_string(100 + 37 * i % 1000) + "\n";
    }
    return text;
  }
  void SetUp() override {
    if (!have_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  }
};

TEST_F(Notes, OfRangesAndSupportVectors) {
  folder_.write("rows", uneven_rows());
  const std::vector<std::string> line = {"svm-train", "-g", "10", "rows", "model"};
  const std::string text = shown(line);
  EXPECT_TRUE(contains(text, "NOTE: features vary very differently: feature 2 from 100 to "))
      << text;
  EXPECT_TRUE(contains(text, ", but feature 1 from 0 to 2; svm-scale gives")) << text;
  EXPECT_TRUE(contains(text, "NOTE: every row is a support vector: C or gamma does not suit"))
      << text;
  expect_none_elsewhere(line);
  EXPECT_EQ(shown({"svm-train", "-q", "-g", "10", "rows", "model"}), "");
  // All rows are landmarks, if there are few.
  EXPECT_FALSE(
      contains(shown({"svm-train", "-a", "snacks", "-g", "10", "rows", "model"}), "vector:"));
}

TEST_F(Notes, NoneWithoutCause) {
  EXPECT_FALSE(contains(shown({"svm-train", "-c", "10", "data", "model"}), "NOTE"));
  EXPECT_FALSE(contains(shown({"svm-predict", "data", "model", "out"}), "NOTE"));
}

TEST_F(Notes, OfRealLabels) {
  folder_.write("rows", "1 1:1\n2.5 1:2\n3.5 1:3\n1 1:4\n");
  const std::vector<std::string> line = {"svm-train", "rows", "model"};
  EXPECT_TRUE(contains(shown(line),
                       "NOTE: 2 of 4 labels are not whole numbers, as classes must be: "
                       "2.5 becomes 2; regressions are -s 3 and -s 4"));
  expect_none_elsewhere(line);
  EXPECT_FALSE(contains(shown({"svm-train", "-s", "3", "rows", "model"}), "NOTE"));
}

// Notes of the library stay off a pipe, as LIBSVM would have written nothing.
TEST_F(Notes, OfTheLibrary) {
  folder_.write("rows", "1 1:1 2:9999\n-1 1:2 2:9999\n");
  const std::vector<std::string> line = {"svm-train", "-t", "1", "-d", "2", "rows", "model"};
  const std::string text = shown(line);
  EXPECT_TRUE(contains(text, "NOTE: smo ended at a KKT violation of 1.6")) << text;
  EXPECT_TRUE(contains(text, "(svm-scale), or try -a csmo")) << text;
  expect_none_elsewhere(line);
  EXPECT_EQ(shown({"svm-train", "-q", "-t", "1", "-d", "2", "rows", "model"}), "");
  EXPECT_FALSE(contains(shown({"svm-train", "-a", "csmo", "-t", "1", "rows", "model"}), "NOTE"));
}

TEST_F(Notes, OfFeaturesBeyondTheModel) {
  ASSERT_EQ(train({"-q", "data", "model"}).status, 0);
  folder_.write("rows", "1 1:1\n1 1:1 9:1\n1 7:2\n");
  const std::vector<std::string> line = {"svm-predict", "rows", "model", "out"};
  const std::string text = shown(line);
  EXPECT_TRUE(contains(text, "NOTE: line 2 has feature 9, but the largest of the model is 3"))
      << text;
  expect_none_elsewhere(line);
}

// The warning of the library that the model is of no use says it all.
TEST_F(Notes, NoneOfAModelThatHoldsNaN) {
  ASSERT_EQ(train({"-q", "data", "model"}).status, 0);
  for (const bool is_rho : {true, false}) {
    std::string text = folder_.read("model");
    const std::size_t begin = is_rho ? text.find("rho ") + 4 : text.find("SV\n") + 3;
    text.replace(begin, text.find_first_of(" \n", begin) - begin, "nan");
    folder_.write("broken", text);
    const std::string told = shown({"svm-predict", "data", "broken", "out"});
    EXPECT_TRUE(contains(told, "WARNING: broken: coefficients or thresholds are infinite or NaN"));
    EXPECT_FALSE(contains(told, "NOTE")) << told;
  }
}

TEST_F(Notes, OfATubeThatHoldsAllTargets) {
  const std::vector<std::string> line = {"svm-train", "-s", "3", "-p", "2", "data", "model"};
  EXPECT_TRUE(contains(shown(line),
                       "NOTE: no target is outside the tube, so that the model predicts "
                       "the same for all rows; choose a smaller -p"));
  expect_none_elsewhere(line);
  EXPECT_FALSE(contains(shown({"svm-train", "-s", "3", "-p", "0.5", "data", "model"}), "tube"));
}

TEST_F(Notes, OfAModelNameInCrossValidation) {
  const std::vector<std::string> line = {"svm-train", "-v", "2", "data", "m"};
  EXPECT_TRUE(
      contains(shown(line), "NOTE: cross validation (-v) writes no model: m stays as it is"));
  expect_none_elsewhere(line);
  EXPECT_FALSE(contains(shown({"svm-train", "-v", "2", "data"}), "NOTE"));
}

TEST_F(Notes, OfABestPointAtTheEdge) {
  const std::vector<std::string> line = {"svm-grid", "-log2c", "-5,-3,2", "-log2g",
                                         "null",     "-v",     "2",       "data"};
  const std::string text = shown(line);
  EXPECT_TRUE(contains(text, "NOTE: the best point lies at the edge of the grid, log2c=-")) << text;
  expect_none_elsewhere(line);
}

TEST(EdgeNote, NamesTheAxes) {
  const grid::Plan plan =
      grid::make_plan(grid::Range{0, 4, 2}, grid::Range{3, -3, -3}, std::nullopt, 0, 100);
  svm_parameter param = parameters(C_SVC, RBF);
  EXPECT_EQ(cli::edge_note(plan, {2, 0, 0}, param), "");
  EXPECT_EQ(cli::edge_note(plan, {4, -3, 0}, param),
            "the best point lies at the edge of the grid, log2c=4.0, log2g=-3.0: beyond it there "
            "may be a better one");
  param.kernel_type = LINEAR;
  EXPECT_EQ(cli::edge_note(plan, {2, -3, 0}, param), "");
  const grid::Plan one = grid::make_plan(grid::Range{0, 0, 1}, std::nullopt, std::nullopt, 0, 100);
  EXPECT_EQ(cli::edge_note(one, {0, 0, 0}, param), "");
}

TEST(RangeNote, IsSilentOfScaledAndConstantFeatures) {
  const svm_parameter param = parameters(C_SVC, RBF);
  svm_node rows[][3] = {{{1, 1000}, {2, 0.001}, {-1, 0}}, {{1, 1000}, {2, 5}, {-1, 0}}};
  svm_node* views[] = {rows[0], rows[1]};
  double labels[] = {1, -1};
  const svm_problem problem{2, labels, views};
  EXPECT_EQ(cli::range_note(problem, param), "");  // feature 1 does not vary
  rows[0][0].value = 999;                          // varies a fifth as much as feature 2
  EXPECT_EQ(cli::range_note(problem, param), "");
  rows[0][0].value = 0;
  EXPECT_NE(cli::range_note(problem, param), "");
  rows[0][0].value = 1000 - 5e-4;
  EXPECT_EQ(cli::range_note(problem, param), "");  // both are narrow
}

TEST(CertificateText, SaysWhatRoundingHides) {
  Certificate certificate;
  certificate.problems = 1;
  certificate.violation = 1e-4;
  certificate.rounding = 3e13;
  EXPECT_TRUE(contains(cli::certificate_text(certificate, 1e-3),
                       " = not known: 0.0001, which rounding changes by up to 3e+13 (tolerance "
                       "0.001)\n"));
  certificate.violation = 1e14;
  EXPECT_TRUE(contains(cli::certificate_text(certificate, 1e-3),
                       " = 1e+14 (above the tolerance 0.001; rounding: 3e+13)\n"));
  certificate.rounding = 1e-5;
  EXPECT_TRUE(
      contains(cli::certificate_text(certificate, 1e-3), " = 1e+14 (above the tolerance 0.001)\n"));
  certificate.violation = 1e-4;
  EXPECT_TRUE(contains(cli::certificate_text(certificate, 1e-3), " = 0.0001 (tolerance 0.001)\n"));
}

}  // namespace
}  // namespace svm::test
