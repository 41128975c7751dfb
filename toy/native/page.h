// The functions that the page's worker calls, and the one that it is called by; see page.cpp.
//
// `numbers` are SVM type, kernel type, degree, gamma, coef0, C, nu, p, eps, cache_size, shrinking.
// `values` are rows one after the other, of as many columns as page_set_rows() was told.
#ifndef SVM_TOY_NATIVE_PAGE_H_
#define SVM_TOY_NATIVE_PAGE_H_

#include <cstdint>

extern "C" {

// Of the worker (worker.js), about every 20 ms of a training.
void page_on_progress(double iterations, double objective, double violation);

const char* page_error();
const char* page_log();  // what the last call of the library printed
const char* page_version();

// Copies the rows.
int page_set_rows(int rows, int columns, const double* values, const double* labels);
int page_train(const double* numbers, const char* solver, int free_set);

// Status, problems, iterations, conjugate steps, clipped ones, phases, kernel rows, objective,
// violation, seconds; support vectors, classes, decision values of the model.
const double* page_result();
const char* page_model_text();
int page_model_text_size();
const int* page_support_rows();
const double* page_coefficients(int machine);
const int* page_class_labels();

// predictions: one per row; decision_values: as many per row as page_result() says.
int page_predict(int rows, const double* values, double* predictions, double* decision_values);

int page_cross_validate(const double* numbers, const char* solver, int free_set, int folds,
                        double seed);
const double* page_targets();  // its predictions

// Rows of text in svmlight's format.
int page_parse(const char* text, int size);  // -1: page_parse_error()
const char* page_parse_error();
int page_parsed_rows();
int page_parsed_columns();
const double* page_parsed_labels();
const double* page_parsed_values();

// Of the binary problems of the last training, from 0; see trace.h.
int page_traces();
// Rows of the data in the order of pairs of classes: those of a class follow each other.
// Writes the data's row for each place, and returns the number of classes; counts: rows of each.
int page_class_order(int* rows, int* counts);
void page_trace_sizes(int problem, int* sizes);  // steps, changes, complete
const double* page_trace_reals(int problem);  // objective, violation, threshold: each of steps + 1
const int* page_trace_integers(int problem);  // kind, up, down, first change: each of steps
const int* page_trace_changed(int problem);
const double* page_trace_changes(int problem);
}

#endif  // SVM_TOY_NATIVE_PAGE_H_
