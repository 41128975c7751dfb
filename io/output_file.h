// Output files that appear whole or not at all.
#ifndef SVM_IO_OUTPUT_FILE_H_
#define SVM_IO_OUTPUT_FILE_H_

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace svm {

// Writes to a temporary name beside `path` and renames it on commit(); without commit() the target
// stays as it was.  Devices, pipes, sockets and symbolic links are written through instead, and so
// is a writable file in a folder that takes no new files.
class OutputFile {
 public:
  // Throws std::system_error when the file cannot be opened.
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  // Throws std::system_error when writing fails.
  void write(std::string_view text);

  // Closes the file and puts it in place.  Throws std::system_error; then the target is unchanged,
  // unless it is written through.
  void commit();

  // Name of the temporary file while there is one, else empty.  A signal handler may unlink() it.
  const std::string& temporary_path() const { return temporary_; }

 private:
  void open_through();
  void attach(int fd);  // takes the descriptor, also when it throws
  void discard() noexcept;

  std::string path_;
  std::string temporary_;     // empty where the target is written through
  std::vector<char> buffer_;  // of file_
  std::FILE* file_ = nullptr;
};

}  // namespace svm

#endif  // SVM_IO_OUTPUT_FILE_H_
