#include "base/simd/instruction_set.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/platform/process.h"
#include "base/platform/text.h"

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

std::optional<InstructionSet> wished_set() {
  const char* const wish = variable_value(kInstructionSetVariable);
  if (wish == nullptr) return std::nullopt;
  for (const InstructionSet set : kInstructionSets) {
    if (std::string_view(name(set)) == wish) return set;
  }
  return std::nullopt;
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

InstructionSet instruction_set() {
  const std::optional<InstructionSet> set = wished_set();
  return set && is_supported(*set) ? *set : best_supported();
}

std::string instruction_set_fault() {
  if (variable_value(kInstructionSetVariable) == nullptr) return {};
  if (const std::optional<InstructionSet> set = wished_set()) {
    if (is_supported(*set)) return {};
    return variable_fault(kInstructionSetVariable, "is not supported by this processor");
  }
  std::string names;
  for (const InstructionSet known : kInstructionSets) add_item(names, name(known));
  return variable_fault(kInstructionSetVariable, "is none of " + names);
}

void check_instruction_set() {
  const std::string fault = instruction_set_fault();
  if (!fault.empty()) throw std::invalid_argument(fault);
}

}  // namespace svm
