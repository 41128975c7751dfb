// The problems of svm-net: random ones that are large enough for two levels (solvers/two_level).
#ifndef SVM_TESTS_SWEEP_NET_CASES_H_
#define SVM_TESTS_SWEEP_NET_CASES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "svm.h"
#include "tests/training_data.h"
#include "tests/view.h"

namespace svm::test {

// A problem, which is a function of its number.
class NetCase {
 public:
  explicit NetCase(std::uint64_t number);
  NetCase(const NetCase&) = delete;
  NetCase& operator=(const NetCase&) = delete;

  std::uint64_t number = 0;
  const char* solver = "csmo";
  const char* rows_kind = "";
  Data rows;                   // without zeros, unless the kernel is precomputed
  std::size_t different = 0;   // at most so many different rows
  std::size_t most_nodes = 0;  // most nodes of a row
  svm_parameter param{};
  std::vector<double> row_weights;  // empty: all are 1
  // Parameters of the model from which training starts; none: it starts from nothing.
  std::optional<svm_parameter> start;
  std::optional<Layout> layout;  // nothing: svm_nodes
  bool checks_threads = false;   // trains on 2 and 3 threads as well
  int folds = 0;                 // 0: no cross validation

  const double* given_weights() const { return row_weights.empty() ? nullptr : row_weights.data(); }
  bool has_classes() const { return param.svm_type == C_SVC || param.svm_type == NU_SVC; }
  // Commands of svm-train that train on these rows in a file of this name, with weights and the
  // start in files of the same name and an ending.
  std::vector<std::string> commands(const std::string& file) const;
  // Describes the problem in one line.
  std::string text() const;

 private:
  int class_labels_[2] = {};
  double class_weights_[2] = {};
};

}  // namespace svm::test

#endif  // SVM_TESTS_SWEEP_NET_CASES_H_
