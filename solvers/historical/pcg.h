// Chunking, with the problem of each chunk solved by projected conjugate gradients.  SMO was first
// compared with this method.
//
//   Burges: A tutorial on support vector machines for pattern recognition, Data Mining and
//   Knowledge Discovery 2 (1998). Platt: Fast training of support vector machines using sequential
//   minimal optimization, in: Advances in Kernel Methods, MIT Press 1998.
//
// See docs/platt.md.
#ifndef SVM_SOLVERS_HISTORICAL_PCG_H_
#define SVM_SOLVERS_HISTORICAL_PCG_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/resolution.h"

namespace svm {

class ChunkingSolver final {
 public:
  // Stops at a KKT violation below `epsilon`, or at the least one that kernel values resolve.  The
  // start point of the problem must be 0.
  ChunkingSolver(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor);

  Solution solve();

 private:
  // The problem over some of the variables, with the others fixed.
  struct Chunk {
    std::vector<std::size_t> variables;
    std::vector<double> b, f, low, high;
    std::unique_ptr<KernelMatrix> kernel;  // of the variables
  };
  void find_violation();
  Chunk choose_chunk();
  void solve_chunk(Chunk& chunk);
  static void restore_zero_sum(Chunk& chunk);
  void minimise(Chunk& chunk, std::vector<std::size_t>& free);
  static GroupEnds ends_at_bounds(const Chunk& chunk);
  bool release(const Chunk& chunk, std::vector<std::size_t>& free) const;
  bool multiply(const Chunk& chunk, const std::vector<std::size_t>& members,
                const std::vector<double>& direction, std::vector<double>& product);
  bool take_over(const Chunk& chunk);

  bool go_on() { return monitor_.go_on(state_.objective, violation_, size_); }
  static double moved(const Chunk& chunk, std::size_t k, double change);

  KernelMatrix& kernel_;
  DualState state_;  // the objective is as last computed
  const std::size_t size_;
  const double epsilon_;

  double violation_ = 0;
  RoundingHistory rounding_history_;  // of f
  double tolerance_;                  // epsilon_, or what kernel values resolve if that is more
  Monitor& monitor_;
};

}  // namespace svm

#endif  // SVM_SOLVERS_HISTORICAL_PCG_H_
