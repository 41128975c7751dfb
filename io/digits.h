// Characters of numbers, in every locale.
#ifndef SVM_IO_DIGITS_H_
#define SVM_IO_DIGITS_H_

namespace svm {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace svm

#endif  // SVM_IO_DIGITS_H_
