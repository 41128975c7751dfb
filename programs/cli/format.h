// printf into a string.
#ifndef SVM_PROGRAMS_CLI_FORMAT_H_
#define SVM_PROGRAMS_CLI_FORMAT_H_

#include <string>

namespace svm {

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

}  // namespace svm

#endif  // SVM_PROGRAMS_CLI_FORMAT_H_
