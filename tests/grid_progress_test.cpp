// What svm-grid shows on a terminal.
#include "cli/grid_progress.h"

#include <algorithm>
#include <csignal>
#include <string>

#include "tests/child.h"
#include "tests/train_solver_cli.h"

namespace svm::cli {
namespace {

TEST(GridProgress, CountsPointsAndTellsRates) {
  GridProgress progress;
  progress.begin({{1, 0, 0}, {3, 0, 0}, {1, 2, 0}, {3, 2, 0}}, 2);
  EXPECT_EQ(progress.text(5), "0 of 4 points");
  progress.training_finished({1, 0, 0}, 1);
  progress.training_finished({1, 0, 0}, 1);
  progress.point_finished({1, 0, 0}, 77.5, "77.5 (c=2.0, g=1.0)");
  progress.point_skipped({3, 2, 0});
  EXPECT_EQ(progress.text(2),
            "2 of 4 points (1 skipped), about 3 s left, best 77.5 (c=2.0, g=1.0), last 77.5");
}

TEST(GridProgress, TrainingsCostWhatTheyCostAtOtherGammas) {
  GridProgress progress;
  progress.begin({{1, 0, 0}, {9, 0, 0}, {1, 2, 0}, {9, 2, 0}}, 1);
  EXPECT_FALSE(progress.left(0));
  progress.training_finished({1, 0, 0}, 1);
  // All that is known is that a training takes a second, and two threads are at work.
  EXPECT_DOUBLE_EQ(progress.left(0.5).value(), 1.5);
  progress.training_finished({9, 0, 0}, 99);
  EXPECT_DOUBLE_EQ(progress.left(50).value(), 50);
  progress.training_finished({1, 2, 0}, 1);
  // Most of the trainings are done, but half of the work is not.
  EXPECT_DOUBLE_EQ(progress.left(50.5).value(), 49.5);
}

TEST(GridProgress, SkippedTrainingsTakeNoTime) {
  GridProgress progress;
  progress.begin({{1, 0, 0}, {1, 1, 0}, {1, 2, 0}}, 3);
  for (int fold = 0; fold < 3; ++fold) progress.training_finished({1, 0, 0}, 2);
  EXPECT_DOUBLE_EQ(progress.left(6).value(), 12);
  progress.training_finished({1, 1, 0}, 2);
  progress.point_skipped({1, 1, 0});
  // Three are left; of six, two were skipped.
  EXPECT_NEAR(progress.left(8).value(), 6 * 5.0 / 7, 1e-12);
  progress.point_skipped({1, 2, 0});
  EXPECT_DOUBLE_EQ(progress.left(8).value(), 0);
}

// As with probability estimates, whose trainings nobody tells of.
TEST(GridProgress, PointsCountWhereTrainingsAreUnknown) {
  GridProgress progress;
  progress.begin({{1, 0, 0}, {1, 1, 0}, {1, 2, 0}}, 3);
  progress.point_finished({1, 0, 0}, 5, "5");
  EXPECT_DOUBLE_EQ(progress.left(10).value(), 20);
}

class ProgressCli : public test::TrainSolverCli {};

TEST_F(ProgressCli, TheLineFitsTheTerminal) {
  if (!test::have_terminals()) GTEST_SKIP() << "no pseudo-terminals";
  folder_.write("data", test::rows_text(1500));
  // Without end, as far as a test is concerned.
  test::Child child({"/bin/sh", "-c",
                     "stty cols 30 <&2 && exec " SVM_BIN_DIR
                     "/svm-grid -q -png null -log2c 1,3,2 -log2g 2,-8,-0.002 data"},
                    folder_.path(), test::Child::Reads::kTerminal);
  ASSERT_TRUE(child.read_until(" points, about "));
  child.send(SIGINT);
  const std::string text = child.read_all();
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    if (text.substr(begin, end - begin).find(" points, about ") != std::string::npos) {
      longest = std::max(longest, end - begin);
    }
    begin = end + 1;
  }
  EXPECT_EQ(longest, 29U) << text;
}

}  // namespace
}  // namespace svm::cli
