// The sparse direction d of conjugate SMO, in the space of the signed variables y_t a_t.
#ifndef SVM_SOLVERS_SMO_CONJUGATE_DIRECTION_H_
#define SVM_SOLVERS_SMO_CONJUGATE_DIRECTION_H_

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "platform/numbers.h"

namespace svm {

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
    members_.push_back({t, weight});
  }

  std::vector<Member> members_;
  std::vector<std::size_t> slot_;  // of each variable in members_, or kNoIndex
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_CONJUGATE_DIRECTION_H_
