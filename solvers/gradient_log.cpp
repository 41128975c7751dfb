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
  // Columns that have seen equally much of the log are done together.
  std::stable_sort(columns.begin(), columns.end(),
                   [this](std::size_t a, std::size_t b) { return replayed_[a] < replayed_[b]; });
  for (auto first = columns.begin(); first != columns.end();) {
    const std::size_t seen = replayed_[*first];
    const auto last = std::find_if(first, columns.end(),
                                   [&](std::size_t column) { return replayed_[column] != seen; });
    const std::vector<std::size_t> group(first, last);
    first = last;

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
          std::vector<double> sums(width);
          for (std::size_t k = 0; k < width; ++k) sums[k] = sums_[group[begin + k]];
          passes.add_rows(sums.data(), values, stride, bounded_terms, width);
          for (std::size_t k = 0; k < width; ++k) {
            sums_[group[begin + k]] = sums[k];
            sums[k] += linear[group[begin + k]];
          }
          passes.add_rows(sums.data(), values, stride, free_terms, width);
          for (std::size_t k = 0; k < width; ++k) {
            gradient[group[begin + k]] = sums[k];
          }
        });
    for (const std::size_t column : group) replayed_[column] = events_.size();
  }
}

}  // namespace svm
