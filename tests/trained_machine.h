// Trained models, and their contents row by row, for the tests of certificates.
#ifndef SVM_TESTS_TRAINED_MACHINE_H_
#define SVM_TESTS_TRAINED_MACHINE_H_

#include <cmath>
#include <cstddef>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "model/model_memory.h"
#include "programs/certificate/certificate.h"
#include "solvers/registry.h"
#include "tests/training_data.h"
#include "training/train.h"

namespace svm::test {

// A binary problem as solved by a model, row by row.
struct SolvedProblem {
  std::vector<double> y;  // +1 and -1, or targets
  std::vector<double> beta;
  std::vector<double> decisions;  // by prediction
  double rho;

  std::size_t size() const { return y.size(); }
  double f(std::size_t t) const { return decisions[t] + rho; }
  double squared_norm() const {
    double sum = 0;
    for (std::size_t t = 0; t < size(); ++t) sum += beta[t] * f(t);
    return sum;
  }
  double sum() const {
    double sum = 0;
    for (const double b : beta) sum += b;
    return sum;
  }
  double sum_of_sizes() const {
    double sum = 0;
    for (const double b : beta) sum += std::fabs(b);
    return sum;
  }
};

// The binary problems of a model of `data`, in their order.
inline std::vector<SolvedProblem> solved_problems(const Data& data, const svm_model& model) {
  const auto classes = static_cast<std::size_t>(model.nr_class);
  const std::size_t pairs = classes * (classes - 1) / 2;
  std::vector<std::vector<double>> decisions(data.size(), std::vector<double>(pairs));
  std::vector<int> vector_of(data.size(), -1);
  for (std::size_t t = 0; t < data.size(); ++t) {
    svm_predict_values(&model, data.row(t), decisions[t].data());
  }
  for (int s = 0; s < model.l && model.sv_indices != nullptr; ++s) {
    vector_of[static_cast<std::size_t>(model.sv_indices[s] - 1)] = s;
  }
  std::vector<SolvedProblem> all;
  for (int a = 0; a < model.nr_class; ++a) {
    for (int b = a + 1; b < model.nr_class; ++b) {
      const std::size_t pair = all.size();
      SolvedProblem one = {{}, {}, {}, model.rho[pair]};
      for (std::size_t t = 0; t < data.size(); ++t) {
        int y = 0, array = 0;
        if (model.label != nullptr) {
          y = data.label(t) == model.label[a] ? 1 : data.label(t) == model.label[b] ? -1 : 0;
          array = y > 0 ? b - 1 : a;
          if (y == 0) continue;
        }
        one.y.push_back(model.label != nullptr ? y : data.label(t));
        one.beta.push_back(vector_of[t] < 0 ? 0 : model.sv_coef[array][vector_of[t]]);
        one.decisions.push_back(decisions[t][pair]);
      }
      all.push_back(std::move(one));
    }
  }
  return all;
}

struct TrainedMachine {
  TrainedMachine(Data rows, const svm_parameter& parameter, const char* solver = "smo")
      : data(std::move(rows)), problem(data.problem()), param(parameter) {
    run().options.entry = find_solver(solver);
  }
  Run& run() { return *run_; }
  void train() { model = svm::train(problem, param, run()); }
  Certificate certificate() const { return certify(problem, param, *model, *run_); }

  Data data;
  svm_problem problem;
  svm_parameter param;
  ModelPtr model;

 private:
  Printed printed_;
  std::unique_ptr<Run> run_ = std::make_unique<Run>(printed_.messages());
};

struct TypeAndKernel {
  int svm_type;
  int kernel_type;
};
inline void PrintTo(const TypeAndKernel& c, std::ostream* out) {
  *out << "type " << c.svm_type << ", kernel " << c.kernel_type;
}

inline svm_parameter param_for(const TypeAndKernel& c) {
  svm_parameter param = parameters(c.svm_type, c.kernel_type);
  param.gamma = 0.5;
  param.coef0 = c.kernel_type == SIGMOID ? -0.5 : 1;
  param.nu = 0.5;  // large enough for linear machines to have a margin
  param.C = 2;
  return param;
}

inline Data data_for(const TypeAndKernel& c, std::size_t rows) {
  Data data = random_data(rows, 3, is_classification(c.svm_type), 7);
  svm_parameter rbf = parameters(C_SVC, RBF);
  return c.kernel_type == PRECOMPUTED ? precomputed(data, rbf) : data;
}

}  // namespace svm::test

#endif  // SVM_TESTS_TRAINED_MACHINE_H_
