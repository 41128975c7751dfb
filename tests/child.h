// A program that runs concurrently with the test and receives signals.
#ifndef SVM_TESTS_CHILD_H_
#define SVM_TESTS_CHILD_H_

#include <string>
#include <vector>

#include <sys/types.h>

namespace svm::test {

// False if there are no pseudo-terminals, as in a chroot without /dev/pts.
bool have_terminals();

// Opens a FIFO for writing as soon as somebody reads it; -1 if nobody does.
int open_fifo(const std::string& path);

// A child process.  SIGALRM ends it if it runs for minutes, so that a test fails instead of
// hanging.
class Child {
 public:
  // The streams that the test reads: standard output, through a pipe, or both, as one terminal.
  enum class Reads { kOutput, kTerminal };

  // arguments[0] is the program's path.  Runs in `folder`; a standard error that is not read goes
  // to the file other-output there.  `ignored` is the only signal that is ignored; 0 for none.
  Child(std::vector<std::string> arguments, const std::string& folder, Reads reads = Reads::kOutput,
        int ignored = 0);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();  // kills it

  // Reads until `part` was seen.  Returns false if the child's output ends before that.
  bool read_until(const std::string& part);
  std::string read_all();
  void stop_reading();  // from now on, writing breaks the child's pipe

  void send(int signal) const;
  void send_to_group(int signal) const;  // to it and the processes that it started
  // Sends the signal repeatedly until the child ends (two at once might arrive as one).  Returns as
  // wait() does.
  int send_until_end(int signal);
  // 128 + the number of the signal that ended the child, else its status; its own status 130, which
  // would be ambiguous, is reported as 130000.
  int wait();

  // False if pipes have a fixed size.
  bool make_pipe_small() const;
  // False if nobody fills it.
  bool wait_until_pipe_is_full() const;

 private:
  bool read_some();

  pid_t pid_ = -1;
  int read_ = -1;
  std::string text_;
};

}  // namespace svm::test

#endif  // SVM_TESTS_CHILD_H_
