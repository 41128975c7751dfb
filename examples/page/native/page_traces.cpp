// The traces of the last training as arrays for the page.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "examples/page/native/page.h"
#include "examples/page/native/trace.h"

namespace {

using svm::toy::Trace;

const Trace& trace(int problem) { return svm::toy::traces().at(static_cast<std::size_t>(problem)); }

// Joins the arrays, each followed by its number of `ends` if there is one.  The next call
// overwrites the block.
template <typename Number>
const Number* joined(std::initializer_list<const std::vector<Number>*> arrays,
                     std::initializer_list<Number> ends) {
  static std::vector<Number> block;
  block.clear();
  auto end = ends.begin();
  for (const std::vector<Number>* array : arrays) {
    block.insert(block.end(), array->begin(), array->end());
    if (end != ends.end()) block.push_back(*end++);
  }
  return block.data();
}

}  // namespace

int page_traces() { return static_cast<int>(svm::toy::traces().size()); }

void page_trace_sizes(int problem, int* sizes) {
  const Trace& t = trace(problem);
  sizes[0] = static_cast<int>(t.steps());
  sizes[1] = static_cast<int>(t.change.size());
  sizes[2] = t.complete ? 1 : 0;
}

const double* page_trace_reals(int problem) {
  const Trace& t = trace(problem);
  return joined({&t.objective, &t.violation, &t.threshold}, {t.end[0], t.end[1], t.end[2]});
}

const int* page_trace_integers(int problem) {
  const Trace& t = trace(problem);
  return joined<int>({&t.kind, &t.up, &t.down, &t.first_change}, {});
}

const int* page_trace_changed(int problem) { return trace(problem).changed_row.data(); }
const double* page_trace_changes(int problem) { return trace(problem).change.data(); }
