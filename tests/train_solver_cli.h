// What the tests of svm-train's solver options share.
#ifndef SVM_TESTS_TRAIN_SOLVER_CLI_H_
#define SVM_TESTS_TRAIN_SOLVER_CLI_H_

#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/process.h"
#include "tests/temp_dir.h"
#include "tests/training_data.h"

namespace svm::test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Rows of an uneven function, in svmlight form.
inline std::string rows_text(std::size_t rows) {
  Data data = random_data(rows, 3, true, 3);
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

class TrainSolverCli : public testing::Test {
 protected:
  TrainSolverCli() {
    ::unsetenv("LIBSVM_SOLVER");
    folder_.write("data", rows_text(300));
  }
  ~TrainSolverCli() override { ::unsetenv("LIBSVM_SOLVER"); }

  ProcessResult train(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), SVM_BIN_DIR "/svm-train");
    return run(arguments, {}, folder_.path());
  }
  std::string model_of(std::vector<std::string> options) const {
    options.insert(options.end(), {"-c", "100", "-q", "data", "any.model"});
    const ProcessResult result = train(options);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "");
    return result.status == 0 ? folder_.read("any.model") : "";
  }
  TempDir folder_;
};

}  // namespace svm::test

#endif  // SVM_TESTS_TRAIN_SOLVER_CLI_H_
