// What the tests of loops in single precision share.
#ifndef SVM_TESTS_BASE_SIMD_SINGLE_TABLES_H_
#define SVM_TESTS_BASE_SIMD_SINGLE_TABLES_H_

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/simd/instruction_set.h"
#include "base/simd/loops.h"
#include "base/simd/targets/tables.h"

namespace svm::test {

struct Table {
  std::string name;
  const Loops* loops;
  bool fuses;
};

inline std::vector<Table> tables() {
  std::vector<Table> all;
  for (const InstructionSet set : kInstructionSets) {
    if (is_supported(set)) all.push_back({name(set), &loops(set), set != InstructionSet::kPlain});
  }
#if defined(__x86_64__)
  // The table that loops() does not choose if the processor has more parts of AVX-512.
  if (is_supported(InstructionSet::kAvx512)) {
    all.push_back({"avx512 without vnni", &kAvx512Loops, true});
  }
#endif
  return all;
}

inline SingleTail exp_tail(double factor) {
  SingleTail tail;
  tail.form = TailForm::kExp;
  tail.high = static_cast<float>(factor);
  tail.low = static_cast<float>(factor - static_cast<double>(tail.high));
  tail.most = static_cast<float>(-125 / factor);
  return tail;
}

inline SingleTail tail_of(TailForm form) {
  if (form == TailForm::kExp) return exp_tail(-0.0721);
  SingleTail tail;
  tail.form = form;
  tail.gamma = 0.03;
  tail.coef0 = -0.25;
  tail.degree = 3;
  return tail;
}

constexpr TailForm kForms[] = {TailForm::kExp, TailForm::kDot, TailForm::kPower, TailForm::kTanh};

// kExp of an inner sum by the operations of the loops.
inline float exp_by_operations(float sum, const SingleTail& tail) {
  sum = std::min(sum, tail.most);
  const float power = std::fma(sum, tail.high, 0x1.8p23F) - 0x1.8p23F;
  const float rest = std::fma(sum, tail.low, std::fma(sum, tail.high, -power));
  float p = 0x1.417842p-13F;
  for (const float c :
       {0x1.5f0948p-10F, 0x1.3b2dd4p-7F, 0x1.c6af7ap-5F, 0x1.ebfbdcp-3F, 0x1.62e430p-1F, 1.0F}) {
    p = std::fma(p, rest, c);
  }
  return std::ldexp(p, static_cast<int>(power));
}

template <typename Value>
bool same_bits(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0;
}

}  // namespace svm::test

#endif  // SVM_TESTS_BASE_SIMD_SINGLE_TABLES_H_
