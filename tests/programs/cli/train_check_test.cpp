// svm-train --check as a process.
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/train_solver_cli.h"
#include "tests/trained_function.h"

namespace svm::test {
namespace {

constexpr char kHeading[] = "check of the model, computed anew:";

class TrainCheckCli : public TrainSolverCli {
 protected:
  // The additional output of --check for these options.  Expects the same model as without it.
  std::string check_of(std::vector<std::string> options) const {
    options.insert(options.end(), {"data", "model"});
    const ProcessResult plain = train(options);
    const std::string model = folder_.read("model");
    options.insert(options.begin(), "--check");
    const ProcessResult checked = train(options);
    EXPECT_EQ(checked.status, plain.status) << checked.err;
    EXPECT_EQ(checked.err, plain.err);
    EXPECT_EQ(folder_.read("model"), model);
    EXPECT_EQ(checked.out.substr(0, plain.out.size()), plain.out);
    return checked.out.substr(plain.out.size());
  }
};

TEST_F(TrainCheckCli, FollowsWhatTrainingPrints) {
  for (const char* type : {"0", "1", "2", "3", "4"}) {
    const std::string text = check_of({"-s", type, "-n", "0.3"});
    const std::vector<std::string> lines = lines_of(text);
    ASSERT_EQ(lines.size(), 6U) << text;
    EXPECT_EQ(lines[0], kHeading);
    const char* const names[] = {
        "violation of the optimality conditions = ", "violation of the constraints           = ",
        "dual objective                         = ", "primal objective                       = ",
        "duality gap                            = "};
    for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(lines[k + 1].rfind(names[k], 0), 0U) << lines[k];
    EXPECT_TRUE(contains(lines[1], " (tolerance 0.001)")) << lines[1];
    EXPECT_TRUE(contains(lines[5], " of the objective)")) << lines[5];
  }
}

TEST_F(TrainCheckCli, PrintsWithQuietToo) {
  const std::string text = check_of({"-q"});
  EXPECT_EQ(first_line(text), kHeading);
}

TEST_F(TrainCheckCli, SaysThatTheToleranceIsNotMet) {
  const std::string text = check_of({"--max-iter", "20"});
  EXPECT_TRUE(contains(text, " (above the tolerance 0.001)\n")) << text;
}

TEST_F(TrainCheckCli, DoesNotDependOnThreads) {
  const std::string one = check_of({"--threads", "1"});
  EXPECT_EQ(check_of({"--threads", "2"}), one);
}

TEST_F(TrainCheckCli, KnowsTheSolverOfTheVariable) {
  const Setting variable("LIBSVM_SOLVER", "mdm");
  const std::string text = check_of({});
  EXPECT_TRUE(contains(text, " (tolerance 0.001)\n")) << text;
}

TEST_F(TrainCheckCli, SaysWhatIsUnknown) {
  const std::vector<std::string> lines = lines_of(check_of({"-a", "dcd", "-t", "0"}));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], kHeading);
  EXPECT_EQ(lines[1].rfind("primal objective                       = ", 0), 0U) << lines[1];
  EXPECT_EQ(lines[2], "the model has no dual variables, which all else would need");
}

TEST_F(TrainCheckCli, LooksAtTheFinalMachines) {
  const std::string text = check_of({"-b", "1"});
  EXPECT_EQ(text, check_of({}));
}

TEST_F(TrainCheckCli, OneClassOfRows) {
  folder_.write("data", "1 1:1\n1 1:2\n");
  EXPECT_EQ(check_of({}), "check of the model: there was nothing to optimise\n");
}

TEST_F(TrainCheckCli, WarnsOfWeightsOnce) {
  const ProcessResult result = train({"--check", "-w7", "2", "data", "model"});
  EXPECT_EQ(result.err, "WARNING: class label 7 specified in weight is not found\n");
}

TEST_F(TrainCheckCli, PrecomputedKernel) {
  const Data rows = random_data(40, 3, true, 3);
  folder_.write("data", text_of(rows));
  const std::string linear = check_of({"-t", "0"});
  std::ostringstream matrix;
  matrix.precision(17);
  const svm_parameter linear_kernel = parameters(C_SVC, LINEAR);
  for (std::size_t s = 0; s < rows.size(); ++s) {
    matrix << rows.label(s) << " 0:" << s + 1;
    for (std::size_t t = 0; t < rows.size(); ++t) {
      matrix << ' ' << t + 1 << ':'
             << static_cast<double>(kernel_value(linear_kernel, rows.row(s), rows.row(t)));
    }
    matrix << '\n';
  }
  folder_.write("data", matrix.str());
  const std::string precomputed = check_of({"-t", "4"});
  EXPECT_EQ(first_line(precomputed), kHeading);
  EXPECT_TRUE(contains(precomputed, " (tolerance 0.001)\n")) << precomputed;
  const auto dual = [](const std::string& text) {
    const std::string line = lines_of(text).at(3);
    return std::stod(line.substr(line.find("= ") + 2));
  };
  EXPECT_NEAR(dual(precomputed), dual(linear), 1e-3);  // the file of kernel values has six digits
}

TEST_F(TrainCheckCli, NoNumberIsAboveTheTolerance) {
  folder_.write("data", "1 1:1e200\n-1 1:-1e200\n");  // products are infinite
  const std::string text = check_of({"-t", "0"});
  EXPECT_TRUE(contains(text, " = nan (above the tolerance 0.001)\n")) << text;
}

TEST_F(TrainCheckCli, AGapBesideNoObjective) {
  folder_.write("data", "0 1:1\n0 1:2\n");
  const std::vector<std::string> lines = lines_of(check_of({"-s", "3", "-t", "0"}));
  EXPECT_EQ(lines.at(5), "duality gap                            = 0");
}

TEST_F(TrainCheckCli, IsRefusedWithCrossValidation) {
  const ProcessResult result = train({"--check", "-v", "3", "data"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(first_line(result.err),
            "svm-train: option --check: cross validation (-v) leaves no model to check");
  EXPECT_EQ(result.out, "");
}

TEST_F(TrainCheckCli, IsNoOptionOfASearch) {
  const ProcessResult result =
      run({SVM_BIN_DIR "/svm-grid", "--check", "data"}, {}, folder_.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "--check")) << result.err;
}

}  // namespace
}  // namespace svm::test
