// Tables of loops, and the choice among them.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "simd/loops.h"
#include "simd/targets/tables.h"
#include "tests/environment.h"
#include "tests/instruction_sets.h"

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
  EXPECT_EQ(missing(kPlainLoops), 1U);
  EXPECT_EQ(kPlainLoops.block_dots_decimal, nullptr);
#if defined(__x86_64__)
  EXPECT_EQ(missing(kAvx2Loops), 0U);
  EXPECT_EQ(missing(kAvx512Loops), 0U);
  EXPECT_EQ(missing(kAvx512VnniLoops), 0U);
#elif defined(__AARCH64EL__)
  EXPECT_EQ(missing(kNeonLoops), 0U);
#endif
}

TEST(InstructionSets, AreForcedByTheirNames) {
  for (const InstructionSet set : kInstructionSets) {
    const test::Setting forced("SVM_INSTRUCTION_SET", name(set));
    if (is_supported(set)) {
      EXPECT_EQ(instruction_set(), set);
    } else {
      EXPECT_THROW(instruction_set(), std::invalid_argument) << name(set);
    }
  }
}

TEST(InstructionSets, AnUnknownOneIsRefusedWithTheNamesOfAll) {
  const test::Setting forced("SVM_INSTRUCTION_SET", "altivec");
  try {
    instruction_set();
    FAIL();
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("altivec"), std::string::npos) << message;
    for (const InstructionSet set : kInstructionSets) {
      EXPECT_NE(message.find(name(set)), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace svm
