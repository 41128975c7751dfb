// Searches of cells of neighbouring rows.
#include "programs/grid/cells.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/platform/index_range.h"
#include "programs/grid/adaptive.h"
#include "solvers/registry.h"
#include "tests/training_data.h"
#include "training/forest/cells.h"

namespace svm::grid {
namespace {

using test::Data;
using test::Draws;

// Groups of rows around some places on a line, one after the other in the data.
Data groups_of_rows(std::size_t groups, std::size_t rows) {
  Data data;
  Draws draws(7);
  for (std::size_t t = 0; t < groups * rows; ++t) {
    const double centre = 100 * static_cast<double>(t % groups);
    const double x = draws.between(-1, 1), y = draws.between(-1, 1);
    data.add(x * y + 0.2 * draws.between(-1, 1) > 0 ? 1 : -1, {centre + x, y});
  }
  return data;
}

class Cells : public testing::Test {
 protected:
  // A run whose draws begin anew.
  svm::Run& run() {
    svm::Run& run = printed_.run();
    run.options.entry = find_solver(solver_);
    run.services.draw =
        remainders_of([draws = Draws(3)]() mutable { return draws.bits() & 0x7fffffffU; });
    return run;
  }

  static SearchSpecification specification(const svm_problem& problem) {
    svm_parameter param = test::parameters(C_SVC, RBF);
    return {problem, param, {true, true, false}, 3, true};
  }

  static std::vector<Point> points() {
    std::vector<Point> points;
    for (const double g : {-1.0, 1.0}) {
      for (const double c : {-2.0, 1.0, 4.0}) points.push_back({c, g});
    }
    return points;
  }

  // The predictions of each point.
  using Predictions = std::map<std::pair<double, double>, std::vector<double>>;
  template <typename AnySearch>
  static Predictions predictions(AnySearch& search, Adaptive* judge = nullptr) {
    Predictions all;
    EXPECT_TRUE(search.evaluate(
        points(),
        [&](const Point& point, const std::vector<double>& values) {
          EXPECT_TRUE(all.emplace(std::pair(point.log2c, point.log2g), values).second);
        },
        judge));
    return all;
  }

  const char* solver_ = "csmo";
  const test::Printed printed_;
};

TEST_F(Cells, MayHaveFoldsOfTheCaller) {
  Data data = groups_of_rows(3, 30);
  const svm_problem problem = data.problem();
  std::vector<std::vector<std::size_t>> members(4);
  for (std::size_t t = 0; t < data.size(); ++t) members[t % 7 % 4].push_back(t);
  const Folds folds = folds_of(members);
  ASSERT_EQ(folds.size(), 4U);
  Search whole(specification(problem), folds, run());
  const Predictions expected = predictions(whole);
  CellSearch one(specification(problem), folds, data.size(), run());
  EXPECT_EQ(predictions(one), expected);
  CellSearch small(specification(problem), folds, 30, run());
  EXPECT_GE(small.parts(), 3U);
  EXPECT_NE(predictions(small), expected);
  EXPECT_THROW(CellSearch(specification(problem), folds, 2, run()), std::invalid_argument);
}

TEST_F(Cells, OneCellIsTheFullSearch) {
  Data data = groups_of_rows(3, 40);
  const svm_problem problem = data.problem();
  Search full(specification(problem), run());
  const Predictions expected = predictions(full);
  CellSearch search(specification(problem), data.size(), run());
  EXPECT_EQ(search.parts(), 1U);
  EXPECT_EQ(predictions(search), expected);
}

TEST_F(Cells, ACellIsASearchOfItsRows) {
  solver_ = "smo";  // its results do not depend on the memory, which cells share
  Data data = groups_of_rows(4, 50);
  const svm_problem problem = data.problem();
  const auto cells =
      make_cells(problem, index_range<std::uint32_t>(0, data.size()), {50, true}, 0, run()).rows;
  CellSearch search(specification(problem), 50, run());
  ASSERT_EQ(search.parts(), cells.size());
  const Predictions found = predictions(search);
  ASSERT_EQ(found.size(), 6U);
  svm::Run& drawing = run();
  for (const std::vector<std::uint32_t>& rows : cells) {
    Data part;
    for (const std::uint32_t t : rows) {
      part.add_row(data.label(t), test::Row(data.row(t), data.row(t) + 3));
    }
    const svm_problem of_part = part.problem();
    Folds folds = make_folds(of_part, specification(problem).param, 3, drawing);
    Search alone(specification(of_part), std::move(folds), drawing);
    const Predictions expected = predictions(alone);
    for (const auto& [point, values] : expected) {
      for (std::size_t k = 0; k < rows.size(); ++k) {
        ASSERT_EQ(found.at(point)[rows[k]], values[k]) << point.first << ' ' << rows[k];
      }
    }
  }
}

TEST_F(Cells, ThreadsChangeNothing) {
  Data data = groups_of_rows(4, 60);
  const svm_problem problem = data.problem();
  CellSearch search(specification(problem), 60, run());
  const Predictions expected = predictions(search);
  for (const unsigned threads : {2U, 3U}) {
    svm::Run& several = run();
    several.services.tasks = nullptr;
    several.services.pool = std::make_shared<ThreadPool>(threads);
    CellSearch shared(specification(problem), 60, several);
    EXPECT_EQ(predictions(shared), expected);
  }
}

// A judge gets the cells of each point as its folds, and a point that it does not skip has the same
// predictions.
TEST_F(Cells, AJudgeSeesCellsAsFolds) {
  Data data = groups_of_rows(4, 50);
  const svm_problem problem = data.problem();
  CellSearch search(specification(problem), 50, run());
  const Predictions expected = predictions(search);
  std::size_t skipped = 0;
  Adaptive judge(problem.y, data.size(), search.parts(), {},
                 {[] { return std::optional<double>(); },
                  [&](const Point&, const std::string&) { ++skipped; }});
  Plan plan;
  plan.c = {-2, 1, 4};
  plan.g = {-1, 1};
  judge.begin(plan);
  CellSearch judged(specification(problem), 50, run());
  const Predictions found = predictions(judged, &judge);
  EXPECT_EQ(found.size() + skipped, expected.size());
  EXPECT_GE(found.size(), 2U);
  for (const auto& [point, values] : found) EXPECT_EQ(values, expected.at(point));
}

}  // namespace
}  // namespace svm::grid
