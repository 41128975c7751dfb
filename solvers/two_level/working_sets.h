// Selects the variables that the inner level solves for.
#ifndef SVM_SOLVERS_TWO_LEVEL_WORKING_SETS_H_
#define SVM_SOLVERS_TWO_LEVEL_WORKING_SETS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/threads/pool.h"
#include "solvers/math/draws.h"
#include "solvers/run/dual_state.h"

namespace svm {

using VariableList = std::vector<std::uint32_t>;

// The ends of the active variables in each group, and a middle between them.  Variables of I_up
// with f below the middle and variables of I_low with f above it are the violators.
struct Bands : Ends {
  double middle[kGroups] = {};
};
Bands find_bands(const DualState& state, const VariableList& active, ThreadPool& pool);

struct WorkingSet {
  VariableList members;        // ascending
  bool is_last_stage = false;  // contains all violators
};

class WorkingSets {
 public:
  // Sets have `least` variables or, if more are free, as many as are free, up to `most`.
  WorkingSets(std::size_t least, std::size_t most) : least_(least), most_(most) {}

  // If more variables violate optimality than a set holds, the set is a random sample of them. Each
  // group has its share of the sample, half of it from I_up.  Otherwise this is the last stage: the
  // set has all violators, the free variables and those nearest to violating; more each time,
  // without a limit.  If the violation of the set is less than half of that of all, or less than
  // `tolerance`, the most violating pair of each group is added, so that there is a step to take.
  // `active` must be ascending.
  WorkingSet choose(const DualState& state, const VariableList& active, const Bands& bands,
                    double tolerance, ThreadPool& pool);

 private:
  struct Sides {
    VariableList up, low;  // the violators of each index set
    std::size_t size() const { return up.size() + low.size(); }
  };
  struct Violators {
    Sides sides[kGroups];
    std::size_t count = 0;  // of violators by more than the tolerance
  };
  void draw(Sides& sides, std::size_t size, VariableList& members);
  void draw(VariableList& side, std::size_t size, VariableList& members);

  const std::size_t least_, most_;
  std::size_t last_stages_ = 0;
  Draws draws_{1};
};

}  // namespace svm

#endif  // SVM_SOLVERS_TWO_LEVEL_WORKING_SETS_H_
