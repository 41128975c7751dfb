// A C stream that is closed with its owner.
#ifndef SVM_IO_FILE_PTR_H_
#define SVM_IO_FILE_PTR_H_

#include <cstdio>
#include <memory>

namespace svm {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FilePtr = std::unique_ptr<std::FILE, FileCloser>;

}  // namespace svm

#endif  // SVM_IO_FILE_PTR_H_
