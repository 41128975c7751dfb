// Shared by the fuzz targets.  Each target defines LLVMFuzzerTestOneInput, which libFuzzer, or the
// main() in replay.cpp, calls with one input after the other.
#ifndef SVM_TESTS_FUZZ_FUZZ_H_
#define SVM_TESTS_FUZZ_FUZZ_H_

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <unistd.h>

#include "base/io/input_file.h"
#include "svm.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace svm::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the process if the input breaks a property; the fuzzer keeps the input.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", property);
  std::abort();
}

// True if two results have the same bits, or are both NaN.
inline bool is_same(double a, double b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0 || (std::isnan(a) && std::isnan(b));
}

inline bool is_same_row(const svm_node* a, const svm_node* b) {
  for (; a->index != -1; ++a, ++b) {
    if (a->index != b->index || !is_same(a->value, b->value)) return false;
  }
  return b->index == -1;
}

// True if the text may have numbers below the smallest normal double.  If these are as far apart as
// decimal numbers of few digits, reading and printing does not always give the number that was
// printed.
inline bool may_have_subnormals(std::string_view text) {
  return text.find("e-3") != std::string_view::npos;
}

// The text as a file open for reading, without a copy.
inline FilePtr open_text(std::string_view text) {
  // Some systems refuse a buffer of no bytes; an empty file does the same.
  FilePtr file(text.empty() ? std::tmpfile()
                            : ::fmemopen(const_cast<char*>(text.data()), text.size(), "rb"));
  require(file != nullptr, "a text can be opened");
  return file;
}

// A file without a name, for functions that write to a path.  It lasts as long as the process.
class Scratch {
 public:
  Scratch() : file_(std::tmpfile()) {
    require(file_ != nullptr, "a temporary file can be created");
    path_ = "/dev/fd/" + std::to_string(::fileno(file_.get()));
  }

  const std::string& path() const { return path_; }

  void write(std::string_view text) const {
    std::rewind(file_.get());
    require(::ftruncate(::fileno(file_.get()), 0) == 0, "a temporary file can be truncated");
    std::fwrite(text.data(), 1, text.size(), file_.get());
    require(std::fflush(file_.get()) == 0, "a temporary file can be written");
  }

 private:
  FilePtr file_;
  std::string path_;
};

}  // namespace svm::fuzz

#endif  // SVM_TESTS_FUZZ_FUZZ_H_
