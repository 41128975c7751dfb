#include "programs/grid/class_sums.h"

#include <numeric>
#include <utility>

#include "kernels/engines/part_engine.h"
#include "training/classes.h"
#include "training/start_point.h"

namespace svm {

ClassSums::ClassSums(const Problem& problem, RowStore<float>& rows)
    : problem_(problem),
      rows_(rows),
      engine_(make_part_engine(rows, problem.x.numbers(problem.size()))),
      place_of_example_(rows.size()) {
  for (std::size_t t = 0; t < problem.size(); ++t) {
    place_of_example_[rows.example(problem.x.number(t))] = static_cast<std::uint32_t>(t);
  }
}

// Null if the run was stopped.
const std::vector<double>* ClassSums::of_all(int label, Run& run) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = of_all_.find(label);
  if (found != of_all_.end()) return &found->second;
  Places of_class, all(problem_.size());
  std::iota(all.begin(), all.end(), 0U);
  for (const std::uint32_t t : all) {
    if (class_label(problem_.y[t]) == label) of_class.push_back(t);
  }
  std::vector<double> sums(all.size(), 0.0);
  const std::vector<double> ones(of_class.size(), 1);
  if (!add_kernel_sums(*engine_, of_class, ones, all, run, sums)) return nullptr;
  return &of_all_.emplace(label, std::move(sums)).first->second;
}

bool ClassSums::add(int label, double factor, const std::vector<std::uint32_t>& held_out,
                    const Problem& training_set, Run& run, std::vector<double>& sums) {
  const std::vector<double>* const all = of_all(label, run);
  if (all == nullptr) return false;
  const auto place = [this](std::uint32_t row) { return place_of_example_[rows_.example(row)]; };
  Places columns, left_out;
  for (std::size_t k = 0; k < training_set.size(); ++k) {
    columns.push_back(place(training_set.x.number(k)));
    sums[k] += factor * (*all)[columns[k]];
  }
  for (const std::uint32_t row : held_out) {
    if (class_label(problem_.y[place(row)]) == label) left_out.push_back(place(row));
  }
  const std::vector<double> factors(left_out.size(), -factor);
  return add_kernel_sums(*engine_, left_out, factors, columns, run, sums);
}

}  // namespace svm
