#include "kernels/dot_engine.h"

#include <algorithm>
#include <utility>

namespace svm {

DotEngine::DotEngine(const KernelFunction& kernel, Examples examples)
    : kernel_(kernel), examples_(std::move(examples)), loops_(svm::loops(instruction_set())) {}

std::unique_ptr<PackedColumns> DotEngine::pack(const std::uint32_t* examples, std::size_t count,
                                               std::unique_ptr<PackedColumns> old) const {
  if (old == nullptr) old = new_columns();
  auto& columns = static_cast<Columns&>(*old);
  find_norms(columns, examples, count);
  fill(columns, examples, count);
  return old;
}

std::unique_ptr<PackedColumns> DotEngine::pack_block(const std::uint32_t* examples,
                                                     std::size_t count) const {
  std::unique_ptr<Columns> columns = new_columns();
  find_norms(*columns, examples, count);
  fill_block(*columns, examples, count);
  return columns;
}

void DotEngine::find_norms(Columns& columns, const std::uint32_t* examples,
                           std::size_t count) const {
  if (kernel_.type != RBF) return;
  columns.norms.resize(count);
  for (std::size_t k = 0; k < count; ++k) columns.norms[k] = examples_.squared_norm(examples[k]);
}

void DotEngine::compute(std::size_t example, const PackedColumns& packed, std::size_t from,
                        std::size_t to, float* out) const {
  const auto& columns = static_cast<const Columns&>(packed);
  const double norm = examples_.squared_norm(example);
  alignas(64) double sums[kTile];
  while (from < to) {
    const std::size_t begin = from / kBlockColumns * kBlockColumns;
    const std::size_t next = std::min(to, begin + kTile);
    const std::size_t end = (next + kBlockColumns - 1) / kBlockColumns * kBlockColumns;
    dots(example, columns, begin, end, sums);
    const double* norms = columns.norms.empty() ? nullptr : columns.norms.data() + from;
    kernel_values(norm, norms, next - from, sums + (from - begin), out);
    out += next - from;
    from = next;
  }
}

void DotEngine::kernel_values(double norm, const double* norms, std::size_t count, double* dots,
                              float* out) const {
  switch (kernel_.type) {
    case LINEAR:
      return loops_.to_float(dots, count, out);
    case POLY:
      return loops_.polynomials(kernel_.gamma, kernel_.coef0, kernel_.degree, dots, count, out);
    case RBF:
      return loops_.rbf_to_float(dots, norms, norm, kernel_.gamma, count, out);
    default:
      for (std::size_t k = 0; k < count; ++k) {
        out[k] = static_cast<float>(kernel_.of_dot(dots[k], norm, 0));
      }
  }
}

double DotEngine::diagonal(std::size_t example) const {
  const double norm = examples_.squared_norm(example);
  return kernel_.of_dot(norm, norm, norm);
}

double DotEngine::value_cost() const {
  const double tail = kernel_.type == RBF ? 1.5 : kernel_.type == SIGMOID ? 15 : 0.3;
  return dot_cost() + tail;
}

}  // namespace svm
