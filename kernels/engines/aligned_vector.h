// Arrays that begin at a cache line.
#ifndef SVM_KERNELS_ENGINES_ALIGNED_VECTOR_H_
#define SVM_KERNELS_ENGINES_ALIGNED_VECTOR_H_

#include <cstddef>
#include <new>
#include <vector>

namespace svm {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  CacheLineAllocator() = default;
  template <class Other>
  explicit CacheLineAllocator(const CacheLineAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, kAlignment); }

  template <class Other>
  bool operator==(const CacheLineAllocator<Other>&) const {
    return true;
  }
  template <class Other>
  bool operator!=(const CacheLineAllocator<Other>&) const {
    return false;
  }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_ALIGNED_VECTOR_H_
