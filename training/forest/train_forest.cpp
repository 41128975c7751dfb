#include "training/forest/train_forest.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/platform/float_chars.h"
#include "base/platform/index_range.h"
#include "base/platform/text.h"
#include "base/threads/primitives.h"
#include "kernels/kernel_function.h"
#include "model/forest/forest_predictor.h"
#include "model/svm_type.h"
#include "solvers/math/draws.h"
#include "solvers/registry.h"
#include "training/check.h"
#include "training/cross_validation.h"
#include "training/machines.h"
#include "training/tasks.h"
#include "training/train.h"

namespace svm {
namespace {

// Support vectors, each once.
class KeptRows {
 public:
  // Takes those of a model that it does not have yet, by their numbers: copies unless it `borrows`.
  template <typename Number>
  void add(const svm_model& model, const Number* numbers, bool borrows) {
    for (int s = 0; s < model.l; ++s) {
      const auto number = static_cast<std::size_t>(numbers[s]);
      if (number >= rows_.size()) rows_.resize(number + number / 4 + 1);
      if (rows_[number] != nullptr) continue;
      if (borrows && model.free_sv == 0) {
        rows_[number] = model.SV[s];
        continue;
      }
      const svm_node* end = model.SV[s];
      while (end->index != -1) ++end;
      memory_.emplace_back(static_cast<const svm_node*>(model.SV[s]), end + 1);
      rows_[number] = memory_.back().data();
    }
  }

  // Gives them to a forest whose leaves have been trained.
  void give_to(Forest& forest) {
    std::vector<double> numbers;
    std::vector<svm_node*> rows;
    for (std::size_t n = 1; n < rows_.size(); ++n) {
      if (rows_[n] == nullptr) continue;
      numbers.push_back(static_cast<double>(n));
      rows.push_back(rows_[n]);
    }
    svm_model& common = *forest.common;
    common.sv_coef = malloc_array<double*>(coefficient_arrays(common.nr_class));
    if (common.nr_class > 1) common.sv_coef[0] = malloc_copy(numbers);
    common.SV = malloc_copy(rows);
    common.l = static_cast<int>(rows.size());
    forest.rows = std::move(memory_);
    for (Tree& tree : forest.trees) {
      for (ForestNode& node : tree) {
        if (node.machine) point_to_rows(common, *node.machine);
      }
    }
  }

 private:
  std::vector<svm_node*> rows_;  // by number; null if it is no support vector
  std::vector<std::vector<svm_node>> memory_;
};

bool have_same_classes(const svm_model& a, const svm_model& b) {
  return a.param.svm_type == b.param.svm_type && a.nr_class == b.nr_class &&
         (a.label == nullptr || std::equal(a.label, a.label + a.nr_class, b.label));
}

class ForestTraining {
 public:
  ForestTraining(RowSource& source, const svm_parameter& param, const ForestPlan& plan, Run& run)
      : source_(source),
        problem_(source.problem()),
        param_(param),
        plan_(plan),
        rules_{plan.cell, is_classification(param.svm_type)},
        run_(run) {}

  Metric metric() {
    const Forest forest = without_trees();
    return metric_of_cells(source_, problem_, rows_to_train(forest).first, param_, rules_, run_);
  }

  Forest train() {
    Forest forest = without_trees();
    const auto [rows, held_out] = rows_to_train(forest);
    if (!plan_.trained.empty()) {
      rules_.weights = plan_.trained[0]->weights;
    } else if (!plan_.weights.empty()) {
      rules_.weights = plan_.weights;
    } else if (plan_.learns_metric && metric_fault(param_, run_) == nullptr) {
      learn_weights(rows);
    }
    forest.weights = rules_.weights;
    for (const Forest* share : plan_.trained) {
      if (!have_same_classes(*share->common, *forest.common)) refuse();
      if (!(share->weights.is_same(forest.weights))) refuse();
      if (share->common->l > 0) rows_.add(*share->common, share->common->sv_coef[0], false);
    }
    for (std::size_t t = 0; t < plan_.trees && !run_.interrupted(); ++t) {
      Tree tree = train_tree(rows, t);
      if (run_.interrupted()) break;
      run_.services.messages.print(
          joined({"tree ", std::to_string(t + 1), " of ", std::to_string(plan_.trees),
                  ": cells = ", std::to_string(leaves_of(tree).size()), "\n"}));
      if (t == 0 && plan_.trained.empty()) note_width(tree, rows);
      forest.trees.push_back(std::move(tree));
    }
    if (!plan_.trained.empty() && !forest.is_complete()) refuse();
    if (!run_.interrupted()) warn_of_cells();
    rows_.give_to(forest);
    if (!held_out.empty() && forest.is_complete() && !forest.trees.empty()) {
      const LoadedRows loaded = source_.load(held_out, run_);
      fit_estimates(Subset(problem_, held_out).problem(), forest, run_);
    }
    return forest;
  }

 private:
  Forest without_trees() {
    if (!is_classification(param_.svm_type)) return Forest(param_, 2, nullptr);
    const Subset counted = positive_rows(problem_);
    const Classes classes = group_classes(counted.problem(), run_.options.sorted_classes);
    const std::vector<double> costs = class_costs(classes, param_, run_.services.messages);
    if (const char* fault = cost_fault(costs)) throw std::invalid_argument(fault);
    for (std::size_t t = 0; param_.nr_weight > 0 && t < problem_.size(); ++t) {
      const auto label =
          std::find(classes.labels.begin(), classes.labels.end(), class_label(problem_.y[t]));
      const bool counts = label != classes.labels.end();
      const double cost =
          counts ? costs[static_cast<std::size_t>(label - classes.labels.begin())] : 0;
      weights_.push_back(problem_.weight(t) * cost / param_.C);
    }
    if (!weights_.empty()) problem_.weights = weights_.data();
    return Forest(param_, static_cast<int>(classes.size()), classes.labels.data());
  }

  // The rows that are trained on, and those that are held out for probability estimates.  Class
  // weights become weights of rows, as cells may lack classes.
  std::pair<RowNumbers, RowNumbers> rows_to_train(const Forest& forest) {
    param_.probability = param_.nr_weight = 0;
    RowNumbers held_out, rows;
    if (forest.common->param.probability != 0) {
      held_out = held_out_rows(problem_, static_cast<std::uint64_t>(run_.options.seed));
    }
    for (std::uint32_t t = 0; t < problem_.size(); ++t) {
      const bool is_held = std::binary_search(held_out.begin(), held_out.end(), t);
      if (!is_held && problem_.weight(t) > 0) rows.push_back(t);
    }
    if (rows.empty()) rows.swap(held_out);  // few rows
    return {std::move(rows), std::move(held_out)};
  }

  void learn_weights(const RowNumbers& rows) try {
    const Metric metric = metric_of_cells(source_, problem_, rows, param_, rules_, run_);
    if (!run_.interrupted()) run_.services.messages.print(metric_text(metric, param_));
    rules_.weights = metric.weights;
  } catch (const std::invalid_argument& fault) {  // too many features
    run_.services.messages.print(joined({"metric: none, as ", fault.what(), "\n"}));
  }

  Tree train_tree(const RowNumbers& rows, std::size_t t) {
    const std::uint64_t seed = seed_of(static_cast<std::uint64_t>(run_.options.seed), t);
    const Cells upper = upper_cells(source_, problem_, rows, rules_, seed, run_);
    std::vector<Tree> parts(upper.rows.size());
    if (!plan_.trained.empty()) {
      take_parts(upper.tree, t, parts);
    } else if (!run_.interrupted()) {
      source_.divide(rows, upper.tree, run_);
      run_tasks(run_, parts.size(), no_shuffles, [&](std::size_t p, Run& run) {
        if (p % plan_.shares != plan_.share) {
          parts[p].emplace_back();
        } else if (run.poll()) {
          const LoadedRows part = source_.load_part(p);
          parts[p] = train_part(source_.part(p), seed_of(seed, p), run);
        }
        return !run.interrupted();
      });
    }
    if (run_.interrupted()) return {};
    return joined_tree(upper.tree, std::move(parts));
  }

  Tree train_part(const RowNumbers& rows, std::uint64_t seed, Run& run) {
    Cells cells = make_cells(problem_, rows, rules_, seed, run);
    const std::vector<std::size_t> leaves = leaves_of(cells.tree);
    run_tasks(run, leaves.size(), no_shuffles, [&](std::size_t k, Run& cell_run) {
      if (cell_run.poll()) cells.tree[leaves[k]].machine = train_cell(cells.rows[k], cell_run);
      return !cell_run.interrupted();
    });
    return std::move(cells.tree);
  }

  ModelPtr train_cell(const RowNumbers& numbers, Run& run) {
    const Subset subset(problem_, numbers);
    Problem cell = subset.problem();
    const WeightedRows rows(cell.x, cell.size(), rules_.weights);
    const DataRows in_data = std::exchange(cell.x, rows.rows());
    run.services.messages = Messages([](const char*) {},
                                     [this](const char* text) {
                                       const std::lock_guard<Mutex> lock(mutex_);
                                       ++warnings_[text];
                                     });
    run.services.messages.silence();
    run.options.problem_room = 0;
    const TrainedMachines trained = train_machines(cell, param_, run);
    if (run.interrupted()) return nullptr;
    ModelPtr machine = SupportVectors(cell, trained).to_model();
    drop_class_weights(*machine);
    if (plan_.on_cell) plan_.on_cell(cell, param_, *machine);
    for (int s = 0; s < machine->l; ++s) {
      const auto place = static_cast<std::size_t>(machine->sv_indices[s]) - 1;
      machine->sv_indices[s] = static_cast<int>(in_data.number(place)) + 1;
    }
    const std::lock_guard<Mutex> lock(mutex_);
    rows_.add(*machine, machine->sv_indices, plan_.borrows_rows && rules_.weights.empty());
    return machine;
  }

  // Takes the parts of a tree from the forests that have trained them.
  void take_parts(const Tree& upper, std::size_t t, std::vector<Tree>& parts) const {
    const std::size_t shares = plan_.trained.size();
    std::vector<std::size_t> places(shares, 0);
    std::size_t part = 0;
    for (const ForestNode& node : upper) {
      for (std::size_t share = 0; share < shares; ++share) {
        Forest& forest = *plan_.trained[share];
        if (forest.trees.size() != plan_.trees || places[share] >= forest.trees[t].size()) refuse();
        Tree& tree = forest.trees[t];
        std::size_t end = places[share];
        if (node.is_leaf() && part % shares == share) {
          while (!tree[end].is_leaf()) end += tree[end].right;
          const auto begin = tree.begin();
          parts[part].assign(
              std::make_move_iterator(begin + static_cast<std::ptrdiff_t>(places[share])),
              std::make_move_iterator(begin + static_cast<std::ptrdiff_t>(end) + 1));
        } else if (tree[end].is_leaf() != node.is_leaf() || tree[end].machine != nullptr ||
                   tree[end].split.feature != node.split.feature ||
                   tree[end].split.threshold != node.split.threshold) {
          refuse();
        }
        places[share] = end + 1;
      }
      part += node.is_leaf() ? 1 : 0;
    }
  }

  [[noreturn]] static void refuse() {
    throw std::invalid_argument("the forests are not the shares of such a training");
  }

  // Replaces the leaves of a tree by trees.
  static Tree joined_tree(const Tree& upper, std::vector<Tree> parts) {
    Tree whole;
    std::size_t part = 0;
    for (const ForestNode& node : upper) {
      if (node.is_leaf()) {
        std::move(parts[part].begin(), parts[part].end(), std::back_inserter(whole));
        ++part;
      } else {
        whole.push_back({node.right, node.split, nullptr});
      }
    }
    place_halves(whole);
    return whole;
  }

  // Tells if a cell sees only a small part of what a row's kernel values reach.
  void note_width(const Tree& tree, const RowNumbers& rows) {
    constexpr std::size_t kRows = 64, kOthers = 2048;
    constexpr double kMost =
        0.92;  // between mnist (0.94), which loses by cells, and cod-rna (0.91)
    const RowNumbers others = sample_of(rows, kOthers, 0);
    const LoadedRows loaded = source_.load(others, run_);
    if (run_.interrupted()) return;
    const KernelFunction kernel(param_);
    const Subset subset(problem_, others);
    const WeightedRows rows_of_others(subset.problem().x, others.size(), rules_.weights);
    const DataRows weighted = rows_of_others.rows();
    std::vector<std::size_t> cells;
    for (const std::uint32_t t : others) cells.push_back(leaf_of(tree, problem_.x[t]));
    double all = 0, outside = 0;
    for (std::size_t i = 0; i < std::min(kRows, others.size()); ++i) {
      const DataRow row = weighted[i];
      for (std::size_t k = 0; k < others.size(); ++k) {
        const double value = k == i ? 0 : std::fabs(kernel.of_rows(row, weighted[k]));
        all += value;
        outside += cells[k] == cells[i] ? 0 : value;
      }
    }
    if (!(outside > kMost * all)) return;
    run_.services.messages.note("kernel values between rows are outside of cells to " +
                                general_text(100 * outside / all, 2) +
                                " %, so that a cell sees little of what a row depends on; larger "
                                "cells (--cells) or all rows may give a better model");
  }

  // Passes on each warning of cells once.
  void warn_of_cells() {
    constexpr std::string_view kBegin = "WARNING: ";
    for (const auto& [text, count] : warnings_) {
      const std::size_t at = text.find(kBegin);
      const std::size_t begin = at == std::string::npos ? 0 : at + kBegin.size();
      run_.services.messages.warn(joined(
          {kBegin, "in ", std::to_string(count),
           count == 1 ? " problem of cells: " : " problems of cells: ", text.substr(begin)}));
    }
  }

  RowSource& source_;
  Problem problem_;
  std::vector<double> weights_;
  svm_parameter param_;
  const ForestPlan& plan_;
  CellRules rules_;
  Run& run_;
  Mutex mutex_;  // guards what follows
  KeptRows rows_;
  std::map<std::string, std::size_t> warnings_;
};

}  // namespace

const char* forest_fault(const svm_parameter& param, const Run& run) {
  if (param.svm_type == NU_SVC) {
    return "a forest is not for nu-SVC: nu would be infeasible in cells of mostly one class";
  }
  if (param.svm_type == ONE_CLASS) {
    return "a forest is not for one-class SVM: every cell would have its share of outliers";
  }
  if (param.kernel_type == PRECOMPUTED) {
    return "a forest cuts rows by their features, which a precomputed kernel does not have";
  }
  if (works_on_examples(run)) {
    return "a forest needs a solver whose support vectors are rows, such as csmo";
  }
  return run.options.init != nullptr ? "a forest has no model to start from" : nullptr;
}

Forest train_forest(RowSource& source, const svm_parameter& param, const ForestPlan& plan,
                    Run& run) {
  if (const char* fault = forest_fault(param, run)) throw std::invalid_argument(fault);
  Forest forest = ForestTraining(source, param, plan, run).train();
  if (run.interrupted()) run.record.note(*run.interruption());
  print_notes(param, run);
  return forest;
}

Metric forest_metric(RowSource& source, const svm_parameter& param, const ForestPlan& plan,
                     Run& run) {
  if (const char* fault = forest_fault(param, run)) throw std::invalid_argument(fault);
  if (const char* fault = metric_fault(param, run)) throw std::invalid_argument(fault);
  return ForestTraining(source, param, plan, run).metric();
}

namespace {

// Predicts each fold by predict(its rows, those of the others, the predictions).
template <typename Predict>
std::vector<double> predict_folds(const Problem& problem, const svm_parameter& param, int folds,
                                  Run& run, const Predict& predict) {
  const Folds parts = make_folds(problem, param, folds, run);
  std::vector<double> all(problem.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t f = 0; f < parts.size() && !run.interrupted(); ++f) {
    const Subset others = rows_of_others(problem, parts, f);
    Subset fold(problem);
    for (std::size_t k = parts.start[f]; k < parts.start[f + 1]; ++k) fold.add(parts.order[k]);
    std::vector<double> predictions(fold.size());
    predict(fold.problem(), others.problem(), predictions.data());
    for (std::size_t k = 0; k < predictions.size() && !run.interrupted(); ++k) {
      all[parts.order[parts.start[f] + k]] = predictions[k];
    }
  }
  return all;
}

}  // namespace

std::vector<double> cross_validate_forest(const Problem& problem, const svm_parameter& param,
                                          const ForestPlan& plan, int folds, Run& run) {
  const auto predict = [&](const Problem& fold, const Problem& others, double* predictions) {
    RowSource source(others);
    const Forest forest = train_forest(source, param, plan, run);
    if (run.interrupted()) return;
    ForestPredictor(forest, run.services.messages, false)
        .predict(fold.x, fold.size(), param.probability != 0, *run.services.pool, {predictions});
  };
  return predict_folds(problem, param, folds, run, predict);
}

std::vector<double> cross_validate_by_metrics(const Problem& problem, const svm_parameter& param,
                                              int folds, Run& run) {
  const auto predict = [&](const Problem& fold, const Problem& others, double* predictions) {
    const Metric metric = machine_metric(others, param, run);
    const WeightedRows rows(others.x, others.size(), metric.weights);
    const WeightedRows weighted(fold.x, fold.size(), metric.weights);
    const Problem training_set(others.l, others.y, rows.rows(), others.weights);
    const TrainedMachines trained = train_machines(training_set, param, run);
    if (run.interrupted()) return;
    Predictor(SupportVectors(training_set, trained).view(), run.services.messages,
              Predictor::most_bytes_for(fold.size()), fold.size())
        .predict(weighted.rows(), fold.size(), param.probability != 0, *run.services.pool,
                 {predictions});
  };
  return predict_folds(problem, param, folds, run, predict);
}

}  // namespace svm
