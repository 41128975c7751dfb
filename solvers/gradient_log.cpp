#include "solvers/gradient_log.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Numbers the variables whose rows are needed.
class RowList {
 public:
  explicit RowList(std::size_t size) : number_(size, kNone) {}
  std::size_t number_of(std::size_t variable) {
    if (number_[variable] == kNone) {
      number_[variable] = variables_.size();
      variables_.push_back(variable);
    }
    return number_[variable];
  }
  const std::vector<std::size_t>& variables() const { return variables_; }

 private:
  std::vector<std::size_t> number_;
  std::vector<std::size_t> variables_;
};

}  // namespace

void GradientLog::replay(KernelMatrix& kernel, const Passes& passes,
                         const std::vector<std::size_t>& original) {
  std::vector<std::size_t> all(sums_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<double> unused(sums_.size());
  rebuild(kernel, passes, original, std::move(all), unused, {}, unused);
  events_.clear();
  std::fill(replayed_.begin(), replayed_.end(), std::size_t{0});
}

void GradientLog::rebuild(KernelMatrix& kernel, const Passes& passes,
                          const std::vector<std::size_t>& original,
                          std::vector<std::size_t> columns, const std::vector<double>& linear,
                          const std::vector<Term>& free_part, std::vector<double>& gradient) {
  std::vector<std::size_t> variable_at(original.size());
  for (std::size_t t = 0; t < original.size(); ++t) variable_at[original[t]] = t;
  // Columns that have seen equally much of the log are done together; and the two variables of an
  // example, which share its kernel values, as one.
  const bool twins = kernel.copies() > 1;
  std::stable_sort(columns.begin(), columns.end(), [&](std::size_t a, std::size_t b) {
    if (replayed_[a] != replayed_[b]) return replayed_[a] < replayed_[b];
    return twins && kernel.example(a) < kernel.example(b);
  });
  for (auto next = columns.begin(); next != columns.end();) {
    const std::size_t seen = replayed_[*next];
    std::vector<std::size_t> group, twin;
    for (; next != columns.end() && replayed_[*next] == seen; ++next) {
      if (twins && !group.empty() && kernel.example(group.back()) == kernel.example(*next)) {
        twin.back() = *next;
      } else {
        group.push_back(*next);
        twin.push_back(kNone);
      }
    }
    RowList rows(original.size());
    std::vector<RowTerm> bounded_terms, free_terms;
    for (std::size_t e = seen; e < events_.size(); ++e) {
      bounded_terms.push_back({rows.number_of(variable_at[events_[e].place]), events_[e].change});
    }
    for (const Term& term : free_part) {
      free_terms.push_back({rows.number_of(term.variable), term.change});
    }
    kernel.visit_blocks(
        rows.variables(), group,
        [&](std::size_t begin, std::size_t end, const float* values, std::size_t stride) {
          const std::size_t width = end - begin;
          std::vector<double> bounded(width), sums(width);
          for (std::size_t k = 0; k < width; ++k) bounded[k] = sums_[group[begin + k]];
          passes.add_rows(bounded.data(), values, stride, bounded_terms, width);
          const auto finish = [&](const std::vector<std::size_t>& variables) {
            const std::size_t* variable = variables.data() + begin;
            for (std::size_t k = 0; k < width; ++k) {
              if (variable[k] == kNone) continue;
              sums_[variable[k]] = bounded[k];
              sums[k] = bounded[k] + linear[variable[k]];
            }
            passes.add_rows(sums.data(), values, stride, free_terms, width);
            for (std::size_t k = 0; k < width; ++k) {
              if (variable[k] != kNone) gradient[variable[k]] = sums[k];
            }
          };
          finish(group);
          if (twins) finish(twin);
        });
    for (const std::vector<std::size_t>* done : {&group, &twin}) {
      for (const std::size_t column : *done) {
        if (column != kNone) replayed_[column] = events_.size();
      }
    }
  }
}

}  // namespace svm
