#include "kernels/engines/row_places.h"

#include <algorithm>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kLeastRun = 16;   // average length at which runs are worth copying as runs
constexpr std::size_t kFewPlaces = 16;  // fewer are copied by plain loops

}  // namespace

RowPlaces::RowPlaces(std::vector<std::uint32_t> places)
    : places_(std::move(places)),
      loops_(&loops(places_.size() < kFewPlaces ? InstructionSet::kPlain : instruction_set())) {
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

template <typename Use>
void RowPlaces::for_runs(std::size_t from, std::size_t to, const Use& use) const {
  std::size_t begin = 0;
  for (const auto [end, first] : runs_) {
    const std::size_t low = std::max(begin, from), high = std::min(end, to);
    if (low < high) use(first + (low - begin), low, high);
    begin = end;
  }
}

void RowPlaces::copy(const float* row, std::size_t from, std::size_t to, float* out) const {
  if (runs_.empty()) return loops_->pick_values(row, places_.data() + from, to - from, out);
  for_runs(from, to, [&](std::size_t place, std::size_t low, std::size_t high) {
    std::copy_n(row + place, high - low, out + (low - from));
  });
}

void RowPlaces::copy(const double* row, std::size_t from, std::size_t to, double* out) const {
  if (runs_.empty()) {
    for (std::size_t k = from; k < to; ++k) *out++ = row[places_[k]];
    return;
  }
  for_runs(from, to, [&](std::size_t place, std::size_t low, std::size_t high) {
    std::copy_n(row + place, high - low, out + (low - from));
  });
}

void RowPlaces::add(const float* const* rows, const double* factors, std::size_t count,
                    std::size_t from, std::size_t to, double* sums) const {
  if (!runs_.empty()) {
    for_runs(from, to, [&](std::size_t place, std::size_t low, std::size_t high) {
      loops_->add_float_rows(sums + (low - from), rows, place, factors, count, high - low);
    });
    return;
  }
  constexpr std::size_t kColumns = 512, kRows = 8;  // a tile whose values stay in the cache
  float values[kRows][kColumns];
  const float* picked[kRows];
  for (std::size_t r = 0; r < kRows; ++r) picked[r] = values[r];
  for (std::size_t begin = from; begin < to; begin += kColumns) {
    const std::size_t width = std::min(to - begin, kColumns);
    for (std::size_t first = 0; first < count; first += kRows) {
      const std::size_t some = std::min(count - first, kRows);
      for (std::size_t r = 0; r < some; ++r) {
        loops_->pick_values(rows[first + r], places_.data() + begin, width, values[r]);
      }
      loops_->add_float_rows(sums + (begin - from), picked, 0, factors + first, some, width);
    }
  }
}

}  // namespace svm
