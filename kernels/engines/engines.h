// The stores of examples, which engine_choice.cpp chooses among: what data each can hold, what it
// would cost, and how its engine is made.
//
//   store    holds                          LIBSVM's arithmetic   single precision
//   bits     features whose values are 1    bits_engine           (as fast)
//   bytes    whole numbers of a unit        integers_engine       products_engine
//   dense    a place for every feature      dense_engine          products or differences_engine
//   columns  lists by feature               columns_engine        columns_engine
//   rows     the caller's, one by one       plain_engine
//
// A store of bytes or dense values has engines of its own for single precision, because an order
// that suits exact sums of one row does not suit products of many rows at a time.
#ifndef SVM_KERNELS_ENGINES_ENGINES_H_
#define SVM_KERNELS_ENGINES_ENGINES_H_

#include <cstddef>
#include <memory>

#include "kernels/data_row.h"
#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"
#include "kernels/kernel_function.h"
#include "svm.h"

namespace svm {

struct DifferenceLayout;
struct ProductLayout;

// bits_engine.cpp

// True if every value is 1 and there are no more than kMaxBits features that occur.
bool fit_bits(const Examples& examples);

// Takes examples that fit, and are regular.
std::unique_ptr<RowEngine> make_bits_engine(const KernelFunction& kernel, const Examples& examples,
                                            const RowPasses& passes);

// integers_engine.cpp: sums of products of whole numbers, which are exact in any order.

// True if every value is a whole number, the largest less the least, 0 included, is at most 255,
// and rows are so short that sums of products take 31 bits.
bool fit_integers(const Examples& examples);

// The cost of the engine, in nanoseconds per dot product.  It holds a byte per column and feature.
double integers_cost(const Examples& examples);

// Takes examples that fit, and are regular.
std::unique_ptr<RowEngine> make_integers_engine(const KernelFunction& kernel, Examples examples);

// dense_engine.cpp: blocks of doubles, decimals or floats, summed up one after the other.

// The cost of the engine: bytes per column, and nanoseconds per dot product.  It is the same for
// every instruction set, although one without loops for the form of the values takes more.
struct DenseCost {
  double bytes;
  double nanoseconds;
};
// Throws Interrupted if `passes` does.
DenseCost dense_cost(const Examples& examples, const RowPasses& passes);

// Holds values as floats if that loses nothing.  Takes regular examples.  Throws
// Interrupted if `passes` does.
std::unique_ptr<RowEngine> make_dense_engine(const KernelFunction& kernel, Examples examples,
                                             const RowPasses& passes);

// products_engine.cpp: dot products of whole numbers and floats, for many rows at a time.

// Takes a layout for these examples.
std::unique_ptr<RowEngine> make_products_engine(const KernelFunction& kernel, Examples examples,
                                                const ProductLayout& layout,
                                                const RowPasses& passes);

// differences_engine.cpp: squared differences of floats and bits, for many rows at a time.

// Takes a layout for these examples whose rounding is at most kMostRounding.
std::unique_ptr<RowEngine> make_differences_engine(const KernelFunction& kernel, Examples examples,
                                                   const DifferenceLayout& layout,
                                                   const RowPasses& passes);

// columns_engine.cpp: sparse columns, sorted by feature.

// The cost of the engine, in nanoseconds per dot product.
double columns_cost(const Examples& examples);

// Estimates the error of a value in single precision; above kMostRounding if that does not suit the
// data.
double columns_rounding(const KernelFunction& kernel, const Examples& examples);

// Takes regular examples, for single precision those whose rounding is at most kMostRounding.
// Holds no values if all are 1, and floats if that loses nothing or is good enough.
std::unique_ptr<RowEngine> make_columns_engine(const KernelFunction& kernel, Examples examples,
                                               Precision precision);

// plain_engine.cpp: engines that list their columns and compute one value after the other.  They
// take any rows; the other engines are tested against them.

// Merges two rows, as prediction does, so it also takes rows whose indices do not ascend.
std::unique_ptr<RowEngine> make_plain_engine(const KernelFunction& kernel, Examples examples);

// Looks up K(i, j) in row i at the serial number of row j, or asks the caller's function for it.
// The rows are read later as well.
std::unique_ptr<RowEngine> make_precomputed_engine(DataRows rows, std::size_t count);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_ENGINES_H_
