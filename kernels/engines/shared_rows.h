// One data set, many trainings on parts of it: class pairs, folds, costs.
#ifndef SVM_KERNELS_ENGINES_SHARED_ROWS_H_
#define SVM_KERNELS_ENGINES_SHARED_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/engines/kept_rows.h"
#include "kernels/engines/row_engine.h"
#include "kernels/engines/whole_rows.h"
#include "threads/primitives.h"

namespace svm {

// The examples are read once, and kernel rows over the whole data set are computed once, as far as
// the memory allows.  Engines over parts of the data pick their values from these rows, and
// compute those that are not kept.  Threads can share it.
class SharedRows {
 public:
  // `engine` is one for all rows.  `bytes` bounds the rows kept.  The rows must outlive this, and
  // this the engines it gives.  Throws Interrupted where `go_on` says so.
  SharedRows(std::shared_ptr<const RowEngine> engine, DataRows rows, std::size_t count,
             std::size_t bytes, const GoOn& go_on = nullptr);
  SharedRows(std::shared_ptr<const RowEngine> engine, DataRows rows, std::size_t count,
             std::shared_ptr<RowBudget> budget, const GoOn& go_on = nullptr);

  // An engine for some of the rows, told by their addresses.  Throws Interrupted where `go_on` says
  // so.
  std::unique_ptr<RowEngine> engine(DataRows rows, std::size_t count, const GoOn& go_on = nullptr);

  // Memory that the rows kept may come to take, and what else is taken of the same budget.
  std::size_t bytes() const { return kept_.budget().total(); }

  // Else values are cheaper to compute than to fetch.
  static bool are_worth_keeping(const RowEngine& engine);

 private:
  class PartEngine;
  struct Columns;

  // The row over the whole data set; null where it is not kept, or not yet.
  const float* whole_row(std::uint32_t example);

  const std::shared_ptr<const RowEngine> engine_;
  std::unordered_map<const void*, std::uint32_t> number_;  // of each row
  WholeRows whole_;                                        // empty where none are kept
  KeptRows<float> kept_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_SHARED_ROWS_H_
