#include "simd/loops.h"

#include <cstdlib>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

namespace svm {

const Loops& loops(InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::kAvx512) {
    return __builtin_cpu_supports("avx512vpopcntdq") != 0 ? kAvx512PopcountLoops : kAvx512Loops;
  }
  if (set == InstructionSet::kAvx2) return kAvx2Loops;
#endif
  static_cast<void>(set);
  return kPlainLoops;
}

bool library_exp_is_close() {
#if defined(__x86_64__) && defined(__GLIBC__)
  char* end = nullptr;
  const char* const version = gnu_get_libc_version();
  const long major = std::strtol(version, &end, 10);
  const long minor = *end == '.' ? std::strtol(end + 1, nullptr, 10) : 0;
  return major > 2 || (major == 2 && minor >= 28);
#else
  return false;
#endif
}

}  // namespace svm
