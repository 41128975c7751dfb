#include "training/forest/row_source.h"

namespace svm {

std::vector<std::size_t> leaves_of(const Tree& tree) {
  std::vector<std::size_t> leaves;
  for (std::size_t n = 0; n < tree.size(); ++n) {
    if (tree[n].is_leaf()) leaves.push_back(n);
  }
  return leaves;
}

void RowSource::divide(const RowNumbers& rows, const Tree& tree, Run& run) {
  constexpr std::size_t kRowsPerTask = 1024;
  std::vector<std::size_t> node(rows.size());
  run.services.pool->for_chunks(rows.size(), kRowsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) node[k] = leaf_of(tree, problem_.x[rows[k]]);
  });
  std::vector<RowNumbers> of_node(tree.size());
  for (std::size_t k = 0; k < rows.size(); ++k) of_node[node[k]].push_back(rows[k]);
  parts_.clear();
  for (const std::size_t leaf : leaves_of(tree)) parts_.push_back(std::move(of_node[leaf]));
}

}  // namespace svm
