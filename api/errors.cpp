#include "api/errors.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "svm.h"

namespace {

constexpr std::size_t kErrorSize = 1024;

// Without a destructor, which a thread that ends would have to run, and without memory to allocate.
thread_local std::array<char, kErrorSize> last_error_text{};

// The first `room` bytes, or fewer, so that no character of UTF-8 is cut in two.
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
