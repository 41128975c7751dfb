// Newton steps over the free variables of a dual problem.
//
// Late in a hard run SMO polishes the same free variables over and over.  Over them the problem is
// a quadratic with few linear constraints, which a Cholesky factor solves at once:
//
//   minimise 1/2 d'Kd + f'd  subject to  B'd = 0,
//
// where B has a column of ones for each equality constraint, and a unit column for each variable
// that must not move.  With z = -K^-1 f and W = K^-1 B, the solution is d = z - W n, where
// (B'W) n = B'z.  Going along d to the first bound and adding that variable to B gives a path
// of such steps: z <- z - length d, and one more column.  docs/csmo.md has the details.
#ifndef SVM_SOLVERS_PHASES_FREE_SET_H_
#define SVM_SOLVERS_PHASES_FREE_SET_H_

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "solvers/math/cholesky.h"
#include "threads/go_on.h"

namespace svm {

// One variable of the factored matrix, as it stands at the start of a phase.
struct FreeSetVariable {
  bool free = false;    // others are held where they are
  double gradient = 0;  // f; of free variables
  double lowest = 0;    // how far it may move down (<= 0) and up (>= 0)
  double highest = 0;
  int group = 0;  // its equality constraint: 0 or 1
};

// The factor in the precision of the kernel values it is made of.
class FreeSetFactor {
 public:
  // In doubles a matrix without full rank and its ridge can be told from rounding.
  static constexpr double kLeastPivot = 1e-14;

  explicit FreeSetFactor(bool in_doubles) {
    if (in_doubles) factor_.emplace<CholeskyFactor<double>>(kLeastPivot);
  }
  // Calls visit(factor) with the one in use.
  template <typename Visit>
  auto visit(const Visit& visit) {
    return std::visit(visit, factor_);
  }
  bool in_doubles() const { return factor_.index() == 1; }

  // What is to be added to the diagonal, relative to its largest value: enough for the rounding of
  // the rows, and for rows without full rank.
  double relative_ridge() const { return in_doubles() ? 1e-13 : 1e-5; }
  // What was added to the diagonal, and the part of it that rounding may have added.
  void set_ridge(double ridge) { ridge_ = ridge; }
  double ridge() const { return ridge_; }
  double rounding() const { return in_doubles() ? 1e-2 : 0.1; }
  void clear() {
    visit([](auto& factor) { factor.clear(); });
  }
  // See CholeskyFactor.
  bool append(std::vector<double> row) {
    return visit([&](auto& factor) { return factor.append(std::move(row)); });
  }
  void solve(std::vector<double>& x, std::size_t first = 0) const {
    std::visit([&](const auto& factor) { factor.solve(x, first); }, factor_);
  }

 private:
  std::variant<CholeskyFactor<float>, CholeskyFactor<double>> factor_;
  double ridge_ = 0;
};

struct FreeSetPath {
  std::vector<double> change;  // of each variable; sums to zero over each group.  Empty: no step
  double gain = 0;             // decrease of the objective
  std::size_t rounds = 0;      // steps, each of which but the last met a bound
  bool complete = false;       // the last step met none: optimal but for the bounds met
};

// Follows the path of constrained Newton steps.  `factor` is that of K over `variables` (with a
// small ridge).  Stops after `max_rounds` steps at the latest; without a step where `go_on` says
// so, which is asked in every round, and may be null.
FreeSetPath follow_free_set(const FreeSetFactor& factor,
                            const std::vector<FreeSetVariable>& variables, std::size_t max_rounds,
                            const GoOn& go_on = nullptr);

}  // namespace svm

#endif  // SVM_SOLVERS_PHASES_FREE_SET_H_
