// What signals do to a program: no temporary file stays behind, and Ctrl-C can be a request to
// finish early.
#ifndef SVM_CLI_INTERRUPT_H_
#define SVM_CLI_INTERRUPT_H_

#include <string>

#include "io/output_file.h"

namespace svm::cli {

// To be called once, before files are opened.  From then on the signals that end a process still
// do, but first remove what open_output() has under a temporary name.  Those that are ignored
// (nohup, background jobs) stay ignored.
void handle_signals();

// Opens an output file that appears whole or not at all.  Throws std::system_error.
OutputFile open_output(const std::string& path);

// From its beginning to its end, after handle_signals(), the first SIGINT is only noted; a second
// one ends the process as usual.  One at a time.
class InterruptMonitor {
 public:
  InterruptMonitor();
  InterruptMonitor(const InterruptMonitor&) = delete;
  InterruptMonitor& operator=(const InterruptMonitor&) = delete;
  ~InterruptMonitor() { end(); }

  // A SIGINT came since then.
  bool seen() const;

  // Ends the monitoring and says the same for the last time: no SIGINT goes unseen.
  bool end();
};

}  // namespace svm::cli

#endif  // SVM_CLI_INTERRUPT_H_
