// Command lines: they are refused with a message, or accepted and checked.  The first word is the
// name of the program; every blank ends an argument, so that two blanks enclose an empty one.
#include "programs/cli/options.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "programs/cli/grid_options.h"
#include "programs/cli/main.h"
#include "programs/cli/predict_options.h"
#include "programs/cli/scale_options.h"
#include "programs/cli/train_options.h"
#include "programs/grid/plan.h"
#include "svm_ext.h"
#include "tests/fuzz/fuzz.h"

namespace svm::fuzz {
namespace {

using Arguments = std::vector<std::string>;

Arguments split(std::string_view text) {
  Arguments arguments;
  for (;;) {
    const std::size_t end = text.find(' ');
    arguments.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return arguments;
    text.remove_prefix(end + 1);
  }
}

std::vector<const char*> views_of(const Arguments& arguments) {
  std::vector<const char*> views;
  views.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) views.push_back(argument.c_str());
  views.push_back(nullptr);
  return views;
}

// A program's table, made once: only the settings that it stores into are new for every command
// line.
template <typename Settings>
class Table {
 public:
  explicit Table(cli::Program (*make)(Settings&)) : program_(make(settings_.emplace())) {}
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  Settings& clear() { return settings_.emplace(); }
  const cli::Program& program() const { return program_; }

 private:
  std::optional<Settings> settings_;
  const cli::Program program_;  // refers to the settings
};

// True if the program would run.
bool parse(const cli::Program& program, const Arguments& arguments) {
  const std::vector<const char*> views = views_of(arguments);
  const cli::ParsedLine line =
      cli::parse_command_line(program, static_cast<int>(arguments.size()), views.data());
  require(line.files.size() <= program.max_files, "no more files than there may be");
  if (line.request != cli::Request::kRun) return false;
  require(line.files.size() >= program.min_files, "no fewer files than there must be");
  return true;
}

void check_training(cli::TrainSettings& settings) {
  settings.finish();
  svm_node rows[][2] = {{{1, 0}, {-1, 0}}, {{1, 1}, {-1, 0}}, {{2, 1}, {-1, 0}}};
  svm_node* views[] = {rows[0], rows[1], rows[2]};
  double labels[] = {1, -1, 1};
  const svm_problem problem{3, labels, views};
  svm_check_parameter(&problem, &settings.param);
  svm_check_options(&settings.param, &settings.options);
}

void check_plan(const cli::GridSettings& settings) {
  constexpr std::size_t kMostPoints = 20000;  // more would take long, and this is no test of speed
  std::size_t count = 1;
  for (const auto& range : {settings.c, settings.g, settings.p}) {
    if (range) count *= range->values().size();
  }
  if (count > kMostPoints) return;
  const grid::Plan plan = grid::make_plan(settings.c, settings.g, settings.p, settings.first_gamma,
                                          settings.last_gamma);
  require(plan.points.size() <= count, "no more points than there are values");
  if (!plan.points.empty()) grid::refined_plan(plan, plan.points.back());
}

void check_train(const Arguments& arguments) {
  static Table table(cli::train_program);
  cli::TrainSettings& settings = table.clear();
  if (parse(table.program(), arguments)) check_training(settings);
}

void check_grid(const Arguments& arguments) {
  static Table table(cli::grid_program);
  cli::GridSettings& settings = table.clear();
  if (!parse(table.program(), arguments)) return;
  check_training(settings.train);
  check_plan(settings);
}

void check_scale(const Arguments& arguments) {
  static Table table(cli::scale_program);
  table.clear();
  parse(table.program(), arguments);
}

void check_predict(const Arguments& arguments) {
  static Table table(cli::predict_program);
  table.clear();
  parse(table.program(), arguments);
}

}  // namespace
}  // namespace svm::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace svm::fuzz;
  const Arguments arguments = split(text_of(data, size));
  const std::string& program = arguments[0];
  try {
    if (program == "svm-predict") {
      check_predict(arguments);
    } else if (program == "svm-scale") {
      check_scale(arguments);
    } else if (program == "svm-grid") {
      check_grid(arguments);
    } else {
      check_train(arguments);
    }
  } catch (const svm::cli::UsageError&) {
  } catch (const svm::cli::Failure&) {
  }
  return 0;
}
