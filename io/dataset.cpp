#include "io/dataset.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "io/line_reader.h"
#include "io/number_text.h"

namespace svm {
namespace {

std::string pair_text(const svm_node& node) {
  std::string out;
  append_int(out, node.index);
  out += ':';
  append_real(out, node.value, 17);
  return out;
}

}  // namespace

Dataset::Dataset(std::FILE* file, RowRules rules) {
  // LIBSVM checks rows of a precomputed kernel after it has read them all, so its messages for
  // malformed rows come first.
  RowRules row_rules = rules;
  row_rules.precomputed = false;
  const RowParser parser(row_rules);
  LineReader reader(file);
  std::vector<std::size_t> starts;
  std::vector<svm_node> row;
  std::string_view line;
  while (reader.next(line)) {
    if (labels_.size() == static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      throw InputError(reader.line_number(), 0, {}, "the file has more rows than fit an int",
                       InputError::Part::kFile);
    }
    labels_.push_back(parser.parse(line, reader.line_number(), row));
    starts.push_back(nodes_.size());
    nodes_.insert(nodes_.end(), row.begin(), row.end());
    nodes_.push_back({-1, 0});
    if (!row.empty()) max_index_ = std::max(max_index_, row.back().index);
  }
  if (labels_.empty()) {
    throw InputError(0, 0, {}, "the file is empty", InputError::Part::kFile);
  }
  rows_.reserve(starts.size());
  for (const std::size_t start : starts) rows_.push_back(nodes_.data() + start);
  if (rules.precomputed) check_precomputed();
}

svm_problem Dataset::problem() {
  return {static_cast<int>(labels_.size()), labels_.data(), rows_.data()};
}

// Kernel values are looked up by position, so rows must be complete.
void Dataset::check_precomputed() const {
  using Part = InputError::Part;
  int largest_serial = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const svm_node& first = rows_[i][0];
    if (first.index != 0) {
      throw InputError(i + 1, 0, first.index < 0 ? std::string() : pair_text(first),
                       "with a precomputed kernel a row must begin with index 0", Part::kFeatures,
                       "Wrong input format: first column must be 0:sample_serial_number");
    }
    if (!(first.value >= 1 && first.value <= max_index_) ||
        first.value != std::floor(first.value)) {
      throw InputError(i + 1, 0, pair_text(first),
                       "the serial number must be an integer from 1 to the largest index, " +
                           std::to_string(max_index_),
                       Part::kFeatures, "Wrong input format: sample_serial_number out of range");
    }
    largest_serial = std::max(largest_serial, static_cast<int>(first.value));
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    int count = 0;  // of nodes, the serial number included
    for (; rows_[i][count].index != -1; ++count) {
      if (rows_[i][count].index != count) {
        throw InputError(i + 1, 0, pair_text(rows_[i][count]),
                         "with a precomputed kernel indices must be 0, 1, 2 ... without gaps; "
                         "expected " +
                             std::to_string(count));
      }
    }
    if (count <= largest_serial) {
      throw InputError(i + 1, 0, {},
                       "the row has " + std::to_string(count - 1) +
                           " kernel values, but the largest serial number is " +
                           std::to_string(largest_serial));
    }
  }
}

}  // namespace svm
