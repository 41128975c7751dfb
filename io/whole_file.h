// Files that are read at once.
#ifndef SVM_IO_WHOLE_FILE_H_
#define SVM_IO_WHOLE_FILE_H_

#include <string>

namespace svm {

// The whole content of a file, which may be a pipe.  Throws std::system_error and std::bad_alloc.
std::string read_whole_file(const std::string& path);

}  // namespace svm

#endif  // SVM_IO_WHOLE_FILE_H_
