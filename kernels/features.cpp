#include "kernels/features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace svm {

bool is_orderly(const DataRow& row) {
  bool orderly = true;
  long long last = std::numeric_limits<long long>::min();
  row.for_each([&](int index, double value) {
    orderly = orderly && std::isfinite(value) && index > last;
    last = index;
  });
  return orderly;
}

bool is_all_ones(const DataRow& row) {
  bool ones = true;
  row.for_each([&](int, double value) { ones = ones && value == 1; });
  return ones;
}

Features::Features(std::vector<int> indices) : indices_(std::move(indices)) {
  constexpr std::size_t kMostPerFeature = 4;
  if (indices_.empty()) return;
  const long long first = indices_.front();
  const auto range = static_cast<std::size_t>(indices_.back() - first + 1);
  if (range / kMostPerFeature > indices_.size()) return;
  numbers_.resize(range);
  std::uint32_t number = 0;
  for (std::size_t k = 0; k < range; ++k) {
    numbers_[k] = number;
    if (first + static_cast<long long>(k) == indices_[number]) ++number;
  }
}

std::uint32_t Features::number_from(int index) const {
  if (indices_.empty() || index <= indices_.front()) return 0;
  if (index > indices_.back()) return static_cast<std::uint32_t>(indices_.size());
  if (!numbers_.empty()) {
    const long long first = indices_.front();
    return numbers_[static_cast<std::size_t>(index - first)];
  }
  return static_cast<std::uint32_t>(std::lower_bound(indices_.begin(), indices_.end(), index) -
                                    indices_.begin());
}

void Features::place(const DataRow& data, Row& row) const {
  row.entries.clear();
  row.others.clear();
  for_each(
      data,
      [&](std::uint32_t number, double value) {
        row.entries.push_back({number, value});
      },
      [&](std::uint32_t number, double value) {
        row.others.push_back({number, value});
      });
}

std::vector<int> indices_of(const DataRows& rows, std::size_t count) {
  constexpr std::size_t kSlack = 65536;  // sorts rarely, without keeping all indices
  std::vector<int> indices;
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < count; ++i) {
    rows[i].for_each([&](int index, double) { indices.push_back(index); });
    if (i + 1 < count && indices.size() <= 2 * distinct + kSlack) continue;
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    distinct = indices.size();
  }
  return indices;
}

}  // namespace svm
