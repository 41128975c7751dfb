// Opens and reads input files.
#ifndef SVM_BASE_IO_INPUT_FILE_H_
#define SVM_BASE_IO_INPUT_FILE_H_

#include <cstdio>
#include <memory>
#include <string>

namespace svm {

// A C stream that is closed by its owner's destructor.
struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FilePtr = std::unique_ptr<std::FILE, FileCloser>;

// The content of a file, which may be a pipe. Throws std::system_error and std::bad_alloc.
std::string read_whole_file(const std::string& path);

}  // namespace svm

#endif  // SVM_BASE_IO_INPUT_FILE_H_
