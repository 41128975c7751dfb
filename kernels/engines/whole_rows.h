// Rows of an engine over all of its examples.
#ifndef SVM_KERNELS_ENGINES_WHOLE_ROWS_H_
#define SVM_KERNELS_ENGINES_WHOLE_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "kernels/engines/row_engine.h"

namespace svm {

// Packs all examples, in parts of the engine's width, once.  Constant, so that threads can share
// it.
class WholeRows {
 public:
  WholeRows() = default;
  // The engine has `count` examples.  Throws Interrupted where `go_on` says so.
  WholeRows(const RowEngine& engine, std::size_t count, const GoOn& go_on) : count_(count) {
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0U);
    const std::size_t width = engine.pack_width();
    for (std::size_t begin = 0; begin < count; begin += width) {
      if (begin > 0) go_on_or_throw(go_on);
      parts_.push_back(engine.pack(all.data() + begin, std::min(width, count - begin), nullptr));
    }
  }

  bool empty() const { return parts_.empty(); }

  // By the engine that packed them.
  template <typename Value>
  void compute(const RowEngine& engine, std::size_t example, Value* out) const {
    const std::size_t width = engine.pack_width();
    for (std::size_t begin = 0; begin < count_; begin += width) {
      engine.compute(example, *parts_[begin / width], 0, std::min(width, count_ - begin),
                     out + begin);
    }
  }

 private:
  std::size_t count_ = 0;
  std::vector<std::unique_ptr<PackedColumns>> parts_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_WHOLE_ROWS_H_
