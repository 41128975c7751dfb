// Tests for each instruction set that the processor has.
#ifndef SVM_TESTS_INSTRUCTION_SETS_H_
#define SVM_TESTS_INSTRUCTION_SETS_H_

#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "base/simd/instruction_set.h"

namespace svm {

inline void PrintTo(InstructionSet set, std::ostream* out) { *out << name(set); }

namespace test {

class EachInstructionSet : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) GTEST_SKIP() << "not supported by this processor";
  }
};

// Names the tests.
inline std::string set_name(const testing::TestParamInfo<InstructionSet>& set) {
  return name(set.param);
}

}  // namespace test
}  // namespace svm

#endif  // SVM_TESTS_INSTRUCTION_SETS_H_
