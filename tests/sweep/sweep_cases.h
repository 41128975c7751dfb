// The cases of svm-sweep.
#ifndef SVM_TESTS_SWEEP_SWEEP_CASES_H_
#define SVM_TESTS_SWEEP_SWEEP_CASES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/certificate_checker.h"
#include "tests/training_data.h"

namespace svm::test {

// A solver with options, and the types and kernels that it takes.
struct SolverCase {
  const char* name;
  Objective objective;
  std::vector<int> types, kernels;
  double bias = 0;
  int fixed_threshold = 0;
};

struct Case {
  std::uint64_t number;
  SolverCase solver;
  int type, kernel, shrinking;
  std::size_t threads, set;
  double scale, cost;
  // Not part of the product; they vary from case to case.
  bool gamma_fits, weighted;
  double eps, nu, tube, targets, coef0;
  bool has_row_weights;

  std::string text() const;
};

// The product of solvers, types, kernels, data sets, scales, costs, shrinking or not, and one
// thread or two.
class Cases {
 public:
  Cases();
  std::uint64_t size() const;
  Case at(std::uint64_t number) const;

 private:
  struct Machine {
    std::size_t solver;
    int type, kernel;
  };
  const std::vector<SolverCase> solvers_;
  std::vector<Machine> machines_;
};

// With `classes`, labels are +1 and -1, or 0 to 3 in the last set; else targets are near a function
// of the rows.
Data make_set(std::size_t which, double scale, bool classes);

// Weights of rows: some are 0, most are different.
std::vector<double> make_row_weights(std::uint64_t seed, std::size_t rows);

}  // namespace svm::test

#endif  // SVM_TESTS_SWEEP_SWEEP_CASES_H_
