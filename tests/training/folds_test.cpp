// The order of rows that puts those of a fold together.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "tests/training_data.h"
#include "training/cross_validation.h"
#include "training/machines.h"
#include "training/problem.h"
#include "training/random.h"

namespace svm {
namespace {

using test::Draws;

Folds folds_of(const svm_problem& problem, const svm_parameter& param, int folds) {
  const test::Printed printed;
  Run& run = printed.run();
  run.services.draw = remainders_of([draws = Draws(6)]() mutable { return draws.bits(); });
  return make_folds(problem, param, folds, run);
}

using Places = std::vector<std::size_t>;  // place of each row

// The number of stretches of rows that are consecutive in the order.
std::size_t stretches(const Places& place, const Problem& part) {
  std::size_t count = 0;
  for (std::size_t t = 0; t < static_cast<std::size_t>(part.l); ++t) {
    if (t == 0 || place[part.x.number(t)] != place[part.x.number(t - 1)] + 1) ++count;
  }
  return count;
}

// Checks that the order has all rows, and returns their places.
Places places_in(const std::vector<std::uint32_t>& order, const svm_problem& problem) {
  std::vector<std::uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, test::row_numbers(static_cast<std::size_t>(problem.l)));
  Places place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  return place;
}

TEST(RowsByClassAndFold, PairsOfAFoldAreFewStretches) {
  for (const int type : {C_SVC, NU_SVC}) {
    for (const int fold_count : {2, 5, 120}) {  // 120 is leave-one-out
      for (const bool is_two : {false, true}) {
        test::Data data = is_two ? test::random_data(120, 3, true, 2) : test::four_classes(120, 3);
        if (!is_two) data.add(77, {0, 0, 0});  // most folds lack this class
        const svm_problem problem = data.problem();
        const svm_parameter param = test::parameters(type, RBF);
        const Folds folds = folds_of(problem, param, fold_count);
        const Places place = places_in(rows_by_class_and_fold(problem, param, folds), problem);
        for (std::size_t f = 0; f < folds.size(); ++f) {
          Subset others = rows_of_others(problem, folds, f);
          const Problem training_set = others.problem();
          const Classes classes = group_classes(training_set);
          for_each_pair(classes.size(), [&](std::size_t, std::size_t a, std::size_t b) {
            Subset pair = rows_of_pair(training_set, classes, a, b);
            EXPECT_LE(stretches(place, pair.problem()), 4U) << fold_count << " folds, " << f;
          });
        }
      }
    }
  }
}

TEST(RowsByClassAndFold, TrainingSetsOfOtherTypesAreTwoStretches) {
  for (const int type : {ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    test::Data data = test::random_data(101, 2, type == ONE_CLASS, 5);
    const svm_problem problem = data.problem();
    const svm_parameter param = test::parameters(type, RBF);
    for (const int fold_count : {2, 5, 101}) {
      const Folds folds = folds_of(problem, param, fold_count);
      const Places place = places_in(rows_by_class_and_fold(problem, param, folds), problem);
      for (std::size_t f = 0; f < folds.size(); ++f) {
        Subset others = rows_of_others(problem, folds, f);
        EXPECT_LE(stretches(place, others.problem()), 2U) << type << ", fold " << f;
      }
    }
  }
}

}  // namespace
}  // namespace svm
