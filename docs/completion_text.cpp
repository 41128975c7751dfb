// Turns a program's option table into a bash script that completes its command lines.
#include <algorithm>
#include <string>
#include <vector>

#include "docs/option_pages.h"
#include "programs/cli/options.h"

namespace svm::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The shell pattern of an option that takes a value: "-w*" stands for -w1, -w-1 ...
std::string pattern(const Option& option) { return option.name + (option.suffix ? "*" : ""); }

// What to complete after an option: its values, files, or nothing if it takes a number.
std::string value_case(const std::string& patterns, const std::string& choices, bool file) {
  std::string out = "    " + patterns + ")\n";
  if (!choices.empty()) {
    out += "      mapfile -t COMPREPLY < <(compgen -W '" + choices + "' -- \"$word\")\n";
  }
  if (file) out += "      files=yes\n";
  return out + "      ;;\n";
}

// The cases of all options that take a value. Options with the same completion share a case.
std::string value_cases(const Program& program) {
  std::vector<const Option*> left;
  for (const Option& option : program.options) {
    if (option.kind != ValueKind::kNone) left.push_back(&option);
  }
  std::string out;
  while (!left.empty()) {
    const Option& first = *left.front();
    std::string patterns;
    const auto same = [&first](const Option* each) {
      return each->choices == first.choices && each->file == first.file;
    };
    for (const Option* each : left) {
      if (same(each)) patterns += (patterns.empty() ? "" : " | ") + pattern(*each);
    }
    out += value_case(patterns, joined(first.choices), first.file);
    left.erase(std::remove_if(left.begin(), left.end(), same), left.end());
  }
  return out;
}

// The second of two numbers gets no completion.
std::string second_value(const Program& program) {
  std::string out;
  for (const Option& option : program.options) {
    if (option.kind != ValueKind::kTwoReals) continue;
    out += "  ((COMP_CWORD > 2)) && [[ ${COMP_WORDS[COMP_CWORD - 2]} == " + option.name +
           " ]] && return\n";
  }
  return out;
}

}  // namespace

std::string bash_completion(const Program& program) {
  std::vector<std::string> names;
  for (const Option& option : all_options(program)) names.push_back(option.name);
  std::string function = "_" + program.name;
  std::replace(function.begin(), function.end(), '-', '_');
  return "# Completion of " + program.name +
         " in bash, made from its option table by `make-docs completion`. Do not edit.\n" +
         function +
         "() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} files=\n" +
         "  COMPREPLY=()\n"
         "  if [[ $word == = ]]; then  # --name=value is three words\n"
         "    word=\n"
         "  elif [[ $option == = ]]; then\n"
         "    option=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  fi\n" +
         second_value(program) + "  case $option in\n" + value_cases(program) +
         "    *)\n"
         "      if [[ $word == -* ]]; then\n"
         "        mapfile -t COMPREPLY < <(compgen -W '" +
         joined(names) +
         "' -- \"$word\")\n"
         "      else\n"
         "        files=yes\n"
         "      fi\n"
         "      ;;\n"
         "  esac\n"
         "  if [[ $files ]]; then\n"
         "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$word\")\n"
         "    compopt -o filenames 2>/dev/null\n"
         "  fi\n"
         "}\n"
         "complete -F " +
         function + " " + program.name + "\n";
}

}  // namespace svm::cli
