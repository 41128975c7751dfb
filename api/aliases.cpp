// Functions under names that copies of LIBSVM have.  Where the linker can, it prefers functions of
// the program with the same names.
#include "svm.h"

#if !defined(SVM_NO_ALIASES)

#if !defined(_WIN32)
#pragma weak svm_parse_model_from_buffer
#pragma weak svm_destroy_model
#endif

svm_model* svm_parse_model_from_buffer(const char* text, size_t size) {
  return svm_load_model_from_memory(text, size);
}

void svm_destroy_model(svm_model* model) { svm_free_and_destroy_model(&model); }

#endif
