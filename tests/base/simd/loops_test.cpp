// Tables of loops, and the choice among them.
#include "base/simd/loops.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/targets/tables.h"
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

}  // namespace
}  // namespace svm
