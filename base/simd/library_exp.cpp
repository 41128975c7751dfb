#include "base/simd/library_exp.h"

#include <cstdlib>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

namespace svm {

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
