#include "training/train.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "training/binary.h"
#include "training/classes.h"
#include "training/probability.h"
#include "training/subset.h"

namespace svm {
namespace {

template <typename T>
T* malloc_copy(const std::vector<T>& values) {
  T* block = malloc_array<T>(values.size());
  std::copy(values.begin(), values.end(), block);
  return block;
}

// After a stop, estimates would be fitted to machines that were not trained.
bool estimates_are_missing(const Run& run) {
  if (run.stopped())
    warn("WARNING: training was stopped; the model has no probability estimates\n");
  return run.stopped();
}

// Regression and one-class: a single decision function.
ModelPtr train_single(const svm_problem& problem, const svm_parameter& param, Run& run) {
  ModelPtr model = new_model();
  model->param = param;
  model->nr_class = 2;
  model->sv_coef = malloc_array<double*>(1);
  const DecisionFunction decision = train_binary(problem, param, 0, 0, run);
  model->rho = malloc_copy<double>({decision.rho});

  std::vector<int> indices;
  std::vector<double> coefficients;
  for (std::size_t t = 0; t < decision.coefficients.size(); ++t) {
    if (!(std::fabs(decision.coefficients[t]) > 0)) continue;
    indices.push_back(static_cast<int>(t) + 1);
    coefficients.push_back(decision.coefficients[t]);
  }
  model->l = static_cast<int>(indices.size());
  model->sv_coef[0] = malloc_copy(coefficients);
  model->sv_indices = malloc_copy(indices);
  model->SV = malloc_array<svm_node*>(indices.size());
  for (std::size_t s = 0; s < indices.size(); ++s) model->SV[s] = problem.x[indices[s] - 1];

  if (param.probability != 0 && param.svm_type == ONE_CLASS) {
    const std::vector<double> marks = one_class_marks(problem, *model);
    if (!marks.empty()) model->prob_density_marks = malloc_copy(marks);
  } else if (param.probability != 0) {
    const double width = run.stopped() ? 0 : regression_error_width(problem, param, run);
    if (!estimates_are_missing(run)) model->probA = malloc_copy<double>({width});
  }
  return model;
}

// C of each class: param.C times the weights given for its label.
std::vector<double> class_costs(const Classes& classes, const svm_parameter& param) {
  std::vector<double> costs(classes.size(), param.C);
  for (int w = 0; w < param.nr_weight; ++w) {
    bool found = false;
    for (std::size_t c = 0; c < classes.size() && !found; ++c) {
      if (classes.labels[c] != param.weight_label[w]) continue;
      costs[c] *= param.weight[w];
      found = true;
    }
    if (!found) {
      warn(format("WARNING: class label %d specified in weight is not found\n",
                  param.weight_label[w]));
    }
  }
  return costs;
}

// Everything about the pairs that the model is made of.
struct PairwiseResult {
  std::vector<DecisionFunction> decisions;  // of pairs (0,1), (0,2) ... (k-2,k-1)
  std::vector<double> slopes, offsets;      // sigmoids, where probabilities are asked for
};

PairwiseResult train_pairs(const svm_problem& problem, const svm_parameter& param,
                           const Classes& classes, Run& run) {
  const std::vector<double> costs = class_costs(classes, param);
  PairwiseResult result;
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = a + 1; b < classes.size(); ++b) {
      Subset rows;
      for (std::size_t k = 0; k < classes.count[a]; ++k) {
        rows.add(problem.x[classes.order[classes.start[a] + k]], +1);
      }
      for (std::size_t k = 0; k < classes.count[b]; ++k) {
        rows.add(problem.x[classes.order[classes.start[b] + k]], -1);
      }
      const svm_problem pair = rows.problem();
      if (param.probability != 0 && !run.stopped()) {
        const Sigmoid sigmoid = pair_sigmoid(pair, param, costs[a], costs[b], run);
        result.slopes.push_back(sigmoid.slope);
        result.offsets.push_back(sigmoid.offset);
      }
      result.decisions.push_back(train_binary(pair, param, costs[a], costs[b], run));
    }
  }
  return result;
}

// Calls visit(pair, a, b) for all pairs of classes in their order.
template <typename Visit>
void for_each_pair(std::size_t classes, Visit visit) {
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) visit(pair++, a, b);
  }
}

// One-vs-one.  A row is a support vector if any pair uses it; its coefficient in pair (a, b) stands
// in array b-1 if the row is of class a, in array a if it is of class b.
ModelPtr train_classifier(const svm_problem& problem, const svm_parameter& param, Run& run) {
  const Classes classes = group_classes(problem);
  if (classes.size() == 1) {
    run.messages.print("WARNING: training data in only one class. See README for details.\n");
  }
  const PairwiseResult pairs = train_pairs(problem, param, classes, run);

  std::vector<char> used(classes.order.size(), 0);  // by place in classes.order
  for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
    const std::vector<double>& coefficients = pairs.decisions[pair].coefficients;
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      const std::size_t place =
          k < classes.count[a] ? classes.start[a] + k : classes.start[b] + k - classes.count[a];
      if (std::fabs(coefficients[k]) > 0) used[place] = 1;
    }
  });

  std::vector<int> indices, per_class(classes.size(), 0);
  std::vector<std::size_t> number(used.size(), 0);  // of the support vector at a place
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t k = 0; k < classes.count[c]; ++k) {
      const std::size_t place = classes.start[c] + k;
      if (used[place] == 0) continue;
      number[place] = indices.size();
      indices.push_back(static_cast<int>(classes.order[place]) + 1);
      ++per_class[c];
    }
  }
  run.messages.print(format("Total nSV = %zu\n", indices.size()));

  ModelPtr model = new_model();
  model->param = param;
  model->nr_class = static_cast<int>(classes.size());
  model->l = static_cast<int>(indices.size());
  model->label = malloc_copy(classes.labels);
  model->nSV = malloc_copy(per_class);
  model->sv_indices = malloc_copy(indices);
  model->rho = malloc_array<double>(pairs.decisions.size());
  if (param.probability != 0 && !estimates_are_missing(run)) {
    model->probA = malloc_copy(pairs.slopes);
    model->probB = malloc_copy(pairs.offsets);
  }
  model->SV = malloc_array<svm_node*>(indices.size());
  for (std::size_t s = 0; s < indices.size(); ++s) model->SV[s] = problem.x[indices[s] - 1];
  model->sv_coef = malloc_array<double*>(classes.size() - 1);
  for (std::size_t c = 0; c + 1 < classes.size(); ++c) {
    model->sv_coef[c] = malloc_array<double>(indices.size());
  }
  for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
    const DecisionFunction& decision = pairs.decisions[pair];
    model->rho[pair] = decision.rho;
    for (std::size_t k = 0; k < decision.coefficients.size(); ++k) {
      const bool first = k < classes.count[a];
      const std::size_t place =
          first ? classes.start[a] + k : classes.start[b] + k - classes.count[a];
      if (used[place] == 0) continue;
      model->sv_coef[first ? b - 1 : a][number[place]] = decision.coefficients[k];
    }
  });
  return model;
}

}  // namespace

ModelPtr train(const svm_problem& problem, const svm_parameter& param, Run& run) {
  switch (param.svm_type) {
    case ONE_CLASS:
    case EPSILON_SVR:
    case NU_SVR:
      return train_single(problem, param, run);
    default:
      return train_classifier(problem, param, run);
  }
}

}  // namespace svm
