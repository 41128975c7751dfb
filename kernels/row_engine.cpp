#include "kernels/row_engine.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/examples.h"

namespace svm {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Spreads the row's example over a dense scratch vector and walks the other examples' non-zeros.
// A feature that one of the two lacks adds a product with zero, which leaves the sum as it is.
class SparseEngine final : public RowEngine {
 public:
  SparseEngine(const KernelFunction& kernel, Examples examples)
      : kernel_(kernel), examples_(std::move(examples)), dense_(examples_.dimension(), 0.0) {}

  void compute(std::size_t example, const std::uint32_t* columns, std::size_t count,
               float* out) override {
    spread(example);
    const double norm = examples_.squared_norm(example);
    const std::uint32_t* features = examples_.features();
    const double* values = examples_.values();
    const double* dense = dense_.data();
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t column = columns[k];
      double sum = 0;
      for (std::size_t p = examples_.begin(column), end = examples_.end(column); p < end; ++p) {
        sum += dense[features[p]] * values[p];
      }
      out[k] = static_cast<float>(kernel_.of_dot(sum, norm, examples_.squared_norm(column)));
    }
  }

  double diagonal(std::size_t example) const override {
    const double norm = examples_.squared_norm(example);
    return kernel_.of_dot(norm, norm, norm);
  }

 private:
  void spread(std::size_t example) {
    if (example == spread_) return;
    const std::uint32_t* features = examples_.features();
    if (spread_ != kNone) {
      for (std::size_t p = examples_.begin(spread_); p < examples_.end(spread_); ++p) {
        dense_[features[p]] = 0;
      }
    }
    for (std::size_t p = examples_.begin(example); p < examples_.end(example); ++p) {
      dense_[features[p]] = examples_.values()[p];
    }
    spread_ = example;
  }

  KernelFunction kernel_;
  Examples examples_;
  std::vector<double> dense_;
  std::size_t spread_ = kNone;  // the example that dense_ holds
};

// K(i, j) stands in row i at the serial number of row j.
class PrecomputedEngine final : public RowEngine {
 public:
  PrecomputedEngine(const svm_node* const* rows, std::size_t count) : rows_(rows, rows + count) {
    std::size_t largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double serial = rows[i][0].index == 0 ? rows[i][0].value : 0;
      if (!(serial >= 1 && serial <= 2147483647.0)) {
        throw PrecomputedRowError("precomputed kernel: row " + std::to_string(i + 1) +
                                  " does not begin with 0:serial_number");
      }
      serials_.push_back(static_cast<std::size_t>(serial));
      largest = std::max(largest, serials_.back());
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t length = 0;
      while (rows[i][length].index != -1) ++length;
      if (length <= largest) {
        throw PrecomputedRowError("precomputed kernel: row " + std::to_string(i + 1) + " has " +
                                  std::to_string(length - 1) +
                                  " values, but the serial numbers go up to " +
                                  std::to_string(largest));
      }
    }
  }

  void compute(std::size_t example, const std::uint32_t* columns, std::size_t count,
               float* out) override {
    const svm_node* row = rows_[example];
    for (std::size_t k = 0; k < count; ++k) {
      out[k] = static_cast<float>(row[serials_[columns[k]]].value);
    }
  }

  double diagonal(std::size_t example) const override {
    return rows_[example][serials_[example]].value;
  }

 private:
  std::vector<const svm_node*> rows_;
  std::vector<std::size_t> serials_;
};

}  // namespace

std::unique_ptr<RowEngine> make_row_engine(const KernelFunction& kernel,
                                           const svm_node* const* rows, std::size_t count) {
  if (kernel.type == PRECOMPUTED) return std::make_unique<PrecomputedEngine>(rows, count);
  return std::make_unique<SparseEngine>(kernel, Examples(rows, count));
}

}  // namespace svm
