#include "kernels/kernel_matrix.h"

#include <chrono>
#include <numeric>
#include <utility>

namespace svm {
namespace {

std::vector<std::uint32_t> counting(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

}  // namespace

void KernelMatrix::compute(RowEngine& engine, std::size_t example, const std::uint32_t* columns,
                           std::size_t length, const RowCache::Row& row) {
  if (row.from >= length) return;
  const auto start = std::chrono::steady_clock::now();
  engine.compute(example, columns + row.from, length - row.from, row.values + row.from);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ++rows_computed_;
}

ExampleMatrix::ExampleMatrix(std::unique_ptr<RowEngine> engine, std::size_t examples,
                             std::size_t cache_bytes)
    : engine_(std::move(engine)), cache_(examples, cache_bytes), example_(counting(examples)) {}

const float* ExampleMatrix::row(std::size_t i, std::size_t length) {
  const RowCache::Row row = cache_.get(i, length);
  compute(*engine_, example_[i], example_.data(), length, row);
  return row.values;
}

double ExampleMatrix::diagonal(std::size_t i) const { return engine_->diagonal(example_[i]); }

void ExampleMatrix::swap(std::size_t i, std::size_t j) {
  cache_.swap(i, j);
  std::swap(example_[i], example_[j]);
}

MirroredMatrix::MirroredMatrix(std::unique_ptr<RowEngine> engine, std::size_t examples,
                               std::size_t cache_bytes)
    : engine_(std::move(engine)),
      cache_(examples, cache_bytes),
      all_examples_(counting(examples)),
      example_(all_examples_) {
  example_.insert(example_.end(), all_examples_.begin(), all_examples_.end());
  for (std::vector<float>& buffer : buffer_) buffer.resize(example_.size());
}

const float* MirroredMatrix::row(std::size_t i, std::size_t length) {
  const std::size_t examples = all_examples_.size();
  const RowCache::Row row = cache_.get(example_[i], examples);
  compute(*engine_, example_[i], all_examples_.data(), examples, row);
  float* spread = buffer_[turn_].data();
  turn_ = 1 - turn_;
  for (std::size_t t = 0; t < length; ++t) spread[t] = row.values[example_[t]];
  return spread;
}

double MirroredMatrix::diagonal(std::size_t i) const { return engine_->diagonal(example_[i]); }

void MirroredMatrix::swap(std::size_t i, std::size_t j) { std::swap(example_[i], example_[j]); }

}  // namespace svm
