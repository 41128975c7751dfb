#include "training/models.h"

#include <cmath>
#include <stdexcept>

#include "kernels/precomputed_row.h"

namespace svm {
namespace {

// The place in classes.order of row k of a pair, as rows_of_pair() orders them.
std::size_t place_in_order(const Classes& classes, std::size_t a, std::size_t b, std::size_t k) {
  return k < classes.count[a] ? classes.start[a] + k : classes.start[b] + k - classes.count[a];
}

// Of a precomputed row a model needs its first pair only.
template <typename Visit>
void for_each_pair_kept(const DataRow& row, bool precomputed, Visit visit) {
  if (precomputed) return visit(first_index(row), value_at(row, 0));
  row.for_each(visit);
}

void keep_copies(const std::vector<DataRow>& rows, svm_model& model) {
  const bool precomputed = model.param.kernel_type == PRECOMPUTED;
  own_support_vectors(
      rows.size(),
      [&](std::size_t s, const auto& visit) { for_each_pair_kept(rows[s], precomputed, visit); },
      model);
}

// Makes these rows of the problem, numbered from 1, the model's support vectors: where they are
// nodes, they stay the caller's.
void take_support_vectors(const Problem& problem, const std::vector<int>& indices,
                          svm_model& model) {
  model.sv_indices = malloc_copy(indices);
  std::vector<DataRow> rows;
  rows.reserve(indices.size());
  for (const int index : indices) rows.push_back(problem.x[static_cast<std::size_t>(index) - 1]);
  if (!rows.empty() && rows[0].nodes() == nullptr) return keep_copies(rows, model);
  model.l = static_cast<int>(rows.size());
  model.SV = malloc_array<svm_node*>(rows.size());
  for (std::size_t s = 0; s < rows.size(); ++s) {
    model.SV[s] = const_cast<svm_node*>(rows[s].nodes());  // svm_model has no const view
  }
}

}  // namespace

std::vector<double> class_costs(const Classes& classes, const svm_parameter& param,
                                const Messages& messages) {
  std::vector<double> costs(classes.size(), param.C);
  for (int w = 0; w < param.nr_weight; ++w) {
    bool found = false;
    for (std::size_t c = 0; c < classes.size() && !found; ++c) {
      if (classes.labels[c] != param.weight_label[w]) continue;
      costs[c] *= param.weight[w];
      found = true;
      if (param.svm_type == C_SVC && !(costs[c] >= 0)) {
        throw std::invalid_argument(
            format("the cost of class %d is not a number >= 0: %g", classes.labels[c], costs[c]));
      }
    }
    if (!found) {
      messages.warn(format("WARNING: class label %d specified in weight is not found\n",
                           param.weight_label[w]));
    }
  }
  return costs;
}

Subset rows_of_pair(const Problem& problem, const double* weights, const Classes& classes,
                    std::size_t a, std::size_t b) {
  Subset rows;
  const auto add_class = [&](std::size_t c, double label) {
    for (std::size_t k = 0; k < classes.count[c]; ++k) {
      const std::size_t t = classes.order[classes.start[c] + k];
      rows.add(problem.x[t], label);
      rows.add_weight_of(weights, t);
    }
  };
  add_class(a, +1);
  add_class(b, -1);
  return rows;
}

void mark_used(const Classes& classes, const std::vector<DecisionFunction>& decisions,
               std::vector<char>& used) {
  for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
    const std::vector<double>& coefficients = decisions[pair].coefficients;
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      if (std::fabs(coefficients[k]) > 0) used[place_in_order(classes, a, b, k)] = 1;
    }
  });
}

void mark_used(const DecisionFunction& decision, std::vector<char>& used) {
  for (std::size_t t = 0; t < decision.coefficients.size(); ++t) {
    if (std::fabs(decision.coefficients[t]) > 0) used[t] = 1;
  }
}

// One-vs-one.  The coefficient of a row in pair (a, b) stands in array b-1 if the row is of class
// a, in array a if it is of class b.  A row of a pair's own counts as one of class a, with
// coefficient 1.
ModelPtr make_classifier(const Problem& problem, const svm_parameter& param, const Classes& classes,
                         const std::vector<DecisionFunction>& decisions,
                         const std::vector<char>& used) {
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
  std::vector<DataRow> own_rows;
  for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t) {
    if (decisions[pair].own_row.empty()) return;
    own_rows.emplace_back(decisions[pair].own_row.data());
    ++per_class[a];
  });
  const std::size_t support_vectors = indices.size() + own_rows.size();  // one of them is 0
  ModelPtr model = new_model();
  model->param = param;
  model->nr_class = static_cast<int>(classes.size());
  model->label = malloc_copy(classes.labels);
  model->nSV = malloc_copy(per_class);
  model->rho = malloc_array<double>(decisions.size());
  if (own_rows.empty()) {
    take_support_vectors(problem, indices, *model);
  } else {
    keep_copies(own_rows, *model);
  }
  model->sv_coef = malloc_array<double*>(classes.size() - 1);
  for (std::size_t c = 0; c + 1 < classes.size(); ++c) {
    model->sv_coef[c] = malloc_array<double>(support_vectors);
  }
  std::size_t own_number = 0;
  for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
    const DecisionFunction& decision = decisions[pair];
    model->rho[pair] = decision.rho;
    if (!decision.own_row.empty()) model->sv_coef[b - 1][own_number++] = 1;
    for (std::size_t k = 0; k < decision.coefficients.size(); ++k) {
      const std::size_t place = place_in_order(classes, a, b, k);
      if (used[place] == 0) continue;
      const bool first = k < classes.count[a];
      model->sv_coef[first ? b - 1 : a][number[place]] = decision.coefficients[k];
    }
  });
  return model;
}

ModelPtr make_single(const Problem& problem, const svm_parameter& param,
                     const DecisionFunction& decision, const std::vector<char>& used) {
  std::vector<int> indices;
  std::vector<double> coefficients;
  if (!decision.own_row.empty()) coefficients.push_back(1);
  for (std::size_t t = 0; t < decision.coefficients.size(); ++t) {
    if (used[t] == 0) continue;
    indices.push_back(static_cast<int>(t) + 1);
    coefficients.push_back(decision.coefficients[t]);
  }
  ModelPtr model = new_model();
  model->param = param;
  model->nr_class = 2;
  model->rho = malloc_copy<double>({decision.rho});
  model->sv_coef = malloc_array<double*>(1);
  model->sv_coef[0] = malloc_copy(coefficients);
  if (decision.own_row.empty()) {
    take_support_vectors(problem, indices, *model);
  } else {
    keep_copies({DataRow(decision.own_row.data())}, *model);
  }
  return model;
}

std::vector<double> pair_coefficients(const svm_model& model, const Classes& classes,
                                      const std::vector<std::size_t>& number,
                                      const std::vector<std::size_t>& vector_of, std::size_t a,
                                      std::size_t b) {
  std::vector<double> coefficients;
  coefficients.reserve(classes.count[a] + classes.count[b]);
  const bool turned = number[a] > number[b];
  const auto add_class = [&](std::size_t own, std::size_t other) {
    const double* const of_vectors =
        model.sv_coef[number[other] > number[own] ? number[other] - 1 : number[other]];
    for (std::size_t k = 0; k < classes.count[own]; ++k) {
      const std::size_t s = vector_of[classes.order[classes.start[own] + k]];
      const double value = s == kNoVector ? 0 : of_vectors[s];
      coefficients.push_back(turned ? -value : value);
    }
  };
  add_class(a, b);
  add_class(b, a);
  return coefficients;
}

}  // namespace svm
