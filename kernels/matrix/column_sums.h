// Fused sums over columns that are packed once for several sums.
#ifndef SVM_KERNELS_MATRIX_COLUMN_SUMS_H_
#define SVM_KERNELS_MATRIX_COLUMN_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/threads/go_on.h"
#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"

namespace svm {

class ColumnSums {
 public:
  // `columns` are examples of the engine, which must outlive this.  Values are those of
  // RowEngine::add_precise_sums in double precision, else those of add_sums.
  ColumnSums(const RowEngine& engine, std::vector<std::uint32_t> columns, Precision precision);

  // Adds the sum over r of factors[r] K(rows[r], columns[k]) to sums[k].  The bits do not depend on
  // the threads.  Returns false if `poll`, asked every few milliseconds, ended it early; the sums
  // are then unfinished.
  bool add(const std::vector<std::uint32_t>& rows, const std::vector<double>& factors,
           ThreadPool& pool, const GoOn& poll, double* sums);

  const std::vector<std::uint32_t>& columns() const { return columns_; }

 private:
  const RowEngine& engine_;
  const std::vector<std::uint32_t> columns_;
  const Precision precision_;
  const std::size_t width_;                             // columns per part
  std::vector<std::unique_ptr<PackedColumns>> packed_;  // the parts; made when first needed
};

}  // namespace svm

#endif  // SVM_KERNELS_MATRIX_COLUMN_SUMS_H_
