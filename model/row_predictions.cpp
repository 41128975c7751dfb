#include "model/row_predictions.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "model/prediction.h"
#include "model/single_values.h"
#include "model/svm_type.h"

namespace svm {

bool has_probabilities(const svm_model& model) {
  if (model.param.svm_type == ONE_CLASS) return model.prob_density_marks != nullptr;
  return is_classification(model.param.svm_type) && model.probA != nullptr &&
         model.probB != nullptr;
}

namespace {

// Predicts labels from signs in single precision if these are certain, else from LIBSVM's decision
// values.
class LabelPredictor {
 public:
  LabelPredictor(const SingleValues& signs, const BatchPredictor& exact, const Predictor& labels)
      : signs_(signs), exact_(exact), labels_(labels) {}

  void predict(DataRows rows, std::size_t count, double* predictions) {
    std::vector<std::size_t> left;
    for (std::size_t begin = 0; begin < count; begin += SingleValues::kRows) {
      const std::size_t end = std::min(count, begin + SingleValues::kRows);
      if (are_of_use()) {
        predict_by_signs(rows, begin, end, predictions, left);
      } else {
        for (std::size_t i = begin; i < end; ++i) left.push_back(i);
      }
    }
    std::vector<DataRow> left_rows;
    left_rows.reserve(left.size());
    for (const std::size_t i : left) left_rows.push_back(rows[i]);
    std::vector<double> exact(left.size());
    exact_.predict(left_rows.data(), left.size(), false, {exact.data()});
    for (std::size_t k = 0; k < left.size(); ++k) predictions[left[k]] = exact[k];
  }

 private:
  // True if signs decide more than half of the rows so far.
  bool are_of_use() const {
    constexpr std::size_t kTrial = 256;
    const std::size_t tried = tried_.load(std::memory_order_relaxed);
    return tried < kTrial || unknown_.load(std::memory_order_relaxed) < tried / 2;
  }

  // Predicts the rows whose signs are certain, and appends the numbers of the others to `left`.
  void predict_by_signs(DataRows rows, std::size_t begin, std::size_t end, double* predictions,
                        std::vector<std::size_t>& left) {
    std::vector<DataRow> orderly;
    std::vector<std::size_t> places;
    const std::size_t known_left = left.size();
    for (std::size_t i = begin; i < end; ++i) {
      if (is_orderly(rows[i])) {
        orderly.push_back(rows[i]);
        places.push_back(i);
      } else {
        left.push_back(i);
      }
    }
    const std::size_t width = exact_.value_count();
    std::vector<double> values(orderly.size() * width);
    std::vector<char> is_certain(orderly.size());
    signs_.decide(orderly.data(), orderly.size(), values.data(), is_certain.data());
    for (std::size_t k = 0; k < orderly.size(); ++k) {
      if (is_certain[k] != 0) {
        predictions[places[k]] = labels_.prediction_of(values.data() + k * width);
      } else {
        left.push_back(places[k]);
      }
    }
    tried_.fetch_add(end - begin, std::memory_order_relaxed);
    unknown_.fetch_add(left.size() - known_left, std::memory_order_relaxed);
  }

  const SingleValues& signs_;
  const BatchPredictor& exact_;
  const Predictor& labels_;
  std::atomic<std::size_t> tried_{0}, unknown_{0};
};

}  // namespace

void predict_rows(const svm_model& model, DataRows rows, std::size_t count, ThreadPool& pool,
                  const PredictionArrays& to) {
  const auto say_nothing = [](const char*) {};
  const Messages messages(say_nothing, say_nothing);
  const BatchPredictor predictor(model, messages, count);
  const std::size_t width = predictor.value_count();
  const auto classes = static_cast<std::size_t>(model.nr_class);
  const auto predict = [&](std::size_t begin, std::size_t end) {
    const auto from = [begin](double* array, std::size_t row_width) {
      return array == nullptr ? nullptr : array + begin * row_width;
    };
    predictor.predict(
        rows + begin, end - begin, to.probabilities != nullptr,
        {from(to.predictions, 1), from(to.values, width), from(to.probabilities, classes)});
  };
  const std::size_t chunk = BatchPredictor::rows_at_a_time(count, pool.threads());
  std::unique_ptr<SingleValues> signs;
  if (to.predictions == nullptr && to.values == nullptr && to.probabilities == nullptr) return;
  if (to.values == nullptr && to.probabilities == nullptr && count >= SingleValues::kRows) {
    signs = SingleValues::make(model);
  }
  if (signs == nullptr) {
    pool.for_chunks(count, chunk, predict);
    return;
  }
  const Predictor labels(model, messages);
  LabelPredictor quick(*signs, predictor, labels);
  pool.for_chunks(count, chunk, [&](std::size_t begin, std::size_t end) {
    quick.predict(rows + begin, end - begin, to.predictions + begin);
  });
}

}  // namespace svm
