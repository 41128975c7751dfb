#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/platform/text.h"
#include "kernels/engines/engines.h"
#include "kernels/precomputed_row.h"

namespace svm {
namespace {

// Holds only the order of the examples.
struct ColumnList final : PackedColumns {
  std::vector<std::uint32_t> examples;
};

// Computes one value after the other.
template <class Derived>
class ListingEngine : public RowEngine {
 public:
  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override {
    if (old == nullptr) old = std::make_unique<ColumnList>();
    static_cast<ColumnList&>(*old).examples.assign(examples, examples + count);
    return old;
  }

  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const final {
    const std::vector<std::uint32_t>& list = static_cast<const ColumnList&>(columns).examples;
    for (std::size_t k = from; k < to; ++k) {
      out[k - from] = static_cast<float>(self().value(example, list[k]));
    }
  }

  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const final {
    const std::vector<std::uint32_t>& list = static_cast<const ColumnList&>(columns).examples;
    for (std::size_t k = from; k < to; ++k) out[k - from] = self().precise_value(example, list[k]);
  }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

class PlainEngine final : public ListingEngine<PlainEngine> {
 public:
  PlainEngine(const KernelFunction& kernel, Examples examples)
      : kernel_(kernel),
        examples_(std::move(examples)),
        by_rows_(kernel.is_rounded(examples_.largest_squared_norm())) {}

  double value(std::size_t i, std::size_t j) const {
    return kernel_.of_dot(dot(i, j), examples_.squared_norm(i), examples_.squared_norm(j));
  }

  double precise_value(std::size_t i, std::size_t j) const {
    return by_rows_ ? kernel_.of_rows(examples_.row(i), examples_.row(j)) : value(i, j);
  }

  double diagonal(std::size_t example) const override {
    const double norm = examples_.squared_norm(example);
    return kernel_.of_dot(norm, norm, norm);
  }

  bool is_exact(std::size_t example) const override {
    return kernel_.type == LINEAR && examples_.has_exact_products(example);
  }

  double largest_value() const override {
    return kernel_.largest_value(examples_.largest_squared_norm());
  }

  double value_cost() const override { return 15 + 4 * examples_.nonzeros_per_row(); }
  double value_work() const override { return Work::kOneByOne; }

 private:
  // Sum of products over equal features, by rising feature.
  double dot(std::size_t i, std::size_t j) const {
    const std::uint32_t* features = examples_.features();
    const double* values = examples_.values();
    const std::size_t end_i = examples_.end(i), end_j = examples_.end(j);
    double sum = 0;
    for (std::size_t p = examples_.begin(i), q = examples_.begin(j); p < end_i && q < end_j;) {
      if (features[p] == features[q]) {
        sum += values[p++] * values[q++];
      } else if (features[p] < features[q]) {
        ++p;
      } else {
        ++q;
      }
    }
    return sum;
  }

  KernelFunction kernel_;
  Examples examples_;
  bool by_rows_;  // values in doubles are computed from rows, see KernelFunction::is_rounded
};

class PrecomputedEngine final : public ListingEngine<PrecomputedEngine> {
 public:
  PrecomputedEngine(DataRows rows, std::size_t count) : rows_(rows.copy(count)) {
    int largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<int> serial = serial_number(rows[i]);
      if (first_index(rows[i]) == -1 || !serial || *serial == 0) {
        throw PrecomputedRowError(
            joined({"precomputed kernel: row ", std::to_string(i + 1), " begins with ",
                    first_pair(rows[i]), ", not with its serial number, a whole number from 1"}));
      }
      serials_.push_back(static_cast<std::uint32_t>(*serial));
      largest = std::max(largest, *serial);
    }
    for (std::size_t i = 0; i < count; ++i) {
      PrecomputedRow row(rows[i]);
      if (row.reaches(largest)) continue;
      throw PrecomputedRowError(
          joined({"precomputed kernel: row ", std::to_string(i + 1), " has ",
                  std::to_string(row.seen() - 1), " values, but the serial numbers go up to ",
                  std::to_string(largest)}));
    }
  }

  double value(std::size_t i, std::size_t j) const { return value_at(rows_[i], serials_[j]); }
  double precise_value(std::size_t i, std::size_t j) const { return value(i, j); }

  bool is_symmetric() const override { return false; }  // the file may hold anything

  double largest_value() const override {
    double largest = 0;
    for (const DataRow& row : rows_) {
      for (const std::size_t serial : serials_) {
        largest = std::max(largest, std::fabs(value_at(row, serial)));
      }
    }
    return largest;
  }

  double largest_error() const override { return kExactError; }
  double diagonal(std::size_t example) const override { return value(example, example); }

  double value_cost() const override { return 5; }
  double value_work() const override { return Work::kOneByOne; }

 private:
  std::vector<DataRow> rows_;
  std::vector<std::size_t> serials_;
};

// Asks a function of the caller for the values of a row.
class FunctionEngine final : public RowEngine {
 public:
  FunctionEngine(DataRows rows, std::size_t count) : rows_(rows.copy(count)) {
    for (const DataRow& row : rows_) diagonal_.push_back(row.value_in(row.number()));
  }

  std::unique_ptr<PackedColumns> pack(const std::uint32_t* examples, std::size_t count,
                                      std::unique_ptr<PackedColumns> old) const override {
    if (old == nullptr) old = std::make_unique<Numbers>();
    std::vector<int>& numbers = static_cast<Numbers&>(*old).rows;
    numbers.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      numbers[k] = static_cast<int>(rows_[examples[k]].number());
    }
    return old;
  }

  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               float* out) const override {
    std::vector<double> values(to - from);
    compute(example, columns, from, to, values.data());
    std::transform(values.begin(), values.end(), out,
                   [](double value) { return static_cast<float>(value); });
  }

  void compute(std::size_t example, const PackedColumns& columns, std::size_t from, std::size_t to,
               double* out) const override {
    const std::vector<int>& numbers = static_cast<const Numbers&>(columns).rows;
    if (from < to) rows_[example].kernel_values(numbers.data() + from, to - from, out);
  }

  double diagonal(std::size_t example) const override { return diagonal_[example]; }

  double largest_error() const override { return kExactError; }
  double value_cost() const override { return 1000; }
  double value_work() const override { return Work::kOneByOne; }

 private:
  // The numbers of the rows that are columns.
  struct Numbers final : PackedColumns {
    std::vector<int> rows;
  };

  std::vector<DataRow> rows_;
  std::vector<double> diagonal_;
};

}  // namespace

std::unique_ptr<RowEngine> make_plain_engine(const KernelFunction& kernel, Examples examples) {
  return std::make_unique<PlainEngine>(kernel, std::move(examples));
}

std::unique_ptr<RowEngine> make_precomputed_engine(DataRows rows, std::size_t count) {
  if (rows.have_kernel()) return std::make_unique<FunctionEngine>(rows, count);
  return std::make_unique<PrecomputedEngine>(rows, count);
}

}  // namespace svm
