#include "cli/input.h"

#include <cerrno>
#include <cstring>

namespace svm::cli {

FilePtr open_input(const std::string& path) {
  FilePtr file(std::fopen(path.c_str(), "r"));
  if (!file) {
    const std::string reason = std::strerror(errno);
    throw Failure("can't open input file " + path + "\n" + path + ": " + reason);
  }
  return file;
}

std::string input_error_text(const std::string& path, const InputError& error) {
  std::string first = error.legacy();
  if (first.empty()) first = "Wrong input format at line " + std::to_string(error.line());
  return first + "\n" + path + ": " + error.what();
}

}  // namespace svm::cli
