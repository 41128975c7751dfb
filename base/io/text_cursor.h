// Steps through the text of a model, range or weights file.
#ifndef SVM_BASE_IO_TEXT_CURSOR_H_
#define SVM_BASE_IO_TEXT_CURSOR_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace svm {

constexpr bool is_text_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  // The next word after any white space and line ends; empty at the end of the text. A word longer
  // than `longest` is cut there.
  std::string_view word(std::size_t longest = std::string_view::npos);

  // The next line without its '\n'. False at the end of the text.
  bool line(std::string_view& out);

  // Convert a whole word to a number. Throw InputError, whose message calls the number `what`.
  int integer(std::string_view what);
  double real(std::string_view what, bool finite);

  std::size_t position() const { return at_; }
  void seek(std::size_t position) { at_ = position; }
  std::size_t left() const { return text_.size() - at_; }

  // Throws InputError about `part`, which must be a part of the text.
  [[noreturn]] void fail(std::string_view part, const std::string& rule,
                         const std::string& legacy = {}) const;
  // Throws InputError about the current position.
  [[noreturn]] void fail_here(const std::string& rule) const;

 private:
  // The next word. Throws if there is none.
  std::string_view word_of(const std::string& name);

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace svm

#endif  // SVM_BASE_IO_TEXT_CURSOR_H_
