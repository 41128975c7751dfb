#include "kernels/engines/kept_rows.h"

#include <algorithm>

namespace svm {
namespace {

constexpr std::size_t kLeastRun = 16;  // columns, on average, that are worth to be copied as such

}  // namespace

bool RowBudget::take(std::size_t bytes) {
  std::size_t left = left_;
  while (left >= bytes) {
    if (left_.compare_exchange_weak(left, left - bytes)) return true;
  }
  return false;
}

RowPlaces::RowPlaces(std::vector<std::uint32_t> places) : places_(std::move(places)) {
  for (std::size_t k = 0; k < places_.size(); ++k) {
    if (k > 0 && places_[k] == places_[k - 1] + 1) {
      ++runs_.back().end;
      continue;
    }
    if (runs_.size() == places_.size() / kLeastRun) {
      runs_.clear();
      return;
    }
    runs_.push_back({k + 1, places_[k]});
  }
}

template <typename Value>
void RowPlaces::copy_runs(const Value* row, std::size_t from, std::size_t to, Value* out) const {
  std::size_t begin = 0;
  for (const auto [end, first] : runs_) {
    const std::size_t low = std::max(begin, from), high = std::min(end, to);
    if (low < high) out = std::copy_n(row + first + (low - begin), high - low, out);
    begin = end;
  }
}

void RowPlaces::copy(const float* row, std::size_t from, std::size_t to, float* out) const {
  if (!runs_.empty()) return copy_runs(row, from, to, out);
  loops_->pick_values(row, places_.data() + from, to - from, out);
}

void RowPlaces::copy(const double* row, std::size_t from, std::size_t to, double* out) const {
  if (!runs_.empty()) return copy_runs(row, from, to, out);
  for (std::size_t k = from; k < to; ++k) *out++ = row[places_[k]];
}

}  // namespace svm
