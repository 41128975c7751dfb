#include "model/forest/forest.h"

#include <algorithm>
#include <cstdlib>

#include "model/predictor.h"

namespace svm {

double Split::value(const DataRow& row) const {
  if (const svm_node* node = row.nodes()) {
    while (node->index != -1 && node->index < feature) ++node;
    return node->index == feature ? node->value : 0;
  }
  const auto column = static_cast<std::size_t>(feature) - 1;
  return column < row.columns() ? row.value_in(column) : 0;
}

void place_halves(Tree& tree) {
  std::vector<std::size_t> sizes;  // of the subtrees behind a node that belong to no other
  for (std::size_t n = tree.size(); n-- > 0;) {
    std::size_t size = 1;
    if (!tree[n].is_leaf()) {
      tree[n].right = 1 + sizes.back();
      sizes.pop_back();
      size = tree[n].right + sizes.back();
      sizes.pop_back();
    }
    sizes.push_back(size);
  }
}

std::size_t leaf_of(const Tree& tree, const DataRow& row) {
  std::size_t node = 0;
  while (!tree[node].is_leaf()) node += tree[node].split.is_left(row) ? 1 : tree[node].right;
  return node;
}

Forest::Forest(const svm_parameter& param, int nr_class, const int* labels) : common(new_model()) {
  common->param = param;
  drop_class_weights(*common);
  common->nr_class = nr_class;
  if (labels != nullptr) common->label = malloc_copy(labels, count_or_zero(nr_class));
}

bool Forest::is_complete() const {
  return std::all_of(trees.begin(), trees.end(), [](const Tree& tree) {
    return std::all_of(tree.begin(), tree.end(), [](const ForestNode& node) {
      return !node.is_leaf() || node.machine != nullptr;
    });
  });
}

std::size_t Forest::leaves() const {
  std::size_t count = 0;
  for (const Tree& tree : trees) count += (tree.size() + 1) / 2;
  return count;
}

std::size_t forest_bytes(const Forest& forest) {
  constexpr std::size_t kBytesOfWeight = sizeof(int) + sizeof(double);
  std::size_t bytes =
      support_vector_bytes(*forest.common) + forest.weights.indices().size() * kBytesOfWeight;
  for (const Tree& tree : forest.trees) {
    for (const ForestNode& node : tree) {
      bytes += sizeof(node);
      if (node.machine == nullptr) continue;
      const std::size_t of_vector = coefficient_arrays(node.machine->nr_class) * sizeof(double) +
                                    sizeof(svm_node*) + sizeof(int);
      bytes += sizeof(svm_model) + count_or_zero(node.machine->l) * of_vector;
    }
  }
  return bytes;
}

int point_to_rows(const svm_model& common, svm_model& machine) {
  if (machine.free_sv != 0 && machine.l > 0) std::free(machine.SV[0]);
  machine.free_sv = 0;
  for (int s = 0; s < machine.l; ++s) {
    const int number = machine.sv_indices[s];
    const double* const numbers = common.l > 0 ? common.sv_coef[0] : nullptr;
    const double* const found = std::lower_bound(numbers, numbers + common.l, number);
    if (found == numbers + common.l || *found != number) return number;
    machine.SV[s] = common.SV[found - numbers];
  }
  return 0;
}

}  // namespace svm
