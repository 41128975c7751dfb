// Kernel row engines for a search whose kernels differ in gamma only.
#ifndef SVM_PROGRAMS_GRID_GAMMA_KERNELS_H_
#define SVM_PROGRAMS_GRID_GAMMA_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/engines/row_engine.h"
#include "kernels/engines/row_store.h"
#include "solvers/run/run.h"
#include "svm.h"

namespace svm::grid {

// Dot products in doubles, summed up as in the exact engines, so that kernel values made of them
// have the same bits.
class StoredDots {
 public:
  // The memory for all dot products of so many rows, in bytes.
  static double bytes(std::size_t rows) {
    return sizeof(double) * static_cast<double>(rows) * static_cast<double>(rows);
  }

  // The rows must outlive this object.  Throws Interrupted if `go_on` returns false.
  StoredDots(DataRows rows, std::size_t count, ThreadPool& pool, const GoOn& go_on);

  std::size_t size() const { return rows_.size(); }
  const std::vector<DataRow>& rows() const { return rows_; }
  // True if the rows have rising indices and finite values.  Otherwise row() must not be called.
  bool is_regular() const { return dots_ != nullptr; }

  // The dot products of an example with all others.
  const double* row(std::size_t example) const { return dots_.get() + example * size(); }

 private:
  const std::vector<DataRow> rows_;
  std::unique_ptr<double[]> dots_;  // null if the rows are not regular
};

// An engine for the rows of the store, which must be regular.  For Precision::kSingle, it is of
// single precision if that is accurate enough.
std::shared_ptr<const RowEngine> make_stored_dots_engine(const KernelFunction& kernel,
                                                         const std::shared_ptr<StoredDots>& dots,
                                                         Precision precision, const GoOn& go_on);

// If dot products are expensive and there is memory for all of them, they are computed once for all
// gammas. The remaining memory keeps kernel rows of the current gamma.
class GammaKernels {
 public:
  // Engines have those rows of the data set whose numbers are in `order`. `gammas` is a lower bound
  // on the number of gammas, `bytes` the memory limit. The data set must outlive this object.
  GammaKernels(const DataRows& data, std::vector<std::uint32_t> order, std::size_t gammas,
               double bytes);

  // An engine for all rows. The first call decides how the memory is used. Not thread-safe. Throws
  // as make_row_engine() does.
  std::shared_ptr<const RowEngine> engine(const svm_parameter& param, Run& run, const GoOn& go_on);

  const std::vector<std::uint32_t>& order() const { return order_; }
  // Bounds of the rows; nothing before the first call of engine(), and for precomputed kernels.
  const std::optional<RowExtent>& extent() const { return extent_; }
  // The memory for kernel rows; valid after the first call of engine().
  std::shared_ptr<RowBudget> budget() const { return budget_; }

 private:
  std::shared_ptr<StoredDots> choose_dots(const svm_parameter& param, const RowEngine& engine,
                                          Run& run, const GoOn& go_on) const;

  const std::vector<std::uint32_t> order_;
  const DataRows rows_;  // in that order
  const std::size_t gammas_;
  const double bytes_;
  std::shared_ptr<StoredDots> dots_;  // null if they are not stored
  std::shared_ptr<RowBudget> budget_;
  std::optional<RowExtent> extent_;
};

}  // namespace svm::grid

#endif  // SVM_PROGRAMS_GRID_GAMMA_KERNELS_H_
