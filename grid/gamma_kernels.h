// Engines for the kernels of a search, which differ in gamma only.
#ifndef SVM_GRID_GAMMA_KERNELS_H_
#define SVM_GRID_GAMMA_KERNELS_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/engines/kept_rows.h"
#include "kernels/engines/row_engine.h"
#include "kernels/engines/stored_dots.h"
#include "solvers/run/run.h"
#include "svm.h"

namespace svm::grid {

// Where dot products are dear and there is room for all of them, they are computed once for all
// gammas.  Kernel rows are kept, for a gamma, in what is left of the memory.
class GammaKernels {
 public:
  // `gammas` says how many there will be, at least; `bytes` bounds the memory.  The rows must
  // outlive this.
  GammaKernels(std::vector<DataRow> rows, std::size_t gammas, double bytes);

  // An engine for all rows.  The first one decides what the memory is for.  Not for two threads at
  // once.  Throws as make_row_engine().
  std::shared_ptr<const RowEngine> engine(const svm_parameter& param, Run& run, const GoOn& go_on);

  const std::vector<DataRow>& rows() const { return rows_; }
  // For kernel rows; valid from the first engine on.
  std::shared_ptr<RowBudget> budget() const { return budget_; }

 private:
  std::shared_ptr<StoredDots> choose_dots(const svm_parameter& param, const RowEngine& engine,
                                          Run& run, const GoOn& go_on) const;

  const std::vector<DataRow> rows_;
  const std::size_t gammas_;
  const double bytes_;
  std::shared_ptr<StoredDots> dots_;  // null where they are not stored
  std::shared_ptr<RowBudget> budget_;
};

}  // namespace svm::grid

#endif  // SVM_GRID_GAMMA_KERNELS_H_
