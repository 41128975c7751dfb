#include "tests/memory/allocator.h"

#include <cstdlib>
#include <functional>
#include <mutex>
#include <new>
#include <unordered_set>

// The linker gives these names to the functions of the C library.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* memory, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
int __real_posix_memalign(void** memory, std::size_t alignment, std::size_t size);
void __real_free(void* memory);
}
// NOLINTEND(readability-identifier-naming)

namespace svm::test {
namespace {

// This allocator calls the C library itself, so that the bookkeeping is not counted.
template <typename T>
struct Uncounted {
  using value_type = T;
  Uncounted() = default;
  template <typename Other>
  Uncounted(const Uncounted<Other>&) {}  // NOLINT: containers convert allocators
  T* allocate(std::size_t count) { return static_cast<T*>(__real_malloc(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { __real_free(memory); }
  friend bool operator==(Uncounted, Uncounted) { return true; }
  friend bool operator!=(Uncounted, Uncounted) { return false; }
};

struct State {
  std::mutex mutex;  // guards everything
  std::unordered_set<void*, std::hash<void*>, std::equal_to<>, Uncounted<void*>> live;
  std::size_t failing = 0, counted = 0, failed = 0;
  Failing mode = Failing::kOne;
  bool counts = false;
};

// It is never destroyed, because memory is freed until the process ends.
State& state() {
  alignas(State) static unsigned char storage[sizeof(State)];
  static State* const made = ::new (storage) State;
  return *made;
}

// Calls allocate(), which returns null on failure, unless this allocation is to fail.
template <typename Allocate>
void* counted_block(const Allocate& allocate) {
  State& all = state();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (!all.counts) return allocate();
  ++all.counted;
  const bool fails = all.failing != 0 && (all.mode == Failing::kOne ? all.counted == all.failing
                                                                    : all.counted >= all.failing);
  if (fails) {
    ++all.failed;
    return nullptr;
  }
  void* const memory = allocate();
  if (memory != nullptr) all.live.insert(memory);
  return memory;
}

void free_block(void* memory) {
  if (memory == nullptr) return;
  {
    const std::lock_guard<std::mutex> lock(state().mutex);
    state().live.erase(memory);
  }
  __real_free(memory);
}

void* required(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* aligned_block(std::size_t alignment, std::size_t size) {
  return counted_block([&] {
    void* memory = nullptr;
    return __real_posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
  });
}

std::size_t at_least_one(std::size_t size) { return size == 0 ? 1 : size; }

}  // namespace

void allocations::restart(std::size_t failing, Failing mode) {
  State& all = state();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.live.clear();
  all.counted = all.failed = 0;
  all.failing = failing;
  all.mode = mode;
}

void allocations::resume() {
  const std::lock_guard<std::mutex> lock(state().mutex);
  state().counts = true;
}

void allocations::pause() {
  const std::lock_guard<std::mutex> lock(state().mutex);
  state().counts = false;
}

std::size_t allocations::counted() {
  const std::lock_guard<std::mutex> lock(state().mutex);
  return state().counted;
}

std::size_t allocations::failed() {
  const std::lock_guard<std::mutex> lock(state().mutex);
  return state().failed;
}

std::size_t allocations::live() {
  const std::lock_guard<std::mutex> lock(state().mutex);
  return state().live.size();
}

}  // namespace svm::test

// The statically linked code calls these instead of malloc() and its relatives.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

void* __wrap_malloc(std::size_t size) {
  return svm::test::counted_block([&] { return __real_malloc(size); });
}

void* __wrap_calloc(std::size_t count, std::size_t size) {
  return svm::test::counted_block([&] { return __real_calloc(count, size); });
}

void* __wrap_realloc(void* memory, std::size_t size) {
  return svm::test::counted_block([&] {
    svm::test::state().live.erase(memory);
    return __real_realloc(memory, size);
  });
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  return svm::test::counted_block([&] { return __real_aligned_alloc(alignment, size); });
}

int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  constexpr int kNoMemory = 12;  // ENOMEM
  void* const block = svm::test::aligned_block(alignment, size);
  if (block == nullptr) return kNoMemory;
  *memory = block;
  return 0;
}

void __wrap_free(void* memory) { svm::test::free_block(memory); }

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

// All forms that are in use stand here, because sanitizers have forms of their own for those that
// are not replaced.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return svm::test::counted_block([&] { return __real_malloc(svm::test::at_least_one(size)); });
}
void* operator new(std::size_t size) {
  return svm::test::required(operator new(size, std::nothrow));
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept {
  return operator new(size, nothrow);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return svm::test::required(
      svm::test::aligned_block(static_cast<std::size_t>(alignment), svm::test::at_least_one(size)));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
void operator delete(void* memory) noexcept { svm::test::free_block(memory); }
void operator delete[](void* memory) noexcept { svm::test::free_block(memory); }
void operator delete(void* memory, std::size_t) noexcept { svm::test::free_block(memory); }
void operator delete[](void* memory, std::size_t) noexcept { svm::test::free_block(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  svm::test::free_block(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  svm::test::free_block(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept { svm::test::free_block(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { svm::test::free_block(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  svm::test::free_block(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  svm::test::free_block(memory);
}
