// Failures at the border of the library: return values, and a text for svm_last_error().
#ifndef SVM_API_ERRORS_H_
#define SVM_API_ERRORS_H_

#include <exception>
#include <new>

#include "solvers/run/messages.h"

namespace svm {

// Keeps "function: what" for this thread, cut where it is too long.
void set_last_error(const char* function, const char* what) noexcept;

// Runs `work`; after an error it keeps the reason and returns `failure`.  What a function of the
// caller's threw goes on to the caller.
template <typename Result, typename Work>
Result guarded(const char* function, Result failure, Work work) {
  try {
    return work();
  } catch (const CallerException& exception) {
    std::rethrow_exception(exception.thrown);
  } catch (const std::bad_alloc&) {
    set_last_error(function, "out of memory");
  } catch (const std::exception& error) {
    set_last_error(function, error.what());
  }
  return failure;
}

}  // namespace svm

#endif  // SVM_API_ERRORS_H_
