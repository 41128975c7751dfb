// The vectorised loops, one table of functions per instruction set.  All tables give the same bits.
#ifndef SVM_SIMD_LOOPS_H_
#define SVM_SIMD_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "simd/instruction_set.h"

namespace svm {

// Support vectors are packed in blocks of kPackColumns, feature after feature; rows to predict come
// in groups of kPackRows, also feature after feature.
constexpr std::size_t kPackColumns = 16;
constexpr std::size_t kPackRows = 4;
// Rows whose weighted sums are formed together.
constexpr std::size_t kSumRows = 32;

// Arrays may have any alignment; out overlaps no other array.
struct Loops {
  // out[k] = (float)exp(x[k]), as the C library's exp rounds it to float.
  void (*exp_to_float)(const double* x, std::size_t count, float* out);

  // out[k] = (float)exp(-gamma * (norm + norms[k] - 2 * dot[k])), as the scalar expression gives
  // it.
  void (*rbf_to_float)(const double* dot, const double* norms, double norm, double gamma,
                       std::size_t count, float* out);

  // out[k] = exp(factor * x[k]) with the bits of the C library, if its exp has an error of at most
  // 0.512 units in the last place where the result is normal (see library_exp_is_close()).
  void (*library_exp)(double factor, const double* x, std::size_t count, double* out);

  // For k = 0, 1, ... count - 1, each row r and each column c, in this order:
  //   sums[r * kPackColumns + c] += (x[k * kPackRows + r] - block[k * kPackColumns + c])^2
  void (*add_squared_differences)(const double* block, const double* x, std::size_t count,
                                  double* sums);

  // The same with x * block, for the features slots[k] of the block.
  void (*add_products)(const double* block, const std::uint32_t* slots, const double* x,
                       std::size_t count, double* sums);

  // For s = 0, 1, ... count - 1: sums[r] += weights[s] * values[s * kSumRows + r].
  void (*add_weighted)(const double* values, const double* weights, std::size_t count,
                       double* sums);

  // sums[s] += value.
  void (*add_to_all)(double value, std::size_t count, double* sums);
};

// Is the C library known to have such an exp?  The GNU one has from version 2.28 on (0.511).
bool library_exp_is_close();

// The table of a supported set.
const Loops& loops(InstructionSet set);

extern const Loops kPlainLoops;
#if defined(__x86_64__)
extern const Loops kAvx2Loops;
extern const Loops kAvx512Loops;
#endif

}  // namespace svm

#endif  // SVM_SIMD_LOOPS_H_
