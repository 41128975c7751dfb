// Kernel rows of the class pairs of a one-vs-one training, whose values are computed once each.
#ifndef SVM_KERNELS_ENGINES_PAIR_ROWS_H_
#define SVM_KERNELS_ENGINES_PAIR_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/threads/go_on.h"
#include "base/threads/primitives.h"
#include "kernels/engines/row_engine.h"

namespace svm {

// The rows of pair (a, b) consist of the values within class a, within class b, and between both.
// Values within a class are kept for all of its pairs.  Values between classes belong to one pair
// each; they are computed for class a and a group of the classes b at a time, so that an engine of
// sparse rows passes over many columns, and dropped when the group's last pair has taken them.
// Thread-safe: threads that want the same values compute them together.
class PairRows {
 public:
  // Class c has the examples order[start[c]] ... order[start[c + 1] - 1] of the engine, whose
  // values must be symmetric.  The engine must outlive this.
  PairRows(const RowEngine& engine, std::vector<std::uint32_t> order,
           std::vector<std::size_t> start);

  // The bytes of the values that are held at a time, if pairs are trained in their order.
  std::size_t bytes() const;

  // Sets rows[i][j] to the kernel value of the pair's examples order[i] and order[j], rounded to
  // float: those of class a come first, and `order` has each once.  Requires a < b.  Returns false
  // if `poll` ended it early; some rows are then not set.
  bool fill(std::size_t a, std::size_t b, const GoOn& poll, const std::vector<std::uint32_t>& order,
            float* const* rows);
  // To be called once for each pair, when its training is over.
  void release(std::size_t a, std::size_t b);

 private:
  // Values of the rows of one class, computed in parts by the threads that want them.
  struct Block {
    std::vector<float*> rows;  // into `values`
    std::unique_ptr<float[]> values;
    std::unique_ptr<PackedColumns> columns;  // of a square, until it is computed
    JoinedLoop loop;

    Block(std::size_t count, std::size_t width);
  };
  struct Between {
    std::shared_ptr<Block> block;  // null before and after its use
    std::size_t pairs_released = 0;
  };
  struct Square {
    OnceFlag once, finished;
    std::unique_ptr<Block> block;
  };
  // Consecutive classes, whose columns are packed from the last class to the first, so that the
  // classes after any one of them come first.
  struct Group {
    std::size_t first, last;  // classes
    std::vector<std::uint32_t> examples;
    std::unique_ptr<PackedColumns> columns;
  };

  std::size_t count(std::size_t c) const { return start_[c + 1] - start_[c]; }
  const std::uint32_t* examples_of(std::size_t c) const { return order_.data() + start_[c]; }
  // The number of the group's columns that belong to classes after class a.
  std::size_t columns_after(const Group& group, std::size_t a) const;
  Block& within(std::size_t c);
  std::shared_ptr<Block> between(std::size_t a, std::size_t group);

  const RowEngine& engine_;
  const std::vector<std::uint32_t> order_;
  const std::vector<std::size_t> start_;
  std::vector<std::size_t> group_of_;  // each class
  std::vector<Group> groups_;
  Mutex mutex_;
  std::vector<Square> within_;                 // of each class
  std::vector<std::vector<Between>> between_;  // of each class and group
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_PAIR_ROWS_H_
