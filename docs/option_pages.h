// The texts of the documentation that come from a program's option table.
#ifndef SVM_DOCS_OPTION_PAGES_H_
#define SVM_DOCS_OPTION_PAGES_H_

#include <string>
#include <vector>

#include "programs/cli/options.h"

namespace svm::cli {

struct Example {
  std::string command;  // one line
  std::string meaning;  // a sentence that says what it does
};

// What the pages say of a program beside its usage and its options.
struct PageText {
  std::string summary;               // one line for the man page
  std::string description;           // paragraphs
  std::vector<Example> examples;     // for the man page
  std::vector<std::string> related;  // other programs, for the man page's "see also"
};

// Throws std::out_of_range if the program has no text.
const PageText& text_of(const std::string& program);

std::string man_page(const Program& program, const PageText& text);          // roff, section 1
std::string markdown_section(const Program& program, const PageText& text);  // for docs/options.md
std::string markdown_variables();  // the section on environment variables, for docs/options.md
std::string bash_completion(const Program& program);  // a bash script

}  // namespace svm::cli

#endif  // SVM_DOCS_OPTION_PAGES_H_
