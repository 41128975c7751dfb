// The points that an adaptive search leaves out.
#include "programs/grid/adaptive.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/train_solver_cli.h"

namespace svm::grid {
namespace {

using test::contains;
using test::lines_of;
using test::ProcessResult;

constexpr std::size_t kFolds = 5;

// A search with made-up losses: all labels are 0, and a prediction is the root of a loss.
class MadeUpSearch {
 public:
  // The loss of a point in a row of a fold.
  using Loss = std::function<double(const Point& point, std::size_t fold, std::size_t row)>;

  MadeUpSearch(std::size_t rows_of_fold, bool is_error, Loss loss)
      : rows_of_fold_(rows_of_fold),
        is_error_(is_error),
        loss_(std::move(loss)),
        labels_(kFolds * rows_of_fold, 0),
        judge_(labels_.data(), labels_.size(), kFolds, {is_error},
               {[this] { return best_; },
                [this](const Point& point, const std::string& reason) {
                  EXPECT_TRUE(reasons_.emplace(place(point), reason).second) << "reported twice";
                }}) {}

  void begin(std::vector<double> c, std::vector<double> g) {
    Plan plan;
    plan.c = std::move(c);
    plan.g = std::move(g);
    judge_.begin(plan);
  }

  void evaluate(const std::vector<Point>& group) {
    for (;;) {
      const std::vector<Step> steps = judge_.next(group);
      if (steps.empty()) return;
      std::set<std::size_t> continued;  // folds with a step that is not apart
      for (const Step& step : steps) {
        EXPECT_FALSE(step.points.empty());
        EXPECT_TRUE(std::is_sorted(step.points.begin(), step.points.end()));
        EXPECT_TRUE(step.is_apart || continued.insert(step.fold).second);
        std::vector<std::size_t> rows;
        for (std::size_t row = 0; row < rows_of_fold_; ++row) {
          rows.push_back(step.fold * rows_of_fold_ + row);
        }
        for (const std::size_t i : step.points) finish(group[i], step.fold, rows);
      }
    }
  }

  std::string reason(const Point& point) const {
    const auto found = reasons_.find(place(point));
    return found == reasons_.end() ? "" : found->second;
  }
  std::size_t folds(const Point& point) const {
    const auto found = folds_.find(place(point));
    return found == folds_.end() ? 0 : found->second;
  }

 private:
  static std::pair<double, double> place(const Point& point) { return {point.log2c, point.log2g}; }

  void finish(const Point& point, std::size_t fold, const std::vector<std::size_t>& rows) {
    EXPECT_EQ(folds_[place(point)]++, fold);
    EXPECT_EQ(reason(point), "");
    std::vector<double> predictions(labels_.size(), 0);
    double& sum = sums_[place(point)];
    for (const std::size_t row : rows) {
      const double loss = loss_(point, fold, row % rows_of_fold_);
      predictions[row] = std::sqrt(loss);
      sum += loss;
    }
    judge_.fold_finished(point, rows, predictions);
    if (fold + 1 < kFolds) return;
    const double mean = sum / static_cast<double>(labels_.size());
    const double value = is_error_ ? mean : 100 * (1 - mean);
    if (!best_ || (is_error_ ? value < *best_ : value > *best_)) best_ = value;
  }

  const std::size_t rows_of_fold_;
  const bool is_error_;
  const Loss loss_;
  const std::vector<double> labels_;
  std::optional<double> best_;
  std::map<std::pair<double, double>, std::string> reasons_;
  std::map<std::pair<double, double>, std::size_t> folds_;
  std::map<std::pair<double, double>, double> sums_;
  Adaptive judge_;
};

TEST(GridAdaptive, APointThatCanStillTieGoesOn) {
  // Two of twenty rows are wrong at the best point, in its last fold; two and three at the others,
  // in their first folds.
  MadeUpSearch search(4, false, [](const Point& point, std::size_t fold, std::size_t row) {
    if (point.log2g == 0) return fold == 4 && row < 2 ? 1.0 : 0.0;
    const auto wrong = static_cast<std::size_t>(point.log2g) + 1;
    return fold == 0 && row < wrong ? 1.0 : 0.0;
  });
  search.begin({0}, {0, 1, 2});
  for (const double g : {0.0, 1.0, 2.0}) search.evaluate({{0, g, 0}});
  EXPECT_EQ(search.folds({0, 1, 0}), kFolds);
  EXPECT_EQ(search.folds({0, 2, 0}), 1U);
  EXPECT_EQ(search.reason({0, 2, 0}), "at most 85 after 1 of 5 folds");
}

TEST(GridAdaptive, AnErrorThatIsTooLargeAlreadyIsKnown) {
  MadeUpSearch search(4, true, [](const Point& point, std::size_t fold, std::size_t row) {
    if (point.log2g == 0) return fold == 4 && row == 0 ? 4.0 : 0.0;
    return fold == 1 && row == 0 ? 4.0 * point.log2g : 0.0;
  });
  search.begin({0}, {0, 1, 1.5});
  for (const double g : {0.0, 1.0, 1.5}) search.evaluate({{0, g, 0}});
  EXPECT_EQ(search.folds({0, 1, 0}), kFolds);
  EXPECT_EQ(search.reason({0, 1.5, 0}), "at least 0.3 after 2 of 5 folds");
}

TEST(GridAdaptive, AClearLoserOnTheSameRowsStops) {
  // The point of gamma 0 is wrong in the whole last fold, so its possible final rate must not stop
  // the others.  They have a few more errors in the first folds.
  MadeUpSearch search(100, false, [](const Point& point, std::size_t fold, std::size_t row) {
    if (point.log2g == 0 && fold == 4) return 1.0;
    return static_cast<double>(row) < 12 + (fold == 0 ? point.log2g : 0) ? 1.0 : 0.0;
  });
  search.begin({0}, {0, 4, 9, 10});
  for (const double g : {0.0, 4.0, 9.0, 10.0}) search.evaluate({{0, g, 0}});
  EXPECT_EQ(search.folds({0, 4, 0}), kFolds) << search.reason({0, 4, 0});
  EXPECT_EQ(search.folds({0, 9, 0}), kFolds) << search.reason({0, 9, 0});  // three standard errors
  EXPECT_EQ(search.reason({0, 10, 0}), "worse by 3.2 standard errors after 1 of 5 folds");
}

// `wrong` of 100 rows at each C.
std::vector<std::string> reasons_along_c(const std::vector<std::size_t>& wrong) {
  MadeUpSearch search(100, false, [&](const Point& point, std::size_t, std::size_t row) {
    return row < wrong[static_cast<std::size_t>(point.log2c)] ? 1.0 : 0.0;
  });
  std::vector<double> c;
  std::vector<Point> group;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    c.push_back(static_cast<double>(i));
    group.push_back({c.back(), 0, 0});
  }
  search.begin(c, {0});
  search.evaluate(group);
  std::vector<std::string> reasons;
  reasons.reserve(group.size());
  for (const Point& point : group) reasons.push_back(search.reason(point));
  return reasons;
}

TEST(GridAdaptive, RatesThatFallWithCAreNotFollowed) {
  // Starts at the fourth C and goes by threes: 3 4 5, 6 7 8, then 0 1 2.
  const std::vector<std::string> falling = reasons_along_c({40, 40, 40, 40, 4, 20, 30, 40, 50, 60});
  EXPECT_EQ(falling[9], "worse with larger C");
  EXPECT_TRUE(contains(falling[6], "standard errors after 1")) << falling[6];
  // A level stretch may end in a rise.
  const std::vector<std::string> rising = reasons_along_c({40, 40, 40, 40, 4, 40, 40, 40, 40, 0});
  EXPECT_EQ(rising[9], "");
}

TEST(GridAdaptive, LevelRatesAreNotFollowedDown) {
  const std::vector<std::string> reasons =
      reasons_along_c({40, 40, 40, 40, 40, 40, 4, 3, 4, 4, 4, 4, 4});
  EXPECT_EQ(reasons[0], "no better with smaller C");
  EXPECT_EQ(reasons[1], "no better with smaller C");
  EXPECT_TRUE(contains(reasons[3], "standard errors after 1")) << reasons[3];
}

TEST(GridAdaptive, GammasAwayFromTheBestAreLeftOut) {
  MadeUpSearch search(100, false, [](const Point& point, std::size_t, std::size_t row) {
    const double wrong = std::abs(point.log2g) * 20;
    return static_cast<double>(row) < wrong ? 1.0 : 0.0;
  });
  search.begin({0}, {-3, -2, -1, 0, 1, 2, 3, 4});
  for (const double g : {0.0, 2.0, -2.0, 1.0, -1.0, 3.0, -3.0, 4.0}) search.evaluate({{0, g, 0}});
  EXPECT_EQ(search.reason({0, 3, 0}), "worse with larger gamma");
  EXPECT_EQ(search.reason({0, 4, 0}), "worse with larger gamma");
  EXPECT_EQ(search.reason({0, -3, 0}), "no better with smaller gamma");
  EXPECT_EQ(search.folds({0, 0, 0}), kFolds);
}

TEST(GridAdaptive, WhatIsLeftOutHoldsForItsPlan) {
  const Plan plan = make_plan(Range{-1, 3, 2}, Range{1, -1, -2}, std::nullopt, 0, 100);
  const Plan part = make_plan(Range{-1, 3, 2}, Range{1, -1, -2}, std::nullopt, 0, 1);
  Results results({}, {});
  EXPECT_EQ(results.plan_line(plan), "# adaptive: log2c=-1.0..3.0/3 log2g=1.0..-1.0/2\n");
  const std::string line = results.skipped_line({3, 1, 0}, "no hope");
  EXPECT_EQ(line, "# log2c=3.0 log2g=1.0 skipped: no hope\n");
  const std::string others = "# log2c=1.0 log2g=1.0 rate=99\n# log2c=1.0 log2g=1.0 skipp\n";
  results.read(results.plan_line(plan) + line + others);
  EXPECT_EQ(results.why_skipped(plan, {3, 1, 0}), std::optional<std::string>("no hope"));
  EXPECT_FALSE(results.why_skipped(part, {3, 1, 0}));
  EXPECT_FALSE(results.why_skipped(plan, {1, 1, 0}));
  EXPECT_FALSE(results.find({1, 1, 0}));
}

const std::string kScale = SVM_BIN_DIR "/svm-scale";
const std::string kData = SVM_SOURCE_DIR "/data/demo.train";
const std::string kGrid = SVM_BIN_DIR "/svm-grid";

class AdaptiveCli : public test::TrainSolverCli {
 protected:
  AdaptiveCli() {
    const ProcessResult scaled = test::run({kScale, kData}, {}, folder_.path());
    folder_.write("data", scaled.out);
  }
  ProcessResult grid(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {kGrid, "-gnuplot", "null", "-log2c", "-3,9,2", "-log2g", "3,-9,-2"});
    arguments.emplace_back("data");
    ProcessResult result = test::run(arguments, {}, folder_.path());
    EXPECT_EQ(result.status, 0) << result.err;
    return result;
  }
  // The lines of a file with this beginning.
  std::set<std::string> lines(const std::string& name, const std::string& begin) const {
    std::set<std::string> found;
    for (const std::string& line : lines_of(folder_.read(name))) {
      if (line.rfind(begin, 0) == 0) found.insert(line);
    }
    return found;
  }
};

TEST_F(AdaptiveCli, FindsTheBestPointWithLess) {
  const ProcessResult full = grid({"-out", "full"});
  const ProcessResult adaptive = grid({"-out", "part", "--search", "adaptive"});
  EXPECT_EQ(lines_of(adaptive.out).back(), lines_of(full.out).back());
  const std::set<std::string> all = lines("full", "log2c="), some = lines("part", "log2c=");
  const std::set<std::string> skipped = lines("part", "# log2c=");
  EXPECT_GT(skipped.size(), all.size() / 2);
  EXPECT_EQ(some.size() + skipped.size(), all.size());
  // The known rates are those of the full search.
  EXPECT_TRUE(std::includes(all.begin(), all.end(), some.begin(), some.end()));
  EXPECT_TRUE(contains(adaptive.out, "\n[skipped] " + std::to_string(skipped.size()) + " of " +
                                         std::to_string(all.size()) + " points\n"));
  EXPECT_TRUE(contains(adaptive.out, "[skipped] 9.0 3.0 (")) << adaptive.out;
  EXPECT_EQ(lines_of(grid({"-out", "quiet", "--search", "adaptive", "-q"}).out).size(), 1U);
  EXPECT_EQ(folder_.read("quiet"), folder_.read("part"));
}

TEST_F(AdaptiveCli, ThreadsDoNotMatter) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{},
                                                  {"--warm-start"},
                                                  {"--refine", "-v", "3"},
                                                  {"-s", "3", "-p", "0.5"}}) {
    std::vector<std::string> outs;
    for (const char* threads : {"1", "3"}) {
      std::vector<std::string> arguments = {"--search", "adaptive", "--threads", threads};
      arguments.insert(arguments.end(), options.begin(), options.end());
      const std::string printed = grid(arguments).out;
      outs.push_back(printed + folder_.read("data.out"));
    }
    EXPECT_TRUE(contains(outs[0], "skipped: "));
    EXPECT_EQ(outs[1], outs[0]);
  }
}

TEST_F(AdaptiveCli, AResumedSearchGoesOn) {
  grid({"-out", "full"});
  const ProcessResult whole = grid({"-out", "part", "--search", "adaptive"});
  const std::set<std::string> done = lines("part", "log2c="), skipped = lines("part", "# log2c=");
  // As if killed: some points are solved and some skipped.
  const std::string text = folder_.read("part");
  folder_.write("part", text.substr(0, text.size() / 2));
  const ProcessResult rest = grid({"-out", "part", "--search", "adaptive", "-resume"});
  EXPECT_EQ(lines_of(rest.out).back(), lines_of(whole.out).back());
  // Nothing is left to do.
  const std::string before = folder_.read("part");
  const ProcessResult nothing = grid({"-out", "part", "--search", "adaptive", "-resume"});
  EXPECT_FALSE(contains(nothing.out, "[local]"));
  EXPECT_EQ(lines_of(nothing.out).back(), lines_of(whole.out).back());
  EXPECT_EQ(folder_.read("part"), before + "# adaptive: log2c=-3.0..9.0/7 log2g=3.0..-9.0/7\n");
  // Another grid decides anew; a full search solves all points.
  std::string skips = "# adaptive: log2c=-3.0..9.0/7 log2g=3.0..-9.0/7\n";
  for (const std::string& line : skipped) skips += line + "\n";
  folder_.write("skips", skips);
  const ProcessResult other =
      grid({"-out", "null", "--search", "adaptive", "-resume", "skips", "--gammas", "0:2"});
  EXPECT_TRUE(contains(other.out, "[local]")) << other.out;
  grid({"-out", "part", "-resume"});
  EXPECT_EQ(lines("part", "log2c="), lines("full", "log2c="));
}

// In a full search of large data, each point is finished by itself.
TEST_F(AdaptiveCli, LargeDataHaveTheSameBest) {
  folder_.write("data", test::rows_text(20001));
  std::vector<std::string> last;
  for (const char* way : {"full", "adaptive"}) {
    const ProcessResult result =
        test::run({kGrid, "--search", way, "-t", "0", "-a", "dcd", "-log2g", "null", "-log2c",
                   "-12,0,3", "-v", "2", "data"},
                  {}, folder_.path());
    ASSERT_EQ(result.status, 0) << result.err;
    last.push_back(lines_of(result.out).back());
  }
  EXPECT_EQ(last[1], last[0]);
}

TEST_F(AdaptiveCli, BadWays) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--search", "fast"}, {"--search", "adaptive", "-b", "1"}}) {
    std::vector<std::string> arguments = {kGrid};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.emplace_back("data");
    const ProcessResult result = test::run(arguments, {}, folder_.path());
    EXPECT_EQ(result.status, 1);
    EXPECT_TRUE(contains(result.err, options.size() > 2 ? "not with probability estimates"
                                                        : "is neither full nor adaptive"))
        << result.err;
    EXPECT_FALSE(folder_.exists("data.out"));
  }
}

}  // namespace
}  // namespace svm::grid
