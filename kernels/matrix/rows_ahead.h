// Rows of a small matrix that idle threads compute before they are wanted.
#ifndef SVM_KERNELS_MATRIX_ROWS_AHEAD_H_
#define SVM_KERNELS_MATRIX_ROWS_AHEAD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"
#include "kernels/matrix/row_cache.h"

namespace svm {

class RowsAhead final : public IdleWork {
 public:
  // Computes the rows of the examples order[0], order[1] ... over `columns`; both have all of the
  // engine's examples.  Engine, memory and pool must outlive this.
  RowsAhead(const RowEngine& engine, std::vector<std::uint32_t> columns,
            std::vector<std::uint32_t> order, RowMemory<float>& memory, ThreadPool& pool);
  RowsAhead(const RowsAhead&) = delete;
  RowsAhead& operator=(const RowsAhead&) = delete;
  ~RowsAhead() override;

  // The row of an example if it is finished, else null; then it will not be computed, unless that
  // has begun.  The row stays valid as long as the memory.
  float* take(std::size_t example);

  bool step() noexcept override;

 private:
  enum State : std::uint8_t { kWanted, kTaken, kFinished };
  enum Packing : std::uint8_t { kNotPacked, kBegun, kPacked };

  bool claim(std::size_t example);
  bool pack();
  void compute_some();

  const RowEngine& engine_;
  const std::vector<std::uint32_t> columns_, order_;
  ThreadPool& pool_;
  bool is_offered_ = false;
  std::vector<float*> rows_;  // memory of each example's row
  std::vector<std::atomic<std::uint8_t>> state_;
  std::atomic<std::uint8_t> packing_{kNotPacked};
  std::unique_ptr<PackedColumns> packed_;
  std::atomic<std::size_t> next_{0};  // place in order_
};

}  // namespace svm

#endif  // SVM_KERNELS_MATRIX_ROWS_AHEAD_H_
