#include "api/callbacks.h"

#include <atomic>

#include "svm.h"
#include "training/random.h"

namespace svm {
namespace {

// The library's only state, which LIBSVM's interface asks for.
std::atomic<void (*)(const char*)> print_function{nullptr};
std::atomic<void (*)(const char*)> warning_function{nullptr};
std::atomic<int (*)()> random_function{nullptr};

Messages::Function message_function(void (*function)(const char*)) {
  if (function == nullptr) return nullptr;
  return to_caller(function);
}

}  // namespace

Messages process_messages() {
  return Messages(message_function(print_function.load()),
                  message_function(warning_function.load()));
}

std::function<int()> process_draws() {
  int (*const function)() = random_function.load();
  if (function == nullptr) return nullptr;
  return draws_of_caller(function);
}

}  // namespace svm

void svm_set_print_string_function(void (*print_func)(const char*)) {
  svm::print_function.store(print_func);
}

void svm_set_warning_function(void (*warn_func)(const char*)) {
  svm::warning_function.store(warn_func);
}

void svm_set_random_function(int (*random_func)()) { svm::random_function.store(random_func); }
