// The decision values of many rows from their kernel values.
#ifndef SVM_MODEL_PAIR_SUMS_H_
#define SVM_MODEL_PAIR_SUMS_H_

#include <cstddef>

#include "simd/loops.h"
#include "svm.h"

namespace svm {

// Calls add(coefficients, function, begin, end) for each stretch of support vectors in [first,
// last) that has a coefficient in a decision function: coefficients[s] for s in [begin, end).  Of a
// function the stretches come in the order of the support vectors.
//
// Support vectors lie class after class, and a pair's sum goes through its first class and then
// through its second: so every sum can be formed in one pass over all support vectors.
template <typename Add>
void for_each_stretch(const svm_model& model, bool single, std::size_t first, std::size_t last,
                      const Add& add);

// Adds the terms of support vectors [first, last) to sums[function * kSumRows + r] of kSumRows rows
// each; kernel_values[(s - first) * kSumRows + r] are those of row r.
void add_to_pair_sums(const svm_model& model, bool single, const Loops& loops, std::size_t first,
                      std::size_t last, const double* kernel_values, double* sums);

template <typename Add>
void for_each_stretch(const svm_model& model, bool single, std::size_t first, std::size_t last,
                      const Add& add) {
  if (single) return add(model.sv_coef[0], std::size_t{0}, first, last);
  const auto k = static_cast<std::size_t>(model.nr_class);
  std::size_t class_begin = 0;
  for (std::size_t c = 0; c < k && class_begin < last; ++c) {
    const std::size_t class_end = class_begin + static_cast<std::size_t>(model.nSV[c]);
    const std::size_t begin = first > class_begin ? first : class_begin;
    const std::size_t end = last < class_end ? last : class_end;
    class_begin = class_end;
    if (begin >= end) continue;
    // Pairs lie in the order (0, 1), (0, 2) ... (1, 2) ...
    for (std::size_t a = 0, pair = c - 1; a < c; pair += k - 2 - a, ++a) {
      add(model.sv_coef[a], pair, begin, end);
    }
    const std::size_t own = c * (2 * k - c - 1) / 2;
    for (std::size_t b = c + 1; b < k; ++b) {
      add(model.sv_coef[b - 1], own + b - c - 1, begin, end);
    }
  }
}

inline void add_to_pair_sums(const svm_model& model, bool single, const Loops& loops,
                             std::size_t first, std::size_t last, const double* kernel_values,
                             double* sums) {
  for_each_stretch(
      model, single, first, last,
      [&](const double* coefficients, std::size_t function, std::size_t begin, std::size_t end) {
        loops.add_weighted(kernel_values + (begin - first) * kSumRows, coefficients + begin,
                           end - begin, sums + function * kSumRows);
      });
}

}  // namespace svm

#endif  // SVM_MODEL_PAIR_SUMS_H_
