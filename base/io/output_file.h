// Output files that are written completely or not at all.
#ifndef SVM_BASE_IO_OUTPUT_FILE_H_
#define SVM_BASE_IO_OUTPUT_FILE_H_

#include <string>
#include <string_view>

#include "base/io/temporary_file.h"
#include "base/platform/files.h"

namespace svm {

// Throws the std::system_error that OutputFile would throw for `path`, as far as that can be known
// without opening or creating a file. Called before a long computation.
void check_output(const std::string& path);

// Writes to a temporary file in the folder of `path` and renames it in commit(). Without commit()
// the target stays as it was. The new file gets the owner, permissions, access lists and extended
// attributes of the file that it replaces.
//
// Some targets are written directly instead and so contain whatever was written so far: devices,
// pipes, sockets, symbolic links, files with several names (hard links), and writable files in a
// folder that accepts no new files or whose attributes cannot be copied.
class OutputFile {
 public:
  // Registers the temporary file with `all`, unless it is null, so that signal handlers can remove
  // it. Throws std::system_error if the file cannot be opened.
  explicit OutputFile(const std::string& path, TemporaryFiles* all = nullptr);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  // Throws std::system_error if writing fails; all later calls then fail, too.
  void write(std::string_view text);

  // Closes the file and puts it in its place. There it survives a loss of power unless it is
  // written directly. Throws std::system_error. In that case the target is unchanged, unless it is
  // written directly or only flushing its folder to the disk failed.
  void commit();

 private:
  void open_through();
  void flush();
  void check(bool done);  // unless `done`, closes the file and throws errno

  const std::string path_;
  TemporaryFile temporary_;  // unused if the target is written directly
  platform::File file_;
  std::string buffer_;
};

}  // namespace svm

#endif  // SVM_BASE_IO_OUTPUT_FILE_H_
