// Ctrl-C as a request to finish early.
#ifndef SVM_CLI_INTERRUPT_H_
#define SVM_CLI_INTERRUPT_H_

#include <signal.h>
#include <string>

namespace svm::cli {

// While one lives, the first SIGINT is only noted; a second one ends the process as usual, after
// removing `temporary_file` (empty for none).  Where SIGINT was ignored (nohup, background jobs) it
// stays ignored.  One at a time.
class InterruptWatch {
 public:
  explicit InterruptWatch(std::string temporary_file);
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch();

  // A SIGINT came since the watch began.
  bool seen() const;

 private:
  const std::string temporary_file_;
  struct sigaction before_ = {};
  bool installed_ = false;
};

}  // namespace svm::cli

#endif  // SVM_CLI_INTERRUPT_H_
