// Sums of kernel values over the rows of a class, which the folds of a cross validation share.
#ifndef SVM_PROGRAMS_GRID_CLASS_SUMS_H_
#define SVM_PROGRAMS_GRID_CLASS_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "kernels/engines/row_store.h"
#include "solvers/run/run.h"
#include "training/problem.h"

namespace svm {

// The sums over all rows of a class are computed once.  Those of a training set are these without
// the rows of its fold.  Thread-safe.
class ClassSums {
 public:
  // Both must outlive this object.
  ClassSums(const Problem& problem, RowStore<float>& rows);

  // sums[k] += factor times the sum over t of K(t, row k of `training_set`), for the rows t of the
  // problem that have this class label and are not among `held_out`.  Rows are told by their
  // numbers in the data set.  Returns false if the run was stopped.
  bool add(int label, double factor, const std::vector<std::uint32_t>& held_out,
           const Problem& training_set, Run& run, std::vector<double>& sums);

 private:
  using Places = std::vector<std::uint32_t>;  // of rows in the problem
  const std::vector<double>* of_all(int label, Run& run);

  const Problem& problem_;
  const RowStore<float>& rows_;
  const std::unique_ptr<RowEngine> engine_;  // its examples are the rows of the problem
  Places place_of_example_;                  // of the examples of rows_
  std::mutex mutex_;
  std::map<int, std::vector<double>> of_all_;  // by label; with a sum for each row
};

}  // namespace svm

#endif  // SVM_PROGRAMS_GRID_CLASS_SUMS_H_
