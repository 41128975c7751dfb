// An open file, closed at the end.
#ifndef SVM_IO_FILE_DESCRIPTOR_H_
#define SVM_IO_FILE_DESCRIPTOR_H_

#include <string_view>
#include <utility>

namespace svm {

class FileDescriptor {
 public:
  // Takes what open() returned, which may be -1.
  explicit FileDescriptor(int number = -1) noexcept : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  bool is_open() const { return number_ >= 0; }
  int get() const { return number_; }

  // These return false, and set errno, where they fail.
  bool write_all(std::string_view text) const;
  bool sync() const;  // to the disk; true also where the file system knows no such thing
  bool close() noexcept;

 private:
  int number_;
};

}  // namespace svm

#endif  // SVM_IO_FILE_DESCRIPTOR_H_
