// Shared by the tests of svm-train's solver options.
#ifndef SVM_TESTS_TRAIN_SOLVER_CLI_H_
#define SVM_TESTS_TRAIN_SOLVER_CLI_H_

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/environment.h"
#include "tests/process.h"
#include "tests/temp_dir.h"
#include "tests/text.h"
#include "tests/training_data.h"

namespace svm::test {

// The data as svmlight text.
inline std::string text_of(const Data& data) {
  std::ostringstream out;
  for (std::size_t i = 0; i < data.size(); ++i) {
    out << data.label(i);
    for (const svm_node* node = data.row(i); node->index >= 0; ++node) {
      out << ' ' << node->index << ':' << node->value;
    }
    out << '\n';
  }
  return out.str();
}

// Rows with the values of a nonlinear function.
inline std::string rows_text(std::size_t rows) { return text_of(random_data(rows, 3, true, 3)); }

class TrainSolverCli : public testing::Test {
 protected:
  TrainSolverCli() { folder_.write("data", rows_text(300)); }

  ProcessResult train(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), SVM_BIN_DIR "/svm-train");
    return run(arguments, {}, folder_.path());
  }
  // The command line of a training that keeps the solver busy until LIBSVM's cap of iterations.
  static std::vector<std::string> endless(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        SVM_BIN_DIR "/svm-train", "-t", "0", "-c", "1e8", "-e", "1e-15"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  std::string model_of(std::vector<std::string> options) const {
    options.insert(options.end(), {"-c", "100", "-q", "data", "any.model"});
    const ProcessResult result = train(options);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "");
    return result.status == 0 ? folder_.read("any.model") : "";
  }
  // The accuracy of svm-predict with a model on the file `data`, in percent.
  double accuracy(const std::string& model) const {
    const ProcessResult result =
        run({SVM_BIN_DIR "/svm-predict", "data", model, "out"}, {}, folder_.path());
    EXPECT_EQ(result.status, 0) << result.err;
    const std::string before = "Accuracy = ";
    const std::size_t at = result.out.find(before);
    EXPECT_NE(at, std::string::npos) << result.out;
    return at == std::string::npos ? 0 : std::stod(result.out.substr(at + before.size()));
  }
  const Setting no_variable_{"LIBSVM_SOLVER", nullptr};
  TempDir folder_;
};

// Compares LIBSVM's svm-predict, if the system has it, with this one.
class LibsvmPredict : public TrainSolverCli {
 protected:
  void SetUp() override {
    if (run({"/bin/sh", "-c", "test -x " + theirs_}, {}, folder_.path()).status != 0) {
      GTEST_SKIP() << "there is no " << theirs_;
    }
  }
  // Expects that svm-train makes the same model with these options.
  void expect_same(std::vector<std::string> options) const {
    options.insert(options.end(), {"-q", "data", "m"});
    ASSERT_EQ(train(options).status, 0);
    ASSERT_EQ(run({theirs_, "data", "m", "theirs"}, {}, folder_.path()).status, 0);
    ASSERT_EQ(run({SVM_BIN_DIR "/svm-predict", "data", "m", "ours"}, {}, folder_.path()).status, 0);
    EXPECT_EQ(folder_.read("ours"), folder_.read("theirs"));
  }

 private:
  const std::string theirs_ = "/usr/bin/svm-predict";
};

}  // namespace svm::test

#endif  // SVM_TESTS_TRAIN_SOLVER_CLI_H_
