#include "solvers/rows/nystrom.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/simd/instruction_set.h"
#include "solvers/math/cholesky.h"

namespace svm {
namespace {

// The range of the ridge, relative to the mean diagonal.  A smaller one would be hidden by the
// rounding of kernel values to float; with the largest, the embedding is still close to the kernel.
constexpr double kLeastRidge = 1e-6, kMostRidge = 1e-3;
constexpr std::size_t kRowChunk = 4 * kTileRows;

std::size_t rounded_up(std::size_t count, std::size_t unit) {
  return (count + unit - 1) / unit * unit;
}

[[noreturn]] void refuse_landmarks(const char* reason) {
  throw std::runtime_error(std::string("the landmarks are degenerate: ") + reason);
}

}  // namespace

std::vector<std::uint32_t> uniform_landmarks(std::size_t size, std::size_t count, Draws& draws) {
  std::vector<std::uint32_t> rows = draws.order(size);
  rows.resize(std::min(size, count));
  std::sort(rows.begin(), rows.end());
  return rows;
}

NystromEmbedding::NystromEmbedding(const ExampleProblem& problem,
                                   std::vector<std::uint32_t> landmarks, const Run& run,
                                   const GoOn& go_on)
    : size_(problem.size),
      stride_(rounded_up(landmarks.size(), kTileColumns)),
      landmarks_(std::move(landmarks)),
      engine_(
          make_row_engine(problem.kernel, problem.rows, problem.size, Precision::kDouble, go_on)),
      columns_(engine_->pack(landmarks_.data(), landmarks_.size(), nullptr)),
      loops_(loops(instruction_set())),
      pool_(*run.services.pool) {
  factor(go_on);
}

void NystromEmbedding::factor(const GoOn& go_on) {
  const SharedGoOn goes_on(go_on);
  const std::size_t m = landmarks_.size();
  std::vector<double> lower(m * (m + 1) / 2);
  pool_.for_chunks(m, kRowChunk, [&](std::size_t begin, std::size_t end) {
    std::vector<float> values(m);
    for (std::size_t i = begin; i < end && goes_on(); ++i) {
      engine_->compute(landmarks_[i], *columns_, 0, i + 1, values.data());
      std::copy_n(values.data(), i + 1, lower.data() + i * (i + 1) / 2);
    }
  });
  if (goes_on.is_stopped()) throw Interrupted();
  double& mean = mean_diagonal_;
  for (std::size_t i = 0; i < m; ++i) {
    mean += engine_->diagonal(landmarks_[i]) / static_cast<double>(m);
  }
  if (!std::isfinite(mean)) refuse_landmarks("kernel values are not finite");
  if (!(mean > 0)) refuse_landmarks("their kernel values are 0");
  CholeskyFactor<double> factor;
  for (double part = kLeastRidge; factor.size() == 0; part *= 10) {
    if (part > kMostRidge * 1.5) refuse_landmarks("their kernel matrix is not positive definite");
    std::vector<double> matrix = lower;
    const double ridge = part * mean;
    for (std::size_t i = 0; i < m; ++i) matrix[i * (i + 1) / 2 + i] += ridge;
    factor.factor(std::move(matrix), m, nullptr, go_on);
    if (go_on && !go_on()) throw Interrupted();
  }

  // Solves for the columns j of the inverse, a tile's width together.
  const std::size_t tiles = stride_ / kTileColumns;
  tiles_.assign(kTileColumns * kTileColumns * (tiles * (tiles + 1) / 2), 0.0F);
  pool_.for_chunks(m, kTileColumns, [&](std::size_t begin, std::size_t end) {
    const std::size_t width = end - begin;
    std::vector<double> inverse((m - begin) * width, 0.0);  // row i - begin, column j - begin
    for (std::size_t i = begin; i < m && goes_on(); ++i) {
      double* const to = inverse.data() + (i - begin) * width;
      const double* const row = std::as_const(factor).row(i);
      if (i < end) to[i - begin] = 1;
      for (std::size_t k = begin; k < i; ++k) {
        const double* const from = inverse.data() + (k - begin) * width;
        for (std::size_t j = 0; j < width; ++j) to[j] -= row[k] * from[j];
      }
      float* const in_tile = tiles_.data() + (tile(i / kTileColumns) - tiles_.data());
      for (std::size_t j = 0; j < width; ++j) {
        to[j] /= row[i];
        in_tile[(begin + j) * kTileColumns + i % kTileColumns] = static_cast<float>(to[j]);
      }
    }
  });
  if (goes_on.is_stopped()) throw Interrupted();
}

void NystromEmbedding::embed(const std::uint32_t* rows, std::size_t count, float* out) const {
  std::vector<float> values(kTileRows * stride_, 0.0F);
  for (std::size_t first = 0; first < count; first += kTileRows) {
    for (std::size_t r = 0; r < std::min(kTileRows, count - first); ++r) {
      engine_->compute(rows[first + r], *columns_, 0, landmarks_.size(),
                       values.data() + r * stride_);
    }
    for (std::size_t t = 0; t < stride_ / kTileColumns; ++t) {
      loops_.tile_products(tile(t), (t + 1) * kTileColumns, values.data(), stride_,
                           out + first * stride_ + t * kTileColumns);
    }
  }
}

std::vector<double> NystromEmbedding::coefficients(const std::vector<double>& w) const {
  std::vector<double> coefficients(size_, 0.0);
  for (std::size_t j = 0; j < landmarks_.size(); ++j) {
    double sum = 0;
    for (std::size_t t = j / kTileColumns; t < stride_ / kTileColumns; ++t) {
      const float* const row = tile(t) + j * kTileColumns;
      for (std::size_t c = 0; c < kTileColumns; ++c) sum += row[c] * w[t * kTileColumns + c];
    }
    coefficients[landmarks_[j]] = sum;
  }
  return coefficients;
}

}  // namespace svm
