#include "solvers/two_level/outer_sums.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace svm {

OuterSums::OuterSums(KernelMatrix& kernel) : kernel_(kernel) {
  example_.reserve(kernel.size());
  for (std::size_t t = 0; t < kernel.size(); ++t) {
    example_.push_back(static_cast<std::uint32_t>(kernel.example(t)));
    examples_ = std::max(examples_, kernel.example(t) + 1);
  }
  sums_.assign(examples_, 0.0);
  net_.assign(examples_, 0.0);
  seen_.assign(examples_, kActive);
  activate_all();
}

void OuterSums::activate_all() {
  std::vector<std::uint32_t> all(examples_);
  std::iota(all.begin(), all.end(), 0U);
  active_ = std::make_unique<ColumnSums>(kernel_.engine(), std::move(all), kernel_.in_doubles());
  std::fill(seen_.begin(), seen_.end(), kActive);
  inactive_ = 0;
  log_.clear();
}

void OuterSums::set(const std::vector<double>& kernel_sums) {
  for (std::size_t t = 0; t < example_.size(); ++t) sums_[example_[t]] = kernel_sums[t];
}

// Adds what net_ gives to the sums of these columns.
bool OuterSums::add_net(ColumnSums& columns) {
  std::vector<std::uint32_t> rows;
  std::vector<double> factors;
  for (std::size_t e = 0; e < examples_; ++e) {
    if (net_[e] == 0) continue;
    rows.push_back(static_cast<std::uint32_t>(e));
    factors.push_back(net_[e]);
  }
  std::vector<double> sums(columns.columns().size(), 0.0);
  if (!kernel_.add_sums(rows, factors, columns, sums.data())) return false;
  // Apart first, for a small change would be rounded away bit by bit.
  for (std::size_t k = 0; k < sums.size(); ++k) sums_[columns.columns()[k]] += sums[k];
  return true;
}

bool OuterSums::add(const std::vector<Term>& change) {
  for (const Term& term : change) net_[example_[term.variable]] += term.change;
  if (inactive_ > 0) {
    for (const Term& term : change) log_.push_back({example_[term.variable], term.change});
  }
  const bool done = add_net(*active_);
  for (const Term& term : change) net_[example_[term.variable]] = 0;
  return done;
}

void OuterSums::keep(const std::vector<std::uint32_t>& variables) {
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
  active_ = std::make_unique<ColumnSums>(kernel_.engine(), std::move(kept), kernel_.in_doubles());
}

// The last ones to leave have missed least: what they have missed is a part of what the others
// have.
bool OuterSums::take_up_all() {
  std::vector<std::uint32_t> left;
  for (std::size_t e = 0; e < examples_; ++e) {
    if (seen_[e] != kActive) left.push_back(static_cast<std::uint32_t>(e));
  }
  std::stable_sort(left.begin(), left.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return seen_[a] > seen_[b]; });
  bool done = true;
  std::size_t added = log_.size();  // the log from here on is in net_
  for (auto next = left.begin(); next != left.end() && done;) {
    const std::size_t seen = seen_[*next];
    std::vector<std::uint32_t> group;
    for (; next != left.end() && seen_[*next] == seen; ++next) group.push_back(*next);
    while (added > seen) {
      --added;
      net_[log_[added].example] += log_[added].factor;
    }
    ColumnSums columns(kernel_.engine(), std::move(group), kernel_.in_doubles());
    done = add_net(columns);
  }
  std::fill(net_.begin(), net_.end(), 0.0);
  activate_all();
  return done;
}

}  // namespace svm
