// The progress line of svm-grid.
#include "programs/cli/grid_output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tests/child.h"
#include "tests/train_solver_cli.h"

namespace svm::cli {
namespace {

TEST(GridProgress, CountsPointsAndTellsRates) {
  GridProgress progress;
  progress.begin({{1, 0, 0}, {3, 0, 0}, {1, 2, 0}, {3, 2, 0}}, 2);
  EXPECT_EQ(progress.text(), "0 of 4 points");
  progress.training_finished({1, 0, 0}, 1, 1);
  progress.training_finished({3, 0, 0}, 1, 2);
  progress.training_finished({1, 0, 0}, 1, 2);
  progress.point_finished({1, 0, 0}, 77.5, "77.5 (c=2.0, g=1.0)", 2);
  progress.point_skipped({3, 2, 0});
  EXPECT_EQ(progress.text(),
            "2 of 4 points (1 skipped), about 2 s left, 62 % trained, "
            "best 77.5 (c=2.0, g=1.0), last 77.5");
}

TEST(GridProgress, TrainingsCostWhatTheyCostAtOtherGammas) {
  GridProgress progress;
  progress.begin({{1, 0, 0}, {9, 0, 0}, {1, 2, 0}, {9, 2, 0}}, 1);
  EXPECT_FALSE(progress.left());
  progress.training_finished({1, 0, 0}, 1, 0.5);
  EXPECT_FALSE(progress.left());  // the larger C may take longer
  EXPECT_EQ(progress.text(), "0 of 4 points, 25 % trained");
  progress.training_finished({9, 0, 0}, 99, 50);
  EXPECT_DOUBLE_EQ(progress.left().value(), 50);
  progress.training_finished({1, 2, 0}, 1, 50.5);
  // Most of the trainings are done, but half of the work is not.
  EXPECT_DOUBLE_EQ(progress.left().value(), 49.5);
}

TEST(GridProgress, SkippedTrainingsTakeNoTime) {
  GridProgress progress;
  progress.begin({{1, 0, 0}, {1, 1, 0}, {1, 2, 0}}, 3);
  for (int fold = 1; fold <= 3; ++fold) progress.training_finished({1, 0, 0}, 2, 2 * fold);
  EXPECT_DOUBLE_EQ(progress.left().value(), 12);
  progress.training_finished({1, 1, 0}, 2, 8);
  progress.point_skipped({1, 1, 0});
  // Three trainings are left; two of six were skipped.
  EXPECT_NEAR(progress.left().value(), 6 * 5.0 / 7, 1e-12);
  progress.point_skipped({1, 2, 0});
  EXPECT_DOUBLE_EQ(progress.left().value(), 0);
}

// As with probability estimates, whose trainings are not reported.
TEST(GridProgress, PointsCountWhereTrainingsAreUnknown) {
  GridProgress progress;
  progress.begin({{1, 0, 0}, {1, 1, 0}, {1, 2, 0}}, 3);
  progress.point_finished({1, 0, 0}, 5, "5", 10);
  EXPECT_DOUBLE_EQ(progress.left().value(), 20);
}

// Ten gammas and five folds on two threads; each task trains one C after the other, and costs grow
// a thousandfold.  Nothing new is known between two finishes, however long that takes.
TEST(GridProgress, TheTimeLeftIsNotFarOff) {
  constexpr std::size_t kGammas = 10, kFolds = 5, kCosts = 11, kThreads = 2;
  const auto log2c = [](std::size_t i) { return 2.0 * static_cast<double>(i) - 5; };
  const auto cost = [&](std::size_t i) { return std::max(1.0, std::exp2(0.7 * log2c(i))); };
  double of_task = 0;
  for (std::size_t i = 0; i < kCosts; ++i) of_task += cost(i);
  const double whole = of_task * kGammas * kFolds / kThreads;
  std::vector<grid::Point> points;
  for (std::size_t g = 0; g < kGammas; ++g) {
    for (std::size_t i = 0; i < kCosts; ++i)
      points.push_back({log2c(i), static_cast<double>(g), 0});
  }
  GridProgress progress;
  progress.begin(points, kFolds);
  std::array<double, kThreads> time{};
  std::array<std::size_t, kThreads> task{0, 1}, next{};
  std::size_t begun = kThreads, told = 0, untold = 0;
  while (std::min(task[0], task[1]) < kGammas * kFolds) {
    // The thread that finishes first; the second thread if only it has a task.
    const auto finish = [&](std::size_t t) {
      return task[t] < kGammas * kFolds ? time[t] + cost(next[t]) : 1e300;
    };
    const std::size_t t = finish(0) <= finish(1) ? 0 : 1;
    time[t] += cost(next[t]);
    const std::size_t gamma = task[t] / kFolds;
    progress.training_finished({log2c(next[t]), static_cast<double>(gamma), 0}, cost(next[t]),
                               time[t]);
    if (++next[t] == kCosts) {
      next[t] = 0;
      task[t] = begun++;
    }
    const std::optional<double> left = progress.left();
    const double truth = whole - time[t];
    if (!left) {
      ++untold;
    } else if (truth > of_task) {  // below that, one task is as long as all that is left
      EXPECT_GT(*left, 0.6 * truth) << time[t];
      EXPECT_LT(*left, 1.7 * truth) << time[t];
      ++told;
    }
  }
  EXPECT_LT(untold, 2 * kCosts);  // until the first task is done
  EXPECT_GT(told, 400U);
}

class ProgressCli : public test::TrainSolverCli {};

TEST_F(ProgressCli, TheLineFitsTheTerminal) {
  if (!test::have_terminals()) GTEST_SKIP() << "no pseudo-terminals";
  folder_.write("data", test::rows_text(1500));
  // Takes much longer than any test.
  test::Child child({"/bin/sh", "-c",
                     "stty cols 40 <&2 && exec " SVM_BIN_DIR
                     "/svm-grid -png null -log2c 1,3,2 -log2g 2,-8,-0.002 data"},
                    folder_.path(), test::Child::Reads::kTerminal);
  ASSERT_TRUE(child.read_until(" points, about "));
  child.send(SIGINT);
  const std::string text = child.read_all();
  std::size_t lines = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.find(" points, about ") != std::string::npos) {
      EXPECT_LE(line.size(), 39U) << line;
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
