// What the processor can do, and which of it is used.
#ifndef SVM_SIMD_INSTRUCTION_SET_H_
#define SVM_SIMD_INSTRUCTION_SET_H_

namespace svm {

// In rising order for each kind of processor.  kAvx512 asks for the parts f, dq, bw and vl; kNeon
// is every aarch64's.
enum class InstructionSet { kPlain, kAvx2, kAvx512, kNeon };

// The best that the processor has, or what the environment variable SVM_INSTRUCTION_SET asks for:
// plain, avx2, avx512 or neon.  Results never depend on it.  Throws std::invalid_argument where the
// variable's value is unknown or asks for more than the processor has.
InstructionSet instruction_set();

// Is this set compiled in, and does the processor have it?
bool is_supported(InstructionSet set);

const char* name(InstructionSet set);

}  // namespace svm

#endif  // SVM_SIMD_INSTRUCTION_SET_H_
