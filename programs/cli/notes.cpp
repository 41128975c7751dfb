#include "programs/cli/notes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <set>
#include <vector>

#include "base/platform/float_chars.h"
#include "base/platform/text.h"
#include "model/svm_type.h"
#include "programs/grid/results.h"
#include "programs/platform/processes.h"
#include "programs/scaling/feature_ranges.h"

namespace svm::cli {
namespace {

std::string range_text(const FeatureRange& feature) {
  return "feature " + std::to_string(feature.index) + " from " + general_text(feature.range.min) +
         " to " + general_text(feature.range.max);
}

int largest_index(const svm_node* const* rows, std::size_t count) {
  int largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (const svm_node* node = rows[i]; node->index != -1; ++node) {
      largest = std::max(largest, node->index);
    }
  }
  return largest;
}

// Ranges of the features that vary, the narrowest first. Empty if indices are so large that the
// data must be sparse; such features need no scaling.
std::vector<FeatureRange> ranges_of(const svm_problem& problem) {
  constexpr int kLargestIndex = 1000000;
  if (largest_index(problem.x, static_cast<std::size_t>(problem.l)) > kLargestIndex) return {};
  RangeCollector collector;
  for (int i = 0; i < problem.l; ++i) collector.add_row(problem.y[i], problem.x[i]);
  std::vector<FeatureRange> features = collector.take_features();
  std::sort(features.begin(), features.end(), [](const FeatureRange& a, const FeatureRange& b) {
    return a.range.width() < b.range.width();
  });
  return features;
}

void tell_of_labels(const svm_problem& problem, const svm_parameter& param, bool quiet) {
  if (!is_classification(param.svm_type)) return;
  const double *const begin = problem.y, *const end = begin + problem.l;
  const auto is_cut = [](double label) { return label != std::trunc(label); };
  const double* const first = std::find_if(begin, end, is_cut);
  if (first == end) return;
  const std::set<double> labels(begin, end);
  std::set<double> classes;
  bool is_lost = false;
  for (const double label : labels) {
    const bool is_new = classes.insert(std::trunc(label)).second;
    is_lost = is_lost || !is_new || (is_cut(label) && std::trunc(label) == 0);
  }
  std::string text = std::to_string(std::count_if(first, end, is_cut)) + " of " +
                     std::to_string(problem.l) +
                     " labels are not whole numbers, as classes must be: " + general_text(*first) +
                     " becomes " + general_text(std::trunc(*first) + 0.0);
  if (classes.size() < labels.size()) {
    text += ", and " + std::to_string(labels.size()) + " different labels become " +
            std::to_string(classes.size());
  }
  text += "; regressions are -s 3 and -s 4";
  if (is_lost) std::fprintf(stderr, "WARNING: %s\n", text.c_str());
  if (!is_lost && !quiet) print_note(text);
}

// Adds "log2c=15.0" to `where` if `best` is the least or largest of several values of an axis.
void add_edge(std::string& where, const char* name, const std::vector<double>& values,
              double best) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (values.size() < 2 || (best != *least && best != *most)) return;
  add_item(where, std::string(name) + "=" + grid::python_real(best));
}

}  // namespace

bool are_notes_read() { return platform::is_terminal(platform::Stream::kError); }

void print_note(const std::string& text) {
  if (text.empty() || !are_notes_read()) return;
  std::fflush(stdout);
  std::fprintf(stderr, "NOTE: %s\n", text.c_str());
}

void tell_of_data(const svm_problem& problem, const svm_parameter& param, bool quiet) {
  tell_of_labels(problem, param, quiet);
  if (!quiet && are_notes_read()) print_note(range_note(problem, param));
}

std::string range_note(const svm_problem& problem, const svm_parameter& param) {
  constexpr double kFactor = 100, kWide = 10;  // features in a narrow range are scaled
  if (param.kernel_type == PRECOMPUTED) return "";
  const std::vector<FeatureRange> features = ranges_of(problem);
  if (features.empty()) return "";
  const FeatureRange& narrow = features[features.size() / 10];
  const FeatureRange& wide = features.back();
  const double width = wide.range.width();
  if (width < kWide || width < kFactor * narrow.range.width()) return "";
  return "features vary very differently: " + range_text(wide) + ", but " + range_text(narrow) +
         "; svm-scale gives them the same range";
}

std::string support_vector_note(const svm_problem& problem, const svm_model& model) {
  constexpr int kFewRows = 20;
  if (model.param.svm_type == EPSILON_SVR && model.l == 0) {
    return "no target is outside the tube, so that the model predicts the same for all rows; "
           "choose a smaller -p";
  }
  const bool is_by_cost = model.param.svm_type == C_SVC || model.param.svm_type == EPSILON_SVR;
  if (!is_by_cost || problem.l < kFewRows || model.l < problem.l) return "";
  return "every row is a support vector: " +
         std::string(has_gamma(model.param.kernel_type) ? "C or gamma does" : "C does") +
         " not suit these data; svm-grid searches for better values";
}

std::string edge_note(const grid::Plan& plan, const grid::Point& best, const svm_parameter& param) {
  std::string where;
  if (plan.axes.c) add_edge(where, "log2c", plan.c, best.log2c);
  if (plan.axes.g && has_gamma(param.kernel_type)) add_edge(where, "log2g", plan.g, best.log2g);
  if (plan.axes.p) add_edge(where, "log2p", plan.p, best.log2p);
  if (where.empty()) return "";
  return "the best point lies at the edge of the grid, " + where +
         ": beyond it there may be a better one";
}

std::string beyond_note(int index, std::size_t line, const svm_model& model) {
  if (model.param.kernel_type == PRECOMPUTED || model.l == 0) return "";
  const int largest = largest_index(model.SV, static_cast<std::size_t>(model.l));
  if (index <= largest) return "";
  return "line " + std::to_string(line) + " has feature " + std::to_string(index) +
         ", but the largest of the model is " + std::to_string(largest);
}

}  // namespace svm::cli
