// Output files that appear whole or not at all.
#ifndef SVM_IO_OUTPUT_FILE_H_
#define SVM_IO_OUTPUT_FILE_H_

#include <string>
#include <string_view>

#include "io/temporary_file.h"
#include "platform/files.h"

namespace svm {

// Throws the std::system_error that OutputFile would throw for `path`, as far as that can be told
// without opening or creating a file: to be called before long work.
void check_output(const std::string& path);

// Writes to a temporary name beside `path` and renames it on commit(); without commit() the target
// stays as it was.  A file that is replaced leaves its owner, permissions, access lists and
// extended attributes to the new one.
//
// Written through instead, so that they get what was written in any case, are devices, pipes,
// sockets, symbolic links, files with more than one name (hard links), and a writable file in a
// folder that takes no new files or whose attributes cannot be copied.
class OutputFile {
 public:
  // `all` is told of the temporary file, so that signal handlers can remove it; null for none.
  // Throws std::system_error when the file cannot be opened.
  explicit OutputFile(const std::string& path, TemporaryFiles* all = nullptr);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  // Throws std::system_error when writing fails; then all that follows fails, too.
  void write(std::string_view text);

  // Closes the file and puts it in place, where it outlasts a loss of power, unless it is written
  // through.  Throws std::system_error; then the target is unchanged, unless it is written through
  // or all that failed is to put its folder on the disk.
  void commit();

 private:
  void open_through();
  void flush();
  void check(bool done);  // gives the file up and throws what errno says unless `done`

  const std::string path_;
  TemporaryFile temporary_;  // none where the target is written through
  platform::File file_;
  std::string buffer_;
};

}  // namespace svm

#endif  // SVM_IO_OUTPUT_FILE_H_
