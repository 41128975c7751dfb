// Man pages and docs/options.md: their form, and that their examples are right.
#include "docs/option_pages.h"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "docs/all_programs.h"

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
  program.options = {threads};
  return program;
}

const PageText kText = {"do things",
                        ".starts with a dot\n\nsecond",
                        {{"prog -c 1 in", "Do one thing."}},
                        {"other", "svm-thing"}};

TEST(ManPage, HasExamplesAndRelatedPages) {
  const std::string page = man_page(small_program(), kText);
  EXPECT_NE(page.find(".SH EXAMPLES\n.TP\n\\fBprog \\-c 1 in\\fR\nDo one thing.\n"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find(".SH SEE ALSO\n.BR other (1),\n.BR svm\\-thing (1)\n"), std::string::npos)
      << page;
  EXPECT_NE(page.find(".SH EXIT STATUS\n0 on success, 1 if something went wrong, 130 if Ctrl\\-C"),
            std::string::npos)
      << page;
}

TEST(ManPage, HasTheEnvironmentOfTheProgram) {
  const AllPrograms all;
  for (const Program& program : all.tables) {
    const std::string page = man_page(program, kText);
    EXPECT_NE(page.find(".SH ENVIRONMENT\n"), std::string::npos) << program.name;
    EXPECT_NE(page.find(".B TERM\n"), std::string::npos) << program.name;
    const bool trains = program.name == "svm-train" || program.name == "svm-grid";
    EXPECT_EQ(page.find(".B LIBSVM_SOLVER\n") != std::string::npos, trains) << program.name;
    EXPECT_EQ(page.find("255") != std::string::npos, program.name == "svm-scale") << program.name;
    EXPECT_EQ(page.find("SVM_ENGINE"), std::string::npos) << program.name;
  }
}

TEST(ManPage, EscapesItsText) {
  const std::string page = man_page(small_program(), kText);
  EXPECT_EQ(page.rfind(".TH PROG 1 ", 0), 0U);
  EXPECT_NE(page.find("\n\\&.starts with a dot\n.PP\nsecond\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\\fB\\-\\-threads\\fR \\fIn\\fR\n"), std::string::npos) << page;
}

TEST(OptionsPage, HasARowForEachOption) {
  const std::string text = markdown_section(small_program(), kText);
  EXPECT_NE(text.find("| `--threads n` | help of --threads |  | 1 to 8 |\n"), std::string::npos)
      << text;
}

// Every example of a man page, without redirections, is a command line that the program accepts.
TEST(Examples, AreTaken) {
  AllPrograms all;
  for (const Program& program : all.tables) {
    const PageText& text = text_of(program.name);
    EXPECT_GE(text.examples.size(), 2U) << program.name;
    EXPECT_FALSE(text.related.empty()) << program.name;
    for (const Example& example : text.examples) {
      std::istringstream command(example.command.substr(0, example.command.find(" >")));
      std::vector<std::string> words;
      for (std::string word; command >> word;) words.push_back(word);
      ASSERT_FALSE(words.empty());
      EXPECT_EQ(words.front(), program.name);
      std::vector<const char*> line;
      line.reserve(words.size());
      for (const std::string& word : words) line.push_back(word.c_str());
      EXPECT_NO_THROW(parse_command_line(program, static_cast<int>(line.size()), line.data()))
          << example.command;
    }
  }
}

}  // namespace
}  // namespace svm::cli
