// The vectorised loops, one table of functions per instruction set.  All tables give the same bits.
#ifndef SVM_SIMD_LOOPS_H_
#define SVM_SIMD_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "simd/instruction_set.h"

namespace svm {

// Arrays may have any alignment; out overlaps no other array.
struct Loops {
  // out[k] = (float)exp(x[k]), as the C library's exp rounds it to float.
  void (*exp_to_float)(const double* x, std::size_t count, float* out);

  // out[k] = (float)exp(-gamma * (norm + norms[k] - 2 * dot[k])), rounded at each step as written.
  void (*rbf_to_float)(const double* dot, const double* norms, double norm, double gamma,
                       std::size_t count, float* out);
};

// The table of a supported set.
const Loops& loops(InstructionSet set);

extern const Loops kPlainLoops;
#if defined(__x86_64__)
extern const Loops kAvx2Loops;
extern const Loops kAvx512Loops;
#endif

}  // namespace svm

#endif  // SVM_SIMD_LOOPS_H_
