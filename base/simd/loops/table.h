// The table of all loops of one target. The target's file includes it last.
#ifndef SVM_BASE_SIMD_LOOPS_TABLE_H_
#define SVM_BASE_SIMD_LOOPS_TABLE_H_

#include <cstdint>

#include "base/simd/loops.h"
#include "base/simd/loops/counting_table.h"
#include "base/simd/loops/exp_loops.h"
#include "base/simd/loops/factor_loops.h"
#include "base/simd/loops/precise_loops.h"
#include "base/simd/loops/prediction_loops.h"
#include "base/simd/loops/row_loops.h"
#include "base/simd/loops/solver_loops.h"
#include "base/simd/processor.h"

namespace svm {
namespace {

// Each member is the function of the same name; templates make some of them.
constexpr Loops table_of_loops() {
  Loops t{};
  set_counting_loops(t);
  t.product_plus = product_plus;
  t.library_exp = library_exp;
  t.squared_differences = squared_differences;
  t.products = products;
  t.rbf_values = rbf_values;
  t.weigh_values = weighted_sum<false>;
  t.weigh_values_absolutely = weighted_sum<true>;
  t.weigh_values_and_square = weighted_sum<false, double>;
  t.add_weighted = add_weighted;
  t.add_to_all = add_to_all;
  if constexpr (kHasTrainingLoops) {
    t.rbf_to_float = rbf_to_float;
    t.find_extremes = find_extremes;
    t.add_pair = add_pair;
    t.add_conjugate = add_conjugate;
    t.find_partner = find_partner;
    t.add_rows = add_rows;
    t.add_float_rows = add_value_rows<float>;
    t.to_float = to_float;
    t.pick_values = pick_values;
    t.polynomials = polynomials;
    t.block_dots_double = block_dots<double>;
    t.block_dots_float = block_dots<float>;
    t.block_dots_integer = block_dots_integer;
    t.dot_tails = dot_tails;
    t.add_precise_sums = add_precise_sums;
    t.subtract_products = subtract_products;
    t.solve_panel = solve_panel;
    t.dot_rows_float = dot_rows<float>;
    t.dot_rows_double = dot_rows<double>;
    t.subtract_rows_float = subtract_rows<float>;
    t.subtract_rows_double = subtract_rows<double>;
    t.tile_products = tile_products;
    t.two_dots = two_dots;
    t.add_to_two = add_to_two;
  }
  return t;
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_TABLE_H_
