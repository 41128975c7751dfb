// svm-train --init.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

class TrainInitCli : public TrainSolverCli {
 protected:
  static double objective(const std::string& out) {
    return std::strtod(out.c_str() + out.rfind("obj = ") + 6, nullptr);
  }
  static long iterations(const std::string& out) {
    return std::strtol(out.c_str() + out.rfind("#iter = ") + 8, nullptr, 10);
  }
};

TEST_F(TrainInitCli, TheOptimumIsTheSame) {
  const std::vector<std::vector<std::string>> types = {
      {"-s", "0"}, {"-s", "1"}, {"-s", "2"}, {"-s", "3"}, {"-s", "4"}};
  for (std::vector<std::string> options : types) {
    const std::string type = options[1];
    options.insert(options.end(), {"-e", "0.00001"});
    const auto result_of = [&](std::vector<std::string> more) {
      more.insert(more.begin(), options.begin(), options.end());
      ProcessResult result = train(more);
      EXPECT_EQ(result.status, 0) << result.err;
      return result.out;
    };
    result_of({"-c", "4", "data", "old"});
    for (const char* cost : {"1", "4", "16"}) {
      const std::string fresh = result_of({"-c", cost, "data", "a"});
      const std::string started = result_of({"-c", cost, "--init", "old", "data", "b"});
      EXPECT_NEAR(objective(started), objective(fresh), 1e-4 * std::fabs(objective(fresh)))
          << type << " " << cost;
      if (type == "0" && std::string(cost) == "4") {
        EXPECT_LT(iterations(started), iterations(fresh) / 4);
      }
    }
  }
}

TEST_F(TrainInitCli, SolversWithoutAStartPointRefuseIt) {
  ASSERT_EQ(train({"-q", "-t", "0", "data", "old"}).status, 0);
  for (const char* solver : {"dcd", "avsf", "mdm", "amdm", "platt", "pcg", "pegasos", "snacks"}) {
    const ProcessResult result =
        train({"-q", "-t", "0", "-a", solver, "--init", "old", "data", "new"});
    EXPECT_EQ(result.status, 1) << solver;
    EXPECT_EQ(result.err, "ERROR: init is an option of the solvers: smo, csmo, smo1\n");
    EXPECT_FALSE(folder_.exists("new"));
  }
  for (const char* solver : {"smo", "csmo", "smo1"}) {
    const ProcessResult result =
        train({"-q", "-t", "0", "-a", solver, "--init", "old", "data", "new"});
    EXPECT_EQ(result.status, 0) << solver << result.err;
  }
}

TEST_F(TrainInitCli, WhatDoesNotFitIsRefused) {
  ASSERT_EQ(train({"-q", "data", "old"}).status, 0);
  folder_.write("other", rows_text(100) + "1 1:77\n-1 1:78\n");
  ASSERT_EQ(train({"-q", "-c", "100", "other", "alien"}).status, 0);
  folder_.write("three", "1 1:1\n2 1:2\n3 1:3\n");
  ASSERT_EQ(train({"-q", "three", "threes"}).status, 0);
  const std::vector<std::vector<std::string>> cases = {
      {"-s", "3", "--init", "old"}, {"-t", "0", "--init", "old"}, {"--init", "alien"},
      {"--init", "threes"},         {"--init", "missing"},        {"--init", "data"},
      {"-v", "2", "--init", "old"}};
  for (std::vector<std::string> options : cases) {
    options.insert(options.end(), {"data", "new"});
    const ProcessResult result = train(options);
    EXPECT_EQ(result.status, 1) << options[1];
    EXPECT_FALSE(result.err.empty());
    EXPECT_FALSE(folder_.exists("new"));
  }
}

}  // namespace
}  // namespace svm::test
