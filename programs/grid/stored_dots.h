// Stores the dot products of all pairs of rows for kernels of all gammas.
#ifndef SVM_PROGRAMS_GRID_STORED_DOTS_H_
#define SVM_PROGRAMS_GRID_STORED_DOTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/engines/row_engine.h"
#include "kernels/engines/row_store.h"

namespace svm {

// Dot products in doubles, summed up as in the exact engines, so that kernel values made of them
// have the same bits.  A row is computed when it is first asked for.  Thread-safe.
class StoredDots {
 public:
  // The memory for all dot products of so many rows, in bytes.
  static double bytes(std::size_t rows) {
    return sizeof(double) * static_cast<double>(rows) * static_cast<double>(rows);
  }

  // The rows must outlive this object.  Throws Interrupted if `go_on` returns false.
  StoredDots(DataRows rows, std::size_t count, const GoOn& go_on);

  std::size_t size() const { return rows_.size(); }
  const std::vector<DataRow>& rows() const { return rows_; }
  // True if the rows have rising indices and finite values.  Otherwise row() must not be called.
  bool is_regular() const { return dots_ != nullptr; }

  // The dot products of an example with all others.  Throws std::bad_alloc.
  const double* row(std::size_t example) { return dots_->row_in_any_case(example); }

 private:
  const std::vector<DataRow> rows_;
  std::unique_ptr<RowStore<double>> dots_;  // null if the rows are not regular
};

// An engine for the rows of the store, which must be regular.  For Precision::kSingle, it is of
// single precision if that is accurate enough.
std::shared_ptr<const RowEngine> make_stored_dots_engine(const KernelFunction& kernel,
                                                         std::shared_ptr<StoredDots> dots,
                                                         Precision precision, const GoOn& go_on);

}  // namespace svm

#endif  // SVM_PROGRAMS_GRID_STORED_DOTS_H_
