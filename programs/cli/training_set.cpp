#include "programs/cli/training_set.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/io/input_error.h"
#include "base/io/input_file.h"
#include "base/io/number_text.h"
#include "base/io/text_cursor.h"
#include "model/svm_type.h"
#include "programs/cli/files.h"
#include "programs/cli/main.h"
#include "programs/cli/metric_file.h"
#include "training/check.h"

namespace svm::cli {
namespace {

std::string_view without_spaces(std::string_view line) {
  while (!line.empty() && is_text_space(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_text_space(line.back())) line.remove_suffix(1);
  return line;
}

std::vector<double> parse_row_weights(std::string_view text) {
  const std::string fault = encoding_fault(text);
  if (!fault.empty()) throw InputError(0, 0, {}, fault, InputError::Part::kFile);
  std::vector<double> weights;
  TextCursor cursor(text);
  for (std::string_view line; cursor.line(line);) {
    const std::string_view token = without_spaces(line);
    if (token.empty()) cursor.fail(token, "a blank line where a weight is expected");
    const RealText parsed = parse_real(token);
    if (parsed.status == NumberStatus::kNotANumber || parsed.length != token.size()) {
      cursor.fail(token, "the weight is not a number");
    }
    if (!(parsed.value >= 0 && std::isfinite(parsed.value))) {
      cursor.fail(token, "the weight is not a finite number >= 0");
    }
    weights.push_back(parsed.value);
  }
  return weights;
}

}  // namespace

RowRules training_rules(const svm_parameter& param) {
  RowRules rules;
  rules.class_labels = is_classification(param.svm_type);
  rules.precomputed = param.kernel_type == PRECOMPUTED;
  return rules;
}

Dataset read_training_set(const std::string& path, const svm_parameter& param) {
  const FilePtr file = open_input(path);
  try {
    Dataset data(file.get(), training_rules(param));
    warn_of_rows(path, data.has_features(), data.first_line(), data.ignored());
    return data;
  } catch (const InputError& error) {
    throw Failure(input_error_text(path, error));
  }
}

void set_default_gamma(svm_parameter& param, int features) {
  if (param.gamma == 0 && features > 0) param.gamma = 1.0 / features;
}

std::vector<double> read_row_weights(const std::string& path, std::size_t rows) {
  std::vector<double> weights;
  try {
    weights = parse_row_weights(
        opened("can't open weights file " + path, [&] { return read_whole_file(path); }));
  } catch (const InputError& error) {
    throw Failure("ERROR: --row-weights " + path + ": " + error.what());
  }
  if (weights.size() != rows) {
    throw Failure("ERROR: --row-weights " + path + ": " + std::to_string(weights.size()) +
                  " weights for " + std::to_string(rows) + " rows");
  }
  return weights;
}

ForestPlan plan_of(const TrainSettings& settings) {
  ForestPlan plan;
  plan.borrows_rows = !settings.out_of_core;
  if (settings.cells > 0) plan.cell = static_cast<std::size_t>(settings.cells);
  if (settings.trees > 0) plan.trees = static_cast<std::size_t>(settings.trees);
  plan.learns_metric = settings.metric.empty();
  if (!settings.known_metric.empty()) plan.weights = read_metric(settings.known_metric).weights;
  return plan;
}

void check_training(const svm_problem& problem, const svm_parameter& param,
                    const svm_options& options) {
  const char* message = check_parameters(problem, param, options.row_weights);
  if (message == nullptr) message = svm_check_options(&param, &options);
  if (message == nullptr) {
    try {
      checked_weights(problem, param, options.row_weights);
    } catch (const std::invalid_argument& error) {
      throw Failure(std::string("ERROR: ") + error.what());
    }
    return;
  }
  std::string text = std::string("ERROR: ") + message;
  if (std::string(message) == "specified nu is infeasible") {
    text += "\nthe largest feasible nu for these classes is " +
            std::to_string(largest_feasible_nu(problem, options.row_weights));
  }
  throw Failure(text);
}

}  // namespace svm::cli
