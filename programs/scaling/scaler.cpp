#include "programs/scaling/scaler.h"

#include <algorithm>
#include <cmath>
#include <iterator>
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
  std::vector<FeatureRange>& features = parameters_.features;
  features.erase(std::remove_if(features.begin(), features.end(),
                                [](const FeatureRange& f) { return f.range.is_point(); }),
                 features.end());
  filler_index_.reserve(features.size());
  filler_begin_.reserve(features.size() + 1);
  for (const FeatureRange& feature : features) {
    if (feature.index < 1) continue;
    const double value = scale_value(0, feature.range, parameters_.limits);
    if (value == 0) continue;
    filler_index_.push_back(feature.index);
    filler_begin_.push_back(filler_text_.size());
    append_pair(filler_text_, feature.index, value);
  }
  filler_begin_.push_back(filler_text_.size());
}

void Scaler::flush() {
  write_(out_);
  out_.clear();
}

void Scaler::flush_if_long() {
  if (out_.size() >= kPiece) flush();
}

void Scaler::append_fillers(std::size_t end) {
  std::string_view text = filler_text_;
  text = text.substr(filler_begin_[next_filler_], filler_begin_[end] - filler_begin_[next_filler_]);
  for (std::string_view piece; !text.empty(); text.remove_prefix(piece.size())) {
    piece = text.substr(0, kPiece);
    out_ += piece;
    flush_if_long();
  }
  nonzeros_ += end - next_filler_;
  next_filler_ = end;
}

void Scaler::write_row(double label, const svm_node* row) {
  if (parameters_.scale_target) {
    label = scale_value(label, parameters_.target_range, parameters_.target_limits);
  }
  append_real(out_, label, kLabelDigits);
  out_ += ' ';

  next_filler_ = 0;
  auto feature = parameters_.features.cbegin();
  const auto features_end = parameters_.features.cend();
  for (; row->index != -1; ++row) {
    const svm_node& node = *row;
    // In a dense row, the next filler belongs to this feature; in a sparse one it must be searched
    // for.
    if (next_filler_ < filler_index_.size() && filler_index_[next_filler_] < node.index) {
      const auto stop =
          std::lower_bound(filler_index_.begin() + static_cast<std::ptrdiff_t>(next_filler_),
                           filler_index_.end(), node.index);
      append_fillers(static_cast<std::size_t>(stop - filler_index_.begin()));
    }
    if (next_filler_ < filler_index_.size() && filler_index_[next_filler_] == node.index) {
      ++next_filler_;
    }
    if (feature != features_end && feature->index < node.index) {
      feature = std::lower_bound(feature, features_end, node.index,
                                 [](const FeatureRange& f, int index) { return f.index < index; });
    }
    if (feature == features_end || feature->index != node.index) {
      if (node.value != 0 && left_out_ == 0) left_out_ = node.index;
      continue;
    }
    const double value = scale_value(node.value, feature->range, parameters_.limits);
    ++feature;
    if (value == 0) continue;
    append_pair(out_, node.index, value);
    flush_if_long();
    ++nonzeros_;
  }
  append_fillers(filler_index_.size());
  out_ += '\n';
  flush_if_long();
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
