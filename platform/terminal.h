// The three standard streams, and whether they are a screen.
#ifndef SVM_PLATFORM_TERMINAL_H_
#define SVM_PLATFORM_TERMINAL_H_

namespace svm::platform {

enum class Stream { kInput, kOutput, kError };

bool is_terminal(Stream stream);

// Characters in a line of the terminal; 0 where there is none, or it does not say.
unsigned terminal_columns(Stream stream);

// Makes the standard streams fit for use, for as long as it exists.  One that is closed is made to
// refuse reading and writing: else the next file opened would take its place, and get what is
// printed.  On Windows they carry bytes as they are, and a console takes and shows UTF-8.
class StandardStreams {
 public:
  StandardStreams();  // throws std::system_error
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;
  ~StandardStreams();  // NOLINT(performance-trivially-destructible): on Windows there is work
};

}  // namespace svm::platform

#endif  // SVM_PLATFORM_TERMINAL_H_
