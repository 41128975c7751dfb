// The Nystrom embedding: rows as vectors of finite length whose products are nearly the kernel.
#ifndef SVM_SOLVERS_ROWS_NYSTROM_H_
#define SVM_SOLVERS_ROWS_NYSTROM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "simd/loops.h"
#include "solvers/math/draws.h"
#include "solvers/run/example_solver.h"

namespace svm {

// With landmarks c_1 ... c_m drawn from the rows, K_mm + ridge = R R', a row x is embedded as
// z = R^-1 (K(c_1, x), ..., K(c_m, x)), in float.  A function w'z is sum_s b_s K(c_s, x) with
// b = R^-T w.  Constant after it was made, so that threads can share it.
class NystromEmbedding {
 public:
  // `landmarks` are distinct rows of the problem, which must outlive this.  Works on the pool of
  // `run`.  Throws std::runtime_error where the landmarks' matrix is not positive definite even
  // with the ridge, and Interrupted where `go_on` says so.
  NystromEmbedding(const ExampleProblem& problem, std::vector<std::uint32_t> landmarks,
                   const Run& run, const GoOn& go_on = nullptr);

  // Floats for each embedded row; those behind the last landmark are 0.
  std::size_t stride() const { return stride_; }
  double ridge() const { return ridge_; }
  // Of K(c, c) over the landmarks.
  double mean_diagonal() const { return mean_diagonal_; }

  // Embeds problem rows[0, count) into out, which has room for a multiple of kTileRows rows.
  void embed(const std::uint32_t* rows, std::size_t count, float* out) const;

  // Coefficients over the rows of the problem, 0 but for the landmarks.
  std::vector<double> coefficients(const std::vector<double>& w) const;

 private:
  void factor(const GoOn& go_on);
  const float* tile(std::size_t number) const {
    return tiles_.data() + kTileColumns * kTileColumns * (number * (number + 1) / 2);
  }

  const std::size_t size_;    // rows of the problem
  const std::size_t stride_;  // landmarks, rounded up
  const std::vector<std::uint32_t> landmarks_;
  const std::unique_ptr<RowEngine> engine_;
  std::unique_ptr<PackedColumns> columns_;  // the landmarks
  const Loops& loops_;
  ThreadPool& pool_;
  double ridge_ = 0, mean_diagonal_ = 0;
  // R^-1 by tiles of kTileColumns rows i: (j, i) for j up to the tile's last i, 0 for j > i.
  std::vector<float> tiles_;
};

// `count` of `size` rows, each as likely as any other.
std::vector<std::uint32_t> uniform_landmarks(std::size_t size, std::size_t count, Draws& draws);

}  // namespace svm

#endif  // SVM_SOLVERS_ROWS_NYSTROM_H_
