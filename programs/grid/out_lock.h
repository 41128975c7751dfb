// A lock that prevents two searches from writing to the same results file.
#ifndef SVM_PROGRAMS_GRID_OUT_LOCK_H_
#define SVM_PROGRAMS_GRID_OUT_LOCK_H_

#include <stdexcept>
#include <string>

#include "base/platform/files.h"

namespace svm::grid {

// Thrown if another search holds the lock.
class OutIsLocked : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An exclusive lock (flock on POSIX) on the file PATH.lock in the folder of the results file PATH,
// or of the target if PATH is a symbolic link. The open descriptor holds it, so it ends with the
// process in any case: a lock file left behind is reused. The content of the file only names the
// owner.
//
// If the file system has no locks, the existence of the file is the lock. A lock file that names a
// process of this machine that no longer exists is reused; any other has to be removed by hand.
//
// tools/svmgrid/outlock.py does the same, so that the programs respect each other's locks.
class OutLock {
 public:
  using LockFunction = platform::Lock (*)(const platform::File& file);

  // `command` names the owner to others. A results file that is not a regular file needs no lock.
  // Throws OutIsLocked, whose text names the other search.
  OutLock(const std::string& out, const std::string& command,
          LockFunction lock = platform::take_lock);
  OutLock(const OutLock&) = delete;
  OutLock& operator=(const OutLock&) = delete;
  ~OutLock();

  // Why there is no lock although one is needed; empty otherwise.
  const std::string& failure() const { return failure_; }

 private:
  std::string path_;  // of the lock file
  std::string failure_;
  platform::File file_;  // the lock file while it is locked
};

}  // namespace svm::grid

#endif  // SVM_PROGRAMS_GRID_OUT_LOCK_H_
