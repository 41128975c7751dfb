#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/engines.h"
#include "kernels/engines/precise_sums.h"
#include "kernels/kernel_tail.h"
#include "platform/bits.h"
#include "simd/loops.h"

namespace svm {
namespace {

// Numbers the features that occur, the most frequent first, so that most rows have bits in the
// first words only.
std::vector<std::uint32_t> bit_numbers(const Examples& examples, std::size_t& bits) {
  std::vector<std::size_t> frequency(examples.dimension(), 0);
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) ++frequency[examples.features()[p]];
  std::vector<std::uint32_t> order;
  for (std::size_t f = 0; f < frequency.size(); ++f) {
    if (frequency[f] > 0) order.push_back(static_cast<std::uint32_t>(f));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return frequency[a] > frequency[b]; });
  bits = order.size();
  std::vector<std::uint32_t> number(examples.dimension(), 0);
  for (std::size_t n = 0; n < order.size(); ++n) number[order[n]] = static_cast<std::uint32_t>(n);
  return number;
}

// Unpacks rows to marks; there are no other values.
class WordUnpacker final : public Unpacker {
 public:
  // The rows have `words` words each.  Both are borrowed and may be set later.
  WordUnpacker(const std::vector<std::uint64_t>& rows, const std::size_t& words)
      : rows_(rows), words_(words) {}

  std::size_t places() const override { return 0; }
  std::size_t words() const override { return words_; }
  double mark_value() const override { return 1; }
  double unpack(std::uint32_t example, const Target& target) const override {
    const std::uint64_t* row = rows_.data() + example * words_;
    for (std::size_t w = 0; w < words_; ++w) target.marks[w * target.stride] = row[w];
    return 0;
  }

 private:
  const std::vector<std::uint64_t>& rows_;
  const std::size_t& words_;
};

// Sums of ones are exact, and so is the squared distance of two rows: the number of bits in which
// they differ.  The value of a kernel of distances depends on that number alone, that of any other
// kernel on the number of common bits, the dot product.  So a table holds all values.
class BitsEngine final : public RowEngine {
 public:
  BitsEngine(const KernelFunction& kernel, const Examples& examples)
      : kernel_(kernel), loops_(loops(instruction_set())) {
    std::size_t bits = 0;
    const std::vector<std::uint32_t> number = bit_numbers(examples, bits);
    words_ = std::max<std::size_t>((bits + platform::kWordBits - 1) / platform::kWordBits, 1);
    rows_.assign(examples.size() * words_, 0);
    counts_.reserve(examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
        const std::size_t bit = number[examples.features()[p]];
        rows_[i * words_ + bit / platform::kWordBits] |= std::uint64_t{1}
                                                         << (bit % platform::kWordBits);
      }
      counts_.push_back(static_cast<std::uint32_t>(examples.end(i) - examples.begin(i)));
    }
    tabulate(bits);
    if (!tail_form(kernel.type)) return;
    const double largest_norm = largest_count();
    precise_sums_.emplace(kernel, std::make_unique<WordUnpacker>(rows_, words_), largest_norm,
                          true);
  }

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override {
    if (old == nullptr) old = std::make_unique<Columns>();
    auto& columns = static_cast<Columns&>(*old);
    columns.stride = (count / kBlockColumns + 2) * kBlockColumns;
    columns.words.assign(columns.stride * words_, 0);
    columns.counts.assign(columns.stride, 0);
    for (std::size_t k = 0; k < count; ++k) {
      columns.counts[k] = counts_[examples[k]];
      for (std::size_t w = 0; w < words_; ++w) {
        columns.words[w * columns.stride + k] = rows_[examples[k] * words_ + w];
      }
    }
    return old;
  }

  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const override {
    look_up(example, columns, from, to, rounded_, out);
  }

  // The loops look up floats, which hold counts exactly.
  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override {
    constexpr std::size_t kTile = 1024;
    float counts[kTile];
    for (std::size_t begin = from; begin < to; begin += kTile) {
      const std::size_t end = std::min(to, begin + kTile);
      look_up(example, columns, begin, end, numbers_, counts);
      for (std::size_t k = begin; k < end; ++k) {
        out[k - from] = values_[static_cast<std::size_t>(counts[k - begin])];
      }
    }
  }

  void add_precise_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                        const std::uint32_t* columns, std::size_t width,
                        double* sums) const override {
    if (!precise_sums_) {
      return RowEngine::add_precise_sums(examples, factors, count, columns, width, sums);
    }
    precise_sums_->add(examples, factors, count, columns, width, sums);
  }

  double diagonal(std::size_t example) const override {
    const double norm = counts_[example];
    return kernel_.of_dot(norm, norm, norm);
  }

  bool is_exact(std::size_t /*example*/) const override { return kernel_.type == LINEAR; }

  double largest_value() const override { return kernel_.largest_value(largest_count()); }

  double value_cost() const override {
    return (entries_ <= 32 ? 0.15 : 0.5) + 0.1 * static_cast<double>(words_);
  }

 private:
  struct Columns final : PackedColumns {
    std::size_t stride = 0;
    AlignedVector<std::uint64_t> words;   // by word, then column; padded with zeros
    AlignedVector<std::uint64_t> counts;  // number of bits of each column, padded likewise
  };

  void look_up(std::size_t example, const PackedColumns& packed, std::size_t from, std::size_t to,
               const AlignedVector<float>& table, float* out) const {
    const auto& all = static_cast<const Columns&>(packed);
    const BitColumns columns = {all.words.data() + from, all.stride, words_,
                                all.counts.data() + from};
    const std::uint64_t* row = rows_.data() + example * words_;
    const auto with = kernel_.of_distances() ? loops_.look_up_differing : loops_.look_up_common;
    with(columns, to - from, row, table.data(), entries_, out);
  }

  std::uint32_t largest_count() const {
    return counts_.empty() ? 0 : *std::max_element(counts_.begin(), counts_.end());
  }

  void tabulate(std::size_t bits) {
    const std::size_t largest = largest_count();
    entries_ = std::min(bits, kernel_.of_distances() ? 2 * largest : largest) + 1;
    const std::size_t padded = std::max<std::size_t>(entries_, 32);
    rounded_.assign(padded, 0.0F);
    numbers_.assign(padded, 0.0F);
    for (std::size_t n = 0; n < entries_; ++n) {
      const auto number = static_cast<double>(n);
      values_.push_back(kernel_.of_inner(number));
      rounded_[n] = static_cast<float>(values_[n]);
      numbers_[n] = static_cast<float>(n);
    }
  }

  KernelFunction kernel_;
  const Loops& loops_;
  std::size_t words_ = 1;              // words per row
  std::vector<std::uint64_t> rows_;    // words_ per row
  std::vector<std::uint32_t> counts_;  // number of bits of each row
  std::size_t entries_ = 1;
  std::vector<double> values_;    // kernel value for each count
  AlignedVector<float> rounded_;  // values_, rounded to float
  AlignedVector<float> numbers_;  // the counts themselves
  std::optional<PreciseSums> precise_sums_;
};

}  // namespace

bool fit_bits(const Examples& examples) {
  const double* values = examples.values();
  if (std::any_of(values, values + examples.nonzeros(), [](double value) { return value != 1; })) {
    return false;
  }
  std::size_t bits = 0;
  bit_numbers(examples, bits);
  return bits <= kMaxBitWords * platform::kWordBits;
}

std::unique_ptr<RowEngine> make_bits_engine(const KernelFunction& kernel,
                                            const Examples& examples) {
  return std::make_unique<BitsEngine>(kernel, examples);
}

}  // namespace svm
