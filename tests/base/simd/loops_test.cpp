// Tables of loops, the choice among them, and what loops leave in registers.
#include "base/simd/loops.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/bit_blocks.h"
#include "base/simd/targets/tables.h"
#include "tests/environment.h"
#include "tests/instruction_sets.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace svm {
namespace {

// How many of a table's functions are missing.
std::size_t missing(const Loops& table) {
  static_assert(sizeof(Loops) % sizeof(std::uintptr_t) == 0, "a table consists of pointers");
  std::vector<std::uintptr_t> places(sizeof(Loops) / sizeof(std::uintptr_t));
  std::memcpy(places.data(), &table, sizeof(Loops));
  std::size_t count = 0;
  for (const std::uintptr_t place : places) count += place == 0;
  return count;
}

TEST(LoopsTable, LacksNothing) {
  EXPECT_EQ(missing(kPlainLoops), 0U);
#if defined(__x86_64__)
  EXPECT_EQ(missing(kAvx2Loops), 0U);
  EXPECT_EQ(missing(kAvx512Loops), 0U);
  if (is_supported(InstructionSet::kAvx512)) {
    EXPECT_EQ(missing(loops(InstructionSet::kAvx512)), 0U);
  }
#elif defined(__AARCH64EL__)
  EXPECT_EQ(missing(kNeonLoops), 0U);
#endif
}

TEST(InstructionSets, AreForcedByTheirNames) {
  for (const InstructionSet set : kInstructionSets) {
    const test::Setting forced("SVM_INSTRUCTION_SET", name(set));
    if (is_supported(set)) {
      EXPECT_EQ(instruction_set(), set);
      EXPECT_EQ(instruction_set_fault(), "");
    } else {
      EXPECT_EQ(instruction_set_fault(), "environment variable SVM_INSTRUCTION_SET: '" +
                                             std::string(name(set)) +
                                             "' is not supported by this processor");
    }
  }
}

TEST(InstructionSets, AnUnknownOneIsRefusedWithTheNamesOfAll) {
  const test::Setting forced("SVM_INSTRUCTION_SET", "altivec");
  EXPECT_TRUE(is_supported(instruction_set()));
  try {
    check_instruction_set();
    FAIL();
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("altivec"), std::string::npos) << message;
    for (const InstructionSet set : kInstructionSets) {
      EXPECT_NE(message.find(name(set)), std::string::npos) << message;
    }
  }
}

class LoopsOfRows : public test::EachInstructionSet {};
INSTANTIATE_TEST_SUITE_P(Sets, LoopsOfRows, testing::ValuesIn(kInstructionSets), test::set_name);

TEST_P(LoopsOfRows, PickValuesAtAnyPlaces) {
  const Loops& table = loops(GetParam());
  std::vector<float> row(100000);
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = static_cast<float>(k) + 0.5F;
  std::mt19937 random(2);
  for (std::size_t count = 0; count <= 70; ++count) {
    std::vector<std::uint32_t> places;
    for (std::size_t k = 0; k < count; ++k) {
      places.push_back(static_cast<std::uint32_t>(random() % row.size()));
    }
    if (count > 2) {
      places[count / 2] = 0;
      places[count - 1] = static_cast<std::uint32_t>(row.size() - 1);
    }
    std::vector<float> picked(count + 1, -1.0F), expected;
    for (const std::uint32_t place : places) expected.push_back(row[place]);
    expected.push_back(-1.0F);  // nothing may be written behind the end
    table.pick_values(row.data(), places.data(), count, picked.data());
    EXPECT_EQ(picked, expected) << count;
  }
}

#if defined(__x86_64__)
// --- the upper halves of registers, which slow down all scalar code if a loop leaves them in use
// ---

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
      const ProductBlocks products = {a.words.data(), a.floats.data(), a.ints.data(), 1, 1, 0, 1};
      const std::uint32_t begin[] = {0, 1}, zero = 0, word = 3, end = 1;
      const std::int32_t offset = 0, norm = 2;
      const float value = 0.5F;
      const ProductRows list = {begin, &zero, &word, &offset, &norm, &end, &zero, &value, 1, 0};
      EXPECT_CLEAN(loops.product_values(products, 1, list, 1, tail, &out));
      EXPECT_CLEAN(loops.product_sums(products, 1, list, &factor, 1, tail, a.doubles.data()));
      if (form != TailForm::kExp) continue;
      const FloatBlocks blocks = {a.floats.data(), a.words.data(), 1, 1, 0.5F};
      const FloatPanel panel = {a.floats.data(), a.words.data()};
      EXPECT_CLEAN(loops.float_values(blocks, 1, panel, 1, tail, &out));
      EXPECT_CLEAN(loops.float_sums(blocks, 1, panel, &factor, 1, tail, a.doubles.data()));
    }
    EXPECT_CLEAN(loops.float_norm(a.floats.data(), kCount, 16));
  }
}

#endif

}  // namespace
}  // namespace svm
