// Measures how long a training goes without a poll of the clock and the progress function.
// bench/polls.py runs it.
//
//   poll_gaps OPTIONS OF svm-train DATA
//
// Trains, or cross validates with -v, on the data in memory, and writes no model.  First prints a
// line: seconds of the call, its seconds beyond --time-limit (or -), polls, status.  Then prints a
// line for each of the longest gaps between polls, beginning and end of the call included: its
// length, when it began, problem, iterations and whether the problem was finished at the poll
// before.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "model/model_memory.h"
#include "programs/cli/main.h"
#include "programs/cli/train_options.h"
#include "programs/cli/training_set.h"
#include "programs/data/dataset.h"
#include "svm_ext.h"
#include "tests/rows.h"

namespace {

constexpr std::size_t kShown = 5;

void print_nothing(const char*, void*) {}

class Polls {
 public:
  struct Gap {
    double seconds, begin;
    svm_progress last;
  };

  static int poll(const svm_progress* progress, void* user) {
    static_cast<Polls*>(user)->note(*progress);
    return 0;
  }
  void note(const svm_progress& progress) {
    const double now = seconds();
    gaps_.push_back({now - before_, before_, last_});
    std::sort(gaps_.begin(), gaps_.end(),
              [](const Gap& a, const Gap& b) { return a.seconds > b.seconds; });
    if (gaps_.size() > kShown) gaps_.pop_back();
    before_ = now;
    last_ = progress;
    ++count_;
  }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  const std::vector<Gap>& gaps() const { return gaps_; }
  long long count() const { return count_; }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double before_ = 0;
  svm_progress last_{};
  std::vector<Gap> gaps_;  // the longest, in descending order
  long long count_ = 0;
};

int run(svm::cli::TrainSettings& settings, const std::string& file) {
  settings.finish();
  svm::Dataset data = svm::cli::read_training_set(file, settings.param);
  svm::cli::set_default_gamma(settings.param, data.max_index());
  const svm_problem problem = data.problem();
  const svm_rows rows = svm::test::rows_of(problem);
  settings.options.print = print_nothing;
  svm_result result = {};
  result.size = sizeof(result);
  Polls polls;
  settings.options.progress = Polls::poll;
  settings.options.progress_user = &polls;
  if (settings.cross_validation()) {
    std::vector<double> target(static_cast<std::size_t>(problem.l));
    if (svm_cross_validate_rows(&rows, problem.y, &settings.param, settings.folds,
                                &settings.options, target.data(), &result) != 0) {
      throw svm::cli::Failure(svm_last_error());
    }
  } else {
    const svm::ModelPtr model(
        svm_train_rows(&rows, problem.y, &settings.param, &settings.options, &result));
    if (model == nullptr) throw svm::cli::Failure(svm_last_error());
  }
  const double seconds = polls.seconds();
  polls.note({});
  std::printf("%.3f,", seconds);
  if (settings.options.time_limit > 0) {
    std::printf("%.3f", seconds - settings.options.time_limit);
  } else {
    std::printf("-");
  }
  std::printf(",%lld,%d\n", polls.count() - 1, result.status);
  for (const Polls::Gap& gap : polls.gaps()) {
    std::printf("%.4f,%.3f,%lld,%lld,%d\n", gap.seconds, gap.begin, gap.last.problem,
                gap.last.iterations, gap.last.finished);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  svm::cli::TrainSettings settings;
  return svm::cli::run_program(
      svm::cli::train_program(settings), argc, argv,
      [&](const std::vector<std::string>& files) { return run(settings, files[0]); });
}
