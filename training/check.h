// Checks of parameters against a problem, and the weights of its rows.
//
// A weight multiplies the upper bounds of its row's variables, and nu is a fraction of the sum of
// weights.  The optimum is that of a problem in which a row of weight n occurs n times.
#ifndef SVM_TRAINING_CHECK_H_
#define SVM_TRAINING_CHECK_H_

#include <cstddef>
#include <vector>

#include "svm.h"
#include "training/problem.h"

namespace svm {

// Returns LIBSVM's message (a string constant) if the parameters are invalid, else null.  NaN is
// never valid.  Here and below, `weights` has the weights of the rows; null if all are 1.
const char* check_parameters(const Problem& problem, const svm_parameter& param,
                             const double* weights = nullptr);

// What is wrong if a C of a class is negative or NaN; null if none is.
const char* cost_fault(const std::vector<double>& costs);

// The largest nu for which nu-SVC has a feasible point: the least 2 min(n_a, n_b) / (n_a + n_b) of
// all pairs of classes, and at most 1.
double largest_feasible_nu(const Problem& problem, const double* weights = nullptr);
bool nu_is_feasible(const Problem& problem, double nu, const double* weights);

// The sum of the weights, or the number of rows if they have none.
double sum_of_weights(const Problem& problem);

// The bound of the variables of row t if it is `of_weight_1` for a row of weight 1.  Above 0 if
// both factors are, even if their product underflows: a variable with bound 0 could not move but
// would seem to violate optimality.
double weighted_bound(const Problem& problem, double of_weight_1, std::size_t t);

// Returns the caller's weights of the rows, or null if all are 1.  Throws std::invalid_argument if
// a weight is negative, infinite or NaN, if the rows of positive weight are none or all of one
// class while there are several, or if nu is infeasible with the weights.
const double* checked_weights(const Problem& problem, const svm_parameter& param,
                              const double* weights);
// The problem with these weights.  Checks them likewise.
Problem with_weights(const Problem& problem, const svm_parameter& param, const double* weights);

// True if some row has weight 0.
bool has_zero_weight(const Problem& problem);

// The rows whose weights are above 0.  Only these count.
Subset positive_rows(const Problem& problem);

}  // namespace svm

#endif  // SVM_TRAINING_CHECK_H_
