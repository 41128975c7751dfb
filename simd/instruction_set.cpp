#include "simd/instruction_set.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace svm {
namespace {

constexpr const char* kVariable = "SVM_INSTRUCTION_SET";
constexpr InstructionSet kAll[] = {InstructionSet::kPlain, InstructionSet::kAvx2,
                                   InstructionSet::kAvx512};

InstructionSet best_supported() {
  InstructionSet best = InstructionSet::kPlain;
  for (const InstructionSet set : kAll) {
    if (is_supported(set)) best = set;
  }
  return best;
}

}  // namespace

const char* name(InstructionSet set) {
  switch (set) {
    case InstructionSet::kAvx2:
      return "avx2";
    case InstructionSet::kAvx512:
      return "avx512";
    default:
      return "plain";
  }
}

bool is_supported(InstructionSet set) {
  if (set == InstructionSet::kPlain) return true;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0) return false;
  if (set == InstructionSet::kAvx2) return true;
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
#else
  return false;
#endif
}

InstructionSet instruction_set() {
  const char* wish = std::getenv(kVariable);
  if (wish == nullptr || *wish == '\0') {
    static const InstructionSet best = best_supported();
    return best;
  }
  for (const InstructionSet set : kAll) {
    if (wish != std::string(name(set))) continue;
    if (is_supported(set)) return set;
    throw std::invalid_argument(std::string("environment variable ") + kVariable + ": '" + wish +
                                "' is not supported by this processor");
  }
  throw std::invalid_argument(std::string("environment variable ") + kVariable + ": '" + wish +
                              "' is none of plain, avx2, avx512");
}

}  // namespace svm
