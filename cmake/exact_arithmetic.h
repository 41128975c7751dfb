/* Seen first by every file that is compiled here (see CMakeLists.txt).  Results are LIBSVM's to the
 * last bit, which takes the arithmetic of IEEE 754, as it is written in the sources.  Macros tell
 * of most of the options that change it, though not with every compiler: the library looks again
 * when it runs (base/simd/exact_arithmetic.cpp). */
#if defined(__FAST_MATH__)
#error "results must be exact: compile without -ffast-math and without -Ofast"
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0
#error "results must be exact: compile without -ffinite-math-only"
#elif defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "results must be exact: compile without -funsafe-math-optimizations and parts of it"
#elif defined(__x86_64__) && defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "results must be exact: compile without -mfpmath=387"
#endif

static_assert(0.1 != 0.1F, "results must be exact: compile without -fsingle-precision-constant");
