#include "training/problem.h"

#include <algorithm>
#include <climits>
#include <unordered_map>
#include <utility>

#include "base/platform/index_range.h"

namespace svm {

int class_label(double label) {
  const bool fits = label > INT_MIN - 1.0 && label < INT_MAX + 1.0;
  return fits ? static_cast<int>(label) : INT_MIN;
}

Classes group_classes(const Problem& problem, bool sorted) {
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  Classes classes;
  std::vector<int>& labels = classes.labels;
  std::vector<std::size_t> class_of(rows);
  constexpr std::size_t kFewLabels = 8;  // that are found sooner without a map
  std::unordered_map<int, std::size_t> number;
  for (std::size_t t = 0; t < rows; ++t) {
    const int label = class_label(problem.y[t]);
    std::size_t& c = class_of[t];
    if (labels.size() <= kFewLabels) {
      c = static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
    } else {
      c = number.emplace(label, labels.size()).first->second;
    }
    if (c < labels.size()) continue;
    labels.push_back(label);
    if (labels.size() <= kFewLabels) continue;
    for (std::size_t k = 0; k < labels.size(); ++k) number.emplace(labels[k], k);
  }
  std::vector<std::size_t> place = index_range(0, labels.size());  // of each label in its order
  if (sorted) {
    std::vector<int> in_order = labels;
    std::sort(in_order.begin(), in_order.end());
    for (std::size_t c = 0; c < labels.size(); ++c) {
      const auto found = std::lower_bound(in_order.begin(), in_order.end(), labels[c]);
      place[c] = static_cast<std::size_t>(found - in_order.begin());
    }
    labels = std::move(in_order);
  } else if (labels.size() == 2 && labels[0] == -1 && labels[1] == 1) {
    labels = {1, -1};
    place = {1, 0};
  }
  classes.count.resize(labels.size());
  for (std::size_t& c : class_of) {
    c = place[c];
    ++classes.count[c];
  }
  std::size_t start = 0;
  classes.start.reserve(labels.size());
  for (const std::size_t count : classes.count) {
    classes.start.push_back(start);
    start += count;
  }
  std::vector<std::size_t> next = classes.start;
  classes.order.resize(rows);
  for (std::size_t t = 0; t < rows; ++t) classes.order[next[class_of[t]]++] = t;
  return classes;
}

}  // namespace svm
