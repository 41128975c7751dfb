// The kinds of engines, for row_engine.cpp to choose from: what each can hold, what it would cost,
// and how it is made.
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

// Those of single precision are for make_single_engine() only.
enum class Engine { kPlain, kBits, kIntegers, kDense, kColumns, kFloats, kBytes };

// What the environment asks for; false where that is nothing.  Throws std::invalid_argument where
// it names no engine.
bool wished_engine(Engine& wish);

// Dense columns may take so many bytes for each nonzero value of the examples: twice what these
// take themselves.
constexpr double kMostBytesPerValue = 2 * (sizeof(double) + sizeof(std::uint32_t));

// make_row_engine() for examples.
std::unique_ptr<RowEngine> make_exact_engine(const KernelFunction& kernel, Examples examples,
                                             const GoOn& go_on);

// bits_engine.cpp: columns of bits, for values that are all 1.

// Does every value equal 1, and are the features few enough?
bool fit_bits(const Examples& examples);

// Takes examples that fit, and are regular.
std::unique_ptr<RowEngine> make_bits_engine(const KernelFunction& kernel, const Examples& examples);

// integers_engine.cpp: blocks of small integers, whose sums are exact in any order.

// Is every value an integer, with 256 different ones at most between the least and the largest of
// them and 0?
bool fit_integers(const Examples& examples);

// What the engine would cost, in nanoseconds per dot.  It holds a byte per column and feature.
double integers_cost(const Examples& examples);

// Takes examples that fit, and are regular.
std::unique_ptr<RowEngine> make_integers_engine(const KernelFunction& kernel, Examples examples);

// dense_engine.cpp: blocks of columns with a place for every feature.

// What the engine would cost: bytes per column, and nanoseconds per dot.  The same for every
// instruction set; where one has no loops for the form of the values, they take more.
struct DenseCost {
  double bytes;
  double nanoseconds;
};
// Throws Interrupted where `go_on` says so.
DenseCost dense_cost(const Examples& examples, const GoOn& go_on);

// Holds codes or floats where that loses nothing.  Takes regular examples.  Throws Interrupted
// where `go_on` says so.
std::unique_ptr<RowEngine> make_dense_engine(const KernelFunction& kernel, Examples examples,
                                             const GoOn& go_on);

// columns_engine.cpp: sparse columns, sorted by feature.

// What the engine would cost, in nanoseconds per dot.
double columns_cost(const Examples& examples);

// Holds floats where that loses nothing, and no values where all are 1.  Takes regular examples.
std::unique_ptr<RowEngine> make_columns_engine(const KernelFunction& kernel, Examples examples);

// plain_engine.cpp: engines that take any row; simple, and the measure of the others.

// Walks two rows at once, as prediction does, so it also takes rows whose indices do not ascend.
std::unique_ptr<RowEngine> make_plain_engine(const KernelFunction& kernel, Examples examples);

// Looks up K(i, j) in row i at the serial number of row j.  The rows are read later as well.
std::unique_ptr<RowEngine> make_precomputed_engine(DataRows rows, std::size_t count);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_ENGINES_H_
