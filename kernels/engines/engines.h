// The kinds of engines: what data each can hold, what it would cost, and how it is made.
// row_engine.cpp and single_engine.cpp choose among them.
#ifndef SVM_KERNELS_ENGINES_ENGINES_H_
#define SVM_KERNELS_ENGINES_ENGINES_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/data_row.h"
#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"
#include "kernels/kernel_function.h"
#include "svm.h"
#include "threads/go_on.h"

namespace svm {

// row_engine.cpp, which chooses.

// Those of single precision, floats and bytes, are for make_single_engine() only.
enum class Engine { kPlain, kBits, kIntegers, kDense, kColumns, kFloats, kBytes };

// Sets `wish` to the engine that SVM_ENGINE names and returns true; returns false if it is not set.
// Throws std::invalid_argument if it names no engine.
bool wished_engine(Engine& wish);

// The largest number of bytes that dense columns may take for each nonzero value of the examples:
// twice what the examples take themselves.
constexpr double kMostBytesPerValue = 2 * (sizeof(double) + sizeof(std::uint32_t));

// Makes the engine of make_row_engine() for these examples.
std::unique_ptr<RowEngine> make_exact_engine(const KernelFunction& kernel, Examples examples,
                                             const GoOn& go_on);

// bits_engine.cpp: columns of bits, for values that are all 1.

// True if every value is 1 and there are no more than 64 kMaxBitWords features.
bool fit_bits(const Examples& examples);

// Takes examples that fit, and are regular.
std::unique_ptr<RowEngine> make_bits_engine(const KernelFunction& kernel, const Examples& examples);

// integers_engine.cpp: blocks of whole numbers, whose sums of products are exact in any order.

// True if every value is a whole number, with 256 different ones at most between the least and the
// largest of them and 0.
bool fit_integers(const Examples& examples);

// The cost of the engine, in nanoseconds per dot product.  It holds a byte per column and feature.
double integers_cost(const Examples& examples);

// Takes examples that fit, and are regular.
std::unique_ptr<RowEngine> make_integers_engine(const KernelFunction& kernel, Examples examples);

// dense_engine.cpp: blocks of columns with a place for every feature.

// The cost of the engine: bytes per column, and nanoseconds per dot product.  It is the same for
// every instruction set, although one without loops for the form of the values takes more.
struct DenseCost {
  double bytes;
  double nanoseconds;
};
// Throws Interrupted if `go_on` returns false.
DenseCost dense_cost(const Examples& examples, const GoOn& go_on);

// Holds values as decimals or floats if that loses nothing.  Takes regular examples.  Throws
// Interrupted if `go_on` returns false.
std::unique_ptr<RowEngine> make_dense_engine(const KernelFunction& kernel, Examples examples,
                                             const GoOn& go_on);

// columns_engine.cpp: sparse columns, sorted by feature.

// The cost of the engine, in nanoseconds per dot product.
double columns_cost(const Examples& examples);

// Holds values as floats if that loses nothing, and none if all are 1.  Takes regular examples.
std::unique_ptr<RowEngine> make_columns_engine(const KernelFunction& kernel, Examples examples);

// plain_engine.cpp: engines that list their columns and compute one value after the other.  They
// take any rows; the other engines are tested against them.

// Merges two rows, as prediction does, so it also takes rows whose indices do not ascend.
std::unique_ptr<RowEngine> make_plain_engine(const KernelFunction& kernel, Examples examples);

// Looks up K(i, j) in row i at the serial number of row j.  The rows are read later as well.
std::unique_ptr<RowEngine> make_precomputed_engine(DataRows rows, std::size_t count);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_ENGINES_H_
