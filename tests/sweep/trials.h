// Shared by svm-sweep and svm-net: outcomes of a training, their table, and comparisons of models.
#ifndef SVM_TESTS_SWEEP_TRIALS_H_
#define SVM_TESTS_SWEEP_TRIALS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "programs/certificate/certificate.h"
#include "svm_ext.h"
#include "tests/training_data.h"

namespace svm::test {

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using Model = std::unique_ptr<svm_model, FreeModel>;

// kRefused: an error instead of a model, for example for an infeasible nu.
enum class Outcome { kConverged, kAtCap, kStalled, kImprecise, kRefused, kFailed };
constexpr std::size_t kOutcomes = 6;
const char* name_of(Outcome outcome);

// The outcome for a status.
Outcome outcome_of(int status);

// Counts outcomes by name.
class Tally {
 public:
  void add(const std::string& name, Outcome outcome);
  long long count(Outcome outcome) const;
  // Prints a line for each name, and one for the total.
  void print(const char* title) const;

 private:
  using Counts = std::array<long long, kOutcomes>;
  std::map<std::string, Counts> counts_;
  Counts total_{};
};

// True if coefficients and thresholds of both are the same to the bit.
bool are_equal(const svm_model& a, const svm_model& b);

// What `svm-train --check` computes for a model that was trained with these options.
Certificate certificate_of(const svm_problem& problem, const svm_parameter& param,
                           const svm_options& options, const svm_model& model);

// Write a data file with all digits, and a file of row weights as --row-weights reads it.
void write_data(const Data& rows, const std::string& name);
void write_weights(const std::vector<double>& weights, const std::string& name);

// Ends the program with status 1 and the number of the case unless it is called again within so
// many seconds.  0 removes the limit.
void limit_case(long number, unsigned seconds);

// The target of a command line option's value; numbers are >= 0.
using OptionTarget =
    std::variant<std::uint64_t*, std::optional<std::uint64_t>*, double*, std::string*>;

// Reads a command line of pairs `--name value`.  Returns false if a name is unknown, or if a value
// is missing or is not the required number.
bool parse_options(const std::vector<std::string>& arguments,
                   const std::map<std::string, OptionTarget>& options);

}  // namespace svm::test

#endif  // SVM_TESTS_SWEEP_TRIALS_H_
