// svm-train --row-weights.
#include <string>
#include <vector>

#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

class TrainWeightsCli : public TrainSolverCli {
 protected:
  static std::string lines(std::size_t count, const std::string& line) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += line + "\n";
    return text;
  }
  // The standard error of a run that must fail without writing a model.
  std::string refusal(const std::string& weights, std::vector<std::string> options = {}) {
    folder_.write("w", weights);
    options.insert(options.end(), {"--row-weights", "w", "data", "refused"});
    const ProcessResult result = train(options);
    EXPECT_EQ(result.status, 1);
    EXPECT_FALSE(folder_.exists("refused"));
    return result.err;
  }
};

TEST_F(TrainWeightsCli, MultiplyTheCost) {
  folder_.write("twos", lines(300, "2"));
  folder_.write("ones", lines(300, "1"));
  for (const char* solver : {"smo", "csmo", "smo1", "mdm", "platt", "pcg", "snacks"}) {
    const auto model = [&](const std::string& cost, std::vector<std::string> more) {
      more.insert(more.end(), {"-q", "-a", solver, "-c", cost, "data", "m"});
      EXPECT_EQ(train(more).status, 0);
      return folder_.read("m");
    };
    const std::string plain = model("4", {});
    EXPECT_EQ(model("2", {"--row-weights", "twos"}), plain) << solver;
    EXPECT_EQ(model("4", {"--row-weights=ones"}), plain) << solver;
  }
}

// Accepts blanks around numbers, and Windows line ends.
TEST_F(TrainWeightsCli, OfZeroLeaveRowsOut) {
  folder_.write("data", rows_text(300) + "1 1:5\n");
  folder_.write("w", lines(150, " 1 \r") + lines(150, "1e0\t") + "0");
  ASSERT_EQ(train({"-q", "-b", "1", "--row-weights", "w", "data", "with"}).status, 0);
  folder_.write("data", rows_text(300));
  ASSERT_EQ(train({"-q", "-b", "1", "data", "without"}).status, 0);
  EXPECT_EQ(folder_.read("with"), folder_.read("without"));
}

TEST_F(TrainWeightsCli, CountInCrossValidation) {
  folder_.write("twos", lines(300, "2"));
  const std::string plain = train({"-c", "4", "-v", "5", "data"}).out;
  EXPECT_EQ(train({"-c", "2", "-v", "5", "--row-weights", "twos", "data"}).out, plain);
  EXPECT_NE(train({"-c", "2", "-v", "5", "data"}).out, plain);
}

TEST_F(TrainWeightsCli, AreCheckedWithTheModel) {
  std::string weights;
  for (int i = 0; i < 300; ++i) weights += std::to_string(i % 5 * 0.75) + "\n";
  folder_.write("w", weights);
  for (const char* type : {"0", "1", "2", "3", "4"}) {
    const ProcessResult result = train({"-q", "-s", type, "-n", "0.2", "-a", "csmo", "-e", "1e-5",
                                        "--check", "--row-weights", "w", "data", "m"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out.find("above the tolerance"), std::string::npos) << result.out;
    const std::size_t at = result.out.find("violation of the optimality conditions = ");
    ASSERT_NE(at, std::string::npos);
  }
}

TEST_F(TrainWeightsCli, OneForEachRow) {
  EXPECT_EQ(refusal(lines(299, "1")), "ERROR: --row-weights w: 299 weights for 300 rows\n");
  EXPECT_EQ(refusal(lines(301, "1")), "ERROR: --row-weights w: 301 weights for 300 rows\n");
  EXPECT_EQ(refusal(""), "ERROR: --row-weights w: 0 weights for 300 rows\n");
}

TEST_F(TrainWeightsCli, AreNumbersNotBelowZero) {
  EXPECT_EQ(refusal("1\n\n1\n"),
            "ERROR: --row-weights w: line 2, column 1: a blank line where a weight is expected\n");
  EXPECT_EQ(
      refusal(lines(300, "1") + " \n"),
      "ERROR: --row-weights w: line 301, column 2: a blank line where a weight is expected\n");
  EXPECT_EQ(refusal("1\n1\n  many\n"),
            "ERROR: --row-weights w: line 3, column 3: 'many': the weight is not a number\n");
  EXPECT_EQ(refusal("1 2\n"),
            "ERROR: --row-weights w: line 1, column 1: '1 2': the weight is not a number\n");
  EXPECT_EQ(refusal("1,5\n"),
            "ERROR: --row-weights w: line 1, column 1: '1,5': the weight is not a number\n");
  EXPECT_EQ(
      refusal("\x1F\x8B\x08 ..."),
      "ERROR: --row-weights w: the file is compressed; gzip -d decompresses it, and zcat FILE | "
      "... /dev/stdin reads it\n");
  for (const char* bad : {"-1", "nan", "inf", "1e999"}) {
    EXPECT_EQ(refusal(lines(6, "1") + bad + "\n"),
              "ERROR: --row-weights w: line 7, column 1: '" + std::string(bad) +
                  "': the weight is not a finite number >= 0\n");
  }
}

TEST_F(TrainWeightsCli, HaveToLeaveAProblem) {
  EXPECT_EQ(refusal(lines(300, "0")), "ERROR: no row has a weight above 0\n");
  EXPECT_EQ(refusal("1\n" + lines(299, "0")),
            "ERROR: the rows with a weight above 0 are all of one class\n");
  const std::string infeasible = refusal("1000\n" + lines(299, "1"), {"-s", "1"});
  EXPECT_NE(infeasible.find("specified nu is infeasible"), std::string::npos) << infeasible;
  EXPECT_NE(infeasible.find("the largest feasible nu"), std::string::npos) << infeasible;
  const ProcessResult missing = train({"--row-weights", "missing", "data", "refused"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.err.find("can't open weights file missing\n"), 0U) << missing.err;
  EXPECT_EQ(train({"--row-weights", "", "data", "refused"}).status, 1);
}

}  // namespace
}  // namespace svm::test
