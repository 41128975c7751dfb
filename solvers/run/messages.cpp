#include "solvers/run/messages.h"

#if !defined(SVM_NO_STDIO)
#include <cstdio>
#endif

namespace svm {

void Messages::print(const std::string& text) const {
  if (is_silent_) return;
  if (print_) {
    print_(text.c_str());
    return;
  }
#if !defined(SVM_NO_STDIO)
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
#endif
}

}  // namespace svm
