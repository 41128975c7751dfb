#include "solvers/smo/gradient_log.h"

#include "base/platform/numbers.h"
#include "base/simd/loops.h"

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

// sums[k] += the sum over the terms of change * K(variable, columns[k]), in the order of the terms.
// False if the kernel's poll function interrupted it.
bool add_in_order(KernelMatrix& kernel, const TermSlices& slices,
                  const std::vector<std::size_t>& columns, std::vector<double>& sums) {
  const Loops& simd = loops(instruction_set());
  return kernel.visit_blocks(slices.rows, columns, [&](const KernelMatrix::Block& block) {
    const std::vector<RowTerm>& terms = slices.terms[block.slice];
    simd.add_rows(sums.data() + block.begin, block.values, block.stride, terms.data(), terms.size(),
                  block.end - block.begin);
  });
}

}  // namespace

bool GradientLog::replay(KernelMatrix& kernel) {
  sums_.resize(kernel.examples());
  if (events_.empty()) return true;
  // The two variables of an example share its kernel values, and the first one stands for both.
  std::vector<std::size_t> variable_of(sums_.size(), kNoIndex), columns;
  std::vector<double> sums;
  for (std::size_t t = 0; t < kernel.size(); ++t) {
    const std::size_t example = kernel.example(t);
    if (variable_of[example] != kNoIndex) continue;
    variable_of[example] = t;
    columns.push_back(t);
    sums.push_back(sums_[example]);
  }
  TermSlices slices(kernel.size());
  for (const Event& event : events_) slices.add(variable_of[event.example], event.change);
  events_.clear();
  if (!add_in_order(kernel, slices, columns, sums)) return false;
  for (std::size_t k = 0; k < columns.size(); ++k) sums_[kernel.example(columns[k])] = sums[k];
  return true;
}

bool GradientLog::rebuild(KernelMatrix& kernel, const std::vector<std::size_t>& columns,
                          const std::vector<double>& linear, const std::vector<Term>& free_part,
                          std::vector<double>& f) {
  if (!replay(kernel)) return false;
  std::vector<double> sums(columns.size());
  for (std::size_t k = 0; k < sums.size(); ++k) {
    sums[k] = sums_[kernel.example(columns[k])] + linear[columns[k]];
  }
  if (kernel.has_all_rows()) {  // small problems, to which slices are dear
    for (const Term& term : free_part) {
      const KernelRow row = kernel.row(term.variable);
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += term.change * row[columns[k]];
    }
  } else if (!free_part.empty()) {
    TermSlices slices(kernel.size());
    for (const Term& term : free_part) slices.add(term.variable, term.change);
    if (!add_in_order(kernel, slices, columns, sums)) return false;
  }
  for (std::size_t k = 0; k < columns.size(); ++k) f[columns[k]] = sums[k];
  return true;
}

}  // namespace svm
