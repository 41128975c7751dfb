#include "training/machines.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/platform/text.h"

namespace svm {
namespace {

// Calls visit(place, array, coefficient) for each row of each machine.  A place is as in
// mark_used().
template <typename Visit>
void for_each_coefficient(const Classes& classes, const std::vector<Machine>& machines,
                          const Visit& visit) {
  if (classes.size() == 0) {
    const std::vector<double>& coefficients = machines[0].coefficients;
    for (std::size_t t = 0; t < coefficients.size(); ++t) visit(t, 0, coefficients[t]);
    return;
  }
  for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
    const std::vector<double>& coefficients = machines[pair].coefficients;
    for (std::size_t k = 0; k < coefficients.size(); ++k) {  // in the order of rows_of_pair()
      const bool first = k < classes.count[a];
      visit(first ? classes.start[a] + k : classes.start[b] + k - classes.count[a],
            first ? coefficient_array(a, b) : coefficient_array(b, a), coefficients[k]);
    }
  });
}

const double* data_or_null(const std::vector<double>& values) {
  return values.empty() ? nullptr : values.data();
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
    }
    if (!found) {
      messages.warn(joined({"WARNING: class label ", std::to_string(param.weight_label[w]),
                            " specified in weight is not found\n"}));
    }
  }
  return costs;
}

Subset rows_of_pair(const Problem& problem, const Classes& classes, std::size_t a, std::size_t b) {
  Subset rows(problem);
  rows.reserve(classes.count[a] + classes.count[b]);
  const auto add_class = [&](std::size_t c, double label) {
    for (std::size_t k = 0; k < classes.count[c]; ++k) {
      rows.add(classes.order[classes.start[c] + k], label);
    }
  };
  add_class(a, +1);
  add_class(b, -1);
  return rows;
}

void mark_used(const Classes& classes, const std::vector<Machine>& machines,
               std::vector<char>& used) {
  for_each_coefficient(classes, machines, [&](std::size_t place, std::size_t, double coefficient) {
    if (std::fabs(coefficient) > 0) used[place] = 1;
  });
}

std::vector<char> used_rows(const Problem& problem, const TrainedMachines& trained) {
  std::vector<char> used(problem.size(), 0);
  mark_used(trained.classes, trained.machines, used);
  return used;
}

std::size_t support_vectors(const Problem& problem, const TrainedMachines& trained) {
  std::size_t own_rows = 0;
  for (const Machine& machine : trained.machines) own_rows += machine.own_row != nullptr ? 1 : 0;
  const std::vector<char> used = used_rows(problem, trained);
  return own_rows + static_cast<std::size_t>(std::count(used.begin(), used.end(), 1));
}

SupportVectors::SupportVectors(const DataRows& rows, const svm_parameter& param,
                               const Classes& classes, const std::vector<Machine>& machines,
                               const std::vector<char>& used) {
  const std::size_t class_count = classes.size();
  rho_.reserve(machines.size() + 1);  // so that data() is not null without machines
  for (const Machine& machine : machines) {
    rho_.push_back(machine.rho);
    if (machine.own_row != nullptr) own_rows_.push_back(machine.own_row->data());
  }
  std::vector<std::size_t> vector_at(used.size(), 0);  // the support vector at each place
  const auto add = [&](std::size_t place, std::size_t t) {
    if (used[place] == 0) return;
    vector_at[place] = numbers_.size();
    numbers_.push_back(rows.number(t));
  };
  if (class_count == 0) {
    for (std::size_t t = 0; t < used.size(); ++t) add(t, t);
  }
  std::vector<std::size_t>& start = view_.start;
  for (std::size_t c = 0; c < class_count; ++c) {
    start.push_back(numbers_.size());
    for (std::size_t k = 0; k < classes.count[c]; ++k) {
      add(classes.start[c] + k, classes.order[classes.start[c] + k]);
    }
  }
  if (class_count > 0) start.push_back(numbers_.size());
  view_.count = numbers_.size() + own_rows_.size();  // one of the two is 0
  coefficients_.assign(coefficient_arrays(class_count == 0 ? 2 : static_cast<int>(class_count)),
                       std::vector<double>(view_.count, 0.0));
  if (class_count == 0 && !own_rows_.empty()) coefficients_[0][0] = 1;
  // A machine's own row belongs to the first class of its pair, with coefficient 1.
  std::size_t own = 0;
  for_each_pair(class_count, [&](std::size_t pair, std::size_t a, std::size_t b) {
    if (machines[pair].own_row == nullptr) return;
    coefficients_[coefficient_array(a, b)][own++] = 1;
    for (std::size_t c = a + 1; c <= class_count; ++c) start[c] = own;
  });
  const auto set = [&](std::size_t place, std::size_t array, double coefficient) {
    if (used[place] != 0) coefficients_[array][vector_at[place]] = coefficient;
  };
  for_each_coefficient(classes, machines, set);
  view_.param = param;
  if (class_count > 0) view_.classes = class_count;
  view_.vectors = own_rows_.empty() ? rows.select(numbers_.data()) : DataRows(own_rows_.data());
  for (const std::vector<double>& each : coefficients_) arrays_.push_back(each.data());
  view_.coefficients = arrays_.data();
  view_.rho = rho_.data();
  view_.labels = classes.labels.data();
}

SupportVectors::SupportVectors(const Problem& problem, const TrainedMachines& trained)
    : SupportVectors(problem.x, trained.param, trained.classes, trained.machines,
                     used_rows(problem, trained)) {
  view_.slopes = data_or_null(trained.slopes);
  view_.offsets = data_or_null(trained.offsets);
  view_.marks = data_or_null(trained.marks);
}

ModelPtr SupportVectors::to_model() const {
  return make_model(view_, own_rows_.empty() ? VectorOrigin::kRows : VectorOrigin::kOwn);
}

std::vector<Machine> machines_of(const ModelView& model, const Classes& classes,
                                 const std::vector<std::size_t>& vector_of) {
  const auto coefficient = [&](std::size_t array, std::size_t t) {
    return vector_of[t] == kNoIndex ? 0 : model.coefficients[array][vector_of[t]];
  };
  std::vector<Machine> machines(model.functions());
  if (classes.size() == 0) {
    machines[0].rho = model.rho[0];
    for (std::size_t t = 0; t < vector_of.size(); ++t) {
      machines[0].coefficients.push_back(coefficient(0, t));
    }
    return machines;
  }
  std::vector<std::size_t> number;  // of each class in the model
  for (const int label : classes.labels) {
    const int* const found = std::find(model.labels, model.labels + model.classes, label);
    number.push_back(static_cast<std::size_t>(found - model.labels));
  }
  for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
    Machine& machine = machines[pair];
    const double sign = number[a] < number[b] ? 1 : -1;  // the model may have the pair reversed
    machine.rho = sign * model.rho[pair_number(classes.size(), number[a], number[b])];
    const auto add_class = [&](std::size_t own, std::size_t other) {
      const std::size_t array = coefficient_array(number[own], number[other]);
      for (std::size_t k = 0; k < classes.count[own]; ++k) {
        const std::size_t t = classes.order[classes.start[own] + k];
        machine.coefficients.push_back(sign * coefficient(array, t));
      }
    };
    add_class(a, b);
    add_class(b, a);
  });
  return machines;
}

}  // namespace svm
