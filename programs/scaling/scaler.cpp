#include "programs/scaling/scaler.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "base/io/number_text.h"

namespace svm {
namespace {

constexpr int kLabelDigits = 17;
constexpr int kValueDigits = 6;                       // as LIBSVM's "%g"
constexpr std::size_t kPiece = std::size_t{1} << 18;  // bytes per write

void append_pair(std::string& out, int index, double value) {
  char text[kLongestInt + kLongestReal];
  char* end = write_int(text, index);
  *end++ = ':';
  end = write_real(end, value, kValueDigits);
  *end++ = ' ';
  out.append(text, end);
}

}  // namespace

double scale_value(double value, const Range& range, const Limits& limits) {
  if (value == range.min) return limits.lower;
  if (value == range.max) return limits.upper;
  const double part = (limits.upper - limits.lower) * (value - range.min);
  const double whole = range.width();
  if (std::isfinite(part) && std::isfinite(whole)) return limits.lower + part / whole;
  const double share = (value / 2 - range.min / 2) / (range.max / 2 - range.min / 2);
  return 2 * (limits.lower / 2 + (limits.upper / 2 - limits.lower / 2) * share);
}

Scaler::Scaler(ScalingParameters parameters, Write write)
    : parameters_(std::move(parameters)), write_(std::move(write)) {
  columns_.reserve(parameters_.features.size() + 1);
  std::size_t fillers = 0;
  for (const FeatureRange& feature : parameters_.features) {
    if (feature.range.is_point()) continue;
    columns_.push_back({feature, filler_text_.size(), fillers});
    if (feature.index < 1) continue;
    const double value = scale_value(0, feature.range, parameters_.limits);
    if (value == 0) continue;
    append_pair(filler_text_, feature.index, value);
    ++fillers;
  }
  columns_.push_back({{std::numeric_limits<int>::max(), {}}, filler_text_.size(), fillers});
}

void Scaler::flush() {
  write_(out_);
  out_.clear();
}

void Scaler::append_fillers(const Column* begin, const Column* end) {
  out_.append(filler_text_, begin->text, end->text - begin->text);
  nonzeros_ += end->fillers - begin->fillers;
}

void Scaler::write_row(double label, const svm_node* row) {
  if (parameters_.scale_target) {
    label = scale_value(label, parameters_.target_range, parameters_.target_limits);
  }
  append_real(out_, label, kLabelDigits);
  out_ += ' ';

  const Column *column = columns_.data(), *const last = &columns_.back();
  for (; row->index != -1; ++row) {
    if (column != last && column->feature.index < row->index) {  // only in sparse rows
      const Column* const next =
          std::lower_bound(column, last, row->index,
                           [](const Column& c, int index) { return c.feature.index < index; });
      append_fillers(std::exchange(column, next), next);
    }
    if (column == last || column->feature.index != row->index) {
      if (row->value != 0 && left_out_ == 0) left_out_ = row->index;
      continue;
    }
    const double value = scale_value(row->value, (column++)->feature.range, parameters_.limits);
    if (value == 0) continue;
    append_pair(out_, row->index, value);
    ++nonzeros_;
  }
  append_fillers(column, last);
  out_ += '\n';
  if (out_.size() >= kPiece) flush();
}

std::vector<FeatureRange> merge_ranges(const std::vector<FeatureRange>& seen,
                                       const std::vector<FeatureRange>& restored,
                                       std::vector<int>& unknown) {
  std::vector<FeatureRange> out;
  auto known = restored.cbegin();
  for (const FeatureRange& feature : seen) {
    while (known != restored.cend() && known->index < feature.index) out.push_back(*known++);
    if (known != restored.cend() && known->index == feature.index) {
      out.push_back(*known++);
    } else if (feature.index < 1) {
      out.push_back(feature);  // range files never have index 0, so the data's own range is used
    } else if (!feature.range.is_point()) {
      unknown.push_back(feature.index);
    }
  }
  std::copy(known, restored.cend(), std::back_inserter(out));
  return out;
}

}  // namespace svm
