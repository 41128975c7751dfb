// The Nystrom embedding: vectors whose dot products approximate the kernel.
#ifndef SVM_SOLVERS_ROWS_NYSTROM_H_
#define SVM_SOLVERS_ROWS_NYSTROM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/engines/row_engine.h"
#include "solvers/math/draws.h"
#include "solvers/rows/row_solvers.h"

namespace svm {

// With landmarks c_1 ... c_m drawn from the rows, and K + ridge = R R' for their kernel matrix K, a
// row x is embedded as z = R^-1 (K(c_1, x), ..., K(c_m, x)), in floats.  A function w'z is
// sum_s b_s K(c_s, x) with b = R^-T w.  Immutable, so that threads can share it.
class NystromEmbedding {
 public:
  // `landmarks` are distinct rows of the problem, which must outlive this.  Uses the pool of `run`.
  // Throws std::runtime_error if the landmarks' matrix is not positive definite even with the
  // largest ridge, and Interrupted if `go_on` returns false.
  NystromEmbedding(const ExampleProblem& problem, std::vector<std::uint32_t> landmarks,
                   const Run& run, const GoOn& go_on = nullptr);

  // The floats of an embedded row; those after the last landmark are 0.
  std::size_t stride() const { return stride_; }
  // The mean of K(c, c) over the landmarks.
  double mean_diagonal() const { return mean_diagonal_; }

  // Embeds the problem's rows with the numbers rows[0, count) into `out`, which must have room for
  // `count` rows, rounded up to a multiple of kTileRows.
  void embed(const std::uint32_t* rows, std::size_t count, float* out) const;

  // b as coefficients of the rows of the problem, which are 0 except for landmarks.
  std::vector<double> coefficients(const std::vector<double>& w) const;

 private:
  void factor(const GoOn& go_on);
  const float* tile(std::size_t number) const {
    return tiles_.data() + kTileColumns * kTileColumns * (number * (number + 1) / 2);
  }

  const std::size_t size_;    // rows of the problem
  const std::size_t stride_;  // number of landmarks, rounded up
  const std::vector<std::uint32_t> landmarks_;
  const std::unique_ptr<RowEngine> engine_;
  std::unique_ptr<PackedColumns> columns_;  // the landmarks
  const Loops& loops_;
  ThreadPool& pool_;
  double mean_diagonal_ = 0;
  // R^-1 in tiles of kTileColumns rows i: (j, i) for j up to the tile's last i, 0 for j > i.
  std::vector<float> tiles_;
};

// `count` distinct row numbers below `size`, uniformly drawn, ascending.  All if there are fewer.
std::vector<std::uint32_t> uniform_landmarks(std::size_t size, std::size_t count, Draws& draws);

}  // namespace svm

#endif  // SVM_SOLVERS_ROWS_NYSTROM_H_
