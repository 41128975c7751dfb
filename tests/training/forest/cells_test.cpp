// Cells of a tree: their rows, their size, and what decides a cut.
#include "training/forest/cells.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "base/platform/index_range.h"
#include "kernels/caller_rows.h"
#include "tests/training_data.h"
#include "tests/view.h"

namespace svm {
namespace {

using test::Data;

Cells cut(const Problem& problem, std::size_t most, std::uint64_t seed = 0, unsigned threads = 1,
          bool is_classification = true) {
  svm::Run run{Messages(nullptr)};
  run.services.pool = std::make_shared<ThreadPool>(threads);
  return make_cells(problem, index_range<std::uint32_t>(0, problem.size()),
                    {most, is_classification}, seed, run);
}

std::size_t largest(const Cells& cells) {
  std::size_t most = 0;
  for (const RowNumbers& rows : cells.rows) most = std::max(most, rows.size());
  return most;
}

// Expects that each row is in one cell, that to which the tree sends it, and in order.
void expect_all_rows(const Problem& problem, const Cells& cells) {
  const std::vector<std::size_t> leaves = leaves_of(cells.tree);
  ASSERT_EQ(cells.rows.size(), leaves.size());
  std::size_t count = 0;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    EXPECT_FALSE(cells.rows[k].empty());
    EXPECT_TRUE(std::is_sorted(cells.rows[k].begin(), cells.rows[k].end()));
    for (const std::uint32_t t : cells.rows[k]) {
      EXPECT_EQ(leaf_of(cells.tree, problem.x[t]), leaves[k]);
    }
    count += cells.rows[k].size();
  }
  EXPECT_EQ(count, problem.size());
}

void expect_same(const Cells& cells, const Cells& others) {
  EXPECT_EQ(cells.rows, others.rows);
  ASSERT_EQ(cells.tree.size(), others.tree.size());
  for (std::size_t n = 0; n < cells.tree.size(); ++n) {
    EXPECT_EQ(cells.tree[n].right, others.tree[n].right);
    EXPECT_EQ(cells.tree[n].split.feature, others.tree[n].split.feature);
    EXPECT_EQ(cells.tree[n].split.threshold, others.tree[n].split.threshold);
  }
}

// A row of one feature, 1.
test::Row only(int feature) { return {{feature, 1}, {-1, 0}}; }

TEST(ForestCells, HaveEachRowOnceAndAreSmall) {
  Data data = test::random_data(700, 4, true, 1);
  const svm_problem problem = data.problem();
  for (const std::size_t most : {2U, 3U, 4U, 5U, 9U, 10U, 50U, 699U}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Cells cells = cut(problem, most, seed);
      expect_all_rows(problem, cells);
      EXPECT_LE(largest(cells), most) << seed;
      EXPECT_GE(cells.rows.size(), 2U);
    }
  }
  EXPECT_EQ(cut(problem, 700).rows.size(), 1U);
}

TEST(ForestCells, AreNotMuchSmallerThanAllowed) {
  Data data = test::random_data(5000, 4, true, 1);
  EXPECT_LE(cut(data.problem(), 100).rows.size(), 5U * 5000 / 100);
}

TEST(ForestCells, DependOnTheSeedButNotOnThreads) {
  Data data = test::random_data(3000, 4, true, 2);
  const svm_problem problem = data.problem();
  const Cells cells = cut(problem, 100, 7);
  for (const unsigned threads : {1U, 2U, 5U}) expect_same(cut(problem, 100, 7, threads), cells);
  EXPECT_NE(cut(problem, 100, 8).rows, cells.rows);
}

TEST(ForestCells, AreOfTheRowsThatAreTold) {
  Data data = test::random_data(400, 3, true, 3);
  const svm_problem problem = data.problem();
  RowNumbers odd;
  for (std::uint32_t t = 1; t < 400; t += 2) odd.push_back(t);
  svm::Run run{Messages(nullptr)};
  RowNumbers found;
  for (const RowNumbers& rows : make_cells(problem, odd, {30, true}, 0, run).rows) {
    found.insert(found.end(), rows.begin(), rows.end());
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, odd);
}

// All layouts of the same rows; the nodes have zeros that views leave out.
TEST(ForestCells, DoNotDependOnTheLayout) {
  Data data;
  test::Draws draws(4);
  for (int t = 0; t < 900; ++t) {
    const double a = draws.between(-1, 1);
    data.add(a > 0 ? 1 : -1, {a, t % 3 == 0 ? 0 : draws.between(0, 1), t % 2 * 2.0});
  }
  const Cells expected = cut(data.problem(), 40);
  for (const test::Layout& layout : test::all_layouts()) {
    if (layout.value_type == SVM_FLOAT) continue;  // its values are others
    const test::ViewedData viewed(data, layout);
    const CallerRows rows(viewed.view(), RBF);
    const Problem problem(900, viewed.labels(), rows.rows());
    const Cells cells = cut(problem, 40);
    expect_same(cells, expected);
    expect_all_rows(problem, cells);
  }
}

// Two features of the same variance, one of which decides the labels.
TEST(ForestCells, AreCutWhereLabelsDiffer) {
  Data classes, targets;
  test::Draws draws(5);
  for (int t = 0; t < 2000; ++t) {
    const double a = draws.between(-1, 1), b = draws.between(-1, 1);
    classes.add(b > 0 ? 7 : 3, {a, b});
    targets.add(b > 0 ? 1000 : 1001, {a, b});
  }
  int of_classes = 0, of_targets = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    of_classes += cut(classes.problem(), 1500, seed).tree[0].split.feature == 2 ? 1 : 0;
    of_targets += cut(targets.problem(), 1500, seed, 1, false).tree[0].split.feature == 2 ? 1 : 0;
  }
  EXPECT_GE(of_classes, 18);
  EXPECT_GE(of_targets, 18);
}

TEST(ForestCells, AreCutWithOneClassToo) {
  Data data;
  test::Draws draws(6);
  for (int t = 0; t < 500; ++t) data.add(1, {draws.between(0, 1), draws.between(0, 1)});
  const Cells cells = cut(data.problem(), 20);
  expect_all_rows(data.problem(), cells);
  EXPECT_LE(largest(cells), 20U);
}

TEST(ForestCells, EqualRowsStayTogether) {
  Data data;
  for (int t = 0; t < 300; ++t) data.add(t % 2, {1, t < 200 ? 2.0 : 5.0});
  const Cells cells = cut(data.problem(), 10);
  expect_all_rows(data.problem(), cells);
  EXPECT_EQ(cells.rows.size(), 2U);
  Data empty;
  for (int t = 0; t < 30; ++t) empty.add(t % 2, {});
  EXPECT_EQ(cut(empty.problem(), 10).rows.size(), 1U);
}

// Most values are equal, so that quantiles are one of a few values.
TEST(ForestCells, OfManyEqualValues) {
  Data data;
  test::Draws draws(7);
  for (int t = 0; t < 2000; ++t) {
    std::vector<double> row(8);
    for (double& value : row) value = draws.below(10) == 0 ? 1 : 0;
    data.add(t % 2, row);
  }
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Cells cells = cut(data.problem(), 50, seed);
    expect_all_rows(data.problem(), cells);
    for (const RowNumbers& rows : cells.rows) {
      if (rows.size() <= 50) continue;
      for (int k = 0; k < 8; ++k) {  // a feature could only cut off a few rows
        std::size_t ones = 0;
        for (const std::uint32_t t : rows) ones += data.row(t)[k].value > 0 ? 1 : 0;
        EXPECT_LT(20 * std::min(ones, rows.size() - ones), rows.size()) << k;
      }
    }
    EXPECT_GE(cells.rows.size(), 20U);
  }
}

// Values whose squares no double holds, and a large constant, which hides the variance of other
// features if it is computed carelessly.
TEST(ForestCells, OfHugeValues) {
  for (const double huge : {1e160, 1e300, -1e300}) {
    Data data;
    test::Draws draws(8);
    for (int t = 0; t < 400; ++t) data.add(t % 2, {t % 2 * huge, draws.between(0, 1), huge});
    const Cells cells = cut(data.problem(), 50);
    expect_all_rows(data.problem(), cells);
    EXPECT_LE(largest(cells), 50U) << huge;
  }
  for (const double constant : {1e9, 1e12, 0.1}) {
    Data data;
    test::Draws draws(8);
    for (int t = 0; t < 400; ++t) data.add(t % 2, {constant, draws.between(0, 1)});
    EXPECT_LE(largest(cut(data.problem(), 50)), 50U) << constant;
  }
}

TEST(ForestCells, TheValuesOfInvalidRowsDoNoHarm) {
  Data data;
  test::Draws draws(9);
  for (int t = 0; t < 400; ++t) {
    data.add(t % 2, {t % 5 == 0 ? INFINITY : draws.between(0, 1), t % 7 == 0 ? NAN : 1.0});
  }
  expect_all_rows(data.problem(), cut(data.problem(), 50));
}

// A cut takes off two rows only, so that the tree would be as deep as there are features.
TEST(ForestCells, AreNotBelowAHundredCuts) {
  Data data;
  for (int t = 0; t < 600; ++t) data.add_row(t % 2, only(1 + t / 2));
  const Cells cells = cut(data.problem(), 10);
  expect_all_rows(data.problem(), cells);
  EXPECT_EQ(cells.rows.size(), 101U);
  EXPECT_EQ(largest(cells), 400U);
}

// A cell of svm-grid is cross validated.
TEST(ForestCells, NoRowIsCutOffAlone) {
  Data data;
  for (int t = 0; t < 100; ++t) data.add_row(t % 2, only(1 + t));
  EXPECT_EQ(cut(data.problem(), 10).rows.size(), 1U);
}

TEST(ForestCells, AStoppedRunEndsTheCutting) {
  Data data = test::random_data(3000, 4, true, 2);
  svm::Run run{Messages(nullptr)};
  run.interrupt(SVM_CANCELLED);
  const svm_problem problem = data.problem();
  EXPECT_EQ(make_cells(problem, index_range<std::uint32_t>(0, data.size()), {10, true}, 0, run)
                .rows.size(),
            1U);
}

}  // namespace
}  // namespace svm
