// Turns the options and results of the C interface into those of a run, and back.
#ifndef SVM_TRAINING_CALL_H_
#define SVM_TRAINING_CALL_H_

#include <cstddef>
#include <vector>

#include "solvers/run/run.h"
#include "svm_ext.h"

namespace svm {

svm_options default_options();

// Fills `size` bytes with the default options, and with zeros beyond those that this version knows.
// Does nothing if `size` is less than that of the member size.
void init_options(void* options, std::size_t size);

// Returns what is wrong with the options, the environment variable LIBSVM_SOLVER, or their use with
// `param`; null if nothing is.  Both pointers may be null.  The text is never freed.
const char* check_options(const svm_parameter* param, const svm_options* options);

// Returns the weights of the rows in the options; null if there are none.  `options` may be null.
const double* row_weights_of(const svm_options* options);

// Returns what is wrong with the size of `result`, which may be null; null if nothing is.
const char* check_result(const svm_result* result);

// What a call does about environment variables that are invalid or do not suit its parameters.
enum class BadVariables { kRefuse, kIgnore };  // kIgnore: with a warning for each

// Sets the options and services of a run.  `options` may be null.  Throws std::invalid_argument if
// check_options() finds a fault, but not because of a variable that is to be ignored.
void configure(Run& run, const svm_parameter& param, const svm_options* options,
               BadVariables bad_variables = BadVariables::kRefuse);

// Copies the members of the record that the caller's `result` has; it may be null.
void store_record(const Record& report, svm_result* result);

// Copies the records of a model's machines to the arrays of the caller's options, which may be
// null.
void store_machines(const std::vector<MachineRecord>& machines, const svm_options* options);

// The table of solvers; never freed.
const char* solver_list();

// Structures of svm_ext.h that may grow begin with the size that the caller compiled.  Returns
// `too_small` or `too_large` if the size is; else null.
template <typename Structure>
const char* size_fault(const Structure& structure, const char* too_small, const char* too_large) {
  if (structure.size < sizeof(structure.size)) return too_small;
  return structure.size > sizeof(Structure) ? too_large : nullptr;
}

}  // namespace svm

#endif  // SVM_TRAINING_CALL_H_
