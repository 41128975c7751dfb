// The man page and the section of docs/options.md of a small program.
#include "docs/option_pages.h"

#include <string>

#include <gtest/gtest.h>

#include "programs/cli/options.h"

namespace svm::cli {
namespace {

Program small_program() {
  Option threads;
  threads.name = "--threads";
  threads.kind = ValueKind::kInt;
  threads.value_name = "n";
  threads.help = "help of --threads";
  threads.range = "1 to 8";
  Program program;
  program.name = "prog";
  program.summary = "do things";
  program.description = ".starts with a dot\n\nsecond";
  program.examples = {{"prog -c 1 in", "Do one thing."}};
  program.related = {"other", "svm-thing"};
  program.options = {threads};
  return program;
}

TEST(ManPage, HasExamplesAndRelatedPages) {
  const std::string page = man_page(small_program());
  EXPECT_NE(page.find(".SH EXAMPLES\n.TP\n\\fBprog \\-c 1 in\\fR\nDo one thing.\n"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find(".SH SEE ALSO\n.BR other (1),\n.BR svm\\-thing (1)\n"), std::string::npos)
      << page;
  EXPECT_NE(page.find(".SH EXIT STATUS\n0 on success, 130 if Ctrl\\-C"), std::string::npos) << page;
}

TEST(ManPage, EscapesItsText) {
  const std::string page = man_page(small_program());
  EXPECT_EQ(page.rfind(".TH PROG 1 ", 0), 0U);
  EXPECT_NE(page.find("\n\\&.starts with a dot\n.PP\nsecond\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\\fB\\-\\-threads\\fR \\fIn\\fR\n"), std::string::npos) << page;
}

TEST(OptionsPage, HasARowForEachOption) {
  const std::string text = markdown_section(small_program());
  EXPECT_NE(text.find("| `--threads n` | help of --threads |  | 1 to 8 |\n"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace svm::cli
