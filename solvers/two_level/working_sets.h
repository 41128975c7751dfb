// Which variables the inner level solves for.
#ifndef SVM_SOLVERS_TWO_LEVEL_WORKING_SETS_H_
#define SVM_SOLVERS_TWO_LEVEL_WORKING_SETS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "simd/loops.h"
#include "solvers/math/draws.h"
#include "solvers/run/dual_problem.h"

namespace svm {

// Of the active variables, one after the other.
struct OuterPoint {
  std::vector<double> f;            // signed gradient
  std::vector<std::uint8_t> sets;   // kInUp, kInLow
  std::vector<std::uint8_t> group;  // empty where all are in one

  std::size_t size() const { return f.size(); }
  int group_of(std::size_t k) const { return group.empty() ? 0 : group[k]; }
};

// The signed gradients of a group: the least of I_up and the greatest of I_low, with their places
// among the active variables, and the middle that tells violators apart.
struct Band {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  std::uint32_t lowest_at = 0, highest_at = 0;  // valid if lowest and highest are finite
  double middle = 0;
  std::size_t free_count = 0;

  double violation() const { return highest - lowest; }
  // Takes in the variable at place k, which has the signed gradient f and is in `sets`.
  void add(std::size_t k, double f, std::uint8_t sets);
};
struct Bands {
  Band of[kGroups];
  std::size_t free_count() const { return of[0].free_count + of[1].free_count; }
  double violation() const;
};
Bands find_bands(const OuterPoint& point);

struct WorkingSet {
  std::vector<std::uint32_t> members;  // places among the active variables
  bool is_last_stage = false;          // all that matters
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
  WorkingSet choose(const OuterPoint& point, const Bands& bands, double epsilon);

 private:
  using Places = std::vector<std::uint32_t>;

  struct Sides {
    Places up, low;
    std::size_t size() const { return up.size() + low.size(); }
  };

  void draw(Sides& sides, std::size_t size, Places& members);
  Places nearest(const OuterPoint& point, const Bands& bands, std::size_t count) const;

  const std::size_t least_, most_;
  std::size_t last_stages_ = 0;
  Draws draws_{1};
};

}  // namespace svm

#endif  // SVM_SOLVERS_TWO_LEVEL_WORKING_SETS_H_
