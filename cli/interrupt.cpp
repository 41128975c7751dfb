#include "cli/interrupt.h"

#include <atomic>
#include <csignal>
#include <unistd.h>
#include <utility>

namespace svm::cli {
namespace {

// Signal handlers have no other way to be told of anything.  Any thread of a training may ask
// whether there was an interrupt.
std::atomic<int> interrupted{0};
std::atomic<const char*> file_to_remove{nullptr};
static_assert(std::atomic<int>::is_always_lock_free);
static_assert(std::atomic<const char*>::is_always_lock_free);

extern "C" void on_interrupt(int signal_number) {
  if (interrupted == 0) {
    interrupted = 1;
    return;
  }
  const char* const path = file_to_remove;
  if (path != nullptr) ::unlink(path);
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

}  // namespace

InterruptWatch::InterruptWatch(std::string temporary_file)
    : temporary_file_(std::move(temporary_file)) {
  interrupted = 0;
  ::sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler == SIG_IGN) return;
  file_to_remove = temporary_file_.empty() ? nullptr : temporary_file_.c_str();
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;  // output to a pipe goes on
  ::sigemptyset(&action.sa_mask);
  installed_ = ::sigaction(SIGINT, &action, nullptr) == 0;
}

InterruptWatch::~InterruptWatch() {
  if (installed_) ::sigaction(SIGINT, &before_, nullptr);
  file_to_remove = nullptr;
}

bool InterruptWatch::seen() const { return interrupted != 0; }

}  // namespace svm::cli
