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
  text +=
      "\n## Environment variables\n\n"
      "The library reads them at every call. Invalid values end the programs, and the functions "
      "of\n"
      "`svm_ext.h` that train; LIBSVM's functions ignore them with a warning.\n\n"
      "| variable | for | values |\n"
      "| --- | --- | --- |\n"
      "| `LIBSVM_SOLVER` | users | solver of calls that name none, `svm_train` of LIBSVM's clients "
      "included; unset: smo |\n"
      "| `SVM_NUM_THREADS` | users | number of threads, 1 to 1024; unset: [what the place "
      "allows](performance.md#where-it-runs) |\n"
      "| `OMP_NUM_THREADS` | users of OpenMP | the most threads if `SVM_NUM_THREADS` is unset; of "
      "a "
      "list the first number; what OpenMP does not know is ignored |\n"
      "| `LIBSVM_PACKED_MODELS` | users | `off`, or the most whole megabytes for what "
      "`svm_predict` "
      "keeps of a model; unset: twice the bytes of its support vectors |\n"
      "| `SVM_INSTRUCTION_SET` | tests and measurements | `plain`, `avx2` or `avx512`; on aarch64 "
      "`plain` or `neon`; unset: the best that the processor has |\n"
      "| `SVM_ENGINE` | tests and measurements | `plain`, `bits`, `integers`, `dense` or "
      "`columns`, "
      "and for csmo `floats` or `bytes`; unset: the data decide |\n\n"
      "The programs also read `TERM` (`dumb` turns off the line that shows how far they are) and\n"
      "`COLUMNS`.\n";
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
