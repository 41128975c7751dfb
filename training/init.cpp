#include "training/init.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "kernels/precomputed_row.h"
#include "model/inner_sums.h"
#include "model/svm_type.h"
#include "solvers/run/messages.h"
#include "training/classes.h"
#include "training/models.h"
#include "training/weights.h"

namespace svm {
namespace {

[[noreturn]] void refuse_start(const std::string& what) {
  throw std::invalid_argument("the model to start from does not fit: " + what);
}

// What a model file keeps of a row, behind its class.
std::string key_of(const DataRow& row, int label, bool precomputed) {
  std::string key = format("%d ", label);
  if (precomputed) return key + first_pair(row);
  row.for_each([&](int index, double value) { key += format("%d:%.8g ", index, value); });
  return key;
}

// The row of the problem for each support vector.  Of equal rows each is taken once, those of
// weight 0 last.
std::vector<std::size_t> find_rows(const Problem& problem, const double* weights,
                                   const svm_parameter& param, const svm_model& model) {
  const bool precomputed = param.kernel_type == PRECOMPUTED;
  const bool classes = is_classification(param.svm_type);
  std::unordered_map<std::string, std::deque<std::size_t>> rows;
  const auto add_rows = [&](bool with_weight) {
    for (std::size_t t = 0; t < static_cast<std::size_t>(problem.l); ++t) {
      if ((weights == nullptr || weights[t] > 0) != with_weight) continue;
      rows[key_of(problem.x[t], classes ? class_label(problem.y[t]) : 0, precomputed)].push_back(t);
    }
  };
  add_rows(true);
  add_rows(false);
  std::vector<std::size_t> found;
  int c = 0, left = classes && model.nr_class > 0 ? model.nSV[0] : model.l;
  for (int s = 0; s < model.l; ++s) {
    while (left == 0 && c + 1 < model.nr_class) left = model.nSV[++c];
    --left;
    const auto place = rows.find(key_of(model.SV[s], classes ? model.label[c] : 0, precomputed));
    if (place == rows.end() || place->second.empty()) {
      refuse_start("support vector " + std::to_string(s + 1) + " of " + std::to_string(model.l) +
                   " is no row of the training data");
    }
    found.push_back(place->second.front());
    place->second.pop_front();
  }
  return found;
}

// The support vector that each row of weight above 0 is, or kNoVector.
std::vector<std::size_t> vectors_of_rows(const Problem& problem, const double* weights,
                                         const svm_parameter& param, const svm_model& model) {
  const std::vector<std::size_t> row = find_rows(problem, weights, param, model);
  std::vector<std::size_t> vector_of(static_cast<std::size_t>(problem.l), kNoVector);
  for (std::size_t s = 0; s < row.size(); ++s) vector_of[row[s]] = s;
  return PositiveRows(problem, weights).of_these(vector_of);
}

}  // namespace

std::vector<StartPoint> start_points(const Problem& problem, const double* weights,
                                     const svm_parameter& param, const svm_model& model,
                                     bool sorted_classes) {
  if (model.param.svm_type != param.svm_type) refuse_start("it is of another SVM type");
  if (model.param.kernel_type != param.kernel_type) refuse_start("it has another kernel");
  if (!has_finite_coefficients(model)) refuse_start("its coefficients are infinite or NaN");
  if (!is_classification(param.svm_type)) {
    std::vector<StartPoint> starts(1);
    for (const std::size_t s : vectors_of_rows(problem, weights, param, model)) {
      starts[0].coefficients.push_back(s == kNoVector ? 0 : model.sv_coef[0][s]);
    }
    return starts;
  }
  PositiveRows rows(problem, weights);
  const Classes classes = group_classes(rows.problem(), sorted_classes);
  if (static_cast<std::size_t>(model.nr_class) != classes.size()) {
    refuse_start("it has " + std::to_string(model.nr_class) + " classes, the training data " +
                 std::to_string(classes.size()));
  }
  std::vector<std::size_t> number;  // in the model, of each class
  for (const int label : classes.labels) {
    const int* const end = model.label + model.nr_class;
    const int* const begin = model.label;
    const int* const found = std::find(begin, end, label);
    if (found == end) refuse_start("class " + std::to_string(label) + " is not in it");
    number.push_back(static_cast<std::size_t>(found - model.label));
  }
  const std::vector<std::size_t> vector_of = vectors_of_rows(problem, weights, param, model);
  std::vector<StartPoint> starts;
  for_each_pair(classes.size(), [&](std::size_t, std::size_t a, std::size_t b) {
    StartPoint start;
    start.coefficients = pair_coefficients(model, classes, number, vector_of, a, b);
    // The bounds of nu-SVC are not those of its model, which was scaled: the largest tells.
    if (param.svm_type == NU_SVC) {
      const Subset pair = rows_of_pair(rows.problem(), rows.weights(), classes, a, b);
      const Costs costs = {0, 0, pair.weights()};
      double largest = 0;
      for (std::size_t t = 0; t < start.coefficients.size(); ++t) {
        largest = std::max(largest, std::fabs(start.coefficients[t]) / costs.weight(t));
      }
      start.bound_positive = start.bound_negative = largest;
    }
    starts.push_back(std::move(start));
  });
  return starts;
}

}  // namespace svm
