#include "solvers/cholesky.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace svm {
namespace {

// Columns factored before the rest of the matrix is brought up to date.
constexpr std::size_t kPanel = 64;

// Sum of products with several accumulators, which the compiler turns into vector lanes.
template <typename Sum, typename A, typename B>
Sum dot(const A* a, const B* b, std::size_t count) {
  constexpr std::size_t kLanes = 16;
  Sum lanes[kLanes] = {};
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] += static_cast<Sum>(a[k + lane]) * static_cast<Sum>(b[k + lane]);
    }
  }
  Sum sum = 0;
  for (; k < count; ++k) sum += static_cast<Sum>(a[k]) * static_cast<Sum>(b[k]);
  for (const Sum lane : lanes) sum += lane;
  return sum;
}

}  // namespace

template <typename Element>
void CholeskyFactor<Element>::clear() {
  elements_.clear();
  size_ = 0;
}

template <typename Element>
bool CholeskyFactor<Element>::factor(std::vector<Element> lower, std::size_t size) {
  elements_ = std::move(lower);
  size_ = size;
  for (std::size_t begin = 0; begin < size; begin += kPanel) {
    const std::size_t end = std::min(begin + kPanel, size);
    for (std::size_t j = begin; j < end; ++j) {
      Element* row_j = row(j);
      const Element pivot = row_j[j] - dot<Element>(row_j + begin, row_j + begin, j - begin);
      if (!(pivot > 0)) {
        clear();
        return false;
      }
      row_j[j] = std::sqrt(pivot);
      const Element inverse = 1 / row_j[j];
      for (std::size_t i = j + 1; i < size; ++i) {
        Element* row_i = row(i);
        row_i[j] = (row_i[j] - dot<Element>(row_i + begin, row_j + begin, j - begin)) * inverse;
      }
    }
    for (std::size_t i = end; i < size; ++i) {
      Element* row_i = row(i);
      for (std::size_t j = end; j <= i; ++j) {
        row_i[j] -= dot<Element>(row_i + begin, row(j) + begin, end - begin);
      }
    }
  }
  return true;
}

template <typename Element>
bool CholeskyFactor<Element>::append(std::vector<double> new_row) {
  constexpr double kLeastPivot = 1e-9;  // as a part of the diagonal
  const double diagonal = new_row.back();
  new_row.pop_back();
  forward(new_row, 0);
  const double pivot = diagonal - dot<double>(new_row.data(), new_row.data(), size_);
  if (!(pivot > kLeastPivot * diagonal)) return false;
  for (const double element : new_row) elements_.push_back(static_cast<Element>(element));
  elements_.push_back(static_cast<Element>(std::sqrt(pivot)));
  ++size_;
  return true;
}

template <typename Element>
void CholeskyFactor<Element>::forward(std::vector<double>& x, std::size_t first) const {
  for (std::size_t i = first; i < size_; ++i) {
    const Element* row_i = row(i);
    x[i] = (x[i] - dot<double>(row_i + first, x.data() + first, i - first)) /
           static_cast<double>(row_i[i]);
  }
}

template <typename Element>
void CholeskyFactor<Element>::solve(std::vector<double>& x, std::size_t first) const {
  forward(x, first);
  double* out = x.data();
  for (std::size_t i = size_; i-- > 0;) {
    const Element* row_i = row(i);
    out[i] /= static_cast<double>(row_i[i]);
    const double factor = out[i];
    for (std::size_t k = 0; k < i; ++k) out[k] -= factor * static_cast<double>(row_i[k]);
  }
}

template class CholeskyFactor<float>;
template class CholeskyFactor<double>;

}  // namespace svm
