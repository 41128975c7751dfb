#include "training/problem.h"

#include <algorithm>
#include <climits>
#include <unordered_map>

namespace svm {

int class_label(double label) {
  const bool fits = label > INT_MIN - 1.0 && label < INT_MAX + 1.0;
  return fits ? static_cast<int>(label) : INT_MIN;
}

Classes group_classes(const Problem& problem, bool sorted) {
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  Classes classes;
  std::vector<int>& labels = classes.labels;
  std::unordered_map<int, std::size_t> number;
  for (std::size_t t = 0; t < rows; ++t) {
    const int label = class_label(problem.y[t]);
    if (number.emplace(label, 0).second) labels.push_back(label);
  }
  if (sorted) {
    std::sort(labels.begin(), labels.end());
  } else if (labels == std::vector<int>{-1, 1}) {
    labels = {1, -1};
  }
  for (std::size_t c = 0; c < labels.size(); ++c) number[labels[c]] = c;
  classes.count.resize(labels.size());
  std::vector<std::size_t> class_of(rows);
  for (std::size_t t = 0; t < rows; ++t) {
    class_of[t] = number[class_label(problem.y[t])];
    ++classes.count[class_of[t]];
  }
  std::size_t start = 0;
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
