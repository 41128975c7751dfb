#include "api/callbacks.h"

#include <atomic>

#include "svm.h"

namespace {

// The one piece of global state, which LIBSVM's interface asks for.
std::atomic<void (*)(const char*)> print_function{nullptr};

}  // namespace

svm::Messages svm::process_messages() {
  void (*const print)(const char*) = print_function.load();
  return Messages(print == nullptr ? nullptr : to_caller(print));
}

void svm_set_print_string_function(void (*print_func)(const char*)) {
  print_function.store(print_func);
}
