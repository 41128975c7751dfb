#include "tests/trained_function.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace svm::test {
namespace {

// A kernel value, and the error bound of computing it in doubles.
struct Value {
  Real value, error;
};

// Calls visit(u_k, v_k) for every feature that either row has.
template <typename Visit>
void merge(const svm_node* u, const svm_node* v, Visit visit) {
  while (u->index != -1 || v->index != -1) {
    if (v->index == -1 || (u->index != -1 && u->index < v->index)) {
      visit(static_cast<Real>(u++->value), Real{0});
    } else if (u->index == -1 || v->index < u->index) {
      visit(Real{0}, static_cast<Real>(v++->value));
    } else {
      visit(static_cast<Real>(u++->value), static_cast<Real>(v++->value));
    }
  }
}

Value kernel(const svm_parameter& param, const svm_node* u, const svm_node* v) {
  constexpr Real kRoundings = 8;  // roundings of a short sum of products and of the tail
  if (param.kernel_type == PRECOMPUTED) {
    const int serial = static_cast<int>(v->value);
    const Real value = u[serial].value;
    return {value, 0};
  }
  Real dot = 0, sizes = 0, norms = 0, distance = 0;
  merge(u, v, [&](Real a, Real b) {
    dot += a * b;
    sizes += std::fabs(a * b);
    norms += a * a + b * b;
    distance += (a - b) * (a - b);
  });
  const Real gamma = param.gamma, inner = gamma * dot + param.coef0;
  const Real inner_error =
      kRoundings * kDoubleUnit * (gamma * sizes + std::fabs(static_cast<Real>(param.coef0)));
  switch (param.kernel_type) {
    case LINEAR:
      return {dot, kRoundings * kDoubleUnit * sizes};
    case POLY: {
      const Real value = std::pow(inner, static_cast<Real>(param.degree));
      const Real size = std::pow(std::fabs(inner) + inner_error, static_cast<Real>(param.degree));
      return {value, size - std::fabs(value) + kRoundings * param.degree * kDoubleUnit * size};
    }
    case RBF: {
      const Real value = std::exp(-gamma * distance);
      // |u|^2 + |v|^2 - 2 u'v instead of |u - v|^2
      const Real off = kRoundings * kDoubleUnit * gamma * norms;
      return {value, value * std::expm1(std::min(off, Real{1})) + kRoundings * kDoubleUnit * value};
    }
    default:
      return {std::tanh(inner), inner_error + kRoundings * kDoubleUnit};
  }
}

// Orders rows by their contents.
struct IsLess {
  bool operator()(const svm_node* u, const svm_node* v) const {
    for (;; ++u, ++v) {
      if (u->index != v->index) return u->index < v->index;
      if (u->index == -1) return false;
      if (u->value != v->value) return u->value < v->value;
    }
  }
};
template <typename Value>
using ByRow = std::map<const svm_node*, Value, IsLess>;

double cost_of(const svm_parameter& param, int label) {
  double cost = param.C;
  for (int k = 0; k < param.nr_weight; ++k) {
    if (param.weight_label[k] == label) cost *= param.weight[k];
  }
  return cost;
}

// Computes a kernel value, and adds up its rounding.
Real value_at(const svm_parameter& param, const svm_node* row, Function& of) {
  Real sum = 0, blur = 0, sizes = 0, float_blur = 0;
  for (std::size_t s = 0; s < of.machines.size(); ++s) {
    const Value value = kernel(param, row, of.machines[s]);
    sum += of.weights[s] * value.value;
    blur += of.sizes[s] * value.error;
    sizes += of.sizes[s] * std::fabs(value.value);
    float_blur += of.sizes[s] * std::max(kFloatUnit * std::fabs(value.value), kLeastFloat / 2);
  }
  of.rounding = std::max(of.rounding, 2 * (blur + 8 * kDoubleUnit * sizes));
  of.float_rounding = std::max(of.float_rounding, 2 * float_blur);
  return sum;
}

}  // namespace

Function function_of(const Trained& trained, int a, int b, int pair) {
  const svm_parameter& param = *trained.param;
  const svm_problem& problem = *trained.problem;
  const svm_model& model = *trained.model;
  Function out;
  std::map<int, std::size_t> place_of;  // by row number, from 1
  for (int i = 0; i < problem.l; ++i) {
    const double weight = trained.row_weights == nullptr ? 1 : trained.row_weights[i];
    if (weight == 0) continue;
    Real y = problem.y[i];
    double upper = param.svm_type == ONE_CLASS ? 1 : param.C;
    if (a != b) {
      const int label = static_cast<int>(problem.y[i]);
      if (label != model.label[a] && label != model.label[b]) continue;
      y = label == model.label[a] ? 1 : -1;
      upper = param.svm_type == NU_SVC ? 1 : cost_of(param, label);
    }
    place_of[i + 1] = out.size();
    out.rows.push_back(problem.x[i]);
    out.y.push_back(y);
    out.upper.push_back(upper * weight);
  }
  out.coefficients.assign(out.size(), 0);
  out.rho = model.rho[pair];
  ByRow<std::size_t> machine_of;
  int begin = 0;
  for (int k = 0; k < (a == b ? 1 : model.nr_class); ++k) {
    const int end = a == b ? model.l : begin + model.nSV[k];
    const bool takes_part = a == b || k == a || k == b;
    for (int s = begin; s < end && takes_part; ++s) {
      const double coefficient = model.sv_coef[a == b || k == b ? a : b - 1][s];
      if (coefficient == 0) continue;
      // A support vector of a precomputed kernel may be its serial number alone.
      const svm_node* const vector =
          param.kernel_type == PRECOMPUTED ? problem.x[model.sv_indices[s] - 1] : model.SV[s];
      const auto [place, is_new] = machine_of.emplace(vector, out.machines.size());
      if (is_new) {
        out.machines.push_back(vector);
        out.weights.push_back(0);
        out.sizes.push_back(0);
      }
      out.weights[place->second] += coefficient;
      out.sizes[place->second] += std::fabs(coefficient);
      if (model.sv_indices != nullptr) {
        out.coefficients[place_of.at(model.sv_indices[s])] += coefficient;
      }
    }
    begin = end;
  }
  ByRow<Real> values;  // equal rows share a value
  const auto value_of = [&](const svm_node* row) {
    const auto known = values.find(row);
    return known != values.end() ? known->second
                                 : values.emplace(row, value_at(param, row, out)).first->second;
  };
  for (const svm_node* const row : out.rows) {
    out.f.push_back(value_of(row));
    out.largest_diagonal = std::max(out.largest_diagonal, std::fabs(kernel(param, row, row).value));
  }
  if (param.svm_type != ONE_CLASS) {  // because y is compared with f
    for (const Real y : out.y)
      out.rounding = std::max(out.rounding, 16 * kDoubleUnit * std::fabs(y));
  }
  if (trained.is_rounded) {
    out.rounding += out.float_rounding;
    out.carried = carried(trained, out);
  }
  for (std::size_t s = 0; s < out.machines.size(); ++s) {
    out.norm += out.weights[s] * value_of(out.machines[s]);
  }
  return out;
}

Real kernel_value(const svm_parameter& param, const svm_node* row, const svm_node* vector) {
  return kernel(param, row, vector).value;
}

Real carried(const Trained& trained, const Function& of) {
  const auto steps = static_cast<Real>(trained.iterations) + 2 * static_cast<Real>(of.size());
  ByRow<Real> uppers;
  for (std::size_t t = 0; t < of.size(); ++t) uppers[of.rows[t]] += of.upper[t];
  Real most = 0;
  for (const auto& from : uppers) {
    Real sizes = 0;
    for (const auto& [row, upper] : uppers) {
      sizes += upper * std::fabs(kernel(*trained.param, from.first, row).value);
    }
    most = std::max(most, sizes);
  }
  return steps * 2 * kDoubleUnit * most;
}

}  // namespace svm::test
