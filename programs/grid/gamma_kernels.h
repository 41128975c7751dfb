// Kernel row engines for a search whose kernels differ in gamma only.
#ifndef SVM_PROGRAMS_GRID_GAMMA_KERNELS_H_
#define SVM_PROGRAMS_GRID_GAMMA_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "kernels/engines/row_store.h"
#include "programs/grid/stored_dots.h"
#include "solvers/run/run.h"
#include "svm.h"

namespace svm::grid {

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
};

}  // namespace svm::grid

#endif  // SVM_PROGRAMS_GRID_GAMMA_KERNELS_H_
