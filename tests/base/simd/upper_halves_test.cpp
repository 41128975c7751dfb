// Loops leave no upper halves of registers in use, which slow down all scalar code that follows.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/bit_blocks.h"
#include "base/simd/instruction_set.h"
#include "base/simd/loops.h"

#if defined(__x86_64__)
#include <cpuid.h>

namespace svm {
namespace {

// True if the processor tells what parts of its registers are in use.
bool can_tell() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0) return false;
  constexpr unsigned kXsave = 13, kTellsUse = 4;
  return __get_cpuid_count(kXsave, 1, &a, &b, &c, &d) != 0 && (a & kTellsUse) != 0;
}

bool are_upper_halves_in_use() {
  constexpr std::uint32_t kYmm = 4, kZmm = 64;
  std::uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
  return (low & (kYmm | kZmm)) != 0;
}

constexpr std::size_t kCount = 2 * kBlockColumns;

// Arguments for any loop.
struct Arguments {
  std::vector<double> doubles = std::vector<double>(kCount, 0.5);
  std::vector<double> more = doubles;
  std::vector<float> floats = std::vector<float>(kCount * 4, 0.25F);
  std::vector<float> out = floats;
  std::vector<std::uint8_t> sets = std::vector<std::uint8_t>(kCount, kInUp | kInLow);
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(kCount * 4, 0);
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(2 * kBitColumns, 5);
  std::vector<double> values = std::vector<double>(256 + kLikelyBits, 0.5);
  std::vector<std::int32_t> ints = std::vector<std::int32_t>(kCount, 3);
};

#define EXPECT_CLEAN(call)                                                 \
  do {                                                                     \
    call;                                                                  \
    EXPECT_FALSE(are_upper_halves_in_use()) << name(set) << ": " << #call; \
  } while (false)

TEST(UpperHalves, AreClearAfterLoops) {
  if (!can_tell()) GTEST_SKIP() << "not told by this processor";
  Arguments a;
  for (const InstructionSet set : kInstructionSets) {
    if (!is_supported(set)) continue;
    const Loops& loops = svm::loops(set);
    const KernelRow row(a.floats.data());
    PairUpdate pair = {a.doubles.data(), row, row, 0.5, 0.25, a.sets.data()};
    ConjugateUpdate conjugate = {a.doubles.data(), a.more.data(), row, row, 0.5, 0.25, true,
                                 a.sets.data()};
    PartnerSearch search = {};
    search.f = a.doubles.data();
    search.index_sets = a.sets.data();
    search.row = row;
    search.row_diagonal = 1;
    search.least_curvature = 1e-12;
    EXPECT_CLEAN(loops.find_extremes(a.doubles.data(), a.sets.data(), 0, kCount));
    EXPECT_CLEAN(loops.add_pair(pair, 0, kCount));
    EXPECT_CLEAN(loops.add_conjugate(conjugate, 0, kCount));
    EXPECT_CLEAN(loops.find_partner(search, 0, kCount));
    const float* const rows[] = {a.floats.data()};
    const double factor = 0.5;
    EXPECT_CLEAN(loops.add_float_rows(a.doubles.data(), rows, 0, &factor, 1, kCount));
    EXPECT_CLEAN(loops.rbf_to_float(a.doubles.data(), a.more.data(), 1, 0.5, kCount, a.out.data()));
    EXPECT_CLEAN(loops.library_exp(-1, a.doubles.data(), kCount, a.more.data()));
    float* const out = a.out.data();
    const std::size_t begin_of_part[] = {0, 1};
    const BitDigit digit = {0, 3};
    const std::uint8_t number = 2;
    const std::uint32_t example = 0;
    const BitRows bit_rows = {begin_of_part, &digit, &number, &example, 1};
    for (const bool differing : {false, true}) {
      const BitBlocks blocks = {a.bytes.data(), 1, 1, differing};
      for (const std::size_t values : {16U, 128U}) {
        EXPECT_CLEAN(
            loops.bit_values(blocks, 0, kCount, bit_rows, {a.floats.data(), values, 0}, &out));
        EXPECT_CLEAN(loops.bit_sums_float(blocks, 0, kCount, bit_rows, {a.floats.data(), values, 0},
                                          &factor, a.doubles.data()));
        EXPECT_CLEAN(loops.bit_sums_double(
            blocks, 0, kCount, bit_rows, {a.values.data(), values, 0}, &factor, a.doubles.data()));
      }
    }
    for (const TailForm form :
         {TailForm::kExp, TailForm::kDot, TailForm::kPower, TailForm::kTanh}) {
      SingleTail tail;
      tail.form = form;
      tail.high = -1e-3F;
      tail.most = 1e4F;
      tail.gamma = 1e-3;
      tail.degree = 3;
      EXPECT_CLEAN(loops.dot_tails(a.doubles.data(), a.more.data(), 1, tail, kCount, out));
      for (const WholeForm whole : {WholeForm::kBytes, WholeForm::kShorts}) {
        const ProductBlocks blocks = {
            a.words.data(), a.floats.data(), a.ints.data(), 1, 1, whole, 0, 1};
        const std::uint32_t begin[] = {0, 1}, zero = 0, word = 3, end = 1;
        const std::int32_t offset = 0, norm = 2;
        const float value = 0.5F;
        const ProductRows panel = {begin, &zero, &word, &offset, &norm, &end, &zero, &value, 1, 0};
        EXPECT_CLEAN(loops.product_values(blocks, 1, panel, 1, tail, &out));
        EXPECT_CLEAN(loops.product_sums(blocks, 1, panel, &factor, 1, tail, a.doubles.data()));
      }
      if (form != TailForm::kExp) continue;
      const FloatBlocks blocks = {a.floats.data(), a.words.data(), 1, 1, 0.5F};
      const FloatPanel panel = {a.floats.data(), a.words.data()};
      EXPECT_CLEAN(loops.float_values(blocks, 1, panel, 1, tail, &out));
      EXPECT_CLEAN(loops.float_sums(blocks, 1, panel, &factor, 1, tail, a.doubles.data()));
    }
    EXPECT_CLEAN(loops.float_norm(a.floats.data(), kCount, 16));
  }
}

}  // namespace
}  // namespace svm

#endif
