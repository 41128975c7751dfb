// Dot products of all pairs of rows, once for kernels of all gammas.
#ifndef SVM_GRID_STORED_DOTS_H_
#define SVM_GRID_STORED_DOTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/engines/row_engine.h"
#include "kernels/engines/row_store.h"

namespace svm {

// In doubles, as the exact engines sum them up, so that kernel values made of them have all bits.
// A row is made when it is first asked for.  Threads can share it.
class StoredDots {
 public:
  // Of all rows: so much is taken of the memory.
  static double bytes(std::size_t rows) {
    return sizeof(double) * static_cast<double>(rows) * static_cast<double>(rows);
  }

  // The rows must outlive this.  Throws Interrupted where `go_on` says so.
  StoredDots(DataRows rows, std::size_t count, const GoOn& go_on);

  std::size_t size() const { return rows_.size(); }
  const std::vector<DataRow>& rows() const { return rows_; }
  // Do the rows have rising indices and finite values?  Others cannot be served.
  bool is_regular() const { return dots_ != nullptr; }

  // Dots of an example with all.  Throws std::bad_alloc.
  const double* row(std::size_t example) { return dots_->row_in_any_case(example); }

 private:
  const std::vector<DataRow> rows_;
  std::unique_ptr<RowStore<double>> dots_;  // null if rows are not regular
};

// An engine for the rows of the store, which must be regular; of single precision where that is
// asked for and serves.
std::shared_ptr<const RowEngine> make_stored_dots_engine(const KernelFunction& kernel,
                                                         std::shared_ptr<StoredDots> dots,
                                                         bool single, const GoOn& go_on);

}  // namespace svm

#endif  // SVM_GRID_STORED_DOTS_H_
