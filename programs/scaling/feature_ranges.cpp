#include "programs/scaling/feature_ranges.h"

#include <algorithm>

#include "base/io/input_error.h"
#include "base/io/number_text.h"
#include "base/io/text_cursor.h"

namespace svm {
namespace {

void append_two(std::string& out, double first, double second) {
  constexpr int kExact = 17;
  append_real(out, first, kExact);
  out += ' ';
  append_real(out, second, kExact);
  out += '\n';
}

Limits read_limits(TextCursor& text) {
  Limits out;
  out.lower = text.real("the lower limit", true);
  out.upper = text.real("the upper limit", true);
  if (!(out.lower < out.upper)) text.fail_here("the lower limit must be below the upper limit");
  return out;
}

Range read_range(TextCursor& text) {
  Range out;
  out.min = text.real("the minimum", true);
  out.max = text.real("the maximum", true);
  if (!(out.min <= out.max)) text.fail_here("the minimum must not be above the maximum");
  return out;
}

}  // namespace

// If values are equal, the last one stays, which matters for -0 and 0.
void RangeCollector::Entry::include(double value) {
  if (!(min < value)) min = value;
  if (!(max > value)) max = value;
}

void RangeCollector::add_row(double label, const svm_node* row) {
  target_.include(label);
  if (row->index != -1) min_index_ = std::min(min_index_, row->index);
  for (; row->index != -1; ++row) {
    ++pairs_;
    Entry& feature = entry(row->index);
    if (row->index > 0 && feature.rows < rows_) feature.include(0);
    feature.include(row->value);
    feature.rows = rows_ + 1;
  }
  ++rows_;
}

RangeCollector::Entry& RangeCollector::entry(int index) {
  constexpr std::size_t kAlwaysDense = 1024;
  const auto place = static_cast<std::size_t>(index);
  if (place < dense_.size() && dense_[place].rows > 0) return dense_[place];
  const auto found = sparse_.find(index);
  if (found != sparse_.end()) return found->second;
  if (place >= kAlwaysDense + 2 * pairs_) return sparse_[index];
  if (place >= dense_.size()) dense_.resize(place + 1);
  return dense_[place];
}

std::vector<FeatureRange> RangeCollector::take_features() {
  std::vector<FeatureRange> out;
  const auto add = [&](int index, Entry& feature) {
    if (index > 0 && feature.rows < rows_) feature.include(0);
    if (feature.min < feature.max) out.push_back({index, {feature.min, feature.max}});
  };
  for (std::size_t i = 0; i < dense_.size(); ++i) add(static_cast<int>(i), dense_[i]);
  for (auto& [index, feature] : sparse_) add(index, feature);
  dense_ = std::vector<Entry>();  // frees the memory
  sparse_.clear();
  std::sort(out.begin(), out.end(),
            [](const FeatureRange& a, const FeatureRange& b) { return a.index < b.index; });
  return out;
}

std::string range_file_text(const ScalingParameters& parameters) {
  std::string out;
  if (parameters.scale_target) {
    out += "y\n";
    append_two(out, parameters.target_limits.lower, parameters.target_limits.upper);
    append_two(out, parameters.target_range.min, parameters.target_range.max);
  }
  out += "x\n";
  append_two(out, parameters.limits.lower, parameters.limits.upper);
  for (const FeatureRange& feature : parameters.features) {
    if (feature.index < 1 || feature.range.is_point()) continue;
    append_int(out, feature.index);
    out += ' ';
    append_two(out, feature.range.min, feature.range.max);
  }
  return out;
}

ScalingParameters parse_range_file(std::string_view text) {
  if (text.empty()) {
    throw InputError(0, 0, {}, "the file is empty", InputError::Part::kFile);
  }
  const std::string fault = encoding_fault(text);
  if (!fault.empty()) throw InputError(0, 0, {}, fault, InputError::Part::kFile);
  TextCursor cursor(text);
  ScalingParameters out;
  std::string_view word = cursor.word();
  if (word != "x" && word != "y") cursor.fail(word, "the file must begin with a line x or y");
  if (word == "y") {
    out.scale_target = true;
    out.target_limits = read_limits(cursor);
    out.target_range = read_range(cursor);
    word = cursor.word();
    if (word != "x") cursor.fail(word, "the line x is expected");
  }
  out.limits = read_limits(cursor);
  int last_index = -1;
  for (;;) {
    const std::size_t before = cursor.position();
    word = cursor.word();
    if (word.empty()) break;
    cursor.seek(before);
    const int index = cursor.integer("the index");
    if (index < 0) cursor.fail(word, "the index is negative");
    if (index <= last_index) {
      cursor.fail(word, "the index does not come after " + std::to_string(last_index) +
                            "; indices must ascend");
    }
    out.features.push_back({index, read_range(cursor)});
    last_index = index;
  }
  return out;
}

}  // namespace svm
