// The texts of the documentation that come from a program's option table.
#ifndef SVM_DOCS_OPTION_PAGES_H_
#define SVM_DOCS_OPTION_PAGES_H_

#include <string>

#include "programs/cli/options.h"

namespace svm::cli {

std::string man_page(const Program& program);          // roff, section 1
std::string markdown_section(const Program& program);  // for docs/options.md
std::string bash_completion(const Program& program);   // a bash script

}  // namespace svm::cli

#endif  // SVM_DOCS_OPTION_PAGES_H_
