// Machines of class pairs, and what becomes of them: support vectors and models.
#ifndef SVM_TRAINING_MACHINES_H_
#define SVM_TRAINING_MACHINES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/model_view.h"
#include "model/pairs.h"
#include "solvers/run/messages.h"
#include "svm.h"
#include "training/binary.h"
#include "training/classes.h"
#include "training/problem.h"

namespace svm {

// C of each class: param.C times the weights given for its label.
std::vector<double> class_costs(const Classes& classes, const svm_parameter& param,
                                const Messages& messages);

// The rows of classes a (label +1) and b (-1).
Subset rows_of_pair(const Problem& problem, const Classes& classes, std::size_t a, std::size_t b);

// What a training gives.
struct TrainedMachines {
  svm_parameter param;
  Classes classes;                // none for regression and one-class
  std::vector<Machine> machines;  // of the pairs of classes in their order, or a single one
  // Estimates of probabilities, see ModelView.  Empty if there are none; if there are, slopes and
  // offsets have one entry at least.
  std::vector<double> slopes = {}, offsets = {}, marks = {};
};

// Marks the rows with a coefficient other than 0 in one of the machines: by their place in
// classes.order, or in the problem if there are no classes.
void mark_used(const Classes& classes, const std::vector<Machine>& machines,
               std::vector<char>& used);
// The same marks for all rows of the problem that the machines were trained on.
std::vector<char> used_rows(const Problem& problem, const TrainedMachines& trained);

// The support vectors of machines with their coefficients, in the order of a model.
class SupportVectors {
 public:
  // `rows` are those that the machines were trained on; `used` marks those that become support
  // vectors.  Instead, these are the own rows of the machines, if they have any.  Refers to the
  // data set, the classes and the machines.
  SupportVectors(const DataRows& rows, const svm_parameter& param, const Classes& classes,
                 const std::vector<Machine>& machines, const std::vector<char>& used);
  // Those of a training on `problem`, with its estimates.
  SupportVectors(const Problem& problem, const TrainedMachines& trained);
  SupportVectors(SupportVectors&&) = default;

  std::size_t size() const { return view_.count; }
  // As a model, which refers to this.
  const ModelView& view() const { return view_; }
  // Their numbers in the data set; none if they are rows of the machines' own.
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }
  // A model of its own, but for rows that are nodes: these stay the caller's.
  ModelPtr to_model() const;

 private:
  std::vector<std::uint32_t> numbers_;
  std::vector<const svm_node*> own_rows_;
  std::vector<std::vector<double>> coefficients_;
  std::vector<double> rho_;
  ModelView view_;
};

// What stands for a row that is no support vector.
inline constexpr std::size_t kNoVector = static_cast<std::size_t>(-1);

// The way back: the machines of a model whose support vectors are rows of a problem.  `vector_of`
// says which support vector each row is, or kNoVector.  The model has these classes, in any order;
// there are none for regression and one-class.
std::vector<Machine> machines_of(const ModelView& model, const Classes& classes,
                                 const std::vector<std::size_t>& vector_of);

}  // namespace svm

#endif  // SVM_TRAINING_MACHINES_H_
