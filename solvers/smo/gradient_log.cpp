#include "solvers/smo/gradient_log.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "solvers/smo/term_slices.h"

namespace svm {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

// What rebuild() makes of the sums: `gradient` of the same columns.
struct GradientLog::Rest {
  const std::vector<double>& linear;
  const std::vector<Term>& free_part;
  std::vector<double>& gradient;
};

void GradientLog::replay(KernelMatrix& kernel, const Passes& passes,
                         const std::vector<std::size_t>& original) {
  std::vector<std::size_t> all(sums_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  sum_up(kernel, passes, original, std::move(all), nullptr);
  events_.clear();
  std::fill(replayed_.begin(), replayed_.end(), std::size_t{0});
}

bool GradientLog::rebuild(KernelMatrix& kernel, const Passes& passes,
                          const std::vector<std::size_t>& original,
                          std::vector<std::size_t> columns, const std::vector<double>& linear,
                          const std::vector<Term>& free_part, std::vector<double>& gradient) {
  const Rest rest = {linear, free_part, gradient};
  return sum_up(kernel, passes, original, std::move(columns), &rest);
}

bool GradientLog::sum_up(KernelMatrix& kernel, const Passes& passes,
                         const std::vector<std::size_t>& original, std::vector<std::size_t> columns,
                         const Rest* rest) {
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
    TermSlices slices(original.size());
    for (std::size_t e = seen; e < events_.size(); ++e) {
      slices.add(variable_at[events_[e].place], events_[e].change);
    }
    const std::size_t first_free = slices.rows.size();
    if (rest != nullptr) {
      slices.start();
      for (const Term& term : rest->free_part) slices.add(term.variable, term.change);
    }
    const auto add_block = [&](const KernelMatrix::Block& block) {
      const std::size_t width = block.end - block.begin;
      std::vector<double> sums(width);
      // Adds the slice's terms to `to`, at the variables of the block.
      const auto add = [&](const std::vector<std::size_t>& variables, std::vector<double>& to) {
        const std::size_t* variable = variables.data() + block.begin;
        for (std::size_t k = 0; k < width; ++k)
          sums[k] = variable[k] == kNone ? 0 : to[variable[k]];
        passes.add_rows(sums.data(), block.values, block.stride, slices.terms[block.slice], width);
        for (std::size_t k = 0; k < width; ++k) {
          if (variable[k] != kNone) to[variable[k]] = sums[k];
        }
      };
      if (block.slice < first_free) return add(group, sums_);
      if (block.slice == first_free) {
        for (std::size_t k = block.begin; k < block.end; ++k) {
          const std::size_t one = group[k], other = twin[k];
          rest->gradient[one] = sums_[one] + rest->linear[one];
          if (other != kNone) rest->gradient[other] = sums_[one] + rest->linear[other];
        }
      }
      add(group, rest->gradient);
      if (twins) add(twin, rest->gradient);
    };
    if (!kernel.visit_blocks(slices.rows, group, add_block)) return false;
    for (std::size_t k = 0; k < group.size(); ++k) {
      const std::size_t one = group[k], other = twin[k];
      replayed_[one] = events_.size();
      if (other == kNone) continue;
      sums_[other] = sums_[one];
      replayed_[other] = events_.size();
    }
  }
  return true;
}

}  // namespace svm
