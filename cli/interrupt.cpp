#include "cli/interrupt.h"

#include <atomic>

#include "platform/signals.h"

namespace svm::cli {
namespace {

enum class State { kNone, kBegun, kInterrupted };

// Signal handlers have no other way to be told of anything.  Any thread of a training may ask
// whether there was an interrupt.
TemporaryFiles temporary_files;
std::atomic<State> state{State::kNone};
static_assert(std::atomic<State>::is_always_lock_free);

bool note_interrupt() {
  State begun = State::kBegun;
  return state.compare_exchange_strong(begun, State::kInterrupted);
}

void remove_temporary_files() { temporary_files.remove_all(); }

}  // namespace

void handle_signals() { platform::handle_ending(note_interrupt, remove_temporary_files); }

OutputFile open_output(const std::string& path) { return OutputFile(path, &temporary_files); }

InterruptMonitor::InterruptMonitor() { state = State::kBegun; }

bool InterruptMonitor::end() { return state.exchange(State::kNone) == State::kInterrupted; }

bool InterruptMonitor::seen() const { return state == State::kInterrupted; }

}  // namespace svm::cli
