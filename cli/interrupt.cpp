#include "cli/interrupt.h"

#include <atomic>
#include <csignal>
#include <unistd.h>

namespace svm::cli {
namespace {

// What ends a process unless it is handled, but for faults of the program itself and what only some
// systems have.
constexpr int kSignals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,   SIGALRM, SIGTERM,
                            SIGUSR1, SIGUSR2, SIGPROF, SIGVTALRM, SIGXCPU, SIGXFSZ};

enum class Watch { kNone, kBegun, kInterrupted };

// Signal handlers have no other way to be told of anything.  Any thread of a training may ask
// whether there was an interrupt.
TemporaryFiles temporary_files;
std::atomic<Watch> watch{Watch::kNone};
static_assert(std::atomic<Watch>::is_always_lock_free);

extern "C" void on_signal(int number) {
  Watch begun = Watch::kBegun;
  if (number == SIGINT && watch.compare_exchange_strong(begun, Watch::kInterrupted)) return;
  temporary_files.remove_all();
  std::signal(number, SIG_DFL);
  std::raise(number);
  sigset_t itself;
  ::sigemptyset(&itself);
  ::sigaddset(&itself, number);
  ::pthread_sigmask(SIG_UNBLOCK, &itself, nullptr);
  ::_exit(128 + number);  // the first process of a container does not end by signals of its own
}

}  // namespace

void handle_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;  // output to a pipe goes on
  ::sigfillset(&action.sa_mask);
  for (const int number : kSignals) {
    struct sigaction before = {};
    if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    ::sigaction(number, &action, nullptr);
  }
}

OutputFile open_output(const std::string& path) { return OutputFile(path, &temporary_files); }

InterruptWatch::InterruptWatch() { watch = Watch::kBegun; }

bool InterruptWatch::end() { return watch.exchange(Watch::kNone) == Watch::kInterrupted; }

bool InterruptWatch::seen() const { return watch == Watch::kInterrupted; }

}  // namespace svm::cli
