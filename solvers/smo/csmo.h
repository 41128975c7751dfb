// Conjugate SMO: SMO steps turned so that each is conjugate to the one before.
//
//   Torres-Barran, Alaiz, Dorronsoro: Faster SVM training via conjugate SMO, Pattern Recognition
//   111 (2021).
//
// docs/csmo.md states the recurrences, what is stored, and where this goes beyond the paper.
#ifndef SVM_SOLVERS_SMO_CSMO_H_
#define SVM_SOLVERS_SMO_CSMO_H_

#include <cstddef>
#include <vector>

#include "solvers/phases/free_set.h"
#include "solvers/smo/conjugate_direction.h"
#include "solvers/smo/solver.h"

namespace svm {

enum class ConjugateUse {
  kAlways,      // csmo
  kWhenItPays,  // hybrid: plain steps for a while whenever most conjugate steps clip
};

class ConjugateSolver final : public Solver {
 public:
  ConjugateSolver(DualProblem problem, double epsilon, bool shrinking, Monitor& monitor,
                  ConjugateUse use);

 protected:
  bool follows_libsvm() const override { return false; }
  bool select_working_set(Pair& pair) override;
  void step(const Pair& pair) override;
  void swap_variables(std::size_t i, std::size_t j) override;
  void active_set_shrank() override;
  void active_set_grew() override;

 private:
  // A pair with what its step needs; `length` is that of the plain SMO step within the box.
  struct PlainStep {
    Pair pair;
    KernelRow row_i, row_j;
    double violation;
    double curvature;
    double length;
    double wish;  // length without the box
  };

  bool try_conjugate_step(const PlainStep& plain);
  void take_plain_step(const PlainStep& plain);
  void move(std::size_t t, double change);
  void put_on_bound(const ConjugateDirection::Member& member);
  double room_up(std::size_t t) const;
  double room_down(std::size_t t) const;
  // How far the box lets go along the direction, and what meets its bound there.
  struct Limit {
    double length;
    ConjugateDirection::Member member;
  };
  Limit limit_of_box() const;
  void count_clip(bool clipped);
  void check_conjugacy(const std::vector<ConjugateDirection::Member>& old, double curvature) const;
  void check_feasibility() const;
  void record(double gain);

  void maybe_run_phase();
  std::vector<std::size_t> variables_for_phase() const;
  std::size_t prepare_factor(const std::vector<std::size_t>& free_variables,
                             std::vector<std::size_t>& members);
  template <typename Element>
  bool rebuild_factor(CholeskyFactor<Element>& factor,
                      const std::vector<std::size_t>& free_variables);
  void drop_factor();
  std::vector<std::size_t> factored_variables() const;
  bool extend_factor(const std::vector<std::size_t>& new_variables,
                     const std::vector<std::size_t>& members);
  double phase_cost(std::size_t size, std::size_t added, std::size_t held, bool rebuild) const;
  void run_phase(const std::vector<std::size_t>& free_variables);
  FreeSetPath find_path(const std::vector<std::size_t>& free_variables,
                        std::vector<std::size_t>& members);
  bool go_along(const FreeSetPath& path, const std::vector<std::size_t>& members);

  const ConjugateUse use_;
  ConjugateDirection direction_;  // u; empty after a reset
  std::vector<double> image_;     // q = K u over the active variables
  double curvature_ = 0;          // u'K u

  double clip_share_ = 0;     // of the late conjugate steps: fading mean
  long long plain_left_ = 0;  // hybrid: plain steps to go

  // Phases over the free variables.  Costs are in values that ordinary iterations touch.
  FreeSetFactor factor_;               // of K over the variables below
  std::vector<std::size_t> factored_;  // by their place in the problem
  std::vector<char> is_factored_;      // by place in the problem
  double work_ = 0;                    // since the last phase
  double next_look_ = 0;               // at work_, whether a phase would pay
  double patience_ = 1;                // see csmo_phase.cpp
  std::size_t last_size_ = 0;          // of the factor at the last phase
  double expected_rounds_ = 30;
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_CSMO_H_
