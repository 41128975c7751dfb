// Chunking with projected conjugate gradients: agreement with smo, and memory.
#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include "tests/row_training.h"
#include "tests/solvers/dual_solver.h"
#include "tests/train_solver_cli.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::exact;
using test::RowFunction;

class Pcg : public test::DualSolver {
 protected:
  RowFunction train(Data& data, const svm_parameter& param, double negative_cost,
                    const char* solver = "pcg") {
    return DualSolver::train(solver, data, param, param.C, negative_cost);
  }
};

// 1,400 rows make several chunks.
TEST_F(Pcg, AgreesWithSmo) {
  for (const std::size_t rows : {200U, 1400U}) {
    Data data = test::random_data(rows, 3, true, 31);
    for (const int kernel : {LINEAR, RBF}) {
      for (const double cost : {0.1, 20.0}) {
        const svm_parameter param = exact(1e-4, cost, kernel);
        const RowFunction pcg = train(data, param, 2 * cost);
        const svm_result report = report_;
        EXPECT_EQ(report.status, SVM_CONVERGED) << kernel << " " << cost;
        EXPECT_LT(report.violation, param.eps);
        const RowFunction smo = train(data, param, 2 * cost, "smo");
        EXPECT_NEAR(report.objective, report_.objective, 1e-5 * std::fabs(report_.objective));
        EXPECT_NEAR(pcg.rho, smo.rho, 1e-3);
        expect_feasible(pcg, data, cost, 2 * cost);
      }
    }
  }
}

// If the matrix of a chunk takes more than half of the memory, its rows are computed each time.
TEST_F(Pcg, LittleMemory) {
  Data data = test::random_data(300, 3, true, 33);
  svm_parameter param = exact(1e-5, 10, RBF);
  const RowFunction large = train(data, param, 10);
  const double objective = report_.objective;
  const long long rows = report_.kernel_rows;
  param.cache_size = 1e-3;
  const RowFunction small = train(data, param, 10);
  EXPECT_GT(report_.kernel_rows, rows);
  EXPECT_NEAR(report_.objective, objective, 1e-7 * std::fabs(objective));
  EXPECT_NEAR(large.rho, small.rho, 1e-5);
}

class PcgCli : public test::TrainSolverCli {};

TEST_F(PcgCli, OtherTypesAreRefused) {
  const test::ProcessResult result = train({"-a", "pcg", "-s", "2", "data", "model"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(test::contains(result.err, "solver pcg supports SVM types: C-SVC; kernels: all"))
      << result.err;
  EXPECT_FALSE(folder_.exists("model"));
}

}  // namespace
}  // namespace svm
