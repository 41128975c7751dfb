// Which variables the inner level solves for.
#ifndef SVM_SOLVERS_TWO_LEVEL_WORKING_SETS_H_
#define SVM_SOLVERS_TWO_LEVEL_WORKING_SETS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solvers/math/draws.h"
#include "solvers/run/dual_state.h"

namespace svm {

using VariableList = std::vector<std::uint32_t>;

// The ends of the active variables in every group, and between them a middle that tells violators
// of one side from those of the other.
struct Bands : Ends {
  double middle[kGroups] = {};
};
Bands find_bands(const DualState& state, const VariableList& active);

struct WorkingSet {
  VariableList members;        // rising
  bool is_last_stage = false;  // all that matters
};

class WorkingSets {
 public:
  // Sets of `least` variables, or as many as there are free ones, but not more than `most`.
  WorkingSets(std::size_t least, std::size_t most) : least_(least), most_(most) {}

  // While more variables violate optimality than a set holds, the set is a random sample of them.
  // Each group has its share of the sample, and half of that share may go up.  After that, the set
  // has all violators, the free variables and those nearest to violating; more of these each time,
  // without a limit.  A set which has less than half of the violation, or than `epsilon`, gets the
  // most violating pair of each group, so that a solver that is asked for less finds a step.
  // `active` variables are rising, and so are the members of the set.
  WorkingSet choose(const DualState& state, const VariableList& active, const Bands& bands,
                    double epsilon);

 private:
  struct Sides {
    VariableList up, low;
    std::size_t size() const { return up.size() + low.size(); }
  };

  void draw(Sides& sides, std::size_t size, VariableList& members);

  const std::size_t least_, most_;
  std::size_t last_stages_ = 0;
  Draws draws_{1};
};

}  // namespace svm

#endif  // SVM_SOLVERS_TWO_LEVEL_WORKING_SETS_H_
