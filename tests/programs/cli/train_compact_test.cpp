// svm-train --compact as a process.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/model_texts.h"
#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

class TrainCompactCli : public TrainSolverCli {
 protected:
  // Writes each row three times.
  TrainCompactCli() {
    const std::string text = folder_.read("data");
    folder_.write("repeated", text + text + text);
  }
};

TEST_F(TrainCompactCli, WritesASmallerModelAndPrintsNothingNew) {
  for (const char* kernel : {"0", "2"}) {
    const ProcessResult plain = train({"-t", kernel, "repeated", "plain"});
    const ProcessResult compact = train({"--compact", "-t", kernel, "repeated", "compact"});
    EXPECT_EQ(compact.status, 0);
    EXPECT_EQ(compact.out, plain.out);
    EXPECT_EQ(compact.err, "");
    const OwnedModel model = parsed(folder_.read("plain"));
    const OwnedModel smaller = parsed(folder_.read("compact"));
    if (*kernel == '0') {
      EXPECT_EQ(smaller->l, 1);
    } else {
      EXPECT_LT(smaller->l, model->l / 2);
    }
    EXPECT_EQ(accuracy("compact"), accuracy("plain"));
  }
}

TEST_F(TrainCompactCli, ChecksTheModelOfTheTraining) {
  const ProcessResult plain = train({"--check", "repeated", "plain"});
  const ProcessResult compact = train({"--check", "--compact", "repeated", "compact"});
  EXPECT_EQ(compact.status, 0) << compact.err;
  EXPECT_EQ(compact.out, plain.out);
}

TEST_F(TrainCompactCli, IsNotForCrossValidation) {
  const ProcessResult result = train({"--compact", "-v", "5", "data"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "svm-train: option --compact: ")) << result.err;
}

class CompactLibsvmPredict : public LibsvmPredict {};

TEST_F(CompactLibsvmPredict, ReadsCompactModels) {
  for (const char* kernel : {"0", "1", "2", "3"}) {
    for (const char* type : {"0", "2", "3"}) expect_same({"--compact", "-s", type, "-t", kernel});
  }
}

}  // namespace
}  // namespace svm::test
