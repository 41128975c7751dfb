// Writes the texts that come from the option tables: man pages, docs/options.md, or scripts that
// complete command lines.
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "docs/all_programs.h"
#include "docs/option_pages.h"

namespace {

using svm::cli::Program;

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw std::runtime_error("cannot write " + path);
}

void write_man_pages(const std::string& folder, const std::vector<Program>& programs) {
  for (const Program& program : programs) {
    write_file(folder + "/" + program.name + ".1",
               svm::cli::man_page(program, svm::cli::text_of(program.name)));
  }
}

void write_completions(const std::string& folder, const std::vector<Program>& programs) {
  for (const Program& program : programs) {
    write_file(folder + "/" + program.name, svm::cli::bash_completion(program));
  }
}

void write_markdown(const std::string& path, const std::vector<Program>& programs) {
  std::string text =
      "# Options\n\n"
      "This page is made from the programs' option tables (`programs/cli/*_options.cpp`) by\n"
      "`cmake --build build --target update-docs`. Do not edit it.\n\n"
      "Options come before the file names. A short option is known by its first letter, as in\n"
      "LIBSVM: `-cost 5` is `-c 5`. Long options take their value as `--name value` or\n"
      "`--name=value`.\n";
  for (const Program& program : programs) {
    text += "\n" + svm::cli::markdown_section(program, svm::cli::text_of(program.name));
  }
  text += svm::cli::markdown_variables();
  write_file(path, text);
}

int run(const std::vector<std::string>& arguments) {
  svm::cli::AllPrograms all;
  const std::vector<Program>& programs = all.tables;
  if (arguments.size() == 2 && arguments[0] == "man") {
    write_man_pages(arguments[1], programs);
    return 0;
  }
  if (arguments.size() == 2 && arguments[0] == "completion") {
    write_completions(arguments[1], programs);
    return 0;
  }
  if (arguments.size() == 2 && arguments[0] == "markdown") {
    write_markdown(arguments[1], programs);
    return 0;
  }
  std::cerr
      << "usage: make-docs man folder | make-docs completion folder | make-docs markdown file\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::cerr << "make-docs: " << error.what() << '\n';
    return 1;
  }
}
