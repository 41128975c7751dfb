// Kinds of characters, in any locale.
#ifndef SVM_PLATFORM_CHARACTERS_H_
#define SVM_PLATFORM_CHARACTERS_H_

namespace svm {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace svm

#endif  // SVM_PLATFORM_CHARACTERS_H_
