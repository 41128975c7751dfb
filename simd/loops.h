// The vectorised loops, one table of functions per instruction set.  All tables give the same bits.
#ifndef SVM_SIMD_LOOPS_H_
#define SVM_SIMD_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "simd/instruction_set.h"

namespace svm {

// Passes of the solvers over variables t in [begin, end).  f is the signed gradient, and moves[t]
// has bits that say where the variable may go (or 0, to leave it out).
inline constexpr std::uint8_t kMayGoUp = 1, kMayGoDown = 2;
inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// Smallest f of those that may go up, largest f of those that may go down.  Ties: the last place.
struct Ends {
  double lowest = __builtin_huge_val();
  double highest = -__builtin_huge_val();
  std::size_t lowest_at = kNowhere;
  std::size_t highest_at = kNowhere;
};

// f += row_i change_i + row_j change_j
struct PairUpdate {
  double* f;
  const float* row_i;
  const float* row_j;
  double change_i, change_j;
  const std::uint8_t* moves;
};

// q_new = row_i - row_j + turn q,  f += length q_new;  q = q_new where `store` says so.
struct ConjugateUpdate {
  double* f;
  double* q;
  const float* row_i;
  const float* row_j;
  double turn, length;
  bool store;
  const std::uint8_t* moves;
};

// The partner j, among those that may go down with f_j > lowest, of greatest gain
// (f_j - lowest)^2 / curvature, where curvature = row_diagonal + diagonal_j - 2 row_j, less
// (q_i - q_j)^2 inverse where q is not null, and least_curvature where that is not positive.
// Ties: the last place.
struct PartnerSearch {
  const double* f;
  const std::uint8_t* moves;
  const float* row;
  const double* diagonal;
  double row_diagonal;
  double lowest;
  double least_curvature;
  const double* q = nullptr;
  double q_i = 0, inverse = 0;
};

struct Partner {
  double gain = -__builtin_huge_val();
  std::size_t at = kNowhere;
};

struct RowTerm {
  std::size_t row;
  double factor;
};

struct Loops {
  // out[k] = (float)exp(x[k]), as the C library's exp rounds it to float.
  void (*exp_to_float)(const double* x, std::size_t count, float* out);

  Ends (*find_ends)(const double* f, const std::uint8_t* moves, std::size_t begin, std::size_t end);
  // These two also return the ends of the new f.
  Ends (*add_pair)(const PairUpdate& update, std::size_t begin, std::size_t end);
  Ends (*add_conjugate)(const ConjugateUpdate& update, std::size_t begin, std::size_t end);
  Partner (*find_partner)(const PartnerSearch& search, std::size_t begin, std::size_t end);
  // sums[k] += factor * rows[row * stride + k] for k < width, over the terms in their order.
  void (*add_rows)(double* sums, const float* rows, std::size_t stride, const RowTerm* terms,
                   std::size_t count, std::size_t width);
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
