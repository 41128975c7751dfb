#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/platform/float_chars.h"
#include "base/platform/text.h"
#include "kernels/precomputed_row.h"
#include "model/model_view.h"
#include "solvers/run/messages.h"
#include "training/check.h"
#include "training/machines.h"
#include "training/problem.h"
#include "training/start_point.h"

namespace svm {
namespace {

[[noreturn]] void refuse_start(const std::string& what) {
  throw std::invalid_argument("the model to start from does not fit: " + what);
}

void add_pair(int index, double value, std::string& key) {
  key += joined({std::to_string(index), ":", general_text(value, 8), " "});
}

// The text that a model file has of a row, after its class.
std::string key_of(const DataRow& row, int label, bool precomputed) {
  std::string key = std::to_string(label) + " ";
  if (precomputed) return key + first_pair(row);
  row.for_each([&](int index, double value) { add_pair(index, value, key); });
  return key;
}

// Finds the row of each support vector.  Of several equal rows each is used once, those of weight 0
// last.
std::vector<std::size_t> find_rows(const Problem& problem, const ModelView& model) {
  const bool precomputed = model.param.kernel_type == PRECOMPUTED;
  std::unordered_map<std::string, std::deque<std::size_t>> rows;
  const auto add_rows = [&](bool with_weight) {
    for (std::size_t t = 0; t < problem.size(); ++t) {
      if ((problem.weights == nullptr || problem.weights[t] > 0) != with_weight) continue;
      const int label = model.is_classifier() ? class_label(problem.y[t]) : 0;
      rows[key_of(problem.x[t], label, precomputed)].push_back(t);
    }
  };
  add_rows(true);
  add_rows(false);
  std::vector<std::size_t> found;
  std::size_t c = 0;
  for (std::size_t s = 0; s < model.count; ++s) {
    while (model.is_classifier() && c + 1 < model.classes && s >= model.start[c + 1]) ++c;
    const int label = model.is_classifier() ? model.labels[c] : 0;
    const auto place = rows.find(key_of(model.vectors[s], label, precomputed));
    if (place == rows.end() || place->second.empty()) {
      refuse_start("support vector " + std::to_string(s + 1) + " of " +
                   std::to_string(model.count) + " is no row of the training data");
    }
    found.push_back(place->second.front());
    place->second.pop_front();
  }
  return found;
}

// For each row of weight above 0, its support vector or kNoIndex.
std::vector<std::size_t> vectors_of_rows(const Problem& problem, const Problem& counted,
                                         const ModelView& model) {
  const std::vector<std::size_t> row = find_rows(problem, model);
  std::vector<std::size_t> vector_of_all(problem.size(), kNoIndex), vector_of;
  for (std::size_t s = 0; s < row.size(); ++s) vector_of_all[row[s]] = s;
  vector_of.reserve(counted.size());
  for (std::size_t t = 0; t < counted.size(); ++t) {
    vector_of.push_back(vector_of_all[counted.x.number(t)]);
  }
  return vector_of;
}

}  // namespace

std::vector<StartPoint> start_points(const Problem& problem, const svm_parameter& param,
                                     const svm_model& given, bool sorted_classes) {
  const ModelView model(given);
  if (model.param.svm_type != param.svm_type) refuse_start("it is of another SVM type");
  if (model.param.kernel_type != param.kernel_type) refuse_start("it has another kernel");
  if (!has_finite_coefficients(model)) refuse_start("its coefficients are infinite or NaN");
  const Subset rows = positive_rows(problem);
  const Problem counted = rows.problem();
  Classes classes;
  if (model.is_classifier()) classes = group_classes(counted, sorted_classes);
  if (model.is_classifier() && model.classes != classes.size()) {
    refuse_start("it has " + std::to_string(model.classes) + " classes, the training data " +
                 std::to_string(classes.size()));
  }
  for (const int label : classes.labels) {
    const int* const end = model.labels + model.classes;
    if (std::find(model.labels, end, label) != end) continue;
    refuse_start("class " + std::to_string(label) + " is not in it");
  }
  std::vector<Machine> machines =
      machines_of(model, classes, vectors_of_rows(problem, counted, model));
  std::vector<StartPoint> starts(machines.size());
  for (std::size_t m = 0; m < machines.size(); ++m) {
    starts[m].coefficients = std::move(machines[m].coefficients);
  }
  if (param.svm_type != NU_SVC) return starts;
  // nu-SVC scales its model, so its bounds are unknown: the largest coefficient stands for them.
  for_each_pair(classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
    const Subset pair_rows = rows_of_pair(counted, classes, a, b);
    const Problem pair_problem = pair_rows.problem();
    double largest = 0;
    for (std::size_t t = 0; t < pair_rows.size(); ++t) {
      largest = std::max(largest, std::fabs(starts[pair].coefficients[t]) / pair_problem.weight(t));
    }
    starts[pair].bound_positive = starts[pair].bound_negative = largest;
  });
  return starts;
}

}  // namespace svm
