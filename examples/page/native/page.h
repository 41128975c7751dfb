// The functions that the page's worker calls, and the one that it implements; see page.cpp.
//
// `numbers` are SVM type, kernel type, degree, gamma, coef0, C, nu, p, eps, cache_size, shrinking.
// `values` are rows one after the other, each with the number of columns passed to page_set_rows().
#ifndef SVM_EXAMPLES_PAGE_NATIVE_PAGE_H_
#define SVM_EXAMPLES_PAGE_NATIVE_PAGE_H_

#include <cstdint>

extern "C" {

// Implemented by the worker (worker.js).  Called about every 20 ms during training.
void page_on_progress(double iterations, double objective, double violation);

const char* page_error();
const char* page_log();  // what the last call of the library printed
const char* page_version();

// Sets the training data.  Copies the rows.
int page_set_rows(int rows, int columns, const double* values, const double* labels);
int page_train(const double* numbers, const char* solver, int free_set);

// Status, problems, iterations, conjugate steps, clipped steps, phases, kernel rows, objective,
// violation, seconds; then numbers of support vectors, classes, decision values of the model.
const double* page_result();
const char* page_model_text();
int page_model_text_size();
const int* page_support_rows();
const double* page_coefficients(int machine);
const int* page_class_labels();

// Writes one prediction per row, and as many decision values per row as page_result() says.
int page_predict(int rows, const double* values, double* predictions, double* decision_values);

int page_cross_validate(const double* numbers, const char* solver, int free_set, int folds,
                        double seed);
const double* page_targets();  // predictions of page_cross_validate()

// Parses text in svmlight's format.
int page_parse(const char* text, int size);  // -1 on failure, see page_parse_error()
const char* page_parse_error();
int page_parsed_rows();
int page_parsed_columns();
const double* page_parsed_labels();
const double* page_parsed_values();

// Number of traces, one for each binary problem of the last training, numbered from 0; see trace.h.
int page_traces();
// Writes the row numbers of the data sorted by class, as binary problems order them, and the number
// of rows of each class.  Returns the number of classes.
int page_class_order(int* rows, int* counts);
void page_trace_sizes(int problem, int* sizes);  // steps, changes, complete
const double* page_trace_reals(int problem);  // objective, violation, threshold; steps + 1 of each
const int* page_trace_integers(int problem);  // kind, up, down, first change; one per step of each
const int* page_trace_changed(int problem);
const double* page_trace_changes(int problem);
}

#endif  // SVM_EXAMPLES_PAGE_NATIVE_PAGE_H_
