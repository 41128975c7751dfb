// All loops of one instruction set in a table.  Included only by the files of one instruction set.
#ifndef SVM_SIMD_TABLE_H_
#define SVM_SIMD_TABLE_H_

// This compiler takes the deliberately undefined registers of its own header for mistakes.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include "simd/bit_loops.h"
#include "simd/block_loops.h"
#include "simd/embedding_loops.h"
#include "simd/exp_loops.h"
#include "simd/factor_loops.h"
#include "simd/library_exp_loops.h"
#include "simd/loops.h"
#include "simd/prediction_loops.h"
#include "simd/row_loops.h"
#include "simd/solver_loops.h"

namespace svm {
namespace {

constexpr Loops kTable = {
    exp_to_float,
    rbf_to_float,
    find_ends_of,
    add_pair,
    add_conjugate,
    find_partner,
    add_rows,
    to_float,
    polynomials,
    block_dots<double, ValuesAsTheyAre>,
    block_dots<float, ValuesAsTheyAre>,
    block_dots<std::uint8_t, ValuesInTable>,
    kBlockDotsDecimal,
    block_dots_integer,
    look_up_differing,
    look_up_common,
    library_exp,
    add_squared_differences,
    add_products,
    add_weighted,
    add_to_all,
    subtract_products,
    solve_panel,
    dot_rows<float>,
    dot_rows<double>,
    subtract_rows<float>,
    subtract_rows<double>,
    tile_products,
    two_dots,
    add_to_two,
};

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_TABLE_H_
