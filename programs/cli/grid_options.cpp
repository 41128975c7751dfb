#include "programs/cli/grid_options.h"

#include <algorithm>
#include <utility>

#include "base/io/number_text.h"
#include "programs/cli/option_builders.h"

namespace svm::cli {
namespace {

Option text_option(const char* name, const char* value_name, const char* help, const char* fallback,
                   std::function<void(const std::string&)> store) {
  Option option = value_option(ValueKind::kText, name, value_name, help, fallback);
  option.store = [store = std::move(store)](const Option::Value& value) { store(value.text); };
  return option;
}

Option range_option(const char* name, const char* help, const char* fallback,
                    std::optional<grid::Range>& target) {
  Option option =
      text_option(name, "begin,end,step", help, fallback, [&target](const std::string& text) {
        target = grid::parse_range(text);
        if (target && target->has_too_many_values()) {
          throw BadValue("'" + text + "' has more than " +
                         std::to_string(grid::Range::kMostValues) + " values");
        }
        if (target || text == "null") return;
        throw BadValue("'" + text +
                       "' is neither begin,end,step (numbers up to 1000, the step "
                       "leading from begin to end; v,v,1 is the one value v) nor null");
      });
  return with_choices(option, {"null"});
}

// An option that takes a file name, or "null" for no file.
Option output_option(const char* name, const char* help, const char* fallback, std::string& target,
                     bool& none) {
  Option option = file_option(name, "file", help, target);
  option.fallback = fallback;
  option.choices = {"null"};
  option.store = [store = option.store, &target, &none](const Option::Value& value) {
    store(value);
    none = target == "null";
    if (none) target.clear();
  };
  return option;
}

void store_gammas(const std::string& text, GridSettings& settings) {
  const IntText first = parse_int(text);
  const std::string rest = text.substr(std::min(first.length + 1, text.size()));
  const IntText last = parse_int(rest);
  const bool good = first.status == NumberStatus::kOk && last.status == NumberStatus::kOk &&
                    text[first.length] == ':' && last.length == rest.size() && first.value >= 0 &&
                    last.value > first.value;
  if (!good) {
    throw BadValue("'" + text + "' is not of the form B:E with 0 <= B < E");
  }
  settings.first_gamma = static_cast<std::size_t>(first.value);
  settings.last_gamma = static_cast<std::size_t>(last.value);
}

Option gnuplot_option(GridSettings& settings) {
  Option option =
      text_option("-gnuplot", "path", "program that draws the picture, or null for no picture",
                  "/usr/bin/gnuplot", [&settings](const std::string& text) {
                    settings.gnuplot = text == "null" ? std::string() : text;
                  });
  option.choices = {"null"};
  option.file = true;
  return option;
}

Option resume_option(GridSettings& settings) {
  Option option = text_option("-resume", "[file]",
                              "do not repeat the points in this file, and add to the -out file",
                              "the -out file", [&settings](const std::string& text) {
                                settings.resume = true;
                                settings.resume_file = text;
                              });
  option.file = option.optional = true;
  return option;
}

// Command lines written for grid.py name a svm-train. LIBSVM's gives the same rates as this
// program; other programs, such as wrappers, may not.
Option svm_train_option() {
  Option option =
      text_option("-svmtrain", "path",
                  "as in grid.py; not run, as svm-grid trains by itself what svm-train trains", "",
                  [](const std::string& text) {
                    const std::string name = text.substr(text.find_last_of("/\\") + 1);
                    if (name == "svm-train" || name == "svm-train.exe") return;
                    throw BadValue("'" + text +
                                   "' is not svm-train, and svm-grid trains by itself; "
                                   "tools/grid.py runs any program");
                  });
  option.file = true;
  return option;
}

std::vector<Option> search_options(GridSettings& settings) {
  return {
      range_option("-log2c", "exponents of C, or null: not searched", "-5,15,2", settings.c),
      range_option("-log2g", "exponents of gamma, or null: not searched", "3,-15,-2", settings.g),
      range_option("-log2p", "exponents of the tube width of epsilon-SVR, or null: not searched",
                   "null", settings.p),
      folds_option("cross validate in n parts", "5", settings.folds),
      output_option("-out", "finished points, one line each, or null for none",
                    "data file's name with .out, in the current folder", settings.out,
                    settings.no_out),
      output_option("-png", "contour picture, or null for none",
                    "data file's name with .png, in the current folder", settings.png,
                    settings.no_png),
      gnuplot_option(settings),
      file_option("--model", "file",
                  "then train all rows at the best point, as svm-train does, and write the model; "
                  "kernel rows of the search are used again",
                  settings.model),
      resume_option(settings),
      svm_train_option(),
      with_choices(
          text_option(
              "--search", "way",
              "full: every point; adaptive: skip points that cannot be the best or are clearly "
              "worse than others, with a line and a comment in the -out file",
              "full",
              [&settings](const std::string& text) {
                if (text != "full" && text != "adaptive") {
                  throw BadValue("'" + text + "' is neither full nor adaptive");
                }
                settings.adaptive = text == "adaptive";
              }),
          {"full", "adaptive"}),
      flag_option("--refine", "then search around the best point with a quarter of the step",
                  settings.refine),
      flag_option(
          "--warm-start",
          "start each C of a fold from the solution for the previous C: faster, with the same "
          "result within the tolerance; without it, rates are those of svm-train -v to the digit",
          settings.warm_start),
      within(10, std::numeric_limits<int>::max(),
             int_option("--cells", "rows",
                        "for very many rows: cut them into cells of at most so many neighbouring "
                        "rows, and cross validate each cell on its own, which approximates the "
                        "full search; --model writes a forest of such cells",
                        "no cells", ">= 10", settings.cells)),
      text_option("--gammas", "B:E", "only gammas B to E-1 of the range, counted from 0", "all",
                  [&settings](const std::string& text) { store_gammas(text, settings); }),
  };
}

}  // namespace

Program grid_program(GridSettings& settings) {
  Program program = train_program(settings.train);
  program.name = "svm-grid";
  program.usage = "[options] training_set_file";
  const auto is_replaced = [](const Option& option) {
    for (const char* name : {"-c", "-g", "-v", "--check", "--compact", "--digits", "--init",
                             "--trace", "--row-weights", "--counts", "--out-of-core", "--cells"}) {
      if (option.name == name) return true;
    }
    return false;
  };
  std::vector<Option>& options = program.options;
  options.erase(std::remove_if(options.begin(), options.end(), is_replaced), options.end());
  const std::vector<Option> own = search_options(settings);
  options.insert(options.begin(), own.begin(), own.end());
  program.max_files = 1;
  for (const std::string name : {"-c", "-g"}) {
    program.messages[name] = "Use -log2c and -log2g.\nsvm-grid: option " + name +
                             ": svm-grid searches " + (name == "-c" ? "C" : "gamma") +
                             "; for the one value 2^v give -log2" + name.substr(1) + " v,v,1";
  }
  return program;
}

}  // namespace svm::cli
