/* Says which library it found. */
#include <stdio.h>
#include <svm_ext.h>

#include <libsvm/svm_ext.h>

int main(void) {
  printf("%s\n%s", svm_version(), svm_list_solvers());
  return libsvm_version == LIBSVM_VERSION ? 0 : 1;
}
