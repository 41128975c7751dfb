/* Usage: viennarna SEQUENCE...
 * Prints the z-scores of locally stable structures, which ViennaRNA takes from two models by
 * LIBSVM, as RNALfold -z does. */
#include <stdio.h>

#include <ViennaRNA/vrna_config.h> /* the other headers ask for its VRNA_WITH_SVM */

#include "ViennaRNA/fold_compound.h"
#include "ViennaRNA/mfe_window.h"
#include "ViennaRNA/zscore.h"

static void print(int start, int end, const char* structure, float energy, float score,
                  void* data) {
  (void)data;
  printf("%d %d %s %.9g %.9g\n", start, end, structure, energy, score);
}

int main(int count, char** arguments) {
  int k;
  for (k = 1; k < count; ++k) {
    vrna_md_t details;
    vrna_fold_compound_t* fold;
    vrna_md_set_default(&details);
    details.window_size = details.max_bp_span = 120;
    fold = vrna_fold_compound(arguments[k], &details, VRNA_OPTION_MFE | VRNA_OPTION_WINDOW);
    vrna_zsc_filter_init(fold, 0, VRNA_ZSCORE_SETTINGS_DEFAULT);
    printf("%.9g\n", vrna_mfe_window_zscore_cb(fold, 0, &print, NULL));
    vrna_fold_compound_free(fold);
  }
  return 0;
}
