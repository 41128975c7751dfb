// Number of processors, and allocation of large blocks of memory.
#ifndef SVM_BASE_PLATFORM_PROCESSORS_H_
#define SVM_BASE_PLATFORM_PROCESSORS_H_

#include <cstddef>

namespace svm::platform {

// Number of processors that this process may use; at least 1.
unsigned available_processors();

// Allocates memory that std::free() releases; null if there is none left. Large blocks are put on
// huge pages if the system has them, which makes touching them for the first time many times
// faster.
void* allocate(std::size_t bytes);

}  // namespace svm::platform

#endif  // SVM_BASE_PLATFORM_PROCESSORS_H_
