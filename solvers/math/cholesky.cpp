#include "solvers/math/cholesky.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kPanel = kPanelColumns;
// Rows below a panel that one thread updates together.
constexpr std::size_t kPanelRows = 32;
// Rows that a solve handles together.
constexpr std::size_t kSolveRows = 16;
constexpr std::size_t kFactorWorthThreads = 512;  // least size for several threads

void dots(const Loops& loops, const double* x, const float* const* rows, std::size_t count,
          std::size_t width, double* out) {
  loops.dot_rows_float(x, rows, count, width, out);
}

void dots(const Loops& loops, const double* x, const double* const* rows, std::size_t count,
          std::size_t width, double* out) {
  loops.dot_rows_double(x, rows, count, width, out);
}

void subtract(const Loops& loops, double* x, const float* const* rows, const double* factors,
              std::size_t count, std::size_t width) {
  loops.subtract_rows_float(x, rows, factors, count, width);
}

void subtract(const Loops& loops, double* x, const double* const* rows, const double* factors,
              std::size_t count, std::size_t width) {
  loops.subtract_rows_double(x, rows, factors, count, width);
}

// Elements below this part of the largest one become 0.  They are far below the rounding of the
// factor, and their products would be subnormal numbers, which take a hundred times as long.
constexpr float kLeastElement = 1e-17F;

// Copies values, but those that are smaller than `least` as 0.
float* copy_unless_below(float least, const float* values, std::size_t count, float* to) {
  return std::transform(values, values + count, to,
                        [least](float value) { return std::fabs(value) < least ? 0 : value; });
}

// `width` columns of a factor from `begin` on, while they are computed.
struct Panel {
  std::size_t begin = 0, width = 0;
  std::vector<float> columns;               // (k, row): its rows in the columns k < begin
  std::vector<float> triangle;              // (column, row): its elements below the diagonal
  std::array<float, kPanel> inverses = {};  // of its diagonal elements
  float least = 0;                          // elements smaller than this become 0
};

// Copies the elements of rows [first, first + count) in the columns of a panel.
void load_block(float* block, const Panel& panel, std::size_t first, const float* const* rows,
                std::size_t count) {
  for (std::size_t r = 0; r < count; ++r) {
    const std::size_t width = std::min(panel.width, first + r + 1 - panel.begin);
    float* end = std::copy_n(rows[r] + panel.begin, width, block + r * kPanel);
    std::fill(end, block + (r + 1) * kPanel, 0.0F);
  }
}

}  // namespace

template <typename Element>
bool CholeskyFactor<Element>::factor(std::vector<Element> rows, std::size_t size, ThreadPool* pool,
                                     const GoOn& go_on) {
  elements_ = {};
  size_ = 0;
  const bool done = compute(std::move(rows), size, pool, go_on);
  if (!done) elements_ = {};
  if (!done) size_ = 0;
  return done;
}

// By single rows, fast enough for small matrices.
template <>
bool CholeskyFactor<double>::compute(std::vector<double> rows, std::size_t size,
                                     ThreadPool* /*pool*/, const GoOn& go_on) {
  const double* next = rows.data();
  while (size_ < size) {
    const double* begin = std::exchange(next, next + size_ + 1);
    if ((go_on && !go_on()) || !append(std::vector<double>(begin, next))) return false;
  }
  return true;
}

// For each panel, subtracts the products of the columns before it, factors its triangle on the
// diagonal, and solves the rows below with it.
template <>
bool CholeskyFactor<float>::compute(std::vector<float> all, std::size_t size, ThreadPool* pool,
                                    const GoOn& go_on) {
  const Loops& simd = *loops_;
  const SharedGoOn goes_on(go_on);
  elements_ = std::move(all);
  size_ = size;
  std::vector<const float*> rows(size_);
  float largest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    rows[i] = row(i);
    largest = std::max(largest, rows[i][i]);
  }
  for (std::size_t i = 0; i < size_; ++i) {
    copy_unless_below(kLeastElement * largest, rows[i], i, row(i));
  }
  Panel panel;
  panel.least = kLeastElement * std::sqrt(largest);
  std::vector<float> block(kPanel * kPanel);
  for (std::size_t begin = 0, end; begin < size_; begin = end) {
    end = std::min(begin + kPanel, size_);
    panel.begin = begin;
    panel.width = end - begin;
    panel.columns.assign(begin * kPanel, 0.0F);
    for (std::size_t k = 0; k < begin; ++k) {
      float* column = panel.columns.data() + k * kPanel;
      for (std::size_t c = 0; c < panel.width; ++c) column[c] = rows[begin + c][k];
    }
    load_block(block.data(), panel, begin, rows.data() + begin, panel.width);
    simd.subtract_products(block.data(), rows.data() + begin, panel.width, panel.columns.data(),
                           begin);
    panel.triangle.assign(kPanel * kPanel, 0.0F);
    for (std::size_t c = 0; c < panel.width; ++c) {
      float* values = block.data() + c * kPanel;
      simd.solve_panel(values, 1, panel.triangle.data(), panel.inverses.data(), c);
      float square = 0;
      for (std::size_t k = 0; k < c; ++k) square += values[k] * values[k];
      const float pivot = values[c] - square;
      if (!(pivot > 0)) return false;
      values[c] = std::sqrt(pivot);
      copy_unless_below(panel.least, values, c + 1, row(begin + c) + begin);
      panel.inverses[c] = 1 / values[c];
      for (std::size_t k = 0; k < c; ++k) {
        panel.triangle[k * kPanel + c] = rows[begin + c][begin + k];
      }
    }
    const auto finish = [&](std::size_t first, std::size_t last) {
      if (!goes_on()) return;
      float part[kPanelRows * kPanel];
      const float* const* these = rows.data() + end + first;
      load_block(part, panel, end + first, these, last - first);
      simd.subtract_products(part, these, last - first, panel.columns.data(), begin);
      simd.solve_panel(part, last - first, panel.triangle.data(), panel.inverses.data(),
                       panel.width);
      for (std::size_t r = 0; r < last - first; ++r) {
        copy_unless_below(panel.least, part + r * kPanel, panel.width,
                          row(end + first + r) + begin);
      }
    };
    for_chunks(size_ >= kFactorWorthThreads ? pool : nullptr, size_ - end, kPanelRows, finish);
    if (goes_on.is_stopped()) return false;
  }
  return true;
}

template <typename Element>
bool CholeskyFactor<Element>::append(std::vector<double> new_row) {
  const double diagonal = new_row.back();
  new_row.pop_back();
  forward(new_row, 0);
  const double* solved = new_row.data();
  double square;
  loops_->dot_rows_double(solved, &solved, 1, size_, &square);
  const double pivot = diagonal - square;
  if (!(pivot > least_pivot_ * diagonal)) return false;
  for (const double element : new_row) elements_.push_back(static_cast<Element>(element));
  elements_.push_back(static_cast<Element>(std::sqrt(pivot)));
  ++size_;
  return true;
}

// Handles kSolveRows rows at a time: one dot product per row for the elements before them, then a
// triangle.
template <typename Element>
void CholeskyFactor<Element>::forward(std::vector<double>& x, std::size_t first) const {
  const std::size_t zeros = first / kSolveRows * kSolveRows;
  for (std::size_t begin = zeros; begin < size_; begin += kSolveRows) {
    const std::size_t count = std::min(kSolveRows, size_ - begin);
    const Element* rows[kSolveRows];
    for (std::size_t r = 0; r < count; ++r) rows[r] = row(begin + r) + zeros;
    double sums[kSolveRows];
    dots(*loops_, x.data() + zeros, rows, count, begin - zeros, sums);
    for (std::size_t r = 0; r < count; ++r) {
      const Element* triangle = rows[r] + (begin - zeros);
      double value = x[begin + r] - sums[r];
      for (std::size_t c = 0; c < r; ++c) {
        value -= x[begin + c] * static_cast<double>(triangle[c]);
      }
      x[begin + r] = value / static_cast<double>(triangle[r]);
    }
  }
}

template <typename Element>
void CholeskyFactor<Element>::backward(std::vector<double>& x) const {
  for (std::size_t end = size_; end > 0;) {
    const std::size_t begin = (end - 1) / kSolveRows * kSolveRows;
    const Element* rows[kSolveRows];
    double factors[kSolveRows];
    std::size_t count = 0;
    for (std::size_t i = end; i-- > begin; ++count) {
      const Element* row_i = row(i);
      rows[count] = row_i;
      factors[count] = x[i] /= static_cast<double>(row_i[i]);
      for (std::size_t k = begin; k < i; ++k) x[k] -= x[i] * static_cast<double>(row_i[k]);
    }
    subtract(*loops_, x.data(), rows, factors, count, begin);
    end = begin;
  }
}

template <typename Element>
void CholeskyFactor<Element>::solve(std::vector<double>& x, std::size_t first) const {
  forward(x, first);
  backward(x);
}

template class CholeskyFactor<float>;
template class CholeskyFactor<double>;

}  // namespace svm
