#!/bin/sh
# Usage: exported_symbols_test.sh LIBRARY NM, or for a DLL: exported_symbols_test.sh LIBRARY OBJDUMP
# The shared library exports the C names of svm.h and nothing else.
set -eu
library=$1
nm=${2:-nm}
if ! command -v "$nm" >/dev/null 2>&1; then
  echo "skipped: $nm not found"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sort > "$work/wanted" <<'NAMES'
libsvm_version
svm_check_options
svm_check_parameter
svm_check_probability_model
svm_compact_model
svm_cross_validation
svm_cross_validation_ex
svm_cross_validation_view
svm_default_options
svm_destroy_model
svm_destroy_param
svm_free
svm_free_and_destroy_model
svm_free_model_content
svm_free_predictor
svm_get_coef0
svm_get_degree
svm_get_gamma
svm_get_kernel_type
svm_get_labels
svm_get_nr_class
svm_get_nr_sv
svm_get_nr_sv_by_class
svm_get_nr_values
svm_get_prob_a
svm_get_prob_b
svm_get_prob_density_marks
svm_get_rho
svm_get_sv
svm_get_sv_coef
svm_get_sv_indices
svm_get_svm_type
svm_get_svr_probability
svm_init_options
svm_last_error
svm_list_solvers
svm_load_model
svm_load_model_from_memory
svm_make_predictor
svm_model_from_arrays
svm_parse_model_from_buffer
svm_predict
svm_predict_probability
svm_predict_rows
svm_predict_values
svm_predictor_bytes
svm_predictor_predict
svm_predictor_predict_dense
svm_predictor_predict_rows
svm_save_model
svm_save_model_ex
svm_save_model_to_memory
svm_set_print_string_function
svm_set_random_below_function
svm_set_random_function
svm_set_warning_function
svm_struct_size
svm_train
svm_train_ex
svm_train_view
svm_version
NAMES
case $library in
  *.dll) "$nm" -p "$library" | sed -n '/Name Pointer\] Table/,/^$/s/^[[:space:]].* //p' ;;
  *) "$nm" -D --defined-only "$library" | sed 's/.* //' ;;
esac | sort > "$work/found"
diff -u "$work/wanted" "$work/found"
