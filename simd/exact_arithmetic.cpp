#include "simd/exact_arithmetic.h"

#include "simd/instruction_set.h"
#include "simd/loops.h"

namespace svm {

bool rounds_products() {
  constexpr double kFactor = 1 + 0x1p-30;
  constexpr double kRoundedSquare = 1 + 0x1p-29;
  const auto rounds = [](InstructionSet set) {
    return loops(set).product_plus(kFactor, kFactor, -kRoundedSquare) == 0;
  };
  return rounds(InstructionSet::kPlain) && rounds(instruction_set());
}

}  // namespace svm
