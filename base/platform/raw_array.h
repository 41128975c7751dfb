// An array of uninitialised elements, which the system provides page by page as it is written to.
// std::vector would fill it with zeros.
#ifndef SVM_BASE_PLATFORM_RAW_ARRAY_H_
#define SVM_BASE_PLATFORM_RAW_ARRAY_H_

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace svm {

struct MallocDeleter {
  void operator()(void* memory) const noexcept { std::free(memory); }
};

template <typename T>
class RawArray {
  static_assert(std::is_trivially_copyable_v<T>, "elements are moved as bytes and not destroyed");

 public:
  RawArray() = default;
  RawArray(RawArray&& other) noexcept
      : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  RawArray& operator=(RawArray&& other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  // Keeps the elements that fit; new ones are uninitialised. Throws std::bad_alloc and then changes
  // nothing.
  void resize(std::size_t size) {
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    // The system remaps large blocks instead of copying them.
    void* const memory = std::realloc(memory_.get(), size * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    static_cast<void>(memory_.release());
    memory_.reset(static_cast<T*>(memory));
    size_ = size;
  }

  std::size_t size() const { return size_; }
  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }

 private:
  std::unique_ptr<T[], MallocDeleter> memory_;
  std::size_t size_ = 0;
};

}  // namespace svm

#endif  // SVM_BASE_PLATFORM_RAW_ARRAY_H_
