#include "solvers/two_level/outer_gradient.h"

#include <algorithm>
#include <utility>

#include "base/platform/index_range.h"
#include "base/platform/numbers.h"

namespace svm {

OuterGradient::OuterGradient(KernelMatrix& kernel, ThreadPool& pool)
    : kernel_(kernel), pool_(pool) {
  example_.reserve(kernel.size());
  for (std::size_t t = 0; t < kernel.size(); ++t) {
    example_.push_back(static_cast<std::uint32_t>(kernel.example(t)));
    examples_ = std::max(examples_, kernel.example(t) + 1);
  }
  first_.assign(examples_, kNoIndex);
  second_.assign(examples_, kNoIndex);
  for (std::size_t t = 0; t < kernel.size(); ++t) {
    (first_[example_[t]] == kNoIndex ? first_ : second_)[example_[t]] = t;
  }
  net_.assign(examples_, 0.0);
  seen_.assign(examples_, kNoIndex);
  reset_active();
}

void OuterGradient::reset_active() {
  active_ = std::make_unique<ColumnSums>(kernel_.engine(), index_range<std::uint32_t>(0, examples_),
                                         kernel_.precision());
  std::fill(seen_.begin(), seen_.end(), kNoIndex);
  inactive_ = 0;
  log_.clear();
}

// Adds the sums of net_ over these rows to f of these columns.
bool OuterGradient::add_net(std::vector<std::uint32_t> rows, ColumnSums& columns,
                            std::vector<double>& f) {
  std::sort(rows.begin(), rows.end());
  std::vector<double> factors;
  factors.reserve(rows.size());
  for (const std::uint32_t e : rows) factors.push_back(net_[e]);
  // Summed separately first, as small terms would be lost if added to f one by one.
  std::vector<double> sums(columns.columns().size(), 0.0);
  if (!kernel_.add_sums_of_examples(rows, factors, columns, sums.data())) return false;
  pool_.for_chunks(sums.size(), kVariablesPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t e = columns.columns()[k];
      f[first_[e]] += sums[k];
      if (second_[e] != kNoIndex) f[second_[e]] += sums[k];
    }
  });
  return true;
}

bool OuterGradient::add(const std::vector<Term>& change, std::vector<double>& f) {
  std::vector<std::uint32_t> rows;
  for (const Term& term : change) {
    const std::uint32_t e = example_[term.variable];
    if (net_[e] == 0) rows.push_back(e);
    net_[e] += term.change;
    if (inactive_ > 0) log_.push_back({e, term.change});
  }
  const bool done = add_net(std::move(rows), *active_, f);
  for (const Term& term : change) net_[example_[term.variable]] = 0;
  return done;
}

void OuterGradient::keep(const std::vector<std::uint32_t>& variables) {
  std::vector<char> is_kept(examples_, 0);
  for (const std::uint32_t t : variables) is_kept[example_[t]] = 1;
  std::vector<std::uint32_t> kept;
  for (const std::uint32_t e : active_->columns()) {
    if (is_kept[e] != 0) {
      kept.push_back(e);
    } else {
      seen_[e] = log_.size();
      ++inactive_;
    }
  }
  if (kept.size() == active_->columns().size()) return;
  active_ = std::make_unique<ColumnSums>(kernel_.engine(), std::move(kept), kernel_.precision());
}

// Begins with the examples that left last: the changes that they missed are among those that the
// others missed.
bool OuterGradient::activate_all(std::vector<double>& f) {
  std::vector<std::uint32_t> left;
  for (std::size_t e = 0; e < examples_; ++e) {
    if (seen_[e] != kNoIndex) left.push_back(static_cast<std::uint32_t>(e));
  }
  std::stable_sort(left.begin(), left.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return seen_[a] > seen_[b]; });
  bool done = true;
  std::vector<std::uint32_t> rows;  // with a net change
  std::size_t added = log_.size();  // net_ has the changes from here on
  for (auto next = left.begin(); next != left.end() && done;) {
    const std::size_t seen = seen_[*next];
    std::vector<std::uint32_t> group;
    for (; next != left.end() && seen_[*next] == seen; ++next) group.push_back(*next);
    while (added > seen) {
      --added;
      net_[log_[added].example] += log_[added].factor;
    }
    rows.clear();
    for (std::size_t e = 0; e < examples_; ++e) {
      if (net_[e] != 0) rows.push_back(static_cast<std::uint32_t>(e));
    }
    ColumnSums columns(kernel_.engine(), std::move(group), kernel_.precision());
    done = add_net(rows, columns, f);
  }
  std::fill(net_.begin(), net_.end(), 0.0);
  reset_active();
  return done;
}

}  // namespace svm
