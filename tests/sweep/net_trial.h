// Trains a problem of svm-net and judges the model.
#ifndef SVM_TESTS_SWEEP_NET_TRIAL_H_
#define SVM_TESTS_SWEEP_NET_TRIAL_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "svm_ext.h"
#include "tests/certificate_checker.h"
#include "tests/rows.h"
#include "tests/sweep/net_cases.h"
#include "tests/sweep/trials.h"
#include "tests/view.h"

namespace svm::test {

// A training and its cost.
struct Attempt {
  Model model;  // null: training was refused
  svm_result result{};
  double seconds = 0;  // processor seconds
  bool ended = true;   // training was not cancelled

  bool converged() const { return model != nullptr && result.status == SVM_CONVERGED; }
  std::string text() const;
};

// A training compared with that of smo.
struct Comparison {
  double ratio;  // ratio of processor times
  std::string text;
};

class NetTrial {
 public:
  // `limit`: processor seconds after which a training is ended.
  NetTrial(NetCase& c, double limit);

  // `why` receives the reason of a failure, `notes` other facts worth knowing.
  Outcome run(std::string& why, std::vector<std::string>& notes);

  // Trains by smo, if that has not been done.
  void compare() { reference(); }
  // Nothing if smo was not run, or if one of the two did not converge.
  std::optional<Comparison> comparison() const;

  const Attempt& own() const { return own_; }
  // True if the independent checker ran, whose verdict() this is; it does not if that would take
  // long.
  bool was_checked() const { return was_checked_; }
  const Verdict& verdict() const { return verdict_; }

 private:
  svm_options options_for(const char* solver, std::size_t threads, long long cap) const;
  template <typename Train>
  Attempt attempt(svm_options options, double limit, Train train) const;
  Attempt train(const char* solver, std::size_t threads, bool as_view, long long cap) const;
  bool make_start();
  const Attempt& reference();

  // What is wrong; empty if nothing is.
  std::string judge(std::vector<std::string>& notes);
  std::string fault_of_effort();
  std::string fault_of_model();
  std::string fault_of_threads() const;
  std::string fault_of_folds() const;

  std::string beside_smo();
  double checking_cost() const;
  double sum_of_coefficients() const;
  double sum_of_variables() const;
  double rounding_bound() const;

  NetCase& case_;
  const double limit_;
  const svm_problem problem_;
  std::optional<ViewedData> viewed_;
  Model start_;
  long long cap_;  // cap on the iterations of own_
  Attempt own_;
  std::optional<Attempt> reference_;
  Verdict verdict_;
  bool was_checked_ = false;
};

}  // namespace svm::test

#endif  // SVM_TESTS_SWEEP_NET_TRIAL_H_
