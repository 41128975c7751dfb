// Examples as bytes, whose dot products are exact in any order.
#ifndef SVM_KERNELS_ENGINES_BYTE_STORE_H_
#define SVM_KERNELS_ENGINES_BYTE_STORE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/precise_sums.h"
#include "kernels/examples.h"
#include "kernels/kernel_function.h"
#include "simd/loops.h"

namespace svm {

// A byte b stands for the value least + unit * b.  Absent values are 0, so `least` is a negative
// multiple of the unit, or 0.
struct ByteLayout {
  bool fits = false;  // if not, the rest is not set
  double unit = 1;
  double least = 0;
  double rounding = 0;                // estimated error of a kernel value in single precision
  std::vector<std::uint32_t> places;  // of each feature that occurs
  std::size_t used = 0;               // number of places
  std::size_t groups = 0;             // of four places; each group is a word
  double cost = 0;                    // of one value, roughly, in nanoseconds

  double bytes() const { return 4.0 * static_cast<double>(groups); }  // of an example
};

// Fits if all values are whole numbers, with 256 different ones at most between the least and the
// largest of them and 0.
ByteLayout whole_number_layout(const Examples& examples);

// Fits if all values are 0 to 255 times one number, which is 1 or a 255th of the largest value, but
// for what floats would round away.
ByteLayout single_byte_layout(const KernelFunction& kernel, const Examples& examples);

// Columns of a ByteStore.
struct ByteColumns {
  AlignedVector<std::uint32_t> words;  // (block, group, column), of bytes less 128
  AlignedVector<std::int32_t> norms;   // sums of squared bytes; if the store has norms
};

// Bytes of examples, a place for every feature that occurs.
class ByteStore {
 public:
  // If `has_norms` is true, columns have norms, and the offsets of rows are for squared distances.
  ByteStore(const Examples& examples, const ByteLayout& layout, bool has_norms);

  std::size_t groups() const { return groups_; }
  std::size_t used() const { return used_; }
  // Places in a row's words; those behind the used ones stand for 0.
  std::size_t places() const { return 4 * groups_; }
  double value(std::uint32_t byte) const { return least_ + unit_ * byte; }
  // Four bytes that stand for 0.
  std::uint32_t absent_word() const { return absent_word_; }
  const std::uint32_t* words(std::size_t example) const {
    return words_.data() + example * groups_;
  }
  std::int32_t sum_of_bytes(std::size_t example) const { return sums_of(example).bytes; }
  void prefetch(std::size_t example) const;

  void resize(ByteColumns& columns, std::size_t blocks) const;
  void set_column(ByteColumns& columns, std::size_t column, std::size_t example) const;
  ByteBlocks blocks_from(const ByteColumns& columns, std::size_t first_block) const;

  // Rows that pass over columns together.
  class Rows {
   public:
    ByteRows view() const {
      return {begin_.data(), groups_.data(), words_.data(), offsets_.data()};
    }

   private:
    friend class ByteStore;
    std::vector<std::uint32_t> begin_, groups_, words_;
    std::vector<std::int32_t> offsets_;
  };
  void fill(Rows& rows, const std::uint32_t* examples, std::size_t count) const;

 private:
  struct Sums {
    std::int32_t bytes = 0, squares = 0;
  };
  Sums sums_of(std::size_t example) const;

  bool has_norms_;
  double unit_, least_;
  std::size_t used_, groups_;
  std::uint32_t absent_word_ = 0;
  AlignedVector<std::uint32_t> words_;  // (example, group), four bytes each
};

// Gives the values of a store, which must outlive it, with a place for every feature.
class ByteUnpacker final : public Unpacker {
 public:
  ByteUnpacker(const ByteStore& store, const Examples& examples)
      : store_(store), examples_(examples) {}

  std::size_t places() const override { return store_.used(); }
  std::size_t words() const override { return 0; }
  double mark_value() const override { return 0; }
  double unpack(std::uint32_t example, const Target& target) const override;
  void prefetch(std::uint32_t example) const override { store_.prefetch(example); }

 private:
  const ByteStore& store_;
  const Examples& examples_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_BYTE_STORE_H_
