// Range files of svm-scale: restored ranges can be saved, and scale rows to text that can be read.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/input_error.h"
#include "base/io/number_text.h"
#include "programs/data/row_reader.h"
#include "programs/scaling/feature_ranges.h"
#include "programs/scaling/scaler.h"
#include "tests/fuzz/fuzz.h"

namespace svm::fuzz {
namespace {

using Rows = std::vector<std::vector<svm_node>>;

// An empty row, rows of ordinary features, and a row of those that have ranges.
Rows rows_for(const ScalingParameters& parameters) {
  constexpr std::size_t kMostNodes = 64;
  Rows rows = {{{-1, 0}},
               {{1, 0.5}, {2, -1e300}, {3, 0}, {-1, 0}},
               {{0, 1}, {2, 1e300}, {1000, 1e-300}, {2147483647, 1}, {-1, 0}},
               {}};
  for (const FeatureRange& feature : parameters.features) {
    if (rows.back().size() == kMostNodes) break;
    const std::size_t kind = rows.back().size() % 3;
    const Range& range = feature.range;
    const double value = kind == 0 ? range.min : kind == 1 ? range.max : range.max / 2;
    rows.back().push_back({feature.index, value});
  }
  rows.back().push_back({-1, 0});
  return rows;
}

std::string scaled(const ScalingParameters& parameters, const Rows& rows) {
  std::string text;
  Scaler scaler(parameters, [&](std::string_view piece) { text += piece; });
  for (const auto& row : rows) scaler.write_row(1, row.data());
  scaler.flush();
  return text;
}

// Rows of text that svm-scale wrote, in its form.
std::string copied(const std::string& text) {
  constexpr int kValueDigits = 6;
  RowRules rules;
  rules.reject_subnormals = false;
  const FilePtr file = open_text(text);
  FileRows rows(file.get(), rules, text.size() + 1);
  std::string copy;
  while (rows.next()) {
    append_real(copy, rows.label(), kMostDigits);
    copy += ' ';
    for (const svm_node* node = rows.nodes(); node->index != -1; ++node) {
      append_int(copy, node->index);
      copy += ':';
      append_real(copy, node->value, kValueDigits);
      copy += ' ';
    }
    copy += '\n';
  }
  return copy;
}

void check(const ScalingParameters& parameters) {
  const std::string saved = range_file_text(parameters);
  require(range_file_text(parse_range_file(saved)) == saved, "ranges saved are restored");

  const Rows rows = rows_for(parameters);
  const std::string text = scaled(parameters, rows);
  // As with LIBSVM, limits and ranges may be so wide that their difference overflows.
  const bool is_finite =
      text.find("nan") == std::string::npos && text.find("inf") == std::string::npos;
  if (is_finite) {
    require(copied(text) == text || may_have_subnormals(text),
            "scaled rows are read as they were written");
  }

  std::vector<FeatureRange> seen = parameters.features;
  seen.erase(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(seen.size() / 2));
  seen.push_back({seen.empty() ? 1 : seen.back().index, {0, 1}});
  std::vector<int> unknown;
  merge_ranges(seen, parameters.features, unknown);
}

}  // namespace
}  // namespace svm::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  svm::ScalingParameters parameters;
  try {
    parameters = svm::parse_range_file(svm::fuzz::text_of(data, size));
  } catch (const svm::InputError&) {
    return 0;
  }
  svm::fuzz::check(parameters);
  return 0;
}
