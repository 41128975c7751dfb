// Keeps a second search from the results file of a first one.
#ifndef SVM_GRID_OUT_LOCK_H_
#define SVM_GRID_OUT_LOCK_H_

#include <stdexcept>
#include <string>

#include "platform/files.h"

namespace svm::grid {

// Another search has the lock.
class OutIsLocked : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An exclusive lock (flock on POSIX) on the file PATH.lock beside the results file PATH, or beside
// what PATH is a symbolic link to.  It is held by the open descriptor and so ends with the process,
// however that ends: a file that is left over is used again.  What the file says only names its
// owner.
//
// Where the file system has no locks, the file itself is the lock.  One that names a process of
// this machine which is gone is used again; any other has to be removed by hand.
//
// tools/svmgrid/outlock.py does the same, so that the programs keep clear of each other.
class OutLock {
 public:
  using LockFunction = platform::Lock (*)(const platform::File& file);

  // `command` is what the owner calls itself.  A results file that is no regular one needs no lock.
  // Throws OutIsLocked, whose text names the other search.
  OutLock(const std::string& out, const std::string& command,
          LockFunction lock = platform::take_lock);
  OutLock(const OutLock&) = delete;
  OutLock& operator=(const OutLock&) = delete;
  ~OutLock();

  // Why there is no lock though one is needed; else empty.
  const std::string& failure() const { return failure_; }

 private:
  std::string path_;  // of the lock file
  std::string failure_;
  platform::File file_;  // it, while it is locked
};

}  // namespace svm::grid

#endif  // SVM_GRID_OUT_LOCK_H_
