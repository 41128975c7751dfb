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

#include "programs/grid/adaptive.h"
#include "solvers/registry.h"
#include "tests/training_data.h"

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
  CellSearch three(specification(problem), folds, 30, run());
  EXPECT_EQ(three.parts(), 4U);
  EXPECT_EQ(three.trainings(), 16U);
  EXPECT_NE(predictions(three), expected);
  EXPECT_THROW(CellSearch(specification(problem), folds, 2, run()), std::invalid_argument);
}

TEST_F(Cells, EachRowIsInOneOfCellsOfSimilarSize) {
  Data data = groups_of_rows(5, 37);
  const svm_problem problem = data.problem();
  for (const std::size_t most : {2U, 3U, 10U, 46U, 47U, 184U, 185U}) {
    std::vector<std::uint32_t> all;
    for (const std::vector<std::uint32_t>& cell : make_cells(problem, most, run())) {
      EXPECT_LE(cell.size(), most);
      EXPECT_GE(2 * cell.size() + 1, std::min<std::size_t>(most, data.size()));
      EXPECT_TRUE(std::is_sorted(cell.begin(), cell.end()));
      all.insert(all.end(), cell.begin(), cell.end());
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, test::row_numbers(data.size())) << most;
  }
}

TEST_F(Cells, HaveNeighbours) {
  Data data = groups_of_rows(2, 40);
  const svm_problem problem = data.problem();
  int apart = 0;
  for (int draws = 0; draws < 20; ++draws) {  // if both centres are of one group, it may be cut
    svm::Run& drawing = run();
    for (int skip = 0; skip < draws; ++skip) drawing.services.draw(1);
    const auto cells = make_cells(problem, 40, drawing);
    ASSERT_EQ(cells.size(), 2U);
    const auto same = [&](std::uint32_t t) { return t % 2 == cells[0][0] % 2; };
    if (std::all_of(cells[0].begin(), cells[0].end(), same)) ++apart;
  }
  EXPECT_GE(apart, 8);
}

TEST_F(Cells, EqualRowsAndInfiniteValuesAreCutToo) {
  Data data;
  for (int t = 0; t < 50; ++t) data.add(t % 2, {t < 25 ? 1.0 : 1e300, 1e300});
  const svm_problem problem = data.problem();
  EXPECT_EQ(make_cells(problem, 25, run()).size(), 2U);
}

TEST_F(Cells, OneCellIsTheFullSearch) {
  Data data = groups_of_rows(3, 40);
  const svm_problem problem = data.problem();
  Search full(specification(problem), run());
  const Predictions expected = predictions(full);
  CellSearch search(specification(problem), data.size(), run());
  EXPECT_EQ(search.parts(), 1U);
  EXPECT_EQ(search.trainings(), 3U);
  EXPECT_EQ(predictions(search), expected);
}

TEST_F(Cells, ACellIsASearchOfItsRows) {
  solver_ = "smo";  // its results do not depend on the memory, which cells share
  Data data = groups_of_rows(4, 50);
  const svm_problem problem = data.problem();
  const auto cells = make_cells(problem, 50, run());
  CellSearch search(specification(problem), 50, run());
  ASSERT_EQ(search.parts(), cells.size());
  const Predictions found = predictions(search);
  ASSERT_EQ(found.size(), 6U);
  // The draws of the centres precede those of the folds.
  svm::Run& drawing = run();
  make_cells(problem, 50, drawing);
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
