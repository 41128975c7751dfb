// Sums of many kernel rows, cut into pieces that fit a processor's cache.
#ifndef SVM_SOLVERS_SMO_TERM_SLICES_H_
#define SVM_SOLVERS_SMO_TERM_SLICES_H_

#include <cstddef>
#include <vector>

#include "kernels/matrix/kernel_matrix.h"
#include "simd/loops.h"

namespace svm {

// Terms in their order, cut into slices of a limited number of rows.
class TermSlices {
 public:
  explicit TermSlices(std::size_t size) : number_(size, kNone) { start(); }

  void add(std::size_t variable, double change) {
    if (number_[variable] == kNone) {
      if (rows.back().size() == kMostRows) start();
      number_[variable] = rows.back().size();
      rows.back().push_back(variable);
    }
    terms.back().push_back({number_[variable], change});
  }
  // Begins a new slice.
  void start() {
    if (!rows.empty()) {
      for (const std::size_t variable : rows.back()) number_[variable] = kNone;
    }
    rows.emplace_back();
    terms.emplace_back();
  }

  std::vector<KernelMatrix::Rows> rows;
  std::vector<std::vector<RowTerm>> terms;  // by their place in the slice's rows

 private:
  static constexpr std::size_t kMostRows = 512;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::vector<std::size_t> number_;  // in the present slice
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_TERM_SLICES_H_
