// Output files that are written completely or not at all, by temporary files that signal handlers
// can remove.
#ifndef SVM_BASE_IO_OUTPUT_FILE_H_
#define SVM_BASE_IO_OUTPUT_FILE_H_

#include <atomic>
#include <string>
#include <string_view>

#include "base/platform/files.h"

namespace svm {

class TemporaryFile;

// The temporary files of a program, for its signal handlers. All threads share one object, which
// must live as long as handlers may run.
class TemporaryFiles {
 public:
  // Removes all of them. Afterwards, a thread that wants to create, rename or remove one blocks
  // forever, so only handlers that end the process may call this. Async-signal-safe, on any thread.
  void remove_all() noexcept;

 private:
  friend class TemporaryFile;
  class Change;

  void lock() noexcept;

  std::atomic<bool> locked_{false};
  TemporaryFile* first_ = nullptr;
};

// A file that the destructor removes unless it was renamed.
class TemporaryFile {
 public:
  // Creates no file yet. If `all` is not null, no signal handler that calls remove_all() can run
  // between a change of the file and its record in `all`.
  explicit TemporaryFile(TemporaryFiles* all) : all_(all) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { remove(); }

  // Creates a new hidden file in the folder of `path` with these permissions (see open_new()) and
  // opens it for writing. There must not be one yet. Throws std::system_error.
  platform::File create(const std::string& path, unsigned permissions);

  bool exists() const { return !name_.empty(); }

  // Renames the file, which must be closed. Returns false and sets errno if that fails.
  bool rename_to(const std::string& path);

  void remove() noexcept;  // does nothing if there is no file

 private:
  friend class TemporaryFiles;

  void forget();  // removes it from the record

  TemporaryFiles* all_;
  TemporaryFile* next_ = nullptr;  // list of all_
  std::string name_;               // empty if there is no file
};

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
