// A program that runs beside the test, to be sent signals.
#ifndef SVM_TESTS_CHILD_H_
#define SVM_TESTS_CHILD_H_

#include <string>
#include <vector>

#include <sys/types.h>

namespace svm::test {

// False where there are no pseudo-terminals, as in a chroot without /dev/pts.
bool have_terminals();

// Opens a FIFO for writing as soon as somebody reads it; -1 where nobody does.
int open_fifo(const std::string& path);

// Ended by SIGALRM where it runs for minutes, so that a test of one that hangs fails.
class Child {
 public:
  // The streams that come to this test: standard output, through a pipe, or both, as one terminal.
  enum class Reads { kOutput, kTerminal };

  // arguments[0] is the program's path.  Runs in `folder`, where a standard error that is not read
  // goes to the file other-output.  No signal is ignored but `ignored`, where that is not 0.
  Child(std::vector<std::string> arguments, const std::string& folder, Reads reads = Reads::kOutput,
        int ignored = 0);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();  // kills it

  // Reads until `part` was seen; false at the end of what the child writes.
  bool read_until(const std::string& part);
  std::string read_all();
  void stop_reading();  // what the child writes from now on breaks its pipe

  void send(int signal) const;
  // Sends one signal after another, as two at once might arrive as one, and returns as wait() does.
  int send_until_end(int signal);
  // 128 + the signal's number where one ended the child; a status of its own, 130 say, is told as
  // 130000.
  int wait();

  // False where pipes have a fixed size.
  bool make_pipe_small() const;
  // False where nobody fills it.
  bool wait_until_pipe_is_full() const;

 private:
  bool read_some();

  pid_t pid_ = -1;
  int read_ = -1;
  std::string text_;
};

}  // namespace svm::test

#endif  // SVM_TESTS_CHILD_H_
