#include "kernels/engines/dot_engine.h"

#include <algorithm>
#include <utility>

#include "kernels/engines/single_error.h"

namespace svm {

DotEngine::DotEngine(const KernelFunction& kernel, std::shared_ptr<Examples> examples,
                     double single_rounding, std::shared_ptr<const RowEngine> precise)
    : kernel_(kernel),
      shared_examples_(std::move(examples)),
      examples_(*shared_examples_),
      loops_(svm::loops(instruction_set())),
      exact_tail_(kernel),
      by_rows_(kernel.is_rounded(examples_.largest_squared_norm())),
      rounding_(single_rounding),
      precise_(std::move(precise)) {
  if (is_single()) single_tail_ = single_tail(kernel, 1);
}

std::unique_ptr<PackedColumns> DotEngine::pack(const std::uint32_t* examples, std::size_t count,
                                               std::unique_ptr<PackedColumns> old) const {
  if (old == nullptr) old = new_columns();
  auto& columns = static_cast<Columns&>(*old);
  fill(columns, examples, count);
  if (!kernel_.of_distances()) return old;
  if (by_rows_) columns.examples.assign(examples, examples + count);
  columns.norms.resize(count);
  for (std::size_t k = 0; k < count; ++k) columns.norms[k] = examples_.squared_norm(examples[k]);
  return old;
}

void DotEngine::compute(std::size_t example, const PackedColumns& columns, std::size_t from,
                        std::size_t to, float* out) const {
  compute_values(example, columns, from, to, out);
}

void DotEngine::compute(std::size_t example, const PackedColumns& columns, std::size_t from,
                        std::size_t to, double* out) const {
  if (!by_rows_) return compute_values(example, columns, from, to, out);
  const std::vector<std::uint32_t>& others = static_cast<const Columns&>(columns).examples;
  for (std::size_t k = from; k < to; ++k) {
    out[k - from] = kernel_.of_rows(examples_.row(example), examples_.row(others[k]));
  }
}

void DotEngine::add_precise_sums(const std::uint32_t* examples, const double* factors,
                                 std::size_t count, const std::uint32_t* columns, std::size_t width,
                                 double* sums) const {
  if (tail_form(kernel_.type) && is_single()) {
    return precise_->add_precise_sums(examples, factors, count, columns, width, sums);
  }
  if (tail_form(kernel_.type) && precise_sums_) {
    return precise_sums_->add(examples, factors, count, columns, width, sums);
  }
  RowEngine::add_precise_sums(examples, factors, count, columns, width, sums);
}

template <typename Value>
void DotEngine::compute_values(std::size_t example, const PackedColumns& packed, std::size_t from,
                               std::size_t to, Value* out) const {
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

void DotEngine::kernel_values(double norm, const double* norms, std::size_t count,
                              const double* dots, float* out) const {
  if (is_single()) return loops_.dot_tails(dots, norms, norm, single_tail_, count, out);
  exact_tail_.values(dots, norm, norms, count, out);
}

void DotEngine::kernel_values(double norm, const double* norms, std::size_t count,
                              const double* dots, double* out) const {
  if (!kernel_.of_distances()) return exact_tail_.values(dots, count, out);
  double distances[kTile];
  for (std::size_t k = 0; k < count; ++k) distances[k] = norm + norms[k] - 2 * dots[k];
  exact_tail_.values(distances, count, out);
}

// Sums of doubles are precise, up to what norms lose, and dot_rounding() bounds what floats change.
double DotEngine::largest_error() const {
  if (is_single()) return kernel_.type == LINEAR ? rounding_ : RowEngine::largest_error();
  const double norms = kernel_.of_distances() ? examples_.largest_squared_norm() : 0;
  return kExactError + 0x1p-40 * kernel_.gamma * norms;
}

double DotEngine::diagonal(std::size_t example) const {
  const double norm = examples_.squared_norm(example);
  return kernel_.of_dot(norm, norm, norm);
}

double DotEngine::value_cost() const {
  constexpr double kSingleTail = 0.3;
  return dot_cost() + (is_single() ? kSingleTail : exact_tail_.cost());
}

double DotEngine::value_work() const {
  const double features = examples_.nonzeros_per_row();
  return is_single() ? Work::kFunction + Work::kListed * features
                     : Work::kExactFunction + Work::kExact * features;
}

}  // namespace svm
