// Whatever throws in a search, and wherever, ends the search with what it throws.
#include "tests/faults.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "programs/grid/adaptive.h"
#include "programs/grid/cells.h"
#include "programs/grid/search.h"
#include "solvers/registry.h"
#include "tests/training_data.h"

namespace svm::grid {
namespace {

using test::Data;
using test::Faults;
using test::Place;

// Each point of a gamma of so many rows is evaluated by itself, and waits for the point before it.
constexpr std::size_t kManyRows = 20100;

Plan plan_of(std::size_t gammas) {
  Plan plan;
  plan.c = {0, 1, 2};
  plan.g.clear();
  for (std::size_t k = 0; k < gammas; ++k) plan.g.push_back(-static_cast<double>(k));
  for (const double g : plan.g) {
    for (const double c : plan.c) plan.points.push_back({c, g});
  }
  return plan;
}

enum class Way { kAll, kJudged, kEstimates, kCells };

class SearchFaults : public testing::Test {
 protected:
  static test::Call call(const svm_problem& problem, const svm_parameter& param, Way way,
                         long long iterations) {
    return [=](svm::Run& run, Faults& faults) {
      run.options.entry = find_solver("csmo");
      run.options.max_iter = iterations;
      SearchSpecification specification{Problem(problem), param, {}, 2, false};
      specification.param.probability = way == Way::kEstimates ? 1 : 0;
      const Plan plan = plan_of(2);
      Adaptive judge(problem.y, static_cast<std::size_t>(problem.l), 2, {false},
                     {[] { return std::optional<double>(); },
                      [&](const Point&, const std::string&) { faults.visit(Place::kOwn); }});
      judge.begin(plan);
      const auto finished = [&](const Point&, const std::vector<double>&) {
        faults.visit(Place::kOwn);
      };
      const auto evaluate = [&](auto&& search) {
        search.evaluate(plan.points, finished, way == Way::kJudged ? &judge : nullptr);
      };
      way == Way::kCells ? evaluate(CellSearch(specification, 100, run))
                         : evaluate(Search(specification, run));
    };
  }
};

TEST_F(SearchFaults, EndSmallSearches) {
  Data data = test::four_classes(300, 5);
  const svm_problem problem = data.problem();
  for (const Way way : {Way::kAll, Way::kJudged, Way::kEstimates, Way::kCells}) {
    const test::Call some = call(problem, test::parameters(C_SVC, RBF), way, 10);
    for (const Place place :
         {Place::kSolver, Place::kProgress, Place::kMessage, Place::kWarning, Place::kOwn}) {
      for (const unsigned threads : {1U, 5U}) {
        SCOPED_TRACE(testing::Message() << "way " << static_cast<int>(way) << ", place "
                                        << static_cast<int>(place) << ", threads " << threads);
        EXPECT_TRUE(test::throws_at(place, threads, some)) << "the place is not visited";
      }
    }
  }
}

TEST_F(SearchFaults, EndSearchesWhosePointsWait) {
  Data data = test::random_data(kManyRows, 2, true, 7);
  const svm_problem problem = data.problem();
  const test::Call some = call(problem, test::parameters(C_SVC, RBF), Way::kAll, 200);
  for (const Place place : {Place::kSolver, Place::kProgress, Place::kPoll, Place::kMessage,
                            Place::kWarning, Place::kOwn}) {
    for (const int visit : {1, 3}) {
      SCOPED_TRACE(testing::Message() << "place " << static_cast<int>(place) << ", " << visit);
      // Polls are as many as seconds pass, so only the first one is certain.
      EXPECT_TRUE(test::has_fault(place, visit, 6, some) || (place == Place::kPoll && visit > 1))
          << "the place is not visited";
    }
  }
}

// The library's own failure of a training: kernel values beyond the range of numbers.
TEST_F(SearchFaults, OfTrainingsEndSearchesWhosePointsWait) {
  Data data = test::random_data(kManyRows, 2, true, 7);
  const svm_problem problem = data.problem();
  problem.x[kManyRows / 2]->value = 1e120;
  svm_parameter param = test::parameters(C_SVC, POLY);
  const test::Call some = call(problem, param, Way::kAll, 5);
  EXPECT_TRUE(test::has_fault(Place::kOwn, 1, 6, [&](svm::Run& run, Faults& faults) {
    Faults none(Place::kOwn, 0);
    try {
      some(run, none);
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("beyond the range"), std::string::npos)
          << error.what();
      faults.visit(Place::kOwn);
    }
  }));
}

}  // namespace
}  // namespace svm::grid
