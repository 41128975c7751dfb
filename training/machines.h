// The machines of a training, and their support vectors and models.
#ifndef SVM_TRAINING_MACHINES_H_
#define SVM_TRAINING_MACHINES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/model_view.h"
#include "model/pairs.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/binary.h"
#include "training/problem.h"

namespace svm {

// C of each class: param.C times the weight of its label.  Warns about weights of labels that do
// not occur.
std::vector<double> class_costs(const Classes& classes, const svm_parameter& param,
                                const Messages& messages);

// The rows of class a (label +1), then those of class b (label -1).
Subset rows_of_pair(const Problem& problem, const Classes& classes, std::size_t a, std::size_t b);

// The result of a training.
struct TrainedMachines {
  svm_parameter param;
  Classes classes;                     // empty for regression and one-class
  std::vector<Machine> machines;       // one for each class pair, in their order, or a single one
  std::vector<MachineRecord> records;  // of as many machines as the caller asks for
  // Probability estimates, see ModelView; empty if there are none.  If there are, slopes and
  // offsets have at least one entry.
  std::vector<double> slopes = {}, offsets = {}, marks = {};
};

// Sets `used` to 1 for the rows that have a coefficient other than 0 in some machine.  `used` is
// indexed by the place in classes.order, or by the row if there are no classes.
void mark_used(const Classes& classes, const std::vector<Machine>& machines,
               std::vector<char>& used);
// The same for all rows of the problem, by mark_used().
std::vector<char> used_rows(const Problem& problem, const TrainedMachines& trained);

// The number of support vectors of a model of classes.
std::size_t support_vectors(const Problem& problem, const TrainedMachines& trained);

// The support vectors of machines and their coefficients, in the order of a model.
class SupportVectors {
 public:
  // `rows` are those of the training.  Support vectors are the rows marked in `used`, see
  // mark_used(), or the own rows of the machines if they have any.  Keeps references to the data
  // set, the classes and the machines.
  SupportVectors(const DataRows& rows, const svm_parameter& param, const Classes& classes,
                 const std::vector<Machine>& machines, const std::vector<char>& used);
  // The support vectors and probability estimates of a training on `problem`.
  SupportVectors(const Problem& problem, const TrainedMachines& trained);
  SupportVectors(SupportVectors&&) = default;

  std::size_t size() const { return view_.count; }
  // A model that refers to this object.
  const ModelView& view() const { return view_; }
  // Row numbers in the data set; empty if the support vectors are own rows of the machines.
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }
  // A model that owns its data, except that support vectors that are nodes remain the caller's.
  ModelPtr to_model() const;

 private:
  std::vector<std::uint32_t> numbers_;
  std::vector<const svm_node*> own_rows_;
  std::vector<std::vector<double>> coefficients_;
  std::vector<const double*> arrays_;  // where those begin
  std::vector<double> rho_;
  ModelView view_;
};

// The machines of a model whose support vectors are rows of a problem.  vector_of[t] is the support
// vector that row t is, or kNoIndex.  `classes` has the classes of the model in any order, or is
// empty for regression and one-class.
std::vector<Machine> machines_of(const ModelView& model, const Classes& classes,
                                 const std::vector<std::size_t>& vector_of);

}  // namespace svm

#endif  // SVM_TRAINING_MACHINES_H_
