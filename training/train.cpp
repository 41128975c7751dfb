#include "training/train.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "training/binary.h"
#include "training/classes.h"
#include "training/probability.h"
#include "training/sharing.h"
#include "training/subset.h"
#include "training/tasks.h"

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
  if (run.stopped()) {
    run.messages.warn("WARNING: training was stopped; the model has no probability estimates\n");
  }
  return run.stopped();
}

// Makes these rows of the problem, numbered from 1, the model's support vectors.
void borrow_support_vectors(const svm_problem& problem, const std::vector<int>& indices,
                            svm_model& model) {
  model.l = static_cast<int>(indices.size());
  model.sv_indices = malloc_copy(indices);
  model.SV = malloc_array<svm_node*>(indices.size());
  for (std::size_t s = 0; s < indices.size(); ++s) model.SV[s] = problem.x[indices[s] - 1];
}

// Makes rows that are not those of the problem the model's support vectors, in one block of its
// own.  The model has no support vectors yet.
void own_support_vectors(const std::vector<const std::vector<svm_node>*>& rows, svm_model& model) {
  std::size_t nodes = 0;
  for (const std::vector<svm_node>* row : rows) nodes += row->size();
  model.SV = malloc_array<svm_node*>(rows.size());
  svm_node* next = malloc_array<svm_node>(nodes);
  model.SV[0] = next;
  model.free_sv = 1;
  model.l = static_cast<int>(rows.size());
  for (std::size_t s = 0; s < rows.size(); ++s) {
    model.SV[s] = next;
    next = std::copy(rows[s]->begin(), rows[s]->end(), next);
  }
}

// Regression and one-class: a single decision function.
ModelPtr train_single(const svm_problem& problem, const svm_parameter& param, Run& run) {
  ModelPtr model = new_model();
  model->param = param;
  model->nr_class = 2;
  model->sv_coef = malloc_array<double*>(1);
  const bool needs_width = param.probability != 0 && param.svm_type != ONE_CLASS;
  DecisionFunction decision;
  double width = 0;
  run_tasks(
      run, needs_width ? 2 : 1,
      [&](std::size_t task) { return task == 0 ? 0 : static_cast<std::size_t>(problem.l); },
      [&](std::size_t task, Run& task_run) {
        if (task == 0) {
          decision = train_binary(problem, param, 0, 0, task_run);
        } else {
          width = regression_error_width(problem, param, task_run);
        }
        return !task_run.stopped();
      });
  model->rho = malloc_copy<double>({decision.rho});

  std::vector<int> indices;
  std::vector<double> coefficients;
  if (!decision.own_row.empty()) coefficients.push_back(1);
  for (std::size_t t = 0; t < decision.coefficients.size(); ++t) {
    if (!(std::fabs(decision.coefficients[t]) > 0)) continue;
    indices.push_back(static_cast<int>(t) + 1);
    coefficients.push_back(decision.coefficients[t]);
  }
  model->sv_coef[0] = malloc_copy(coefficients);
  if (!decision.own_row.empty()) {
    own_support_vectors({&decision.own_row}, *model);
  } else {
    borrow_support_vectors(problem, indices, *model);
  }

  if (param.probability != 0 && param.svm_type == ONE_CLASS) {
    const std::vector<double> marks = one_class_marks(problem, *model, run);
    if (!marks.empty()) model->prob_density_marks = malloc_copy(marks);
  } else if (needs_width && !estimates_are_missing(run)) {
    model->probA = malloc_copy<double>({width});
  }
  return model;
}

// C of each class: param.C times the weights given for its label.
std::vector<double> class_costs(const Classes& classes, const svm_parameter& param,
                                const Messages& messages) {
  std::vector<double> costs(classes.size(), param.C);
  for (int w = 0; w < param.nr_weight; ++w) {
    bool found = false;
    for (std::size_t c = 0; c < classes.size() && !found; ++c) {
      if (classes.labels[c] != param.weight_label[w]) continue;
      costs[c] *= param.weight[w];
      found = true;
    }
    if (!found) {
      messages.warn(format("WARNING: class label %d specified in weight is not found\n",
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

// Calls visit(pair, a, b) for all pairs of classes in their order.
template <typename Visit>
void for_each_pair(std::size_t classes, Visit visit) {
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) visit(pair++, a, b);
  }
}

Subset rows_of_pair(const svm_problem& problem, const Classes& classes, std::size_t a,
                    std::size_t b) {
  Subset rows;
  for (std::size_t k = 0; k < classes.count[a]; ++k) {
    rows.add(problem.x[classes.order[classes.start[a] + k]], +1);
  }
  for (std::size_t k = 0; k < classes.count[b]; ++k) {
    rows.add(problem.x[classes.order[classes.start[b] + k]], -1);
  }
  return rows;
}

PairwiseResult train_pairs(const svm_problem& problem, const svm_parameter& param,
                           const Classes& classes, Run& run) {
  const std::vector<double> costs = class_costs(classes, param, run.messages);
  const bool probability = param.probability != 0;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for_each_pair(classes.size(),
                [&](std::size_t, std::size_t a, std::size_t b) { pairs.emplace_back(a, b); });
  PairwiseResult result;
  result.decisions.resize(pairs.size());
  result.slopes.resize(probability ? pairs.size() : 0);
  result.offsets.resize(result.slopes.size());
  const auto count_pair_draws = [&](std::size_t number) {
    const auto [a, b] = pairs[number];
    return probability ? classes.count[a] + classes.count[b] : 0;
  };
  // A row is used by the pairs of its class, and by most folds of a probability fit.
  share_rows(problem, param, probability ? 5 : classes.size() - 1, run);
  run_tasks(run, pairs.size(), count_pair_draws, [&](std::size_t number, Run& pair_run) {
    const auto [a, b] = pairs[number];
    const double cost_a = costs[a], cost_b = costs[b];
    Subset rows = rows_of_pair(problem, classes, a, b);
    const svm_problem pair = rows.problem();
    const auto estimate = [&](Run& task_run) {
      if (task_run.stopped()) return;
      const Sigmoid sigmoid = pair_sigmoid(pair, param, cost_a, cost_b, task_run);
      result.slopes[number] = sigmoid.slope;
      result.offsets[number] = sigmoid.offset;
    };
    run_tasks(
        pair_run, probability ? 2 : 1,
        [&](std::size_t task) { return task == 0 ? count_pair_draws(number) : 0; },
        [&](std::size_t task, Run& task_run) {
          if (probability && task == 0) {
            estimate(task_run);
          } else {
            result.decisions[number] = train_binary(pair, param, cost_a, cost_b, task_run);
          }
          return true;
        });
    return true;
  });
  return result;
}

// One-vs-one.  A row is a support vector if any pair uses it; its coefficient in pair (a, b) stands
// in array b-1 if the row is of class a, in array a if it is of class b.  A row of a pair's own
// counts as one of class a, with coefficient 1.
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
  std::vector<const std::vector<svm_node>*> own_rows;
  for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t) {
    if (pairs.decisions[pair].own_row.empty()) return;
    own_rows.push_back(&pairs.decisions[pair].own_row);
    ++per_class[a];
  });
  const std::size_t support_vectors = indices.size() + own_rows.size();  // one of them is 0
  run.messages.print(format("Total nSV = %zu\n", support_vectors));

  ModelPtr model = new_model();
  model->param = param;
  model->nr_class = static_cast<int>(classes.size());
  model->label = malloc_copy(classes.labels);
  model->nSV = malloc_copy(per_class);
  model->rho = malloc_array<double>(pairs.decisions.size());
  if (param.probability != 0 && !estimates_are_missing(run)) {
    model->probA = malloc_copy(pairs.slopes);
    model->probB = malloc_copy(pairs.offsets);
  }
  if (own_rows.empty()) {
    borrow_support_vectors(problem, indices, *model);
  } else {
    own_support_vectors(own_rows, *model);
  }
  model->sv_coef = malloc_array<double*>(classes.size() - 1);
  for (std::size_t c = 0; c + 1 < classes.size(); ++c) {
    model->sv_coef[c] = malloc_array<double>(support_vectors);
  }
  std::size_t own_number = 0;
  for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
    const DecisionFunction& decision = pairs.decisions[pair];
    model->rho[pair] = decision.rho;
    if (!decision.own_row.empty()) model->sv_coef[b - 1][own_number++] = 1;
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

std::size_t count_draws(const svm_problem& problem, const svm_parameter& param) {
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  if (param.probability == 0 || param.svm_type == ONE_CLASS) return 0;
  if (param.svm_type == EPSILON_SVR || param.svm_type == NU_SVR) return rows;
  return (group_classes(problem).size() - 1) *
         rows;  // every row is in a pair with each other class
}

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
