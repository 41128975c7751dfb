// Parts of texts, in any locale.
#ifndef SVM_BASE_PLATFORM_TEXT_H_
#define SVM_BASE_PLATFORM_TEXT_H_

#include <initializer_list>
#include <string>
#include <string_view>

namespace svm {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// The parts one after the other.  A call of this takes less code than sums of strings.
std::string joined(std::initializer_list<std::string_view> parts);

// Adds an item to a list such as "a, b, c".
void add_item(std::string& list, std::string_view item);

}  // namespace svm

#endif  // SVM_BASE_PLATFORM_TEXT_H_
