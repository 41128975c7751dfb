// Class pairs, models made of what their trainings gave, and the way back.
#ifndef SVM_TRAINING_MODELS_H_
#define SVM_TRAINING_MODELS_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/model_memory.h"
#include "solvers/run/messages.h"
#include "svm.h"
#include "training/binary.h"
#include "training/classes.h"
#include "training/problem.h"
#include "training/subset.h"

namespace svm {

// Calls visit(pair, a, b) for all pairs of classes in their order.
template <typename Visit>
void for_each_pair(std::size_t classes, Visit visit) {
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) visit(pair++, a, b);
  }
}

// C of each class: param.C times the weights given for its label.
std::vector<double> class_costs(const Classes& classes, const svm_parameter& param,
                                const Messages& messages);

// The rows of classes a (label +1) and b (-1), with their weights, which may be null.
Subset rows_of_pair(const Problem& problem, const double* weights, const Classes& classes,
                    std::size_t a, std::size_t b);

// Marks the rows that have a coefficient other than 0: by their place in classes.order, or in the
// problem.
void mark_used(const Classes& classes, const std::vector<DecisionFunction>& decisions,
               std::vector<char>& used);
void mark_used(const DecisionFunction& decision, std::vector<char>& used);

// Models without probability estimates, whose support vectors are the rows marked, which point into
// `problem`, or copies of the rows that the decision functions have of their own.  `decisions` are
// those of the pairs (0,1), (0,2) ... (k-2,k-1).
ModelPtr make_classifier(const Problem& problem, const svm_parameter& param, const Classes& classes,
                         const std::vector<DecisionFunction>& decisions,
                         const std::vector<char>& used);
ModelPtr make_single(const Problem& problem, const svm_parameter& param,
                     const DecisionFunction& decision, const std::vector<char>& used);

// What stands for a row that is no support vector.
constexpr std::size_t kNoVector = static_cast<std::size_t>(-1);

// The coefficients of a pair of classes in a classifier, for the rows as rows_of_pair() orders
// them. `number` has the number of each class in the model, `vector_of` the support vector that
// each row of the problem is, or kNoVector.
std::vector<double> pair_coefficients(const svm_model& model, const Classes& classes,
                                      const std::vector<std::size_t>& number,
                                      const std::vector<std::size_t>& vector_of, std::size_t a,
                                      std::size_t b);

}  // namespace svm

#endif  // SVM_TRAINING_MODELS_H_
