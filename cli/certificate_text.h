// What svm-train --check prints.
#ifndef SVM_CLI_CERTIFICATE_TEXT_H_
#define SVM_CLI_CERTIFICATE_TEXT_H_

#include <string>

#include "training/binary_certificate.h"

namespace svm::cli {

// Lines of text.  `tolerance` is what training was asked for.
std::string certificate_text(const Certificate& certificate, double tolerance);

}  // namespace svm::cli

#endif  // SVM_CLI_CERTIFICATE_TEXT_H_
