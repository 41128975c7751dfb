#include "training/classes.h"

#include <climits>
#include <unordered_map>
#include <utility>

namespace svm {

int class_label(double label) {
  const bool fits = label > INT_MIN - 1.0 && label < INT_MAX + 1.0;
  return fits ? static_cast<int>(label) : INT_MIN;
}

Classes group_classes(const Problem& problem) {
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  Classes classes;
  std::vector<std::size_t> class_of(rows);
  std::unordered_map<int, std::size_t> number;
  for (std::size_t t = 0; t < rows; ++t) {
    const int label = class_label(problem.y[t]);
    const auto [place, is_new] = number.emplace(label, classes.size());
    if (is_new) {
      classes.labels.push_back(label);
      classes.count.push_back(0);
    }
    class_of[t] = place->second;
    ++classes.count[place->second];
  }
  if (classes.labels == std::vector<int>{-1, 1}) {
    std::swap(classes.labels[0], classes.labels[1]);
    std::swap(classes.count[0], classes.count[1]);
    for (std::size_t& c : class_of) c = 1 - c;
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
