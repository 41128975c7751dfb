// A symmetric matrix of floats in half of its memory.
#ifndef SVM_KERNELS_ENGINES_PACKED_TRIANGLE_H_
#define SVM_KERNELS_ENGINES_PACKED_TRIANGLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>

namespace svm {

// Holds the values (i, j) with j <= i in blocks of 4 by 4, which are a cache line each, so that a
// row passes few lines of the blocks that it crosses as a column.
class PackedTriangle {
 public:
  // The memory for a matrix of `count` rows, in bytes.
  static std::size_t bytes(std::size_t count);

  // All values are to be set.  Throws std::bad_alloc.
  explicit PackedTriangle(std::size_t count);

  // Sets the values (begin + r, j) = rows[r][j], for begin + r < end and j <= begin + r.  `begin`
  // is a multiple of 4; threads may set different rows at the same time.
  void set_rows(std::size_t begin, std::size_t end, const float* const* rows);

  // out[k] = value (row, columns[k]), for k < count.
  void copy(std::size_t row, const std::uint32_t* columns, std::size_t count, float* out) const;

 private:
  static constexpr std::size_t kSide = 4, kBlock = kSide * kSide;

  // The first value of block row `band`, whose blocks are those of columns 0 to 4 band.
  static std::size_t start(std::size_t band) { return kBlock * (band * (band + 1) / 2); }

  static bool is_block(const std::uint32_t* columns, std::size_t k, std::size_t count);

  std::unique_ptr<float[]> values_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_PACKED_TRIANGLE_H_
