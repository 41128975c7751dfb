// Kernel rows of a small problem that is solved several times.
#ifndef SVM_KERNELS_ENGINES_NEAR_ROWS_H_
#define SVM_KERNELS_ENGINES_NEAR_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/engines/kept_rows.h"
#include "kernels/engines/part_engine.h"
#include "kernels/engines/whole_rows.h"

namespace svm {

// Keeps whole rows of another engine, in the order of the examples.  Threads can share it.
class NearRows final : public NumberedEngine {
 public:
  // Up to so many examples, all rows stay in a processor's cache.
  static constexpr std::size_t kMostExamples = 256;

  NearRows(std::shared_ptr<const RowEngine> engine, std::size_t examples);

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override;
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const override;
  // Not kept.
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override;
  void prefetch(std::size_t /*example*/) const override {}

 private:
  struct Columns;

  // The row over all examples, computed into `own`.
  template <typename Value>
  const Value* compute_whole(std::size_t example, std::vector<Value>& own) const;
  template <typename Value>
  static void pick(const Columns& columns, const Value* row, std::size_t from, std::size_t to,
                   Value* out);

  const std::shared_ptr<const RowEngine> whole_;  // engine(), kept alive
  const WholeRows all_;
  mutable KeptRows<float> kept_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_NEAR_ROWS_H_
