// The options and results of the C interface, as a run.
#ifndef SVM_TRAINING_CALL_H_
#define SVM_TRAINING_CALL_H_

#include <cstddef>

#include "solvers/run/run.h"
#include "svm.h"

namespace svm {

svm_options default_options();

// The first `size` bytes of the caller's svm_options: the size, the defaults, and zeros behind what
// is known here.  Nothing where that is less than the member size.
void init_options(void* options, std::size_t size);

// What is wrong with the options, LIBSVM_SOLVER, or their use with `param`; null where nothing is.
// Both pointers may be null.  The text is valid for ever.
const char* check_options(const svm_parameter* param, const svm_options* options);

// Those of the options, which may be null; null where there are none.
const double* row_weights_of(const svm_options* options);

// What is wrong with the size of a result record, which may be null; null where nothing is.
const char* check_result(const svm_result* result);

// Takes the options, which may be null, over into a run.  Throws std::invalid_argument where
// check_options() finds fault.
void configure(Run& run, const svm_parameter& param, const svm_options* options);

// Writes what the record, which may be null, has room for.
void store_record(const Record& report, svm_result* result);

// The table of solvers.  Valid for ever.
const char* solver_list();

// Structures of svm.h that may grow begin with their size, as the caller's version has it.

// True if the field lies within the size that the caller gave.
template <typename Structure, typename Field>
bool has_member(const Structure& structure, Field Structure::*field) {
  const auto* begin = reinterpret_cast<const char*>(&structure);
  const auto* end = reinterpret_cast<const char*>(&(structure.*field)) + sizeof(Field);
  return static_cast<std::size_t>(end - begin) <= structure.size;
}

// `too_small` or `too_large` if the size is that; null if it is neither.
template <typename Structure>
const char* size_fault(const Structure& structure, const char* too_small, const char* too_large) {
  if (structure.size < sizeof(structure.size)) return too_small;
  return structure.size > sizeof(Structure) ? too_large : nullptr;
}

}  // namespace svm

#endif  // SVM_TRAINING_CALL_H_
