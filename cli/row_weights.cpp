#include "cli/row_weights.h"

#include <cmath>
#include <string_view>
#include <system_error>

#include "cli/main.h"
#include "io/foreign_text.h"
#include "io/input_error.h"
#include "io/number_text.h"
#include "io/text_cursor.h"
#include "io/whole_file.h"

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

std::vector<double> read_row_weights(const std::string& path, std::size_t rows) {
  std::vector<double> weights;
  try {
    weights = parse_row_weights(read_whole_file(path));
  } catch (const InputError& error) {
    throw Failure("ERROR: --weights " + path + ": " + error.what());
  } catch (const std::system_error& error) {
    throw Failure("can't open weights file " + path + "\n" + error.what());
  }
  if (weights.size() != rows) {
    throw Failure("ERROR: --weights " + path + ": " + std::to_string(weights.size()) +
                  " weights for " + std::to_string(rows) + " rows");
  }
  return weights;
}

}  // namespace svm::cli
