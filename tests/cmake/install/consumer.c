/* Trains on two points through the installed library.  Both spellings of the header must work. */
#include <stdio.h>
#include <svm.h>

#include <libsvm/svm.h>

static void ignore(const char* text) { (void)text; }

int main(void) {
  struct svm_node left[] = {{1, -1.0}, {-1, 0.0}};
  struct svm_node right[] = {{1, 1.0}, {-1, 0.0}};
  struct svm_node* rows[] = {left, right};
  double labels[] = {1.0, 2.0};
  struct svm_problem problem = {2, labels, rows};
  struct svm_parameter parameter = {0};
  struct svm_model* model;
  int good;

  parameter.kernel_type = LINEAR;
  parameter.cache_size = 1;
  parameter.eps = 1e-3;
  parameter.C = 1;
  svm_set_print_string_function(ignore);
  model = svm_train(&problem, &parameter);
  good = libsvm_version == LIBSVM_VERSION && model != NULL && svm_predict(model, left) == 1.0 &&
         svm_predict(model, right) == 2.0;
  svm_free_and_destroy_model(&model);
  if (!good) fprintf(stderr, "consumer: wrong result\n");
  return good ? 0 : 1;
}
