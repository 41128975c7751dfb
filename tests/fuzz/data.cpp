// Data files: all readers read the same rows from the same files, and what was read can be written
// and read again.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/input_error.h"
#include "base/io/number_text.h"
#include "programs/data/dataset.h"
#include "programs/data/row_reader.h"
#include "tests/fuzz/fuzz.h"

namespace svm::fuzz {
namespace {

// Bytes per read: several reads for most inputs, and one read.
constexpr std::size_t kSmallPiece = 32, kPiece = 512;

struct Row {
  double label;
  std::vector<svm_node> nodes;  // terminated by index -1
};

// The rows of a file, or of its part before the error.
struct Rows {
  std::vector<Row> rows;
  std::optional<std::string> error;
};

bool is_same(const Row& a, const Row& b) {
  return fuzz::is_same(a.label, b.label) && is_same_row(a.nodes.data(), b.nodes.data());
}

bool is_same(const Rows& a, const Rows& b) {
  if (a.error != b.error || a.rows.size() != b.rows.size()) return false;
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    if (!is_same(a.rows[i], b.rows[i])) return false;
  }
  return true;
}

// Line by line, with the careful parser alone.
Rows parse_lines(std::string_view text, RowRules rules) {
  RowParser parser(rules);
  Rows out;
  try {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::string_view line = text.substr(0, text.find('\n'));
      std::vector<svm_node> nodes(line.size() + 1);
      svm_node* end = nodes.data();
      const double label = parser.parse(line, number, end);
      nodes.resize(static_cast<std::size_t>(end - nodes.data()));
      nodes.push_back({-1, 0});
      out.rows.push_back({label, std::move(nodes)});
      text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
  } catch (const InputError& error) {
    out.error = error.what();
  }
  return out;
}

// Reads as svm-predict and svm-scale do.
Rows read_rows(std::string_view text, RowRules rules) {
  const FilePtr file = open_text(text);
  FileRows rows(file.get(), rules, kSmallPiece);
  Rows out;
  try {
    while (rows.next()) {
      out.rows.push_back({rows.label(), {rows.nodes(), rows.nodes() + rows.size() + 1}});
    }
  } catch (const InputError& error) {
    out.error = error.what();
  }
  return out;
}

// Reads as svm-train and svm-grid do: everything or nothing.
std::optional<Dataset> read_all(std::string_view text, RowRules rules, std::string& error) {
  const FilePtr file = open_text(text);
  try {
    return Dataset(file.get(), rules, kPiece);
  } catch (const InputError& fault) {
    error = fault.what();
    return std::nullopt;
  }
}

std::string written(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    append_real(text, row.label, kMostDigits);
    for (const svm_node* node = row.nodes.data(); node->index != -1; ++node) {
      text += ' ';
      append_int(text, node->index);
      text += ':';
      append_real(text, node->value, kMostDigits);
    }
    text += '\n';
  }
  return text;
}

// Training looks up every row's kernel value with every other without a further check.
void check_serials(const svm_problem& problem) {
  for (int i = 0; i < problem.l; ++i) {
    int length = 0;
    while (problem.x[i][length].index != -1) ++length;
    for (int j = 0; j < problem.l; ++j) {
      const double serial = problem.x[j][0].value;
      require(serial >= 1 && serial < length && serial == std::floor(serial),
              "a precomputed row has a value for every serial number");
    }
  }
}

void check_dataset(std::string_view text, RowRules rules, const Rows& expected) {
  std::string error;
  std::optional<Dataset> dataset = read_all(text, rules, error);
  if (!dataset) {
    require(rules.precomputed || expected.rows.empty() || expected.error == error,
            "a data set is refused as its rows are");
    return;
  }
  const svm_problem problem = dataset->problem();
  const auto count = static_cast<std::size_t>(problem.l);
  require(!expected.error && count == expected.rows.size(), "what trains can be predicted");
  for (std::size_t i = 0; i < count; ++i) {
    require(fuzz::is_same(problem.y[i], expected.rows[i].label) &&
                is_same_row(problem.x[i], expected.rows[i].nodes.data()),
            "a data set has the rows that are predicted");
  }
  if (rules.precomputed) check_serials(problem);
}

void check(std::string_view text, RowRules rules) {
  const Rows rows = read_rows(text, rules);
  require(is_same(rows, parse_lines(text, rules)), "quick and careful reading give the same");
  check_dataset(text, rules, rows);
  if (rows.rows.empty()) return;
  const std::string copy = written(rows.rows);
  require(is_same(read_rows(copy, rules), {rows.rows, std::nullopt}),
          "rows written are read again as they were");
}

}  // namespace
}  // namespace svm::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using svm::RowRules;
  const std::string_view text = svm::fuzz::text_of(data, size);
  RowRules regression, classes, precomputed, scaling;
  classes.class_labels = true;
  precomputed.precomputed = true;
  scaling.reject_subnormals = false;
  scaling.cr_ends_label = true;
  // The input selects one of them, for speed; one blank more or less at its end changes the choice.
  const RowRules rules[] = {regression, classes, precomputed, scaling};
  svm::fuzz::check(text, rules[size % std::size(rules)]);
  return 0;
}
