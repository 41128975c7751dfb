// Calls of the library, each repeated with every one of its allocations failing.
#ifndef SVM_TESTS_MEMORY_FAILURES_H_
#define SVM_TESTS_MEMORY_FAILURES_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/memory/allocator.h"
#include "tests/rows.h"

namespace svm::test {

// Runs a call of the library while allocations are counted, and fail.
template <typename Call>
auto counted(const Call& call) {
  struct Counting {
    Counting() { allocations::resume(); }
    ~Counting() { allocations::pause(); }
  } counting;
  return call();
}

// Makes the call within counted(), frees its result, and returns that as text, or nothing if the
// call returned its documented error value.
using Attempt = std::function<std::optional<std::string>()>;

// Repeats the attempt while one of its allocations fails, and while all from one on fail, for each
// of them, or every fifth with sanitizers.  It must end in an error, whose reason by
// svm_last_error() is that `function` lacked memory, or have the usual result: stable sorts, models
// packed for later calls, and further threads are done without.  No block may be left, and attempts
// without failures must succeed afterwards.
void survives_failures(const char* function, const Attempt& attempt);

// The model as svm_save_model writes it.
std::string text_of(const svm_model& model);

}  // namespace svm::test

#endif  // SVM_TESTS_MEMORY_FAILURES_H_
