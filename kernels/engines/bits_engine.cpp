#include <algorithm>
#include <memory>
#include <vector>

#include "base/simd/bit_blocks.h"
#include "base/simd/loops.h"
#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/bit_examples.h"
#include "kernels/engines/engines.h"

namespace svm {
namespace {

// The bits of the features that occur.
struct BitNumbers {
  explicit BitNumbers(const Examples& examples) {
    std::vector<std::size_t> frequency(examples.dimension(), 0);
    for (std::size_t p = 0; p < examples.nonzeros(); ++p) ++frequency[examples.features()[p]];
    of_feature = bits_by_frequency(frequency);
    for (const std::size_t rows : frequency) {
      const double share = static_cast<double>(rows) / static_cast<double>(examples.size());
      if (rows > 0) ++count;
      common += share * share;
      differing += 2 * share * (1 - share);
    }
  }

  std::vector<std::uint32_t> of_feature;
  std::size_t count = 0;
  double common = 0, differing = 0;  // expected for two rows, if features are independent
};

// The number of features that each example has.
std::vector<std::uint32_t> counts_of(const Examples& examples) {
  std::vector<std::uint32_t> counts(examples.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] = static_cast<std::uint32_t>(examples.end(i) - examples.begin(i));
  }
  return counts;
}

// The values of a kernel.  Sums of ones are exact, and so is the squared distance of two rows: the
// number of bits in which they differ.  The value of a kernel of distances depends on that number
// alone, that of any other kernel on the number of common bits, the dot product.
class BitTable {
 public:
  BitTable(const KernelFunction& kernel, const BitNumbers& numbers,
           const std::vector<std::uint32_t>& counts) {
    if (!counts.empty()) largest_ = *std::max_element(counts.begin(), counts.end());
    const bool are_equal =
        std::all_of(counts.begin(), counts.end(), [&](auto count) { return count == largest_; });
    by_difference_ = kernel.of_distances() && !are_equal;
    const std::size_t most = by_difference_ ? 2 * largest_ : largest_;
    size_ = std::min(most, numbers.count) + 1;
    doubles_.assign(size_ + kLikelyBits, 0.0);
    floats_.assign(size_ + kLikelyBits, 0.0F);
    for (std::size_t n = 0; n < size_; ++n) {
      // Rows of equally many bits differ in twice the bits that they do not have in common.
      const std::size_t inner = kernel.of_distances() && are_equal ? 2 * (largest_ - n) : n;
      doubles_[n] = kernel.of_inner(static_cast<double>(inner));
      floats_[n] = static_cast<float>(doubles_[n]);
    }
    const double middle = kLikelyBits / 2.0;
    const double expected = by_difference_ ? numbers.differing : numbers.common;
    likely_ = std::min(static_cast<std::size_t>(std::max(expected - middle, 0.0)), kMostLikely);
  }

  std::size_t size() const { return size_; }
  std::size_t largest() const { return largest_; }
  bool by_difference() const { return by_difference_; }
  BitValues<float> floats() const { return {floats_.data(), size_, likely_}; }
  BitValues<double> doubles() const { return {doubles_.data(), size_, likely_}; }

 private:
  std::size_t size_ = 0;
  std::size_t largest_ = 0;  // number of bits of an example
  bool by_difference_ = false;
  std::size_t likely_ = 0;
  AlignedVector<double> doubles_;
  AlignedVector<float> floats_;  // rounded
};

// The cost of a value, in nanoseconds.
double cost_of(const Examples& examples, std::size_t bits) {
  constexpr double kLookUp = 0.13, kDigit = 0.005;
  return kLookUp + kDigit * std::min(examples.nonzeros_per_row(), static_cast<double>(bits) / 4);
}

class BitsEngine final : public RowEngine {
 public:
  BitsEngine(const KernelFunction& kernel, const Examples& examples, const BitNumbers& numbers,
             const RowPasses& passes)
      : kernel_(kernel),
        loops_(loops(instruction_set())),
        cost_(cost_of(examples, numbers.count)),
        work_(Work::kFunction + Work::kBit * examples.nonzeros_per_row()),
        counts_(counts_of(examples)),
        table_(kernel, numbers, counts_),
        bits_(passes.collect(examples.size(), BitExamples(loops_, numbers.count, table_.size() - 1),
                             [&](std::size_t begin, std::size_t end, BitExamples& found) {
                               std::vector<std::uint32_t> row;
                               for (std::size_t i = begin; i < end; ++i) {
                                 row.clear();
                                 for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
                                   row.push_back(numbers.of_feature[examples.features()[p]]);
                                 }
                                 found.add(row.data(), row.size());
                               }
                             })) {}

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override {
    if (old == nullptr) old = std::make_unique<Columns>();
    bits_.pack(examples, count, static_cast<Columns&>(*old).bytes);
    return old;
  }

  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const override {
    const auto row = static_cast<std::uint32_t>(example);
    loops_.bit_values(blocks(columns), from, to, bits_.rows(&row, 1), table_.floats(), &out);
  }

  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override {
    constexpr double kOne = 1;
    const auto row = static_cast<std::uint32_t>(example);
    std::fill_n(out, to - from, -0.0);  // so that the sum has the sign of a zero
    loops_.bit_sums_double(blocks(columns), from, to, bits_.rows(&row, 1), table_.doubles(), &kOne,
                           out);
  }

  void compute_rows(const std::uint32_t* examples, std::size_t count, const PackedColumns& columns,
                    std::size_t to, float* const* out) const override {
    loops_.bit_values(blocks(columns), 0, to, bits_.rows(examples, count), table_.floats(), out);
  }

  void add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                const PackedColumns& columns, std::size_t from, std::size_t to,
                double* sums) const override {
    loops_.bit_sums_float(blocks(columns), from, to, bits_.rows(examples, count), table_.floats(),
                          factors, sums);
  }

  void add_precise_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                        const std::uint32_t* columns, std::size_t width,
                        double* sums) const override {
    Columns packed;
    bits_.pack(columns, width, packed.bytes);
    loops_.bit_sums_double(blocks(packed), 0, width, bits_.rows(examples, count), table_.doubles(),
                           factors, sums);
  }

  double diagonal(std::size_t example) const override {
    const double norm = counts_[example];
    return kernel_.of_dot(norm, norm, norm);
  }

  bool is_exact(std::size_t /*example*/) const override { return kernel_.type == LINEAR; }

  double largest_value() const override {
    return kernel_.largest_value(static_cast<double>(table_.largest()));
  }

  double largest_error() const override { return kExactError; }
  double value_cost() const override { return cost_; }
  double value_work() const override { return work_; }

 private:
  struct Columns final : PackedColumns {
    AlignedVector<std::uint8_t> bytes;
  };

  BitBlocks blocks(const PackedColumns& columns) const {
    return bits_.blocks(static_cast<const Columns&>(columns).bytes, table_.by_difference());
  }

  KernelFunction kernel_;
  const Loops& loops_;
  double cost_, work_;
  std::vector<std::uint32_t> counts_;
  BitTable table_;
  BitExamples bits_;
};

}  // namespace

bool fit_bits(const Examples& examples) {
  return examples.has_ones_only() &&
         (examples.dimension() <= kMaxBits || examples.used_features() <= kMaxBits);
}

std::unique_ptr<RowEngine> make_bits_engine(const KernelFunction& kernel, const Examples& examples,
                                            const RowPasses& passes) {
  return std::make_unique<BitsEngine>(kernel, examples, BitNumbers(examples), passes);
}

}  // namespace svm
