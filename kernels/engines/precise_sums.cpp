#include "kernels/engines/precise_sums.h"

#include <algorithm>

#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/dense_columns.h"
#include "kernels/kernel_tail.h"

namespace svm {
namespace {

// A squared distance from norms and products has an error of some 2^-53 of the norms, and a kernel
// value has gamma times that.  Above this bound, squared differences are summed instead.
constexpr double kMostExponent = 8;

// Bytes of the columns that rows pass over, and of the rows that pass together.  These, with the
// values of one block of columns, should stay in the second-level cache.
constexpr std::size_t kColumnBytes = std::size_t{4} << 20;
constexpr std::size_t kRowBytes = std::size_t{1} << 20;
constexpr std::size_t kMostRows = 128;

PreciseInner inner_of(const KernelFunction& kernel, double largest_norm, bool is_exact) {
  if (!kernel.of_distances()) return PreciseInner::kProducts;
  return is_exact || kernel.gamma * largest_norm <= kMostExponent ? PreciseInner::kDistances
                                                                  : PreciseInner::kDifferences;
}

std::size_t round_up(std::size_t count, std::size_t unit) {
  return (count + unit - 1) / unit * unit;
}

// Bytes of an unpacked row or column.
std::size_t bytes_of_one(const PlacedExamples& examples) {
  return (examples.size() + 1) * sizeof(double);
}

}  // namespace

PlacedExamples::PlacedExamples(const Examples& examples)
    : examples_(examples), places_(examples.dimension(), 0) {
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) places_[examples.features()[p]] = 1;
  for (std::uint32_t& place : places_) {
    if (place != 0) place = static_cast<std::uint32_t>(count_++);
  }
}

PreciseSums::PreciseSums(const KernelFunction& kernel, const Examples& examples, bool is_exact)
    : examples_(examples),
      kernel_(precise_tail(kernel, inner_of(kernel, examples.largest_squared_norm(), is_exact),
                           examples.largest_squared_norm())),
      loops_(svm::loops(instruction_set())) {}

void PreciseSums::add(const std::uint32_t* examples, const double* factors, std::size_t count,
                      const std::uint32_t* columns, std::size_t width, double* sums) const {
  const std::size_t most = round_up(kColumnBytes / bytes_of_one(examples_), kPackColumns);
  for (std::size_t begin = 0; begin < width; begin += most) {
    add_group(examples, factors, count, columns + begin, std::min(most, width - begin),
              sums + begin);
  }
}

void PreciseSums::add_group(const std::uint32_t* examples, const double* factors, std::size_t count,
                            const std::uint32_t* columns, std::size_t width, double* sums) const {
  const DenseColumns<double, kPackColumns> blocks(examples_, columns, width, as_it_is);
  const std::size_t padded = round_up(width, kPackColumns);
  AlignedVector<double> norms(padded, 0.0), totals(padded, 0.0);
  for (std::size_t k = 0; k < width; ++k) norms[k] = examples_.half_norm(columns[k]);
  std::copy(sums, sums + width, totals.begin());
  const std::size_t most = std::min(kMostRows, kRowBytes / bytes_of_one(examples_) + 1);
  std::vector<DenseRows<double>> groups((std::min(most, count) + kPackRows - 1) / kPackRows);
  std::vector<double> row_norms(groups.size() * kPackRows, 0.0);
  const RowFeatures wanted =
      kernel_.inner == PreciseInner::kDifferences ? RowFeatures::kAllPresent : RowFeatures::kCommon;
  for (std::size_t first = 0; first < count; first += row_norms.size()) {
    const std::size_t rows = std::min(row_norms.size(), count - first);
    for (std::size_t r = 0; r < rows; ++r) {
      row_norms[r] = examples_.half_norm(examples[first + r]);
      if (r % kPackRows != 0) continue;
      groups[r / kPackRows].pack(examples_, examples + first + r, std::min(kPackRows, rows - r),
                                 kPackRows, wanted, kAnyLength, as_it_is);
    }
    for (std::size_t k = 0; k < padded; k += kPackColumns) {
      for (std::size_t r = 0; r < rows; r += kPackRows) {
        loops_.add_precise_sums(kernel_, blocks.block(k / kPackColumns), &norms[k],
                                groups[r / kPackRows].view(), &row_norms[r], factors + first + r,
                                std::min(kPackRows, rows - r), &totals[k]);
      }
    }
  }
  std::copy(totals.begin(), totals.begin() + static_cast<std::ptrdiff_t>(width), sums);
}

}  // namespace svm
