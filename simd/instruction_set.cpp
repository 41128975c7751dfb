#include "simd/instruction_set.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "simd/processor.h"

namespace svm {
namespace {

constexpr const char* kInstructionSetVariable = "SVM_INSTRUCTION_SET";

InstructionSet best_supported() {
  InstructionSet best = InstructionSet::kPlain;
  for (const InstructionSet set : kInstructionSets) {
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
    case InstructionSet::kNeon:
      return "neon";
    default:
      return "plain";
  }
}

bool is_supported(InstructionSet set) {
  switch (set) {
    case InstructionSet::kPlain:
      return true;
#if defined(SVM_HAS_X86_LOOPS)
    case InstructionSet::kAvx2:
      return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    case InstructionSet::kAvx512:
      return is_supported(InstructionSet::kAvx2) && __builtin_cpu_supports("avx512f") != 0 &&
             __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
             __builtin_cpu_supports("avx512vl") != 0;
#elif defined(SVM_HAS_NEON_LOOPS)
    case InstructionSet::kNeon:
      return true;
#endif
    default:
      return false;
  }
}

InstructionSet instruction_set() {
  const char* wish = std::getenv(kInstructionSetVariable);
  if (wish == nullptr || *wish == '\0') {
    static const InstructionSet best = best_supported();
    return best;
  }
  std::string names;
  for (const InstructionSet set : kInstructionSets) {
    if (wish == std::string(name(set))) {
      if (is_supported(set)) return set;
      throw std::invalid_argument(std::string("environment variable ") + kInstructionSetVariable +
                                  ": '" + wish + "' is not supported by this processor");
    }
    names += std::string(names.empty() ? "" : ", ") + name(set);
  }
  throw std::invalid_argument(std::string("environment variable ") + kInstructionSetVariable +
                              ": '" + wish + "' is none of " + names);
}

}  // namespace svm
