// Files under a temporary name, which signals need not leave behind.
#ifndef SVM_IO_TEMPORARY_FILE_H_
#define SVM_IO_TEMPORARY_FILE_H_

#include <atomic>
#include <string>

#include "platform/files.h"

namespace svm {

class TemporaryFile;

// The temporary files that a program has at the moment, for its signal handlers.  One object for
// all threads, which must live as long as handlers may run.
class TemporaryFiles {
 public:
  // Removes them all.  From then on a thread that wants to create, rename or remove one waits for
  // ever: so only for handlers that end the process.  Async-signal-safe, on any thread.
  void remove_all() noexcept;

 private:
  friend class TemporaryFile;
  class Change;

  void lock() noexcept;

  std::atomic<bool> locked_{false};
  TemporaryFile* first_ = nullptr;
};

// A file that is removed at the end unless it was renamed.
class TemporaryFile {
 public:
  // No file yet.  Where `all` is not null, no signal handler that calls remove_all() comes between
  // a change of the file and the account that `all` keeps of it.
  explicit TemporaryFile(TemporaryFiles* all) : all_(all) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { remove(); }

  // Creates a new file, hidden, in the folder of `path`, with these permissions (see open_new()),
  // and opens it for writing.  Throws std::system_error.  Only where there is none yet.
  platform::File create(const std::string& path, unsigned permissions);

  bool exists() const { return !name_.empty(); }

  // Gives the file, which is closed, its final name; false, with errno, where that fails.
  bool rename_to(const std::string& path);

  void remove() noexcept;  // also where there is none

 private:
  friend class TemporaryFiles;

  void forget();  // the account of it

  TemporaryFiles* all_;
  TemporaryFile* next_ = nullptr;  // of all_
  std::string name_;               // empty for no file
};

}  // namespace svm

#endif  // SVM_IO_TEMPORARY_FILE_H_
