#include "api/border.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <string_view>

#include "svm_ext.h"

namespace {

constexpr std::size_t kErrorSize = 1024;

// Has no destructor, which the end of a thread would have to run, and allocates no memory.
thread_local std::array<char, kErrorSize> last_error_text{};

// At most `room` bytes from the start of the text, without cutting a UTF-8 character.
std::string_view utf8_prefix(std::string_view text, std::size_t room) {
  if (text.size() <= room) return text;
  const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  while (room > 0 && is_inside(text[room])) --room;
  return text.substr(0, room);
}

}  // namespace

void svm::set_last_error(const char* function, const char* what) noexcept {
  char* end = last_error_text.data();
  for (const std::string_view part :
       {std::string_view(function), std::string_view(": "), std::string_view(what)}) {
    const auto used = static_cast<std::size_t>(end - last_error_text.data());
    const std::string_view piece = utf8_prefix(part, kErrorSize - 1 - used);
    end = std::copy(piece.begin(), piece.end(), end);
  }
  *end = '\0';
}

const char* svm_last_error(void) { return last_error_text.data(); }

namespace svm {
namespace {

// State of the process, which LIBSVM's interface requires.
std::atomic<void (*)(const char*)> print_function{nullptr};
std::atomic<void (*)(const char*)> warning_function{nullptr};

Messages::Function message_function(void (*function)(const char*)) {
  if (function == nullptr) return nullptr;
  return to_caller(function);
}

}  // namespace

void set_print_function(void (*function)(const char*)) { print_function.store(function); }

Messages process_messages() {
  return Messages(message_function(print_function.load()),
                  message_function(warning_function.load()));
}

Messages current_messages() {
  return Messages([](const char* text) { process_messages().print(text); },
                  [](const char* text) { process_messages().warn(text); });
}

}  // namespace svm

void svm_set_warning_function(void (*warn_func)(const char*)) {
  svm::warning_function.store(warn_func);
}
