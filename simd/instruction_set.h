// What the processor can do, and which of it is used.
#ifndef SVM_SIMD_INSTRUCTION_SET_H_
#define SVM_SIMD_INSTRUCTION_SET_H_

namespace svm {

// kAvx512 asks for the parts f, dq, bw and vl; kNeon is every aarch64's.
enum class InstructionSet { kPlain, kAvx2, kAvx512, kNeon };

// Those that are compiled in, in rising order.
inline constexpr InstructionSet kInstructionSets[] = {
    InstructionSet::kPlain,
#if defined(__x86_64__)
    InstructionSet::kAvx2,
    InstructionSet::kAvx512,
#elif defined(__AARCH64EL__)
    InstructionSet::kNeon,
#endif
};

// The best that the processor has, or the one whose name() the environment variable
// SVM_INSTRUCTION_SET holds.  Results never depend on it.  Throws std::invalid_argument where that
// is not compiled in, or not supported.
InstructionSet instruction_set();

// Is this set compiled in, and does the processor have it?
bool is_supported(InstructionSet set);

// plain, avx2, avx512 or neon.
const char* name(InstructionSet set);

}  // namespace svm

#endif  // SVM_SIMD_INSTRUCTION_SET_H_
