// A file without a name.
#ifndef SVM_TESTS_TEMP_FILE_H_
#define SVM_TESTS_TEMP_FILE_H_

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "base/io/input_file.h"

namespace svm::test {

// A file that contains `text`, positioned at its beginning.
inline FilePtr file_with(std::string_view text) {
  FilePtr file(std::tmpfile());
  if (file == nullptr) throw std::system_error(errno, std::generic_category(), "tmpfile");
  std::fwrite(text.data(), 1, text.size(), file.get());
  std::rewind(file.get());
  return file;
}

}  // namespace svm::test

#endif  // SVM_TESTS_TEMP_FILE_H_
