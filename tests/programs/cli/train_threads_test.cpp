// svm-train --threads.
#include <string>
#include <vector>

#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

class TrainThreadsCli : public TrainSolverCli {
 protected:
  // Exit status, output, and the model.
  std::string all_of(std::vector<std::string> arguments, const std::string& threads) const {
    arguments.insert(arguments.begin(), {"--threads", threads});
    arguments.insert(arguments.end(), {"data", "model" + threads});
    const ProcessResult result = train(arguments);
    std::string all = std::to_string(result.status) + result.out + "\n--\n" + result.err;
    if (folder_.exists("model" + threads)) all += folder_.read("model" + threads);
    return all;
  }
};

TEST_F(TrainThreadsCli, TheNumberDoesNotShow) {
  const std::vector<std::vector<std::string>> cases = {
      {"-b", "1"}, {"-v", "5"}, {"-s", "3", "-b", "1"}, {"-b", "1", "--max-iter", "7"}};
  for (const std::vector<std::string>& options : cases) {
    const std::string one = all_of(options, "1");
    EXPECT_EQ(one[0], '0');
    EXPECT_EQ(all_of(options, "2"), one);
    EXPECT_EQ(all_of(options, "5"), one);
  }
}

TEST_F(TrainThreadsCli, ATraceHasEveryProblem) {
  const ProcessResult result =
      train({"--threads", "3", "-q", "-b", "1", "--trace", "trace", "data", "model"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string trace = folder_.read("trace");
  for (const char* problem : {",1,0,", ",2,0,", ",3,0,", ",4,0,", ",5,0,", ",6,0,"}) {
    EXPECT_TRUE(contains(trace, problem)) << trace;
  }
}

TEST_F(TrainThreadsCli, BadNumbers) {
  for (const char* number : {"0", "-2", "1025", "x"}) {
    const ProcessResult result = train({"--threads", number, "data", "model"});
    EXPECT_EQ(result.status, 1) << number;
    EXPECT_TRUE(contains(result.err, "--threads")) << result.err;
    EXPECT_FALSE(folder_.exists("model"));
  }
}

TEST_F(TrainThreadsCli, TheEnvironmentVariable) {
  const Setting threads("SVM_NUM_THREADS", "many");
  const ProcessResult result = train({"data", "model"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "environment variable SVM_NUM_THREADS is not a whole number"))
      << result.err;
  EXPECT_EQ(train({"--threads", "2", "data", "model"}).status, 0);
}

}  // namespace
}  // namespace svm::test
