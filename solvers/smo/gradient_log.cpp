#include "solvers/smo/gradient_log.h"

#include <algorithm>
#include <utility>

#include "base/platform/numbers.h"

namespace svm {
namespace {

// Terms in their order, in slices of so few rows that these fit a processor's cache.
class TermSlices {
 public:
  explicit TermSlices(std::size_t size) : number_(size, kNoIndex) { start(); }

  void add(std::size_t variable, double change) {
    if (number_[variable] == kNoIndex) {
      if (rows.back().size() == kMostRows) start();
      number_[variable] = rows.back().size();
      rows.back().push_back(variable);
    }
    terms.back().push_back({number_[variable], change});
  }
  // Begins a new slice.
  void start() {
    if (!rows.empty()) {
      for (const std::size_t variable : rows.back()) number_[variable] = kNoIndex;
    }
    rows.emplace_back();
    terms.emplace_back();
  }

  std::vector<KernelMatrix::Rows> rows;
  std::vector<std::vector<RowTerm>> terms;  // of each slice; RowTerm::row is an index in its rows

 private:
  static constexpr std::size_t kMostRows = 512;

  std::vector<std::size_t> number_;  // of each variable in the present slice, or kNoIndex
};

}  // namespace

// The other parts of f, for rebuild().
struct GradientLog::Rest {
  const std::vector<double>& linear;
  const std::vector<Term>& free_part;
  std::vector<double>& f;
};

void GradientLog::replay(KernelMatrix& kernel, const std::vector<std::size_t>& original) {
  sum_up(kernel, original, variable_range(0, size_), nullptr);
  events_.clear();
  std::fill(replayed_.begin(), replayed_.end(), std::size_t{0});
}

bool GradientLog::rebuild(KernelMatrix& kernel, const std::vector<std::size_t>& original,
                          std::vector<std::size_t> columns, const std::vector<double>& linear,
                          const std::vector<Term>& free_part, std::vector<double>& f) {
  const Rest rest = {linear, free_part, f};
  return sum_up(kernel, original, std::move(columns), &rest);
}

// Columns whose sums include the same part of the log.  The two variables of an example share its
// kernel values and are one column.
struct GradientLog::Group {
  std::size_t seen;  // events included
  std::vector<std::size_t> columns;
  std::vector<std::size_t> twins;  // the other variable of the example, or kNoIndex

  // Sets f of the columns [begin, end) to their sums and linear parts.
  void start(const Rest& rest, const std::vector<double>& sums, std::size_t begin,
             std::size_t end) const {
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t one = columns[k], other = twins[k];
      rest.f[one] = sums[one] + rest.linear[one];
      if (other != kNoIndex) rest.f[other] = sums[one] + rest.linear[other];
    }
  }
};

bool GradientLog::sum_up(KernelMatrix& kernel, const std::vector<std::size_t>& original,
                         std::vector<std::size_t> columns, const Rest* rest) {
  allocate();
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
    if (!add_in_order(kernel, variable_at, group, rest)) return false;
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

bool GradientLog::add_in_order(KernelMatrix& kernel, const std::vector<std::size_t>& variable_at,
                               const Group& group, const Rest* rest) {
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
      const std::vector<RowTerm>& terms = slices.terms[block.slice];
      loops_.add_rows(sums.data(), block.values, block.stride, terms.data(), terms.size(), width);
      for (std::size_t k = 0; k < width; ++k) {
        if (variable[k] != kNoIndex) to[variable[k]] = sums[k];
      }
    };
    if (block.slice < first_free) return add(group.columns, sums_);
    if (block.slice == first_free) group.start(*rest, sums_, block.begin, block.end);
    add(group.columns, rest->f);
    if (kernel.copies() > 1) add(group.twins, rest->f);
  });
}

}  // namespace svm
