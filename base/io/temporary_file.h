// Temporary files that signal handlers can remove.
#ifndef SVM_BASE_IO_TEMPORARY_FILE_H_
#define SVM_BASE_IO_TEMPORARY_FILE_H_

#include <atomic>
#include <string>

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

}  // namespace svm

#endif  // SVM_BASE_IO_TEMPORARY_FILE_H_
