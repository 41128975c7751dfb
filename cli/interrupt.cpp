#include "cli/interrupt.h"

#include <atomic>

#include "platform/signals.h"

namespace svm::cli {
namespace {

enum class Watch { kNone, kBegun, kInterrupted };

// Signal handlers have no other way to be told of anything.  Any thread of a training may ask
// whether there was an interrupt.
TemporaryFiles temporary_files;
std::atomic<Watch> watch{Watch::kNone};
static_assert(std::atomic<Watch>::is_always_lock_free);

bool note_interrupt() {
  Watch begun = Watch::kBegun;
  return watch.compare_exchange_strong(begun, Watch::kInterrupted);
}

void remove_temporary_files() { temporary_files.remove_all(); }

}  // namespace

void handle_signals() { platform::handle_ending(note_interrupt, remove_temporary_files); }

OutputFile open_output(const std::string& path) { return OutputFile(path, &temporary_files); }

InterruptWatch::InterruptWatch() { watch = Watch::kBegun; }

bool InterruptWatch::end() { return watch.exchange(Watch::kNone) == Watch::kInterrupted; }

bool InterruptWatch::seen() const { return watch == Watch::kInterrupted; }

}  // namespace svm::cli
