// The instruction sets that the processor has, and the one in use.
#ifndef SVM_BASE_SIMD_INSTRUCTION_SET_H_
#define SVM_BASE_SIMD_INSTRUCTION_SET_H_

#include <string>

namespace svm {

// kAvx512 means the parts f, dq, bw and vl. Every aarch64 has kNeon.
enum class InstructionSet { kPlain, kAvx2, kAvx512, kNeon };

// The sets of this processor family, in ascending order.
inline constexpr InstructionSet kInstructionSets[] = {
    InstructionSet::kPlain,
#if defined(__x86_64__)
    InstructionSet::kAvx2,
    InstructionSet::kAvx512,
#elif defined(__AARCH64EL__)
    InstructionSet::kNeon,
#endif
};

// The best set that the processor has, or the one whose name() is in the environment variable
// SVM_INSTRUCTION_SET, if it is supported. The results of smo never depend on it.
InstructionSet instruction_set();
// What is wrong with the value of SVM_INSTRUCTION_SET; empty if nothing is.
std::string instruction_set_fault();
// Throws std::invalid_argument if something is.
void check_instruction_set();

// True if the set is compiled in and the processor has it.
bool is_supported(InstructionSet set);

// "plain", "avx2", "avx512" or "neon".
const char* name(InstructionSet set);

// Throws std::runtime_error if the compiler has changed floating-point arithmetic, so that results
// are not LIBSVM's to the bit. Clang does so with -ffp-contract=fast and with those parts of
// -ffast-math that no macro reveals.
void require_exact_arithmetic();

// True if the error of the C library's exp() is known to be at most 0.512 units in the last place
// for normal results, as Loops::library_exp requires. The GNU C library's is 0.511 since version
// 2.28.
bool library_exp_is_close();

}  // namespace svm

#endif  // SVM_BASE_SIMD_INSTRUCTION_SET_H_
