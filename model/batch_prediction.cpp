#include "model/batch_prediction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/simd/instruction_set.h"

namespace svm {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

}  // namespace

// Working memory for up to kRows rows.
struct BatchPredictor::Work {
  explicit Work(std::size_t value_count) : sums(value_count * kSumRows) {}

  // Chooses the packed form for the next rows and makes room for its blocks.
  void choose(const InnerSums& form) {
    packed = &form;
    inner_sums.resize(kPackRows * form.block_columns());
    values.resize(kPackRows * form.block_columns());
    kernel_values.resize(form.block_columns() * kSumRows);
  }

  const InnerSums* packed = nullptr;
  InnerSums::Group groups[kSumRows / kPackRows];
  std::size_t group_count = 0;
  std::vector<double> inner_sums;     // row of a group, then column
  std::vector<double> values;         // kernel values, in the same layout
  std::vector<double> kernel_values;  // column, then row
  std::vector<double> sums;           // decision value, then row
};

BatchPredictor::BatchPredictor(const ModelView& model, const Messages& messages,
                               std::size_t expected_rows)
    : BatchPredictor(std::vector<ModelView>{model}, messages, expected_rows) {}

BatchPredictor::BatchPredictor(std::vector<ModelView> models, const Messages& messages,
                               std::size_t expected_rows)
    : models_(std::move(models)), kernel_(models_[0].param), tail_(kernel_) {
  for (const ModelView& model : models_) predictors_.emplace_back(model, messages);
  if (expected_rows < kFewRows) return;
  if (const std::optional<VectorShape> shape = shape_of(models_[0])) {
    own_vectors_ = pack_support_vectors(models_[0], *shape, kNoLimit);
  }
}

BatchPredictor::BatchPredictor(const PackedModel& packed, const Messages& messages)
    : models_{packed.view}, kernel_(packed.view.param), tail_(kernel_), vectors_(&packed.vectors) {
  predictors_.emplace_back(packed.view, messages);
}

BatchPredictor::~BatchPredictor() = default;

std::size_t BatchPredictor::rows_at_a_time(std::size_t count, std::size_t threads) {
  return std::clamp<std::size_t>(count / (4 * threads) / kRows, 1, 8) * kRows;
}

template <typename Visit>
void BatchPredictor::visit_values(DataRows rows, std::size_t count, const Visit& visit) const {
  const std::size_t width = value_count();
  std::vector<double> row_values(width);
  PredictionWork row_work;
  const auto one_by_one = [&](std::size_t i) {
    for (std::size_t m = 0; m < models_.size(); ++m) {
      predictors_[m].predict_values(rows[i], row_values.data(), row_work);
      visit(i, m, row_values.data());
    }
  };
  if (vectors_->any == nullptr) {
    for (std::size_t i = 0; i < count; ++i) one_by_one(i);
    return;
  }
  Work work(width * models_.size());
  std::vector<DataRow> orderly;
  std::vector<std::size_t> place;
  const auto finish = [&] {
    add_values(orderly.data(), orderly.size(), work);
    for (std::size_t r = 0; r < orderly.size(); ++r) {
      for (std::size_t m = 0; m < models_.size(); ++m) {
        const double* const sums = work.sums.data() + m * width * kSumRows;
        for (std::size_t v = 0; v < width; ++v) {
          row_values[v] = sums[v * kSumRows + r] - models_[m].rho[v];
        }
        visit(place[r], m, row_values.data());
      }
    }
    orderly.clear();
    place.clear();
  };
  for (std::size_t i = 0; i < count; ++i) {
    const DataRow row = rows[i];
    if (is_orderly(row)) {
      orderly.push_back(row);
      place.push_back(i);
      if (orderly.size() == kSumRows) finish();
    } else {
      one_by_one(i);
    }
  }
  if (!orderly.empty()) finish();
}

void BatchPredictor::predict(DataRows rows, std::size_t count, bool by_probability,
                             const PredictionArrays& to) const {
  const std::size_t width = value_count(), classes = models_[0].classes;
  PredictionWork row_work;
  visit_values(rows, count, [&](std::size_t i, std::size_t, const double* row_values) {
    if (to.values != nullptr) std::copy_n(row_values, width, to.values + i * width);
    double* const estimates =
        to.probabilities == nullptr ? nullptr : to.probabilities + i * classes;
    const double prediction = by_probability
                                  ? predictors_[0].probability_of(row_values, estimates, row_work)
                                  : predictors_[0].prediction_of(row_values);
    if (to.predictions != nullptr) to.predictions[i] = prediction;
  });
}

void BatchPredictor::predict_by_each(DataRows rows, std::size_t count,
                                     double* const* predictions) const {
  visit_values(rows, count, [&](std::size_t i, std::size_t m, const double* row_values) {
    predictions[m][i] = predictors_[m].prediction_of(row_values);
  });
}

void BatchPredictor::add_values(const DataRow* rows, std::size_t count, Work& work) const {
  const bool ones = vectors_->ones != nullptr && std::all_of(rows, rows + count, is_all_ones);
  const InnerSums& packed = ones ? *vectors_->ones : *vectors_->any;
  work.choose(packed);
  work.group_count = (count + kPackRows - 1) / kPackRows;
  for (std::size_t g = 0; g < work.group_count; ++g) {
    packed.prepare(rows + g * kPackRows, std::min(kPackRows, count - g * kPackRows),
                   work.groups[g]);
  }
  std::fill(work.sums.begin(), work.sums.end(), 0.0);
  for (std::size_t first = 0; first < packed.columns(); first += packed.block_columns()) {
    const std::size_t last = std::min(first + packed.block_columns(), packed.columns());
    for (std::size_t g = 0; g < work.group_count; ++g) {
      packed.of_block(first, work.groups[g], work.inner_sums.data());
      fill_kernel_values(last - first, g, work);
    }
    for (std::size_t m = 0; m < models_.size(); ++m) add_block(first, last, m, work);
  }
}

void BatchPredictor::fill_kernel_values(std::size_t columns, std::size_t group, Work& work) const {
  // The rows are contiguous if the block is full, so that one call does them all.
  const std::size_t width = work.packed->block_columns();
  const std::size_t rows = work.groups[group].count;
  const double* const sums = work.inner_sums.data();
  double* const values = work.values.data();
  if (columns == width) {
    tail_.values(sums, rows * width, values);
  } else {
    for (std::size_t r = 0; r < rows; ++r) {
      tail_.values(sums + r * width, columns, values + r * width);
    }
  }
  double* const to = work.kernel_values.data() + group * kPackRows;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t s = 0; s < columns; ++s) to[s * kSumRows + r] = values[r * width + s];
  }
}

void BatchPredictor::add_block(std::size_t first, std::size_t last, std::size_t number,
                               Work& work) const {
  add_kernel_terms(models_[number], first, last, work.kernel_values.data(),
                   work.sums.data() + number * value_count() * kSumRows);
}

}  // namespace svm
