#include "solvers/smo/gradient_log.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "platform/numbers.h"
#include "solvers/smo/term_slices.h"

namespace svm {

// What rebuild() makes of the sums: `gradient` of the same columns.
struct GradientLog::Rest {
  const std::vector<double>& linear;
  const std::vector<Term>& free_part;
  std::vector<double>& gradient;
};

void GradientLog::replay(KernelMatrix& kernel, const Passes* passes,
                         const std::vector<std::size_t>& original) {
  std::vector<std::size_t> all(sums_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  sum_up(kernel, passes, original, std::move(all), nullptr);
  events_.clear();
  std::fill(replayed_.begin(), replayed_.end(), std::size_t{0});
}

bool GradientLog::rebuild(KernelMatrix& kernel, const Passes* passes,
                          const std::vector<std::size_t>& original,
                          std::vector<std::size_t> columns, const std::vector<double>& linear,
                          const std::vector<Term>& free_part, std::vector<double>& gradient) {
  const Rest rest = {linear, free_part, gradient};
  return sum_up(kernel, passes, original, std::move(columns), &rest);
}

// Columns that have seen equally much of the log are done together; and the two variables of an
// example, which share its kernel values, as one.
struct GradientLog::Group {
  std::size_t seen;  // events
  std::vector<std::size_t> columns;
  std::vector<std::size_t> twins;  // the other variable of the example, or kNoIndex

  void start(const Rest& rest, const std::vector<double>& sums, std::size_t begin,
             std::size_t end) const {
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t one = columns[k], other = twins[k];
      rest.gradient[one] = sums[one] + rest.linear[one];
      if (other != kNoIndex) rest.gradient[other] = sums[one] + rest.linear[other];
    }
  }
};

bool GradientLog::sum_up(KernelMatrix& kernel, const Passes* passes,
                         const std::vector<std::size_t>& original, std::vector<std::size_t> columns,
                         const Rest* rest) {
  std::vector<std::size_t> variable_at(original.size());
  for (std::size_t t = 0; t < original.size(); ++t) variable_at[original[t]] = t;
  const bool twins = kernel.copies() > 1;
  std::stable_sort(columns.begin(), columns.end(), [&](std::size_t a, std::size_t b) {
    if (replayed_[a] != replayed_[b]) return replayed_[a] < replayed_[b];
    return twins && kernel.example(a) < kernel.example(b);
  });
  for (auto next = columns.begin(); next != columns.end();) {
    Group group = {replayed_[*next], {}, {}};
    for (; next != columns.end() && replayed_[*next] == group.seen; ++next) {
      if (twins && !group.columns.empty() &&
          kernel.example(group.columns.back()) == kernel.example(*next)) {
        group.twins.back() = *next;
      } else {
        group.columns.push_back(*next);
        group.twins.push_back(kNoIndex);
      }
    }
    const bool done = passes != nullptr ? add_in_order(kernel, *passes, variable_at, group, rest)
                                        : add_fused(kernel, variable_at, group, rest);
    if (!done) return false;
    for (std::size_t k = 0; k < group.columns.size(); ++k) {
      const std::size_t one = group.columns[k], other = group.twins[k];
      replayed_[one] = events_.size();
      if (other == kNoIndex) continue;
      sums_[other] = sums_[one];
      replayed_[other] = events_.size();
    }
  }
  return true;
}

bool GradientLog::add_in_order(KernelMatrix& kernel, const Passes& passes,
                               const std::vector<std::size_t>& variable_at, const Group& group,
                               const Rest* rest) {
  TermSlices slices(variable_at.size());
  for (std::size_t e = group.seen; e < events_.size(); ++e) {
    slices.add(variable_at[events_[e].place], events_[e].change);
  }
  const std::size_t first_free = slices.rows.size();
  if (rest != nullptr) {
    slices.start();
    for (const Term& term : rest->free_part) slices.add(term.variable, term.change);
  }
  return kernel.visit_blocks(slices.rows, group.columns, [&](const KernelMatrix::Block& block) {
    const std::size_t width = block.end - block.begin;
    std::vector<double> sums(width);
    // Adds the slice's terms to `to`, at the variables of the block.
    const auto add = [&](const std::vector<std::size_t>& variables, std::vector<double>& to) {
      const std::size_t* variable = variables.data() + block.begin;
      for (std::size_t k = 0; k < width; ++k)
        sums[k] = variable[k] == kNoIndex ? 0 : to[variable[k]];
      passes.add_rows(sums.data(), block.values, block.stride, slices.terms[block.slice], width);
      for (std::size_t k = 0; k < width; ++k) {
        if (variable[k] != kNoIndex) to[variable[k]] = sums[k];
      }
    };
    if (block.slice < first_free) return add(group.columns, sums_);
    if (block.slice == first_free) group.start(*rest, sums_, block.begin, block.end);
    add(group.columns, rest->gradient);
    if (kernel.copies() > 1) add(group.twins, rest->gradient);
  });
}

// Each row once, by what became of its variable in all.
bool GradientLog::add_fused(KernelMatrix& kernel, const std::vector<std::size_t>& variable_at,
                            const Group& group, const Rest* rest) {
  std::vector<double> net(variable_at.size(), 0.0), sums(group.columns.size(), 0.0);
  const auto add = [&] {
    return kernel.add_sums(net, group.columns, kernel.precision(), sums.data());
  };
  for (std::size_t e = group.seen; e < events_.size(); ++e) {
    net[variable_at[events_[e].place]] += events_[e].change;
  }
  if (!add()) return false;
  for (std::size_t k = 0; k < sums.size(); ++k) sums_[group.columns[k]] += sums[k];
  if (rest == nullptr) return true;
  std::fill(net.begin(), net.end(), 0.0);
  std::fill(sums.begin(), sums.end(), 0.0);
  for (const Term& term : rest->free_part) net[term.variable] += term.change;
  if (!add()) return false;
  group.start(*rest, sums_, 0, sums.size());
  for (std::size_t k = 0; k < sums.size(); ++k) {
    rest->gradient[group.columns[k]] += sums[k];
    if (group.twins[k] != kNoIndex) rest->gradient[group.twins[k]] += sums[k];
  }
  return true;
}

}  // namespace svm
