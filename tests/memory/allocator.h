// The allocations of a program, which can be made to fail.  allocator.cpp replaces operator new,
// and the linker (--wrap) replaces malloc() and its relatives in everything that is linked
// statically.
#ifndef SVM_TESTS_MEMORY_ALLOCATOR_H_
#define SVM_TESTS_MEMORY_ALLOCATOR_H_

#include <cstddef>

namespace svm::test {

enum class Failing {
  kOne,       // one allocation fails
  kAllAfter,  // it fails, and so do all that follow
};

// Allocations of all threads are counted between resume() and pause().
namespace allocations {

// Forgets what was counted.  Allocation number `failing`, from 1, will fail; none if it is 0.
void restart(std::size_t failing, Failing mode);
void resume();
void pause();

std::size_t counted();
std::size_t failed();
// The number of blocks that were allocated while allocations were counted, and are not freed yet.
std::size_t live();

}  // namespace allocations
}  // namespace svm::test

#endif  // SVM_TESTS_MEMORY_ALLOCATOR_H_
