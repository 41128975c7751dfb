// The progress line of svm-grid.
#include "programs/cli/grid_output.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <string>

#include "tests/child.h"
#include "tests/train_solver_cli.h"

namespace svm::cli {
namespace {

TEST(GridProgress, CountsPointsAndTellsRates) {
  GridProgress progress;
  progress.begin(8);
  EXPECT_EQ(progress.text(3), "0 of 8 points, 3 s");
  progress.count_point();
  progress.count_point();
  progress.set_rates(", best 77.5 (c=2.0, g=1.0), last 77.5");
  EXPECT_EQ(progress.text(100),
            "2 of 8 points, 100 s, about 5 min left, best 77.5 (c=2.0, g=1.0), last 77.5");
  progress.begin(2);  // the finer grid
  EXPECT_EQ(progress.text(0), "0 of 2 points, 0 s, best 77.5 (c=2.0, g=1.0), last 77.5");
}

class ProgressCli : public test::TrainSolverCli {};

TEST_F(ProgressCli, TheLineFitsTheTerminal) {
  if (!test::have_terminals()) GTEST_SKIP() << "no pseudo-terminals";
  folder_.write("data", test::rows_text(1500));
  // Takes much longer than any test.
  test::Child child({"/bin/sh", "-c",
                     "stty cols 50 <&2 && exec " SVM_BIN_DIR
                     "/svm-grid -png null -log2c 1,3,2 -log2g 2,-8,-0.002 data"},
                    folder_.path(), test::Child::Reads::kTerminal);
  ASSERT_TRUE(child.read_until(" left"));
  child.send(SIGINT);
  const std::string text = child.read_all();
  std::size_t lines = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.find(" s, about ") != std::string::npos) {
      EXPECT_LE(line.size(), 49U) << line;
      line.erase(line.find_last_not_of(' ') + 1);
      EXPECT_EQ(line.substr(line.size() - 5), " left") << line;  // and not a part of what follows
      ++lines;
    }
    begin = end + 1;
  }
  EXPECT_GT(lines, 0U) << text;
}

}  // namespace
}  // namespace svm::cli
