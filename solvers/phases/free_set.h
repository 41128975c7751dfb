// Newton steps over the free variables of a dual problem.
//
// Late in a hard run SMO moves the same free variables over and over.  The problem over them is a
// quadratic one with few linear constraints, which a Cholesky factor solves at once:
//
//   minimise 1/2 d'Kd + f'd  subject to  B'd = 0.
//
// B has a column of ones for each equality constraint, and a unit column for each variable that is
// held.  With z = -K^-1 f and W = K^-1 B, the solution is d = z - W n for (B'W) n = B'z.  The path
// goes along d to the first bound, adds that variable to B, and repeats: z <- z - length d, and W
// gets one more column.  See docs/csmo.md.
#ifndef SVM_SOLVERS_PHASES_FREE_SET_H_
#define SVM_SOLVERS_PHASES_FREE_SET_H_

#include <cstddef>
#include <variant>
#include <vector>

#include "base/threads/go_on.h"
#include "kernels/engines/row_engine.h"
#include "solvers/math/cholesky.h"

namespace svm {

// One variable of the factored matrix, at the start of a phase.
struct FreeSetVariable {
  double gradient = 0;  // f
  double lowest = 0;    // bounds of its change: lowest <= 0 <= highest
  double highest = 0;
  int group = 0;  // its equality constraint: 0 or 1
};

// The Cholesky factor, in the precision of the kernel values.
class FreeSetFactor {
 public:
  // In doubles, a matrix of deficient rank with a ridge can be told from rounding noise.
  static constexpr double kLeastPivot = 1e-14;

  // `largest` is the largest element of the diagonal, without the ridge.
  explicit FreeSetFactor(Precision precision, double largest = 0) {
    if (precision == Precision::kDouble) {
      factor_.emplace<CholeskyFactor<double>>(kLeastPivot);
      ridge_ = 1e-13 * largest;
    } else {
      ridge_ = static_cast<double>(static_cast<float>(1e-5 * largest));
    }
  }
  // Calls visit(factor).
  template <typename Visit>
  auto visit(const Visit& visit) {
    return std::visit(visit, factor_);
  }
  bool in_doubles() const { return factor_.index() == 1; }

  // The ridge to add to the diagonal, which covers the rounding of the rows and a deficient rank,
  // and the part of it by which rounding may have changed the diagonal.
  double ridge() const { return ridge_; }
  double rounding() const { return in_doubles() ? 1e-2 : 0.1; }
  // See CholeskyFactor.
  void solve(std::vector<double>& x, std::size_t first = 0) const {
    std::visit([&](const auto& factor) { factor.solve(x, first); }, factor_);
  }

 private:
  std::variant<CholeskyFactor<float>, CholeskyFactor<double>> factor_;
  double ridge_ = 0;
};

struct FreeSetPath {
  // Change of b of each variable, whose sum over each group is 0.  Empty if there is no step.
  std::vector<double> change;
  double gain = 0;         // decrease of the objective
  std::size_t rounds = 0;  // steps; all but the last met a bound
  bool complete = false;   // the last step met no bound
};

// Follows the path of constrained Newton steps.  `factor` is that of K over `variables`, with the
// ridge.  Takes at most `max_rounds` steps.  Returns no step if `go_on`, which is called in every
// round and may be null, returns false.
FreeSetPath follow_free_set(const FreeSetFactor& factor,
                            const std::vector<FreeSetVariable>& variables, std::size_t max_rounds,
                            const GoOn& go_on = nullptr);

}  // namespace svm

#endif  // SVM_SOLVERS_PHASES_FREE_SET_H_
