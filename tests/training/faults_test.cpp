// Whatever throws in a task, and wherever, ends the call with what it throws.
#include "tests/faults.h"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "solvers/registry.h"
#include "tests/training_data.h"
#include "training/cross_validation.h"
#include "training/forest/train_forest.h"
#include "training/tasks.h"
#include "training/train.h"

namespace svm {
namespace {

using test::Data;
using test::Fault;
using test::Faults;
using test::Place;

// A kind of tasks, and the places that they visit.
struct Kind {
  const char* name;
  std::vector<Place> places;
  test::Call call;
};

ForestPlan small_forest(Faults& faults) {
  ForestPlan plan;
  plan.cell = 60;
  plan.trees = 2;
  plan.on_cell = [&faults](const Problem&, const svm_parameter&, const svm_model&) {
    faults.visit(Place::kOwn);
  };
  return plan;
}

class TaskFaults : public testing::Test {
 protected:
  TaskFaults() : data_(test::four_classes(300, 5)), problem_(data_.problem()) {}

  svm_parameter parameters(int svm_type, int probability) const {
    svm_parameter param = test::parameters(svm_type, RBF);
    param.C = 10;
    param.probability = probability;
    return param;
  }

  // A call with parameters of its own, by a solver, which warns as it may do few iterations only.
  template <typename Work>
  test::Call call(int svm_type, int probability, const Work& work) {
    return [this, param = parameters(svm_type, probability), work](svm::Run& run, Faults& faults) {
      run.options.entry = find_solver("csmo");
      run.options.max_iter = 10;
      work(problem_, param, run, faults);
    };
  }

  Data data_;
  svm_problem problem_;
};

TEST_F(TaskFaults, EndTheCall) {
  const auto training = [](const svm_problem& problem, const svm_parameter& param, svm::Run& run,
                           Faults&) { train(problem, param, run); };
  const auto validation = [](const svm_problem& problem, const svm_parameter& param, svm::Run& run,
                             Faults&) { cross_validate(problem, param, 3, run); };
  const auto forest = [](const svm_problem& problem, const svm_parameter& param, svm::Run& run,
                         Faults& faults) {
    RowSource source{Problem(problem)};
    train_forest(source, param, small_forest(faults), run);
  };
  const auto forest_validation = [](const svm_problem& problem, const svm_parameter& param,
                                    svm::Run& run, Faults& faults) {
    cross_validate_forest(problem, param, small_forest(faults), 2, run);
  };
  const std::vector<Place> all = {Place::kSolver, Place::kProgress, Place::kMessage,
                                  Place::kWarning};
  std::vector<Place> of_forest = all;
  of_forest.push_back(Place::kOwn);
  const std::vector<Kind> kinds = {
      {"pairs", all, call(C_SVC, 0, training)},
      {"pairs and sigmoids", all, call(C_SVC, 1, training)},
      {"folds of a regression's error", all, call(EPSILON_SVR, 1, training)},
      {"folds", all, call(C_SVC, 0, validation)},
      {"folds, pairs and sigmoids", all, call(C_SVC, 1, validation)},
      {"cells", of_forest, call(C_SVC, 0, forest)},
      {"cells and sigmoids", of_forest, call(C_SVC, 1, forest)},
      {"folds of cells", of_forest, call(EPSILON_SVR, 0, forest_validation)},
  };
  for (const Kind& kind : kinds) {
    for (const Place place : kind.places) {
      for (const unsigned threads : {1U, 2U, 5U}) {
        SCOPED_TRACE(testing::Message() << kind.name << ", place " << static_cast<int>(place)
                                        << ", threads " << threads);
        EXPECT_TRUE(test::throws_at(place, threads, kind.call)) << "the place is not visited";
      }
    }
  }
}

// A task that waits for another one polls, and so it ends with the other one.
TEST_F(TaskFaults, EndWaitsOfLaterTasks) {
  for (const bool is_within : {false, true}) {
    for (const unsigned threads : {2U, 5U}) {
      const auto wait = [](svm::Run& run) {
        EXPECT_TRUE(test::comes_true([&] { return !run.poll(); }));
        EXPECT_EQ(run.interruption(), SVM_CANCELLED);
        return false;
      };
      EXPECT_TRUE(test::has_fault(Place::kOwn, 1, threads, [&](svm::Run& whole, Faults& faults) {
        whole.services.progress = nullptr;
        run_tasks(whole, 2, no_shuffles, [&](std::size_t task, svm::Run& run) {
          if (task == 0) {
            faults.visit(Place::kOwn);
          } else if (is_within) {
            run_tasks(run, 2, no_shuffles,
                      [&](std::size_t, svm::Run& inner) { return wait(inner); });
          } else {
            return wait(run);
          }
          return true;
        });
      }));
    }
  }
}

}  // namespace
}  // namespace svm
