// The processors, and memory.
#ifndef SVM_PLATFORM_PROCESSORS_H_
#define SVM_PLATFORM_PROCESSORS_H_

#include <cstddef>

namespace svm::platform {

// How many this process may use; at least 1.
unsigned available_processors();

// Memory as from std::malloc, for std::free, null where there is none.  Large blocks come on large
// pages where the system has them, which cost a fraction of the time to get.
void* allocate(std::size_t bytes);

}  // namespace svm::platform

#endif  // SVM_PLATFORM_PROCESSORS_H_
