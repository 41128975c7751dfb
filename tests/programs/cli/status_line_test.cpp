// The status lines of svm-train, svm-predict and svm-scale.
#include "programs/cli/status_line.h"

#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/io/input_file.h"
#include "base/platform/files.h"
#include "tests/child.h"
#include "tests/rows.h"
#include "tests/train_solver_cli.h"

namespace svm::cli {
namespace {

svm_progress progress_of(long long problem, double violation, double seconds, bool finished) {
  svm_progress progress{};
  progress.problem = problem;
  progress.iterations = 1234;
  progress.seconds = seconds;
  progress.violation = violation;
  progress.variables = 100;
  progress.finished = finished ? 1 : 0;
  return progress;
}

// A violation, of a part of the variables or before it rises again, tells no share of the work.
TEST(TrainingLine, ShowsTheViolationWithoutABar) {
  TrainingLine line(0.01, 1, 0);
  line.add(progress_of(1, 1, 0, false));
  line.add(progress_of(1, 0.005, 1.5, false));
  line.add(progress_of(1, 0.5, 2, false));
  EXPECT_EQ(line.text(), "2.0 s, violation 0.5, tolerance 0.01, iteration 1234");
}

TEST(TrainingLine, CountsTheProblemsThatAreSolved) {
  TrainingLine line(0.01, 4, 0);
  line.add(progress_of(1, 1, 1, false));
  line.add(progress_of(2, 1, 1, false));
  EXPECT_EQ(
      line.text(),
      "[....................] 0 of 4 problems, 1.0 s, violation 1, tolerance 0.01, iteration 1234");
  line.add(progress_of(2, 0.009, 10, true));
  line.add(progress_of(2, 0.009, 10, true));  // work after its end
  EXPECT_EQ(line.text(),
            "[#####...............] 1 of 4 problems, 10.0 s, about 30 s left, violation 0.009, "
            "tolerance 0.01, iteration 1234");
  line.add(progress_of(1, 0.009, 12, true));
  line.add(progress_of(4, 1, 15, false));  // the third was solved without a poll
  EXPECT_EQ(line.text(),
            "[###############.....] 3 of 4 problems, 15.0 s, about 5 s left, violation 1, "
            "tolerance 0.01, iteration 1234");
}

TEST(TrainingLine, TellsTheTimeLimit) {
  TrainingLine line(0.01, 1, 60);
  line.add(progress_of(1, 1, 48, false));
  EXPECT_EQ(line.text(), "48.0 s, at most 12 s left, violation 1, tolerance 0.01, iteration 1234");
}

TEST(BinaryProblems, AreThoseThatTheLibraryCounts) {
  test::Data data = test::random_data(60, 3, true, 3);
  std::vector<double> labels;
  for (std::size_t i = 0; i < data.size(); ++i) labels.push_back(static_cast<double>(i % 3));
  svm_problem problem = data.problem();
  problem.y = labels.data();
  for (const int type : {C_SVC, ONE_CLASS, EPSILON_SVR}) {
    for (const int probability : {0, 1}) {
      for (const int folds : {0, 3}) {
        svm_parameter param = test::parameters(type, RBF);
        param.probability = probability;
        long long most = 0;
        svm_options options{};
        svm_init_options(&options, sizeof(options));
        options.print = [](const char*, void*) {};
        options.progress = [](const svm_progress* progress, void* user) {
          auto& last = *static_cast<long long*>(user);
          if (progress->problem > last) last = progress->problem;
          return 0;
        };
        options.progress_user = &most;
        std::vector<double> predictions(labels.size());
        if (folds > 0) {
          test::cross_validate(&problem, &param, folds, &options, predictions.data(), nullptr);
        } else {
          svm_model* model = test::train(&problem, &param, &options, nullptr);
          svm_free_and_destroy_model(&model);
        }
        EXPECT_EQ(binary_problems(problem, param, folds), most)
            << type << ' ' << probability << ' ' << folds;
      }
    }
  }
}

TEST(ReadingLine, ShowsTheShareOfTheFile) {
  const test::TempDir folder;
  folder.write("file", std::string(1000, 'x'));
  const FilePtr file(platform::open_stream(folder.file("file")));
  ReadingLine line(file.get(), 2, true);
  line.begin_pass();
  line.count_row();
  EXPECT_EQ(line.text(0, 0), "[....................] 1 rows, pass 1 of 2, 0.0 s");
  EXPECT_EQ(line.text(2, 500), "[#####...............] 1 rows, pass 1 of 2, 2.0 s, about 6 s left");
  line.begin_pass();
  for (int i = 0; i < 200; ++i) line.count_row();
  EXPECT_EQ(line.text(9, 500),
            "[###############.....] 200 rows, pass 2 of 2, 9.0 s, about 3 s left");
}

// What a terminal shows after `text`.
std::string screen_after(std::string_view text) {
  std::string screen;
  std::size_t line = 0, at = 0;  // where the current line begins, and the cursor
  for (const char c : text) {
    if (c == '\r') {
      at = line;
    } else if (c == '\n') {
      screen += c;
      at = line = screen.size();
    } else if (at == screen.size()) {
      screen += c;
      ++at;
    } else {
      screen[at++] = c;
    }
  }
  return screen;
}

std::vector<std::string> without_trailing_blanks(const std::string& text) {
  std::vector<std::string> lines = test::lines_of(text);
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

using LiveLineCli = test::TrainSolverCli;

TEST_F(LiveLineCli, AppearsOnATerminal) {
  if (!test::have_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  test::Child child(endless({"data", "model"}), folder_.path(), test::Child::Reads::kTerminal);
  EXPECT_TRUE(child.read_until(", tolerance 1e-15, iteration "));
  child.send(SIGINT);
  child.read_all();
  EXPECT_EQ(child.wait(), 128 + SIGINT);
}

// The reader of a pipe may write to the terminal at any time.
TEST_F(LiveLineCli, DoesNotAppearBesideAPipe) {
  if (!test::have_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  for (const std::string end : {" | cat", " >/dev/null"}) {
    const std::string line = std::string(SVM_BIN_DIR) +
                             "/svm-train -t 0 -c 1e8 -e 1e-15 --time-limit 1.5 data model" + end;
    test::Child child({"/bin/sh", "-c", line}, folder_.path(), test::Child::Reads::kTerminal);
    const std::string text = child.read_all();
    EXPECT_EQ(child.wait(), 0);
    EXPECT_TRUE(test::contains(text, "WARNING: ")) << text;
    EXPECT_FALSE(test::contains(text, ", violation ")) << text;
  }
}

TEST_F(LiveLineCli, DoesNotAppearOnADumbTerminal) {
  if (!test::have_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const test::Setting term("TERM", "dumb");
  test::Child child(endless({"--time-limit", "1.5", "data", "model"}), folder_.path(),
                    test::Child::Reads::kTerminal);
  EXPECT_FALSE(test::contains(child.read_all(), ", violation "));
  EXPECT_EQ(child.wait(), 0);
}

// On a terminal of unknown width an update could not cover the one before it.
TEST_F(LiveLineCli, DoesNotAppearOnATerminalWithoutAWidth) {
  if (!test::have_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const std::string program = SVM_BIN_DIR "/svm-train";
  const std::string options = " -t 0 -c 1e8 -e 1e-15 --time-limit 1.5 data model";
  test::Child child({"/bin/sh", "-c", "stty cols 0 <&2 && exec " + program + options},
                    folder_.path(), test::Child::Reads::kTerminal);
  const std::string text = child.read_all();
  EXPECT_EQ(child.wait(), 0);
  EXPECT_FALSE(test::contains(text, ", violation ")) << text;
  EXPECT_TRUE(test::contains(text, "...")) << text;
}

// Standard output, but for the dots and stars that the line replaces and the ends of their lines.
std::string without_dots(std::string_view text) {
  std::string out;
  for (const std::string& line : test::lines_of(std::string(text))) {
    if (line.find_first_not_of(".*") != std::string::npos) out += line + '\n';
  }
  return out;
}

// The training takes about a second, so that the line appears in the middle of it.
TEST_F(LiveLineCli, LeavesTheOutputOfTheProgramOnATerminal) {
  if (!test::have_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const std::vector<std::string> command = endless({"--max-iter", "3000000", "data", "model"});
  const test::ProcessResult plain = test::run(command, {}, folder_.path());
  ASSERT_EQ(plain.status, 0);
  test::Child child(command, folder_.path(), test::Child::Reads::kTerminal);
  const std::string text = child.read_all();
  EXPECT_EQ(child.wait(), 0);
  const std::string screen = screen_after(text);
  EXPECT_FALSE(test::contains(screen, "violation")) << screen;
  ASSERT_TRUE(test::contains(plain.err, "\n"));  // a warning, in the middle of the output
  EXPECT_EQ(without_trailing_blanks(test::replaced(screen, plain.err, "")),
            without_trailing_blanks(without_dots(plain.out)));
}

}  // namespace
}  // namespace svm::cli
