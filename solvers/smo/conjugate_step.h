// The direction of conjugate SMO, and one step along it, as a function without side effects.
//
//   Torres-Barran, Alaiz, Dorronsoro: Faster SVM training via conjugate SMO, Pattern Recognition
//   111 (2021), section 3 and Algorithm 2.
//
// The paper writes the step in alpha and labels.  The code moves the signed variables
// b_t = y_t alpha_t, for which the labels drop out of every formula; Q is then the kernel matrix.
//
//   paper         here                 meaning
//   d             d                    direction of this step; d_old: of the step before
//   v             e_i - e_j            SMO's own direction, for the pair (i, j)
//   q = Qd        q                    auxiliary vector, eq. (25)
//   delta         delta                curvature d'Qd of a direction, among eqs. (24) to (27)
//   gamma         gamma                d = v + gamma d_old, eqs. (17) and (22)
//   Delta         violation            f_j - f_i > 0, with f the gradient: minus the slope along v
//   lambda*       lambda_star          length of the step without the box, eq. (20)
//   lambda_max    lambda_max           length at which d leaves the box
//   lambda        lambda               length of the step, clipped: min(lambda*, lambda_max)
#ifndef SVM_SOLVERS_SMO_CONJUGATE_STEP_H_
#define SVM_SOLVERS_SMO_CONJUGATE_STEP_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/platform/numbers.h"
#include "solvers/run/dual_state.h"
#include "solvers/smo/pair_step.h"

namespace svm {

// The sparse direction d, in the space of the signed variables b_t.
class ConjugateDirection {
 public:
  struct Member {
    std::size_t variable;
    double weight;
  };

  explicit ConjugateDirection(std::size_t size) : slot_(size, kNoIndex) {}

  bool empty() const { return members_.empty(); }
  const std::vector<Member>& members() const { return members_; }

  // d <- 0.
  void reset() {
    for (const Member& member : members_) slot_[member.variable] = kNoIndex;
    members_.clear();
  }

  // d <- e_i - e_j + gamma d.  Drops members whose weight is rounding noise beside the new ones:
  // otherwise d would collect all variables if steps hardly overlap.
  void turn(double gamma, std::size_t i, std::size_t j) {
    for (std::size_t k = 0; k < members_.size();) {
      members_[k].weight *= gamma;
      if (std::fabs(members_[k].weight) > kLeastWeight) {
        ++k;
      } else {
        remove(k);
      }
    }
    add(i, +1);
    add(j, -1);
  }

  void swap_variables(std::size_t i, std::size_t j) {
    std::swap(slot_[i], slot_[j]);
    if (slot_[i] != kNoIndex) members_[slot_[i]].variable = i;
    if (slot_[j] != kNoIndex) members_[slot_[j]].variable = j;
  }

 private:
  static constexpr double kLeastWeight = 1e-16;
  static constexpr std::size_t kFirstRoom = 8;

  void remove(std::size_t slot) {
    slot_[members_[slot].variable] = kNoIndex;
    members_[slot] = members_.back();
    members_.pop_back();
    if (slot < members_.size()) slot_[members_[slot].variable] = slot;
  }

  void add(std::size_t t, double weight) {
    if (slot_[t] != kNoIndex) {
      members_[slot_[t]].weight += weight;
      return;
    }
    slot_[t] = members_.size();
    if (members_.empty()) members_.reserve(kFirstRoom);
    members_.push_back({t, weight});
  }

  std::vector<Member> members_;
  std::vector<std::size_t> slot_;  // of each variable in members_, or kNoIndex
};

// Slope and curvature of the objective along v, for the pair (i, j).
struct PairSlope {
  double violation;  // f_j - f_i > 0
  double curvature;  // v'Qv > 0
};

// The curvature of the last direction, and its image q = Qd at the pair.
struct ConjugateCurvature {
  double delta;     // d'Qd > 0
  double q_i, q_j;  // elements of q
};

struct ConjugateStep {
  ConjugateDirection d;       // v + gamma d_old
  bool is_conjugate = false;  // SMO's own step has gamma = 0 and begins a direction
  double gamma = 0;
  double delta = 0;  // d'Qd of the new d, at least the rounding error of a curvature
  // False if the step must not be taken: the curvature is rounding noise, so that the objective
  // may have no minimum along d, and it is not certain that the box clips the step.
  bool is_usable = false;
  double lambda_star = 0;
  double lambda_max = 0;
  double lambda = 0;
  bool clipped = false;                          // lambda < lambda*
  ConjugateDirection::Member limiting = {0, 0};  // the member of d that determines lambda_max
  double gain = 0;                               // decrease of the objective
};

// The step along v = e_i - e_j made conjugate to the last direction: d'Q d_old = 0.  `d` is the
// last direction, which must not be empty, and the gradient must be orthogonal to it (the last step
// was not clipped).
ConjugateStep conjugate_step(ConjugateDirection d, const Pair& pair, const PairSlope& slope,
                             const ConjugateCurvature& old, const DualState& state);

// SMO's own step, along v.  Uses only the memory of `d`.
ConjugateStep plain_step(ConjugateDirection d, const Pair& pair, const PairSlope& slope,
                         const DualState& state);

// The gain of SMO's own step.
inline double plain_gain(const Pair& pair, const PairSlope& slope, const DualState& state) {
  const double length =
      std::min({slope.violation / slope.curvature, state.room_up(pair.i), state.room_down(pair.j)});
  return step_gain(length, slope.violation, slope.curvature);
}

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_CONJUGATE_STEP_H_
